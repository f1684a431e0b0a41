"""How far annotators agree: every coefficient on one axis, and beside it the grades of one pair."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QWidget

from annotator.desktop.controls import combo
from annotator.desktop.evaluate.figures_tab import FEWEST_LETTERS
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import px
from annotator.desktop.worker import Worker
from annotator.evaluation.result_table import Table
from annotator.figures.catalogue import FIGURES, has
from annotator.figures.subject import Subject
from annotator.theme import Theme

GRADES = 6
AROUND = 16
LEAST, BESIDE = 480, 580
"""The room of the coefficients of few, and that of the grades of a pair under names that are not long."""


class CoefficientsTab(QScrollArea):
    """Shows the coefficients as a forest plot, and the confusion of the pair that is chosen beside them.

    Where it is too narrow for both, the pair stands below, and all of it scrolls.
    """

    def __init__(self, worker: Worker, theme: Theme, choose: Callable[[], object]) -> None:
        super().__init__()
        whole = QWidget()
        self.coefficients = GridView("Coefficients of agreement", theme)
        self.coefficients.painter.one_axis = True
        self.coefficients.fitted.connect(self._arrange)
        self.pair = combo("Pair of annotators", choose)
        self.pair.setMinimumContentsLength(FEWEST_LETTERS)  # longer names are cut, else the page was as wide
        self.pair.setSizeAdjustPolicy(self.pair.SizeAdjustPolicy.AdjustToContents)
        self.confusion = GridView("Judgments of one against those of the other", theme)
        self.grades = Canvas(worker, theme)
        self.beside = QWidget()
        column(self.pair, self.confusion, (self.grades, 1), on=self.beside, around=(AROUND, 12, AROUND, 12))
        self._halves = row((self.coefficients, 5), (self.beside, 4), on=whole, around=FLUSH, gap=0)
        self.setWidget(whole)
        self.setWidgetResizable(True)
        self.setFocusPolicy(self.focusPolicy().NoFocus)

    @property
    def stacked(self) -> bool:
        """Say whether the pair stands below the coefficients."""
        return self._halves.direction() == QBoxLayout.Direction.TopToBottom

    def show_coefficients(self, table: Table, subject: Subject) -> None:
        """Show every coefficient, and how often each grade was given."""
        ends = [end for interval in table.intervals.values() for end in interval]
        axis = f" All are drawn on one axis, from {min(ends):.3f} to {max(ends):.3f}." if ends else ""
        self.coefficients.show_table(replace(table, caption=f"{table.caption}{axis}"))
        kind = FIGURES["grades"]
        self.grades.setVisible(has(subject, kind.need))
        self.grades.show_figure(partial(kind.draw, subject), kind.title)
        self._arrange()

    def show_pairs(self, names: list[str], chosen: str, table: Table) -> None:
        """Offer the pairs, and show the grades of the chosen one."""
        self.pair.clear()
        self.pair.addItems(names)
        self.pair.setCurrentText(chosen)
        self.confusion.show_table(table)
        self._arrange()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for part in (self.coefficients, self.confusion, self.grades):
            part.theme_changed(theme)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the pair beside the coefficients where there is room for both."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        beside = max(px(BESIDE), self.confusion.room()[0] + 2 * AROUND)
        stacked = self.width() < max(px(LEAST), self.coefficients.room()[0]) + beside
        ways = QBoxLayout.Direction
        self._halves.setDirection(ways.TopToBottom if stacked else ways.LeftToRight)
        self.beside.setMinimumWidth(0 if stacked else beside)
        rows = self.coefficients.grid.rowCount()
        self.coefficients.setMinimumHeight(self.coefficients.height_of(rows) if stacked else 0)
        bar = self.confusion.verticalScrollBar().sizeHint().width()  # else a caption that just fits needs one
        inside = self.confusion.maximumViewportSize().width() - bar
        self.confusion.setFixedHeight(self.confusion.height_of(GRADES, inside))
