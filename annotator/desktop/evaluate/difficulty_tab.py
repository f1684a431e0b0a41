"""How hard the queries are for all systems, and which systems do well on the hard or on the easy ones."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from annotator.desktop.controls import combo, offer
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.table_choice import TableChoice
from annotator.desktop.style import prose, px
from annotator.desktop.worker import Worker
from annotator.evaluation.family import compared_measures
from annotator.evaluation.query_difficulty import by_query, by_system, difficulty
from annotator.evaluation.result_table import columns_of, intervals_below
from annotator.evaluation.results import EvaluationResult
from annotator.figures.catalogue import FIGURES
from annotator.figures.subject import Subject
from annotator.theme import Theme

KIND = FIGURES["difficulty"]

WIDE, HIGH = 1_000, 300
"""In a narrower or lower tab the table has all the room; the figure is among the others, too."""


class DifficultyTab(QWidget):
    """Shows the queries, the hardest first, or the systems; beside them each query by score and difficulty.

    `query_wanted(id, system, measure)` is a click on a query, "" for no system.
    """

    query_wanted = Signal(str, str, str)

    def __init__(self, worker: Worker, theme: Theme) -> None:
        super().__init__()
        self._result: EvaluationResult | None = None
        self.measure = combo("Measure", self._show)
        self.tables = TableChoice("difficulty", theme, beside=(self.measure,))
        self.tables.grid.opened.connect(self._open)
        self.canvas = Canvas(worker, theme)
        self.canvas.query_wanted.connect(lambda query: self.query_wanted.emit(query, "", self._name))
        self.sentence = prose(KIND.sentence, "muted")
        self.figure = QWidget()
        column(self.sentence, (self.canvas, 1), on=self.figure, around=(16, 12, 16, 12))
        halves = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.tables, self.figure):
            halves.addWidget(part)
        halves.setChildrenCollapsible(False)
        halves.setSizes([px(760), px(440)])
        column(halves, on=self, around=FLUSH)

    @property
    def _name(self) -> str:
        return self.measure.currentText()

    def show_result(self, result: EvaluationResult | None) -> None:
        """Show another result; the measure that was chosen stays if the result has it."""
        self._result = result
        if result is not None:
            offer(self.measure, compared_measures(result))
            self._show()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for part in (self.tables, self.canvas):
            part.theme_changed(theme)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the table have the whole width where it needs it."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.figure.setVisible(self.width() >= px(WIDE) and self.height() >= px(HIGH))

    def _show(self) -> None:
        result = self._result
        if result is None or self._name not in compared_measures(result):
            return
        found = difficulty(result, self._name)
        systems = intervals_below(by_system([found]), "rho", "rho_low", "rho_high")
        systems = intervals_below(systems, "apart", "apart_low", "apart_high")
        tables = (by_query([found]), systems)
        self.tables.show_tables([columns_of(one, range(1, len(one.columns))) for one in tables])
        self.canvas.show_figure(partial(KIND.draw, Subject(result=result, measure=self._name)), KIND.title)

    def _open(self, at: int, column: int) -> None:
        table = self.tables.grid.grid.table
        if self.tables.shown == "difficulty":
            system = table.columns[column].title if table.columns[column].shade else ""
            self.query_wanted.emit(str(table.data[0][at]), system, self._name)
