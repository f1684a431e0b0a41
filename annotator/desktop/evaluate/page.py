"""The Evaluate page: how good is each system, on which queries, and why."""

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.evaluate.coverage_tab import CoverageTab
from annotator.desktop.evaluate.figures_tab import FiguresTab
from annotator.desktop.evaluate.query_panel import QueryPanel
from annotator.desktop.pages import Surroundings
from annotator.desktop.results.evaluated_page import EvaluatedPage
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label, px
from annotator.desktop.worker import Progress, ShouldStop
from annotator.evaluation import summarising
from annotator.evaluation.cqa import cqa_tables
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.stating import conventions
from annotator.evaluation.subsets import narrowed
from annotator.figures.subject import Subject
from annotator.theme import Theme


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a result."""

    summary: Table
    per_query: Table
    tags: Table
    unjudged: Table
    cqa: tuple[Table, ...]


class EvaluatePage(EvaluatedPage):
    """Systems under measures, one row per query, figures, conventions; a click opens the query's panel."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.summary = GridView("Systems and measures", self.theme)
        self.summary.opened.connect(self._summary_opened)
        self.queries = GridView("Scores per query", self.theme)
        self.queries.opened.connect(self._query_opened)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter queries")
        self.filter.textChanged.connect(self.queries.grid.filter)
        self.tags = GridView("Scores by tag", self.theme)
        self.coverage = CoverageTab(self.project, self.worker, self.theme)
        self.coverage.said.connect(self.said)
        self.cqa = GridView("Question answering at each k", self.theme)
        self.figures = FiguresTab(self.worker, self.theme)
        self.figures.query_wanted.connect(self.open_query)
        self.figures.more_wanted.connect(self._evaluate_more)
        self.words = label()
        self.panel = QueryPanel(self.project, self.worker, self.theme)
        self.panel.query_wanted.connect(self.query_wanted)
        self.panel.closed.connect(self.panel.hide)
        self.panel.hide()
        self._more = JobBar(self.worker)
        self._more.problem.connect(self.tell)
        self._lay_out()

    def _lay_out(self) -> None:
        queries = QWidget()
        column = QVBoxLayout(queries)
        column.setContentsMargins(0, 8, 0, 0)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self.filter)
        column.addLayout(row)
        column.addWidget(self.queries)
        self.words.setWordWrap(True)
        self.words.setContentsMargins(16, 16, 16, 16)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        scrolled = QScrollArea()  # many measures have many sentences
        scrolled.setWidget(self.words)
        scrolled.setWidgetResizable(True)
        self.tabs = QTabWidget()
        for part, title in (
            (queries, "Queries"),
            (self.figures, "Figures"),
            (self.tags, "By tag"),
            (self.coverage, "Unjudged"),
            (self.cqa, "cQA"),
            (scrolled, "Conventions"),
        ):
            self.tabs.addTab(part, title)
        self.tabs.setDocumentMode(True)
        self.tabs.currentChanged.connect(self._show_tab)
        self.left = QSplitter(Qt.Orientation.Vertical)
        self.left.addWidget(self.summary)
        self.left.addWidget(self.tabs)
        self.left.setStretchFactor(1, 1)
        self.left.setChildrenCollapsible(False)
        self.halves = QSplitter(Qt.Orientation.Horizontal)
        self.halves.addWidget(self.left)
        self.halves.addWidget(self.panel)
        self.halves.setStretchFactor(0, 1)
        self.halves.setChildrenCollapsible(False)
        content = QWidget()
        whole = QVBoxLayout(content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._more)
        whole.addWidget(self.halves, 1)
        self.lay_out(content)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        views = (self.summary, self.queries, self.tags, self.coverage, self.cqa)
        for part in (*views, self.figures, self.panel):
            part.theme_changed(theme)

    def search(self) -> bool:
        """Filter the queries."""
        self.tabs.setCurrentIndex(0)
        self.filter.setFocus()
        return True

    def prepare(self, result: EvaluationResult, progress: Progress, should_stop: ShouldStop) -> Tables:
        """Make the tables."""
        return Tables(
            summarising.summary(result),
            summarising.per_query(result),
            summarising.tags(result),
            summarising.unjudged(result),
            cqa_tables(result),
        )

    def present(self, result: EvaluationResult, prepared: Tables) -> None:
        """Show the tables, the conventions, and the figures if they are looked at."""
        self.summary.show_table(prepared.summary)
        height = self.summary.verticalHeader().defaultSectionSize() * min(len(result.systems), 6)
        self.left.setSizes([height + px(68), max(self.height() - height, px(200))])
        self.queries.show_table(prepared.per_query)
        self.tags.show_table(prepared.tags)
        self.tabs.setTabVisible(self.tabs.indexOf(self.tags), len(prepared.tags) > 0)
        self.coverage.show_unjudged(prepared.unjudged, not self.hidden)
        if prepared.cqa:
            self.cqa.show_table(prepared.cqa[1])
        self.tabs.setTabVisible(self.tabs.indexOf(self.cqa), bool(prepared.cqa))
        self.words.setText("\n\n".join((*conventions(result), *result.notes)))
        self._show_tab()
        if self.panel.isVisible():
            panel, at = self.panel, self.panel.measure.currentIndex()
            measure = result.measures[min(max(at, 0), len(result.measures) - 1)].name
            self.open_query(panel.query, panel.system.currentText(), measure)

    def open_query(self, query: str, system: str = "", measure: str = "") -> None:
        """Show why a query scores what it scores."""
        result = self.result
        if result is None or query not in result.query_ids:
            return
        systems = result.systems
        measures = [one.name for one in result.measures]
        if self.panel.isHidden():
            self.panel.show()
            self.halves.setSizes([self.width() * 11 // 20, self.width() * 9 // 20])
        self.panel.show_query(
            query,
            systems,
            measures,
            system if system in systems else systems[0],
            measure if measure in measures else measures[0],
            self.options.options,
        )

    def _show_tab(self) -> None:
        """Draw the figures, and compute the bounds, only while they are looked at."""
        if self.result is None:
            return
        if self.tabs.currentWidget() is self.figures:
            self.figures.show_subject(Subject(result=self.result))
        elif self.tabs.currentWidget() is self.coverage:
            self.coverage.compute(self.options.options)

    def _evaluate_more(self, names: tuple[str, ...], done: Any) -> None:
        project, options = self.project, replace(self.options.options, measures=names)
        seen = frozenset(self.result.query_ids) if self.result else frozenset()

        def job(progress: Progress, should_stop: ShouldStop) -> EvaluationResult:
            return narrowed(project.evaluate(options, progress, should_stop), seen)

        self._more.run("Drawing", job, done)

    def _summary_opened(self, row: int, column: int) -> None:
        """A mean is made of its queries: show them, this system's worst first."""
        result = self.result
        if result is None or not 1 <= column <= len(result.measures):
            return
        at = self.queries_column(result, row, column - 1)
        self.tabs.setCurrentIndex(0)
        self.queries.sortByColumn(at, Qt.SortOrder.AscendingOrder)
        self.queries.setCurrentIndex(self.queries.grid.index(0, at))
        self.queries.setFocus()

    def _query_opened(self, row: int, column: int) -> None:
        result = self.result
        if result is None:
            return
        first = self.queries_column(result, 0, 0)
        measure, system = divmod(column - first, len(result.systems))
        inside = 0 <= measure < len(result.measures)
        self.open_query(
            result.query_ids[row],
            result.systems[system] if inside else "",
            result.measures[measure].name if inside else "",
        )

    def queries_column(self, result: EvaluationResult, system: int, measure: int) -> int:
        """Return the column of the per-query table that shows a system under a measure."""
        table: Table = self.queries.grid.table
        first = next(at for at, column in enumerate(table.columns) if column.kind == "number")
        return first + measure * len(result.systems) + system
