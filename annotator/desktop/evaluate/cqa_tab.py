"""What community question answering prints: a row per system, and below it a row per k."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.results.grid_view import GridView
from annotator.evaluation.result_table import Table
from annotator.theme import STEPS, Theme

MADE_OF = {"MRR": "RR@{k}", "MAP": "AP(norm='rel_ret')@{k}", "REC-1": "Success@{k}"}
"""Which measure a number is the mean of; the others count what P@k shares."""


class CqaTab(QWidget):
    """Shows the tables. `mean_wanted(system, measure)` is a click on a number that its queries explain.

    `queries_wanted(system)` is one on their count.
    """

    mean_wanted = Signal(str, str)
    queries_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.means = GridView("MRR, MAP and AvgRec", theme)
        self.at_k = GridView("Question answering at each k", theme)
        self.means.opened.connect(self._mean_opened)
        self.at_k.opened.connect(self._opened_at_k)
        column(self.means, (self.at_k, 1), on=self, around=FLUSH, gap=STEPS[1])

    def show_tables(self, tables: Sequence[Table]) -> None:
        """Show the table of the systems and the table of the cut-offs."""
        means, at_k = tables
        self.means.show_table(means)
        self.at_k.show_table(at_k)
        self._size_means()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for view in (self.means, self.at_k):
            view.theme_changed(theme)
        self._size_means()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the means the height that they take in another width."""
        super().resizeEvent(event)
        self._size_means()

    def _size_means(self) -> None:
        self.means.setFixedHeight(self.means.height_of(4, self.width()))

    def _mean_opened(self, row: int, column: int) -> None:
        system, title = str(self.means.grid.table.data[0][row]), self.means.grid.column(column).title
        if title == "Questions":
            self.queries_wanted.emit(system)
        elif column:
            self._tell(system, title, len(self.at_k.grid.table))

    def _opened_at_k(self, row: int, column: int) -> None:
        """Four columns belong to each system, behind the first."""
        if column:
            system = str(self.means.grid.table.data[0][(column - 1) // 4])
            self._tell(system, self.at_k.grid.column(column).title.split(" ")[0], row + 1)

    def _tell(self, system: str, title: str, k: int) -> None:
        self.mean_wanted.emit(system, MADE_OF.get(title, "P@{k}").format(k=k))
