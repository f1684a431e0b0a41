"""The Evaluate page: how good is each system, on which queries, and why."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.evaluate.figures_tab import FiguresTab
from annotator.desktop.evaluate.options_bar import OptionsBar
from annotator.desktop.evaluate.query_panel import QueryPanel
from annotator.desktop.messages import Message
from annotator.desktop.pages import Page, Surroundings
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label, px
from annotator.desktop.worker import Progress, ShouldStop
from annotator.evaluation import summarising
from annotator.evaluation.cqa import cqa_tables
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.stating import conventions
from annotator.evaluation.subsets import narrowed
from annotator.figures.subject import Subject
from annotator.project.views import Change, Contents
from annotator.theme import Theme

LIVE_MS = 400
"""The pause after a grade before the scores follow it."""

SCORES = ("judgment", "gold", "import", "system", "setting", "unblind", "annotator")
REMEMBERED = ("measures", "systems", "combine", "rel", "judged_only", "skip_without_relevant", "tags")


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A result with its tables, made beside the window's thread; `hidden` counts the queries left out."""

    result: EvaluationResult
    hidden: int
    contents: Contents
    summary: Table
    per_query: Table
    tags: Table
    unjudged: Table
    cqa: tuple[Table, ...]


def shown(result: EvaluationResult, hidden: int, contents: Contents) -> Shown:
    """Return a result with its tables."""
    summary, per_query = summarising.summary(result), summarising.per_query(result)
    tags, unjudged = summarising.tags(result), summarising.unjudged(result)
    return Shown(result, hidden, contents, summary, per_query, tags, unjudged, cqa_tables(result))


class EvaluatePage(Page):
    """Systems under measures, one row per query, figures, conventions; a click opens the query's panel."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.result: EvaluationResult | None = None
        self._stale = True
        options = remembered_options(surroundings.settings.get("evaluate", dict[str, object]()))
        self.options = OptionsBar(options, self.theme)
        self.options.options_changed.connect(self._options_changed)
        self.job = JobBar(self.worker)
        self.job.problem.connect(self._problem)
        self.blind = BlindNotice()
        self.blind.unblind_wanted.clicked.connect(self._unblind)
        self.summary = GridView("Systems and measures", self.theme)
        self.summary.opened.connect(self._summary_opened)
        self.queries = GridView("Scores per query", self.theme)
        self.queries.opened.connect(self._query_opened)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter queries")
        self.filter.textChanged.connect(self.queries.grid.filter)
        self.tags = GridView("Scores by tag", self.theme)
        self.unjudged = GridView("What is unjudged", self.theme)
        self.cqa = GridView("Question answering at each k", self.theme)
        self.figures = FiguresTab(self.theme)
        self.figures.query_wanted.connect(self.open_query)
        self.figures.more_wanted.connect(self._evaluate_more)
        self.words = label()
        self.panel = QueryPanel(self.project, self.worker, self.theme)
        self.panel.query_wanted.connect(self.query_wanted)
        self.panel.closed.connect(self.panel.hide)
        self.panel.hide()
        self._live = QTimer(self, singleShot=True, interval=LIVE_MS)
        self._live.timeout.connect(self.refresh)
        self._more = JobBar(self.worker)
        self._more.problem.connect(self._problem)
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
        self.tabs = QTabWidget()
        for part, title in (
            (queries, "Queries"),
            (self.figures, "Figures"),
            (self.tags, "By tag"),
            (self.unjudged, "Unjudged"),
            (self.cqa, "cQA"),
            (self.words, "Conventions"),
        ):
            self.tabs.addTab(part, title)
        self.tabs.setDocumentMode(True)
        self.tabs.currentChanged.connect(self._show_figures)
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
        self.message = Message(self)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.message)
        self.stack.addWidget(self.halves)
        self.wrong = label(kind="danger")
        self.wrong.setContentsMargins(16, 0, 16, 4)
        self.wrong.setWordWrap(True)
        self.wrong.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for part in (self.options, self.blind, self.job, self._more, self.wrong):
            whole.addWidget(part)
        whole.addWidget(self.stack, 1)
        self.message.say("Evaluating…", "The scores appear here in a moment.")

    def shown(self) -> None:
        """Bring the scores up to date."""
        if self._stale:
            self.refresh()

    def project_changed(self, change: Change) -> None:
        """Follow what was judged: at once while in front, otherwise when shown."""
        if change.kind in SCORES:
            self._stale = True
            if self.isVisible():
                self._live.start()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        views = (self.summary, self.queries, self.tags, self.unjudged, self.cqa)
        for part in (*views, self.figures, self.panel, self.options):
            part.theme_changed(theme)

    def search(self) -> bool:
        """Filter the queries."""
        self.tabs.setCurrentIndex(0)
        self.filter.setFocus()
        return True

    def leave(self) -> None:
        """Remember the choices."""
        kept = {name: value for name, value in asdict(self.options.options).items() if name in REMEMBERED}
        self.surroundings.settings.set("evaluate", kept)

    def refresh(self) -> None:
        """Evaluate anew; the last result stays until the new one is complete."""
        self._stale = False
        project, options = self.project, self.options.options

        def job(progress: Progress, should_stop: ShouldStop) -> Shown:
            result = project.evaluate(options, progress, should_stop)
            seen, hidden = project.seen_queries()
            return shown(narrowed(result, seen) if hidden else result, hidden, project.contents())

        self.job.run("Evaluating", job, self._show)

    def open_query(self, query: str, system: str = "", measure: str = "") -> None:
        """Show why a query scores what it scores."""
        result = self.result
        if result is None or query not in result.query_ids:
            return
        systems = result.systems
        measures = [one.name for one in result.measures if one.needs == "grades"]
        if not measures:
            self.said.emit("These measures compare texts; choose one such as nDCG@10 to see the ranks.")
            return
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

    def _options_changed(self) -> None:
        self.leave()
        self.refresh()

    def _show(self, found: Shown) -> None:
        self.result = result = found.result
        self.wrong.hide()
        self.options.show_contents(found.contents)
        self.blind.show_hidden(found.hidden, len(result.query_ids))
        if not result.query_ids:
            self.message.say("No scores yet", nothing_in_words(found.hidden))
            self.stack.setCurrentWidget(self.message)
            return
        self.stack.setCurrentWidget(self.halves)
        self.summary.show_table(found.summary)
        height = self.summary.verticalHeader().defaultSectionSize() * min(len(result.systems), 6)
        self.left.setSizes([height + px(52), max(self.height() - height, px(200))])
        self.queries.show_table(found.per_query)
        self.tags.show_table(found.tags)
        self.unjudged.show_table(found.unjudged)
        if found.cqa:
            self.cqa.show_table(found.cqa[1])
        self.tabs.setTabVisible(self.tabs.indexOf(self.cqa), bool(found.cqa))
        self.words.setText("\n\n".join((*conventions(result), *result.notes)))
        self._show_figures()
        if self.panel.isVisible():
            self.panel.refresh()

    def _show_figures(self) -> None:
        """Draw the figures only while they are looked at."""
        if self.result is not None and self.tabs.currentWidget() is self.figures:
            self.figures.show_subject(Subject(result=self.result))

    def _problem(self, text: str) -> None:
        if self.result is None:
            self.message.say("No scores yet", text)
        else:
            self.wrong.setText(text)
            self.wrong.show()

    def _unblind(self) -> None:
        def done(change: Change) -> None:
            self.changed.emit(change)
            self.refresh()

        self.worker.submit(self, self.project.unblind_all, done)

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


class BlindNotice(QFrame):
    """Says that scores of unfinished queries are hidden, and offers to show them, which is recorded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.words = label()
        self.words.setWordWrap(True)
        self.unblind_wanted = QPushButton("Show all and record it")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.addWidget(self.words, 1)
        row.addWidget(self.unblind_wanted)
        self.hide()

    def show_hidden(self, hidden: int, shown: int) -> None:
        """Show how many queries are hidden; nothing is shown when none is."""
        self.setVisible(hidden > 0)
        self.words.setText(
            f"Scores of queries you have not finished would unblind you: {shown} finished queries are shown, "
            f"{hidden} are hidden."
        )


def nothing_in_words(hidden: int) -> str:
    """Say why no query is shown."""
    if hidden:
        return "You have finished no query yet. Grade one to its end, or show all scores above."
    return "Nothing is judged yet. Grade a query, or import judgments."


def remembered_options(kept: dict[str, object]) -> Options:
    """Return the options chosen last; what does not fit any more is left as usual."""
    known = {one.name for one in fields(Options)}
    usual = Options()
    values: dict[str, Any] = {}
    for name, value in kept.items():
        if name in known and isinstance(value, list):
            values[name] = tuple(str(one) for one in value)
        elif name in known and type(value) is type(getattr(usual, name)):
            values[name] = value
    return replace(usual, **values) if values.get("measures", True) else usual
