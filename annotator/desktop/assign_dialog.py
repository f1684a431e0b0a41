"""Who judges what: a lead names people and shares, sees what each would get, and assigns it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QCheckBox, QFormLayout, QSpinBox, QWidget

from annotator.desktop.assign_people import NUMBER, WIDEST, People
from annotator.desktop.controls import button, combo, roomy
from annotator.desktop.dialog import SHARE, ChangingDialog
from annotator.desktop.layouts import column, row
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import prose, px
from annotator.desktop.worker import Worker
from annotator.project import assignments
from annotator.project.assignments import MOST, Assignment, Ground, Part, Progress, Terms
from annotator.project.views import Change
from annotator.text.counts import counted
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project

HINT = (
    "People see first what is assigned to them, and their progress is about that. Nobody is kept from other "
    "queries. That you assigned it is recorded, and can be undone."
)
KEPT = "People keep what they have begun, and the rest of what they have as far as their shares let them"
SHARES = (("parts, in proportion", False), ("numbers of queries", True))
NARROWEST = 640
"""So wide the dialog is at least, at the normal text size: more where people have done or share something."""

TYPED_MS = 200
"""So long after what was typed last the outcome is shown."""


class AssignDialog(ChangingDialog):
    """The terms above, the people below, each with what they would get; one button that assigns."""

    def __init__(self, project: "Project", worker: Worker, parent: QWidget) -> None:
        super().__init__("Who judges what", parent)
        self._project = project
        self._ground: Ground | None = None
        self._planned: Assignment | None = None
        self._parts: list[Part] = []
        self._wanted = False
        """Whether what is being dealt is to be assigned as soon as it is there."""
        self.judgments = roomy(QSpinBox(self, minimum=1, maximum=99))
        self.numbers = combo("Shares", self._change_shares, SHARES, self)
        self.seed = roomy(QSpinBox(self, minimum=0, maximum=MOST))
        self.seed.setToolTip("The lot that is drawn; the same seed deals the same.")
        self.keep = QCheckBox(KEPT, self)
        self.keep.setChecked(True)
        self.people = People(self)
        self.said = prose("Reading what there is to judge…", "muted", self)
        self.problem = prose("", "danger", self)
        self._bar = JobBar(worker, self)
        self._bar.problem.connect(self._refused)
        self._typed = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._typed.timeout.connect(self._look_ahead)
        for changed in (self.judgments.valueChanged, self.seed.valueChanged, self.keep.toggled):
            changed.connect(self._typed.start)
        self.people.changed.connect(self._typed.start)
        self.numbers.setMaximumWidth(px(WIDEST) * 2)
        form = QFormLayout()
        form.setHorizontalSpacing(STEPS[2])
        for words, field in (
            ("Judgments of each candidate", self.judgments),
            ("Shares", self.numbers),
            ("Seed", self.seed),
        ):
            field.setAccessibleName(words)
            if isinstance(field, QSpinBox):
                field.setMaximumWidth(px(NUMBER))
            form.addRow(words, field)
        form.addRow(self.keep)  # across both columns: it is long
        buttons = self.question("Assign", self._assign)
        self.take = buttons.buttons()[0]
        self.nobody = button("Take the assignment back", self._take_back, self)
        self.nobody.setAutoDefault(False)
        self.nobody.hide()
        self._offer(False)
        # what comes of it stays beside the button
        below = column(self.said, self.problem, row(self.nobody, 1, buttons), gap=STEPS[1])
        self.lay_out(form, self.people, self._bar, below, hint=HINT)
        self.resize(px(NARROWEST), self.sizeHint().height())
        self._bar.run("Reading the queries", self._read, self._show)

    def terms(self) -> Terms:
        """Return what is chosen."""
        return Terms(
            self.people.shares(),
            self.judgments.value(),
            self.seed.value(),
            bool(self.numbers.currentData()),
            self.keep.isChecked(),
        )

    def _read(self, watch: Watch) -> tuple[Ground, list[Progress]]:
        return assignments.ground(self._project, watch), assignments.progress(self._project)[0]

    def _show(self, read: tuple[Ground, list[Progress]]) -> None:
        self._ground, now = read
        before = self._ground.before
        terms = before.terms if before is not None else Terms({})
        for field, value in ((self.judgments, terms.judgments), (self.seed, terms.seed)):
            field.setValue(value)
        self.judgments.selectAll()  # a digit takes the place of the one that stands there
        self.numbers.setCurrentIndex(self.numbers.findData(terms.numbers))
        self.people.show_people(self._ground.people, terms.shares, now)
        self.nobody.setVisible(before is not None)
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Deal as it is chosen, and show what would come of it."""
        if (ground := self._ground) is None:
            return
        self._typed.stop()
        terms = self.terms()

        def job(watch: Watch) -> tuple[Assignment, list[Part]]:
            planned = assignments.deal_out(ground, terms, watch)
            return planned, assignments.parts(ground, planned)

        self._offer(False)
        self._bar.run("Dealing the queries", job, partial(self._show_outcome, ground))

    def _show_outcome(self, ground: Ground, outcome: tuple[Assignment, list[Part]]) -> None:
        planned, self._parts = outcome
        self._planned = planned
        self._say_problem("")
        self.people.show_parts(self._parts)
        queries = counted(len(planned.people), "query", "queries")
        each = min(planned.terms.judgments, len(planned.terms.shares))
        left = assignments.left_over(len(ground.sizes) - len(planned.people))
        people = counted(each, "person", "people")
        fewer = f" Only {people} can judge." if each < planned.terms.judgments else ""
        self.said.setText(f"{queries} with {counted(each, 'judgment')} of each candidate.{fewer} {left}")
        self._offer(True)
        QTimer.singleShot(0, self, self._widen)  # when the parts know how much room they need
        if self._wanted:
            self._assign()

    def _widen(self) -> None:
        """Be as wide as the lines of the people need, on the screen."""
        most = round(self.screen().availableSize().width() * SHARE)
        self.resize(max(self.width(), min(self.sizeHint().width(), most)), self.height())
        self.grow()

    def _refused(self, why: str) -> None:
        self._wanted = False
        self._say_problem(why)
        self.people.show_parts(())

    def _say_problem(self, why: str) -> None:
        """Say why nothing can be assigned in place of what would come of it."""
        self.problem.setText(why)
        self.said.setVisible(not why)

    def _change_shares(self) -> None:
        """Say the same shares in the other way: numbers of queries, or per cent."""
        numbers, whole = bool(self.numbers.currentData()), sum(one.queries for one in self._parts)
        if whole:
            shares = {
                one.name: one.queries if numbers else round(100 * one.queries / whole) for one in self._parts
            }
            self.people.set_shares(shares)
        self._look_ahead()

    def _offer(self, on: bool) -> None:
        self.take.setEnabled(on)

    def _assign(self) -> None:
        """Assign what is shown; of what was typed since, the outcome comes first."""
        if (planned := self._planned) is None:
            return
        self._wanted = self._typed.isActive()
        if self._wanted:
            self._look_ahead()
        else:
            job = partial(assignments.assign, self._project, planned)
            self._bar.run("Assigning", lambda _: job(), self._done, storing=True)

    def _take_back(self) -> None:
        self._bar.run(
            "Taking it back", lambda _: assignments.take_back(self._project), self._done, storing=True
        )

    def _done(self, change: Change) -> None:
        self.changed.emit(change)
        self.accept()

    def reject(self) -> None:
        """Stop what is under way; nothing of it is stored."""
        self._bar.cancel()
        super().reject()
