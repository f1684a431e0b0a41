"""Why a query scores what it scores: both orderings, every rank's share, curves, bounds, the way to judge."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from annotator.desktop.controls import button, combo, offer
from annotator.desktop.elided import Elided
from annotator.desktop.evaluate.figures_tab import FEWEST_LETTERS
from annotator.desktop.layouts import column, row
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.formula import FormulaLabel
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.results.orderings import Orderings
from annotator.desktop.style import breakable, prose
from annotator.desktop.worker import Worker
from annotator.evaluation.explanation_tables import explained, explained_answer, explained_parts
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table
from annotator.figures.curves import explained_curves, query_curves
from annotator.figures.formulas import formula_path
from annotator.figures.subject import Subject
from annotator.metrics.catalogue import parse
from annotator.metrics.judged_parts import PartExplanation
from annotator.project.evidence import AnswerEvidence, Evidence, answer_evidence, evidence
from annotator.project.state import State
from annotator.theme import Theme

RANKS_IN_SIGHT = 12
"""So many ranks are seen without scrolling the table."""

NAMED = 5
"""So many candidates of one grade are named."""


class QueryPanel(QScrollArea):
    """Shows one query of one system under one measure; the combos change system and measure.

    `query_wanted(key)` asks for the query on the Grade page, `candidate_wanted(query, candidate)` for one of
    its candidates, `closed` for the panel to go.
    """

    query_wanted = Signal(int)
    candidate_wanted = Signal(int, int)
    closed = Signal()

    def __init__(self, worker: Worker, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: State | None = None
        self._options = Options()
        self.query = ""
        self.evidence: Evidence | AnswerEvidence | None = None
        self.job = JobBar(worker)
        self.title = prose(kind="title")
        self.subtitle = Elided("caption", self)
        self.system = combo("System", self.refresh)
        self.measure = combo("Measure", self.refresh)
        for box in (self.system, self.measure):
            box.setMinimumContentsLength(FEWEST_LETTERS)
        self.costs = prose()
        self.bounds = prose(kind="muted")
        self.sentence = prose(kind="muted")
        self.orderings = Orderings(theme)
        self.table = GridView("The score rank by rank", theme)
        self.table.setSortingEnabled(False)
        self.table.opened.connect(self._row_opened)
        self.formula = FormulaLabel(theme)
        self.gain = Canvas(worker, theme)
        self.retrieval = Canvas(worker, theme)
        self.grade = button("Judge this query", self._want_query)
        self.orderings.candidate_wanted.connect(self._want_candidate)
        self.job.problem.connect(self.costs.setText)
        self._lay_out()
        self._show_rankings(False)  # before there is one

    def _lay_out(self) -> None:
        close = button("Close", self.closed)
        close.setToolTip("Esc")
        head = row((self.subtitle, 1), self.grade, close)
        choices = row((self.system, 1), (self.measure, 1))
        curves = row(self.gain, self.retrieval)
        inside = QFrame()
        inside.setProperty("kind", "panel")
        above = (head, self.title, choices, self.job, self.costs, self.bounds, self.orderings)
        below = (curves, self.table, self.formula, self.sentence)
        column(*above, *below, 1, on=inside, around=(16, 12, 16, 16), gap=12)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._size_parts()

    def show_query(
        self,
        state: State,
        query: str,
        systems: Sequence[str],
        measures: Sequence[str],
        system: str,
        measure: str,
        options: Options,
    ) -> None:
        """Show a query of a state; the systems and measures are what can be chosen."""
        self._state, self.query, self._options = state, query, options
        for box, names, chosen in ((self.system, systems, system), (self.measure, measures, measure)):
            offer(box, names)
            box.setCurrentText(chosen)
        self.refresh()

    def refresh(self) -> None:
        """Ask for the evidence of another query, system or measure."""
        state = self._state
        if not self.query or state is None:
            return
        measure = self.measure.currentText()
        options = self._options.of_measures(measure)
        system, query = self.system.currentText(), self.query
        self.subtitle.setText(query)

        def job(*_: object) -> Evidence | AnswerEvidence:
            of_one = evidence if parse(measure).needs == "grades" else answer_evidence
            why: Evidence | AnswerEvidence = of_one(state, options, system, query)
            if why.explanation.formula:
                formula_path(why.explanation.formula)  # outlined here, so that the window need not
            return why

        self.job.run("Explaining", job, self._show)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self._theme = theme
        for part in (self.orderings, self.table, self.formula, self.gain, self.retrieval):
            part.theme_changed(theme)
        self._size_parts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the table room for a scroll bar where it needs one in another width."""
        super().resizeEvent(event)
        self._size_parts()

    def _size_parts(self) -> None:
        self.table.setFixedHeight(self.table.height_of(RANKS_IN_SIGHT))

    def _want_query(self) -> None:
        if self.evidence is not None:
            self.query_wanted.emit(self.evidence.key)

    def _want_candidate(self, candidate: int) -> None:
        if self.evidence is not None:
            self.candidate_wanted.emit(self.evidence.key, candidate)

    def _row_opened(self, row: int, _column: int) -> None:
        """Ask to judge the candidate of a rank, if nobody did."""
        if isinstance(self.evidence, Evidence):
            name = self.evidence.explanation.rows[row].candidate
            unjudged = [one for one in self.evidence.actual if one.name == name and one.grade is None]
            for one in unjudged:
                self._want_candidate(one.candidate)

    def _show(self, evidence: Evidence | AnswerEvidence) -> None:
        self.evidence = evidence
        if isinstance(evidence, AnswerEvidence):
            self._show_answer(evidence)
            return
        one = evidence.explanation
        self.title.setText(breakable(evidence.text or evidence.query))
        self.subtitle.setText(evidence.query if evidence.text else "")
        ideal = "" if one.ideal_value is None else f" of {one.ideal_value:.4f} possible"
        undefined = " (undefined, shown as 0)" if one.undefined else ""
        self.costs.setText(breakable(f"{one.measure.name} = {one.value:.4f}{ideal}{undefined}. {one.costs}"))
        self.bounds.setText(breakable(bounds_in_words(evidence)))
        self.bounds.setVisible(bool(self.bounds.text()))
        self.orderings.show_evidence(evidence)
        self._show_table(explained(one), one.formula, one.sentence)
        self._show_rankings(True)
        for canvas, curves in zip((self.gain, self.retrieval), explained_curves(one), strict=True):
            subject = Subject(curves=curves)
            canvas.show_figure(partial(query_curves, subject), ", ".join(curves.lines))

    def _show_answer(self, evidence: AnswerEvidence) -> None:
        one = evidence.explanation
        table = explained_parts(one) if isinstance(one, PartExplanation) else explained_answer(one)
        self.title.setText(breakable(evidence.text or evidence.query))
        self.costs.setText(f"{table.title}.")
        self.bounds.hide()
        self._show_table(table, one.formula, one.sentence)
        self._show_rankings(False)

    def _show_table(self, table: Table, formula: str, sentence: str) -> None:
        self.table.show_table(replace(table, caption=""))  # its words stand above and below
        self._size_parts()
        self.formula.show_formula(formula)
        self.sentence.setText(sentence)

    def _show_rankings(self, on: bool) -> None:
        """Show or hide what only a ranking has: the two orderings and the curves."""
        for part in (self.orderings, self.gain, self.retrieval):
            part.setVisible(on)


def bounds_in_words(evidence: Evidence) -> str:
    """Say how far the score may still move; "" when everything is judged."""
    if evidence.bounds is None or not evidence.unjudged:
        return ""
    worst, estimate, best = evidence.bounds
    return (
        f"{evidence.unjudged} of the pool unjudged: the score lies between {worst:.4f} and {best:.4f}, "
        f"by the grades so far about {estimate:.4f}. {_ends_in_words(evidence)}"
    ).strip()


def _ends_in_words(evidence: Evidence) -> str:
    """Say which grades of the unjudged lead to the worst and to the best score, if it moves at all."""
    if evidence.bounds is None or evidence.bounds[0] == evidence.bounds[2]:
        return ""
    sentences = []
    worst, best = (
        [(name, low) for name, low, _ in evidence.ends],
        [(name, top) for name, _, top in evidence.ends],
    )
    for end, grades in (("Worst", worst), ("Best", best)):
        by_grade: dict[int, list[str]] = {}
        for name, grade in grades:
            by_grade.setdefault(grade, []).append(name)
        groups = [f"{grade} for {_few(names)}" for grade, names in sorted(by_grade.items(), reverse=True)]
        sentences.append(f"{end} with {', '.join(groups)}.")
    return " ".join(sentences)


def _few(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:NAMED])} and {more} more"
