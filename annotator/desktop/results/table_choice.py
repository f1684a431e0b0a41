"""Several tables in the room of one: what is chosen above is shown, as wide as the page."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from annotator.desktop.controls import combo
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import px
from annotator.evaluation.result_table import Table
from annotator.theme import STEPS, Theme

NARROWEST = 120
"""So wide is the choice at least; where there is room it is as wide as its titles."""


class TableChoice(QWidget):
    """Shows the table that is chosen above it; the choice stays where there is such a table again."""

    def __init__(self, name: str, theme: Theme, beside: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._tables: Sequence[Table] = ()
        self.choice = combo(f"What is shown of {name}", self._show)
        self.choice.setSizeAdjustPolicy(self.choice.SizeAdjustPolicy.AdjustToContents)  # they come later
        self.choice.setMinimumWidth(px(NARROWEST))
        self.grid = GridView(name[0].upper() + name[1:], theme)
        self.above = row(*beside, self.choice, 1, around=(16, 12, 16, 12), gap=STEPS[0])
        column(self.above, (self.grid, 1), on=self, around=FLUSH, gap=0)

    @property
    def shown(self) -> str:
        """The key of the table on show, "" before there is one."""
        return self._tables[self.choice.currentIndex()].key if self.choice.currentIndex() >= 0 else ""

    def show_tables(self, tables: Sequence[Table]) -> None:
        """Offer the tables, and show the one that was chosen."""
        before = self.choice.currentText()
        self._tables = tables
        self.choice.clear()
        self.choice.addItems([one.title for one in tables])
        self.choice.setCurrentIndex(max(self.choice.findText(before), 0))
        self._show()

    def replace_first(self, table: Table) -> None:
        """Show another first table."""
        self.show_tables((table, *self._tables[1:]))

    def _show(self) -> None:
        if self.choice.currentIndex() >= 0:
            table = self._tables[self.choice.currentIndex()]
            self.grid.empty = table.caption  # which says why there is nothing
            self.grid.show_table(table)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.grid.theme_changed(theme)
