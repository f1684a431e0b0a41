"""How far annotators agree: every coefficient on one axis, and beside it the grades of one pair."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QSplitter, QWidget

from annotator.desktop.controls import combo
from annotator.desktop.layouts import column
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import px
from annotator.desktop.worker import Worker
from annotator.evaluation.result_table import Table
from annotator.figures.catalogue import FIGURES, has
from annotator.figures.subject import Subject
from annotator.theme import Theme

GRADES = 6
BESIDE = 536
"""The room of the grades of a pair, in which all of them are seen."""


class CoefficientsTab(QSplitter):
    """Shows the coefficients as a forest plot, and the confusion of the pair that is chosen above it."""

    def __init__(self, worker: Worker, theme: Theme, choose: Callable[[], object]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.coefficients = GridView("Coefficients of agreement", theme, self)
        self.coefficients.painter.one_axis = True
        self.pair = combo("Pair of annotators", choose)
        self.confusion = GridView("Judgments of one against those of the other", theme)
        self.grades = Canvas(worker, theme)
        beside = QWidget()
        column(self.pair, self.confusion, (self.grades, 1), on=beside, around=(16, 12, 16, 12))
        scrolled = QScrollArea()  # with large text it may need more height than there is
        scrolled.setWidget(beside)
        scrolled.setWidgetResizable(True)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.addWidget(scrolled)
        self.setChildrenCollapsible(False)
        for part in range(2):
            self.setStretchFactor(part, 1)
        self.setSizes([px(660), px(BESIDE)])

    def show_coefficients(self, table: Table, subject: Subject) -> None:
        """Show every coefficient, and how often each grade was given."""
        ends = [end for interval in table.intervals.values() for end in interval]
        axis = f" All are drawn on one axis, from {min(ends):.3f} to {max(ends):.3f}." if ends else ""
        self.coefficients.show_table(replace(table, caption=f"{table.caption}{axis}"))
        kind = FIGURES["grades"]
        self.grades.setVisible(has(subject, kind.need))
        self.grades.show_figure(partial(kind.draw, subject), kind.title)

    def show_pairs(self, names: list[str], chosen: str, table: Table) -> None:
        """Offer the pairs, and show the grades of the chosen one."""
        self.pair.clear()
        self.pair.addItems(names)
        self.pair.setCurrentText(chosen)
        self.confusion.show_table(table)
        self.confusion.setFixedHeight(self.confusion.height_of(GRADES))

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for part in (self.coefficients, self.confusion, self.grades):
            part.theme_changed(theme)
        self.confusion.setFixedHeight(self.confusion.height_of(GRADES))
