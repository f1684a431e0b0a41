"""Each annotator: agreement with oneself, asked again; grades once unblinded; leniency beside the others."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.messages import Message
from annotator.desktop.results.grid_view import GridView
from annotator.evaluation.result_table import Table
from annotator.theme import Theme


class AgainTab(QWidget):
    """One table above the other, each as high as its rows; a message while there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grids = {
            key: GridView(title, theme)
            for key, title in (
                ("agreement", "Agreement with oneself"),
                ("blind-shift", "Grades before and after unblinding"),
                ("leniency", "Leniency and scatter"),
            )
        }
        self.message = Message(self)
        self.message.say(
            "Nobody was asked again yet",
            "The project's settings say how many of one's own earlier candidates are asked again.",
        )
        for grid in self.grids.values():
            grid.fitted.connect(self._arrange)
            grid.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column((self.message, 1_000), *self.grids.values(), 1, on=self, around=FLUSH)
        self.show_tables(())

    def show_tables(self, tables: Sequence[Table]) -> None:
        """Show what there is."""
        self.message.setVisible(not tables)
        known = {table.key: table for table in tables}
        for key, grid in self.grids.items():
            grid.setVisible(key in known)
            if key in known:
                grid.show_table(known[key])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give captions the height that they take in another width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Give each table the height of its rows: the page scrolls where there is no room for all."""
        for grid in self.grids.values():
            grid.setFixedHeight(grid.height_of(grid.grid.rowCount(), self.width()))

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for grid in self.grids.values():
            grid.theme_changed(theme)
