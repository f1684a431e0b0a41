"""The Evaluate page: how good is each system, on which queries, and why."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QLabel, QScrollArea, QWidget

from annotator.desktop.evaluate.coverage_tab import CoverageTab
from annotator.desktop.evaluate.cqa_tab import CqaTab
from annotator.desktop.evaluate.difficulty_tab import DifficultyTab
from annotator.desktop.evaluate.figures_tab import FiguresTab
from annotator.desktop.evaluate.queries_tab import QueriesTab
from annotator.desktop.evaluate.query_panel import QueryPanel
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.pages import Surroundings
from annotator.desktop.results.evaluated_page import EvaluatedPage
from annotator.desktop.results.grid import EMPTY
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.results.reasons_dialog import Reasons, Shown
from annotator.desktop.results.side_sheet import SideSheet
from annotator.desktop.results.tabs import Tabs, made
from annotator.desktop.style import prose, px
from annotator.evaluation import summary_tables
from annotator.evaluation.conventions_text import conventions, practice
from annotator.evaluation.cqa import cqa_tables
from annotator.evaluation.evaluator import parsed
from annotator.evaluation.family import compared_measures
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import narrowed
from annotator.figures.subject import Subject
from annotator.project.event_words import quoted
from annotator.project.state import State
from annotator.theme import Theme
from annotator.watch import Watch

SYSTEMS_IN_SIGHT, FEWEST_IN_SIGHT = 7, 3
"""So many systems are seen without scrolling, and in a low window."""

FIRST_QUERIES = 180
"""The room of the first queries, with all that stands above them in their tab, at the normal text size."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a result."""

    summary: Table
    tags: Table
    unjudged: Table
    cqa: tuple[Table, ...]


class EvaluatePage(EvaluatedPage):
    """Systems under measures, one row per query, figures, conventions; a click opens the query's panel."""

    in_parts = True
    without_judgments = True

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self._tables = Tables(EMPTY, EMPTY, EMPTY, ())
        self._more = JobBar(self.worker, self.content)
        self._more.problem.connect(self.tell)
        self.options.further = (("The best no-answer thresholds, from a file…", self._ask_doubts),)
        self._lay_out()

    @cached_property
    def queries(self) -> QueriesTab:
        """The scores per query."""
        tab = QueriesTab(self.theme)
        tab.query_wanted.connect(self.open_query)
        tab.filter.textEdited.connect(self.whole_page.show_tabs)  # and what is said of what is found
        tab.only_wanted.connect(lambda queries: self.options.change(queries=queries))
        return tab

    @cached_property
    def figures(self) -> FiguresTab:
        """The figures of the result."""
        tab = FiguresTab(self.worker, self.theme)
        tab.query_wanted.connect(self.open_query)
        tab.canvas.saved.connect(self.said)
        tab.more_wanted.connect(self._evaluate_more)
        return tab

    @cached_property
    def difficulty(self) -> DifficultyTab:
        """How hard the queries are."""
        tab = DifficultyTab(self.worker, self.theme)
        tab.query_wanted.connect(self.open_query)
        tab.canvas.saved.connect(self.said)
        return tab

    @cached_property
    def tags(self) -> GridView:
        """The means by tag."""
        grid = GridView("Scores by tag", self.theme)
        grid.opened.connect(self._tag_opened)
        return grid

    @cached_property
    def coverage(self) -> CoverageTab:
        """What is unjudged."""
        tab = CoverageTab(self.project, self.worker, self.theme)
        tab.said.connect(self.said)
        tab.query_wanted.connect(self.open_query)
        tab.reasons_wanted.connect(self._show_queries_of)
        tab.mean_wanted.connect(self._open_mean)
        return tab

    @cached_property
    def cqa(self) -> CqaTab:
        """The tables of community question answering."""
        tab = CqaTab(self.theme)
        tab.mean_wanted.connect(self._open_plain)
        tab.queries_wanted.connect(self._show_queries_of)
        return tab

    @cached_property
    def words(self) -> QLabel:
        """The conventions in sentences."""
        words = prose()
        words.setContentsMargins(16, 16, 16, 16)
        words.setAlignment(Qt.AlignmentFlag.AlignTop)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return words

    @cached_property
    def panel(self) -> QueryPanel:
        """Why one query scores what it scores, over the right of the page."""
        panel = QueryPanel(self.worker, self.theme, self)
        panel.query_wanted.connect(self.query_wanted)
        panel.candidate_wanted.connect(self.candidate_wanted)
        for canvas in (panel.gain, panel.retrieval):
            canvas.saved.connect(self.said)
        return panel

    @cached_property
    def sheet(self) -> SideSheet:
        """What holds the panel."""
        sheet = SideSheet(self.panel, self.stack, self)
        self.whole_page.verticalScrollBar().valueChanged.connect(sheet.place)
        self.panel.closed.connect(sheet.leave)
        return sheet

    def _make_words(self) -> QWidget:
        scrolled = QScrollArea()  # many measures have many sentences
        scrolled.setAccessibleName("Conventions")
        scrolled.setWidget(self.words)
        scrolled.setWidgetResizable(True)
        return scrolled

    def _lay_out(self) -> None:
        self.summary = GridView("Systems and measures", self.theme, self.content, highest_first=1)
        self.summary.opened.connect(self._summary_opened)
        self.tabs = Tabs(self.content)
        self.tabs.add("Queries", lambda: self.queries, lambda: self.queries.show_result(self.result))
        self.tabs.add(
            "Figures",
            lambda: self.figures,
            lambda: self.figures.show_subject(Subject(result=self.result)),
        )
        self.tabs.add("Difficulty", lambda: self.difficulty, lambda: self.difficulty.show_result(self.result))
        self.tabs.add("By tag", lambda: self.tags, lambda: self.tags.show_table(self._tables.tags))
        self.tabs.add("Unjudged", lambda: self.coverage, self._fill_coverage)
        self.tabs.add("cQA", lambda: self.cqa, lambda: self.cqa.show_tables(self._tables.cqa))
        self.tabs.add("Conventions", self._make_words, self._fill_words)
        column(self._more, self.summary, (self.tabs, 1), on=self.content, around=FLUSH, gap=0)
        self.whole_page.keep(self.tabs)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        for part in made(
            self, "summary", "queries", "tags", "coverage", "cqa", "figures", "difficulty", "panel"
        ):
            part.theme_changed(theme)
        self._size_summary()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the means another height where another width breaks their caption otherwise."""
        super().resizeEvent(event)
        self._size_summary()

    def search(self) -> bool:
        """Filter the queries, where there are scores of some."""
        if not self.tabs.isVisible():
            return False
        self.tabs.setCurrentIndex(0)
        self.queries.filter.setFocus()
        self.whole_page.show_tabs()
        return True

    def prepare(self, result: EvaluationResult, state: State, watch: Watch) -> Tables:
        """Make the tables."""
        return Tables(
            summary_tables.summary(result),
            summary_tables.tags(result),
            summary_tables.unjudged(result),
            cqa_tables(result),
        )

    def present(self, result: EvaluationResult, prepared: Tables) -> None:
        """Show the means, and the rest once it is looked at."""
        self.summary.show_table(prepared.summary)
        self._size_summary()
        self._tables = prepared
        self.tabs.offer("Difficulty", len(result.systems) > 1 and bool(compared_measures(result)))
        self.tabs.offer("By tag", len(prepared.tags) > 0)
        self.tabs.offer("cQA", bool(prepared.cqa))
        self.tabs.refill()
        for sheet in made(self, "sheet"):
            if sheet.isHidden() or not self.whole:
                continue
            at = self.panel.measure.currentIndex()
            measure = result.measures[min(max(at, 0), len(result.measures) - 1)].name
            self.open_query(self.panel.query, self.panel.system.currentText(), measure)

    def _size_summary(self) -> None:
        """Give the means the height of their rows, the tabs the rest; in a low window rows of both are seen.

        There the means go without their caption, which stands among the conventions, and with fewer rows.
        """
        page = self.whole_page
        wide = page.width() - page.verticalScrollBar().sizeHint().width()  # whether it is there or not
        above = sum(part.heightForWidth(wide) for part in (self.options, self.blind) if part.isVisible())
        room = page.viewport().height() - above - px(FIRST_QUERIES)
        self.summary.terse = False
        self.summary.terse = self.summary.height_of(SYSTEMS_IN_SIGHT, wide) > room
        rows = SYSTEMS_IN_SIGHT
        while rows > FEWEST_IN_SIGHT and self.summary.height_of(rows, wide) > room:
            rows -= 1
        self.summary.setFixedHeight(self.summary.height_of(rows, wide))
        self.summary.updateGeometries()

    def open_query(self, query: str, system: str = "", measure: str = "") -> None:
        """Show why a query scores what it scores."""
        result, state = self.result, self.state
        if result is None or state is None or query not in result.query_ids:
            asked = self._texts()
            named = quoted(asked[query]) if asked.get(query) else query
            self.said.emit(f"{named} has no score: nothing of it is judged, or it is left out here.")
            return
        systems = result.systems
        measures = [one.name for one in result.measures]
        self.panel.show_query(
            state,
            query,
            systems,
            measures,
            system if system in systems else systems[0],
            measure if measure in measures else measures[0],
            self.options.options,
        )
        self.whole_page.show_tabs()
        self.sheet.come()

    def _texts(self) -> dict[str, str]:
        """Return the texts of all queries by their ids."""
        return {} if self.state is None else {one.id: one.text for one in self.state.queries.values()}

    def _fill_coverage(self) -> None:
        self.coverage.show_unjudged(self._tables.unjudged, not self.hidden)
        if self.whole and self.state is not None:
            self.coverage.compute(self.state, self.options.options)

    def _fill_words(self) -> None:
        if self.result is not None:
            self.words.setText(
                "\n\n".join((*conventions(self.result), *practice(self.result), *self.result.notes))
            )

    def _evaluate_more(self, names: tuple[str, ...], done: Any) -> None:
        result, state = self.result, self.state
        if result is None or state is None:
            return
        options, seen = result.options.of_measures(*names), frozenset(result.query_ids)

        def job(watch: Watch) -> EvaluationResult:
            from annotator.project.project_scores import evaluated

            return narrowed(evaluated(state, options, watch=watch), seen)

        self._more.run("Drawing", job, done)

    def _ask_doubts(self) -> None:
        """Ask for no-answer probabilities, and show which thresholds would have served best."""
        state, options = self.state, self.options.options
        kinds = "No-answer probabilities (*.json);;All files (*)"
        path, _ = QFileDialog.getOpenFileName(self, "No-answer probabilities (na_prob.json)", "", kinds)
        if not path or state is None:
            return

        def job(watch: Watch) -> Table:
            from annotator.project.no_answer import best_no_answer_of

            return best_no_answer_of(state, options, Path(path), watch)

        self._more.run("Looking for the best thresholds", job, self._show_thresholds)

    def _show_thresholds(self, table: Table) -> None:
        self.thresholds = Shown(table, self.theme, self)
        self.thresholds.open()

    def _summary_opened(self, row: int, column: int) -> None:
        """A mean is made of its queries: show them; what is judged has its tab, what counts its table."""
        result, clicked = self.result, self.summary.grid.column(column)
        if result is None or column == 0:
            return
        if clicked.title == "Queries":
            self._show_queries_of(result.systems[row])
        elif clicked.title == summary_tables.JUDGED and column > len(result.measures):
            self.tabs.look_at("Unjudged")
        else:
            self._open_mean(result.systems[row], clicked.title)

    def _open_mean(self, system: str, measure: str) -> None:
        """Show the queries that a mean is made of, the system's worst first."""
        result = self.result
        known = result is not None and measure in [one.name for one in result.measures]
        if result is None or not known or system not in result.systems:
            return  # the bounds of other choices may still be on show
        self.tabs.setCurrentIndex(0)
        self.queries.show_worst(system, measure)

    def _open_plain(self, system: str, measure: str) -> None:
        """Show the queries of a mean whose measure is named without the threshold that counts here."""
        if self.result is not None:
            self._open_mean(system, parsed(replace(self.result.options, measures=(measure,)))[0].name)

    def _show_queries_of(self, system: str, column: int = 0) -> None:
        """Show which queries count for a system, and what of its top is judged, by what was clicked."""
        if self.result is None:
            return
        table = summary_tables.counting(self.result, system, self._texts())
        order = {1: -3, 2: -2, 3: -1, 4: -2, 5: -1}.get(column, 0) % len(table.columns)
        self.reasons = Reasons(table, self.theme, self, order or None)
        self.reasons.query_wanted.connect(lambda query: self.open_query(query, system))
        self.reasons.open()

    def _tag_opened(self, row: int, _column: int) -> None:
        """A mean by tag is made of the tag's queries: evaluate and show these."""
        self.options.change(tags=(str(self.tags.grid.table.data[0][row]),))
        self.tabs.setCurrentIndex(0)
