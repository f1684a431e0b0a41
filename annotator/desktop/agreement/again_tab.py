"""How far annotators agree with themselves, asked again, and whether they grade otherwise once unblinded."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.messages import Message
from annotator.desktop.results.grid_view import GridView
from annotator.evaluation.result_table import Table
from annotator.theme import Theme


class AgainTab(QWidget):
    """One table above the other; a message while there is neither."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grids = [
            GridView(title, theme)
            for title in ("Agreement with oneself", "Grades before and after unblinding")
        ]
        self.message = Message(self)
        self.message.say(
            "Nobody was asked again yet",
            "The project's settings say how many of one's own earlier candidates are asked again.",
        )
        column(*((part, 1) for part in (self.message, *self.grids)), on=self, around=FLUSH)
        self.show_tables(())

    def show_tables(self, tables: Sequence[Table]) -> None:
        """Show what there is."""
        self.message.setVisible(not tables)
        for at, grid in enumerate(self.grids):
            grid.setVisible(at < len(tables))
            if at < len(tables):
                grid.show_table(tables[at])

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for grid in self.grids:
            grid.theme_changed(theme)
