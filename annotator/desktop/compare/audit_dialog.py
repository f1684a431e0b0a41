"""Comparing with a limited risk: the plans there are, what each proves by now, what to judge next."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from annotator.desktop.compare.plan_dialog import PlanDialog
from annotator.desktop.controls import button, combo, progress_bar
from annotator.desktop.dialog import ChangingDialog
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.messages import Message
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label, prose, px
from annotator.desktop.worker import Worker
from annotator.errors import UserError
from annotator.figures.catalogue import FIGURES
from annotator.figures.subject import Subject
from annotator.project.views import Change, Filters
from annotator.theme import STEPS, Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.audit_result import AuditResult, DrawnPair
    from annotator.project.project import Project
    from annotator.storage.reads.states import State

TITLE = "Which system is better, by few judgments?"
NOTHING = (
    "Plan a comparison: candidates are drawn by chance, and what is claimed of this pool is wrong with a "
    "risk of at most the limit that you set. The plan is recorded before anything is drawn."
)
STEPS_OF_IT = (
    "Choose a baseline, what it is compared with, a measure and the limit of the risk.",
    "Judge the block of candidates that is drawn, on the Grade page as always.",
    "Look: what the grades prove by then is told here. If that is not enough, another block follows.",
)
PLAN_ONE = "Plan a comparison…"
ROWS_IN_SIGHT = 6
HINT = "Judge block after block; what the grades prove by now stands here after each look."


class Reading(NamedTuple):
    """What a plan proves, Compare's figure beside it, and the open block: its number and its pairs."""

    result: "AuditResult"
    beside: str
    number: int
    pairs: "list[DrawnPair]"


def reading(project: "Project", state: "State", name: str) -> Reading:
    """Read a plan; raises UserError where what it draws from is gone."""
    from annotator.project import audit_compare, audit_result, blindness

    result = audit_result.result(state, name)
    beside = audit_compare.beside(state, result, blindness.seen_queries(project)[0])
    return Reading(result, beside, *audit_result.block_of(state, result.plan))


class Beginning(QWidget):
    """What stands there before anything is planned: what it is for, how it goes, and the first step."""

    def __init__(self, begin: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        steps = QGridLayout()
        steps.setColumnStretch(1, 1)
        for at, words in enumerate(STEPS_OF_IT):
            steps.addWidget(label(str(at + 1), "told", self), at, 0, Qt.AlignmentFlag.AlignTop)
            steps.addWidget(prose(words, "", self), at, 1)
        self.first = button(PLAN_ONE, begin, self, "primary")
        head = (prose(TITLE, "heading", self), prose(NOTHING, "muted", self))
        column(*head, steps, row(self.first, 1), 1, on=self, around=FLUSH, gap=STEPS[2])


class AuditDialog(ChangingDialog):
    """Shows one plan at a time. `judge_wanted(Filters)` is the wish to judge its open block."""

    judge_wanted = Signal(object)

    def __init__(
        self, project: "Project", worker: Worker, theme: Theme, parent: QWidget, pair: Sequence[str] = ()
    ) -> None:
        super().__init__("Compare with a limited risk", parent)
        self.project, self.worker, self._pair = project, worker, tuple(pair)
        self.plans = combo("Plan", self._read, parent=self)
        self.new = button("New plan…", self._ask_plan, self)
        self.beginning = Beginning(self._ask_plan, self)
        self.refusal = Message(self)
        self.sentence = prose("", "title", self)
        self.basis = prose("", "muted", self)
        self.beside = prose("", "muted", self)
        self.findings = GridView("What is known", theme)
        self.calibration = GridView("How right the model's grades are", theme)
        self.canvas = Canvas(worker, theme, self)
        self.block = label("", "caption", self)
        self.progress = progress_bar(self)
        self.judge = button("Judge this block", self._judge, self, "primary")
        self.look = button("Look at it", self._look, self, "primary")
        self.wrong = prose("", "danger", self)
        self.job = JobBar(worker, self)
        self.job.problem.connect(self.wrong.setText)
        self.shown: AuditResult | None = None
        self.block_pairs = Filters()
        self._lay_out()
        self.resize(px(860), px(680))
        self._read_on()

    def _lay_out(self) -> None:
        shown = QWidget(self)
        block = row(self.block, (self.progress, 1), self.look, self.judge)
        said = (prose(HINT, "muted", self), self.sentence, block, self.basis, self.beside)
        tables = (self.findings, self.calibration)
        column(*said, *tables, (self.canvas, 99), 1, on=shown, around=FLUSH)
        shown.setMinimumHeight(px(420))
        self.states = (self.beginning, self.refusal, shown)
        for view in self.states:
            view.hide()
        head = row((self.plans, 1), self.new)
        self.lay_out(head, self.job, self.wrong, *((view, 1) for view in self.states), 0, self.way_out())

    def _read(self, _at: int = 0) -> None:
        """Read the plans, and what the chosen one proves; the newest unless one was chosen."""
        project, wanted = self.project, self.plans.currentText()
        self.wrong.clear()

        def job(_: Watch) -> "tuple[list[str], str, Reading | str]":
            from annotator.project import audit_plan
            from annotator.project.state import state_of

            state = state_of(project)
            names = [one.name for one in audit_plan.plans(state)]
            if not names:
                return [], "", ""
            name = wanted if wanted in names else names[-1]
            try:
                return names, name, reading(project, state, name)
            except UserError as error:  # the other plans can be chosen all the same
                return names, name, str(error)

        self.job.run("Reading the plan", job, lambda read: self._show(*read))

    def _read_on(self) -> None:
        """Read the plan, and give the keys to what comes next."""
        self._leading = True
        self._read()

    def _show(self, names: Sequence[str], name: str, read: "Reading | str") -> None:
        self.shown = None if isinstance(read, str) else read.result
        self.plans.clear()
        self.plans.addItems([*names])
        for part in (self.plans, self.new):
            part.setVisible(bool(names))
        self.plans.setCurrentText(name)
        if isinstance(read, str):
            self.refusal.say(name, read)
        else:
            self._show_result(read.result)
            self.beside.setText(read.beside)
            self._show_block(read.result, read.number, read.pairs)
        wanted = 0 if not names else 1 if isinstance(read, str) else 2
        for at, view in enumerate(self.states):
            view.setVisible(at == wanted)
        self.resize(*((px(860), px(680)) if names else (px(600), px(200))))
        self.grow()
        if self._leading:
            self._leading = False
            following = (self.look, self.judge, self.beginning.first)
            next((one for one in following if one.isVisibleTo(self)), self.plans).setFocus()

    def _show_result(self, result: "AuditResult") -> None:
        from annotator.project import audit_claim

        claims = [audit_claim.said_of(result, one) for one in result.findings if one.is_difference]
        self.sentence.setText("\n".join(claims))
        self.basis.setText(audit_claim.basis(result))
        self.findings.show_table(audit_claim.findings(result, captioned=False))
        self.calibration.show_table(audit_claim.calibration(result))
        self.calibration.setVisible(len(result.calibration) > 0)
        for table in (self.findings, self.calibration):
            table.setFixedHeight(table.height_of(ROWS_IN_SIGHT))
        self.canvas.setVisible(result.blocks > 0)  # before the first look there is nothing to see
        subject = Subject(looks={one.name: one.path for one in result.findings if one.is_difference})
        figure = FIGURES["narrowing"]
        self.canvas.show_figure(lambda theme: figure.draw(subject, theme), figure.title)

    def _show_block(self, result: "AuditResult", number: int, pairs: "Sequence[DrawnPair]") -> None:
        from annotator.project.audit_result import UNDECIDED

        decided = sum(one.grade != UNDECIDED for one in pairs)
        block = frozenset((one.query, one.candidate) for one in pairs if one.grade == UNDECIDED)
        self.block_pairs = Filters(pairs=block, called=f"Block {number} of {result.plan.name}")
        complete = bool(pairs) and decided == len(pairs)
        self.progress.setRange(0, len(pairs))
        self.progress.setValue(decided)
        self.progress.setVisible(bool(pairs))
        text = f"Block {number}: {decided} of {len(pairs)} decided"
        self.block.setText(text if pairs else "Everything that was drawn is judged.")
        self.judge.setVisible(bool(pairs) and not complete)
        self.look.setVisible(complete)
        if result.closed and pairs:
            self.block.setText(f"{text}. What was asked is decided; judging on makes it narrower.")

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.canvas.theme_changed(theme)
        for table in (self.findings, self.calibration):
            table.theme_changed(theme)

    def _ask_plan(self) -> None:
        dialog = PlanDialog(self.project, self.worker, self._pair, self)
        dialog.changed.connect(self._planned)
        dialog.open()

    def _planned(self, change: Change) -> None:
        self.plans.clear()
        self.changed.emit(change)
        self._read_on()

    def _judge(self) -> None:
        self.judge_wanted.emit(self.block_pairs)
        self.accept()

    def _look(self) -> None:
        from annotator.project.audit_result import close_blocks

        project, name = self.project, self.plans.currentText()

        def looked(change: Change) -> None:
            self.changed.emit(change)
            self._read_on()

        self.job.run("Looking", lambda _: close_blocks(project, name), looked, storing=True)
