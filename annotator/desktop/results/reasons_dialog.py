"""What a number of a table is made of: a table of its own, whose rows open queries."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from annotator.desktop.dialog import Dialog
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import breakable, px
from annotator.evaluation.result_table import Table
from annotator.theme import Theme


class Shown(Dialog):
    """Shows a table, its caption above."""

    def __init__(self, table: Table, theme: Theme, parent: QWidget, more: str = "") -> None:
        super().__init__(table.title, parent)
        self.grid = GridView(table.title, theme, self)
        self.views = (self.grid,)
        self.grid.show_table(replace(table, caption=""))
        self.lay_out((self.grid, 1), self.way_out(), hint=breakable(f"{table.caption} {more}".strip()))
        self.grid.setFocus()
        self.resize(px(900), px(520))


class Reasons(Shown):
    """Shows a table whose first column names queries, by `order` highest first where it is given.

    `query_wanted(id)` is a click or Enter on a row; the dialog gives way to what it opens.
    """

    query_wanted = Signal(str)

    def __init__(self, table: Table, theme: Theme, parent: QWidget, order: int | None = None) -> None:
        super().__init__(table, theme, parent, "A row opens its query.")
        self.grid.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        if order is not None:
            self.grid.sortByColumn(order, Qt.SortOrder.DescendingOrder)
        self.grid.setCurrentIndex(self.grid.grid.index(0, 0))
        self.grid.opened.connect(self._open)

    def _open(self, row: int, _column: int) -> None:
        self.accept()
        self.query_wanted.emit(str(self.grid.grid.table.data[0][row]))
