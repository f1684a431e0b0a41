"""Planning a comparison with a limited risk: which systems, by what measure, and how sure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QWidget,
)

from annotator.desktop.choice import Shown
from annotator.desktop.controls import combo, roomy
from annotator.desktop.dialog import ChangingDialog
from annotator.desktop.layouts import column
from annotator.desktop.line_field import LineField, let_write
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import prose, px, tip
from annotator.desktop.worker import Worker
from annotator.errors import UserError
from annotator.project.views import Change
from annotator.text.counts import counted
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.audit_plan import Choices
    from annotator.project.project import Project

MEASURES = ("DCG@10", "P@10", "CG@10", "RBP@10", "nDCG@10")
RISKS = {"5%": 0.05, "1%": 0.01, "10%": 0.1}
PURPOSES = {"which is better than the baseline": "difference", "every mean, and every difference": "means"}
NO_MODEL = "no model"
PAUSE = 300
"""Milliseconds after a choice before what it means is computed."""


class PlanDialog(ChangingDialog):
    """Asks what is planned and says what it would draw; `pair` are the systems that were looked at."""

    def __init__(self, project: "Project", worker: Worker, pair: Sequence[str], parent: QWidget) -> None:
        from annotator.project.audit_plan import RULES

        super().__init__("Plan a comparison", parent)
        self.project = project
        self._pair = pair
        self.name = LineField(parent=self)
        self.baseline = combo("Baseline", self._changed, parent=self)
        self.systems = QListWidget(self)
        self.systems.setItemDelegate(Shown(self.systems))
        self.systems.setAccessibleName("Compared with the baseline")
        self.systems.setMaximumHeight(px(96))
        self.systems.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names often begin alike
        self.systems.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.systems.itemChanged.connect(self._changed)
        self.measure = combo("Measure", self._changed, ((one, one) for one in MEASURES), self)
        let_write(self.measure)
        self.measure.editTextChanged.connect(self._changed)
        self.purpose = combo("What is asked", self._changed, PURPOSES.items(), self)
        self.sample = roomy(QSpinBox(self))
        self.sample.setRange(0, 99_999)
        self.sample.setSingleStep(50)
        self.sample.setSpecialValueText("after each block of judgments")
        self.sample.setSuffix(" judgments, once")
        self.sample.setEnabled(False)
        self.sample.setToolTip(
            "For means: a sample that is looked at once has narrower, approximate intervals."
        )
        self.sample.valueChanged.connect(self._changed)
        self.risk = combo("Limit of the risk", self._changed, RISKS.items(), self)
        self.margin = roomy(QDoubleSpinBox(self))
        self.margin.setDecimals(3)
        self.margin.setSingleStep(0.01)
        self.margin.setSpecialValueText("any")
        self.margin.valueChanged.connect(self._changed)
        self.seed = roomy(QSpinBox(self))
        self.seed.setRange(1, 999_999)
        self.model = combo("Grades of a model", self._changed, parent=self)
        self.means = prose("", "muted", self)
        self.wrong = prose("", "danger", self)
        self.job = JobBar(worker, self)
        self.job.problem.connect(self._refused)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._try)
        buttons = self.question("Record the plan", self._plan)
        self.take = buttons.buttons()[0]
        self.take.setEnabled(False)  # until the systems are there
        self.lay_out(
            self._form(),
            self.means,
            self.job,
            prose(RULES.replace("\n", " "), "muted", self),
            column(self.wrong, buttons, gap=STEPS[1]),  # why nothing can be recorded stays in sight
        )
        self.resize(px(620), self.sizeHint().height())
        self._read()

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        for words, part in (
            ("Name", self.name),
            ("Baseline", self.baseline),
            ("Compared with it", self.systems),
            ("Measure", self.measure),
            ("What is asked", self.purpose),
            ("Looked at", self.sample),
            ("Limit of the risk", self.risk),
            ("Smallest difference that matters", self.margin),
            ("Grades of a model", self.model),
            ("Seed", self.seed),
        ):
            form.addRow(words, part)
        self.model.setToolTip("They can save judgments, and cannot bias the result.")
        self.seed.setToolTip("Anybody can make the same draw again from it.")
        return form

    def _read(self) -> None:
        project = self.project

        def job(_: Watch) -> tuple[list[str], list[str], list[str]]:
            from annotator.project.audit_plan import plans
            from annotator.project.state import state_of

            state = state_of(project)
            models = [name for _, name, kind, *_ in state.annotators if kind == "model"]
            return [run.name for run in state.runs], models, [one.name for one in plans(state)]

        self.job.run("Reading the systems", job, lambda read: self._offer(*read))

    def _offer(self, systems: Sequence[str], models: Sequence[str], plans: Sequence[str]) -> None:
        self.baseline.addItems([*systems])
        first, *others = [one for one in self._pair if one in systems] or [*systems[:2]] or [""]
        self.baseline.setCurrentText(first)
        for name in systems:
            item = QListWidgetItem(name, self.systems)
            item.setToolTip(tip(name))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in others else Qt.CheckState.Unchecked)
        self.model.addItems([NO_MODEL, *models])
        numbers = (f"plan {number}" for number in range(1, len(plans) + 2))
        self.name.setText(next(name for name in numbers if name not in plans))
        self._changed()

    def choices(self) -> "Choices":
        """Return what is chosen; raises UserError for what makes no sense."""
        from annotator.project.audit_plan import Choices

        baseline = self.baseline.currentText()
        items = [self.systems.item(at) for at in range(self.systems.count())]
        checked = [one.text() for one in items if one.checkState() is Qt.CheckState.Checked]
        model = self.model.currentText()
        return Choices(
            baseline,
            tuple(name for name in checked if name != baseline),
            self.measure.currentText().strip(),
            self.purpose.currentData(),
            self.risk.currentData(),
            self.margin.value(),
            self.seed.value(),
            "" if self.model.currentIndex() < 1 else model,
            self.sample.value() if self.sample.isEnabled() else 0,
        )

    def _changed(self, *_: object) -> None:
        self.sample.setEnabled(self.purpose.currentData() == "means")
        for at in range(self.systems.count()):
            self.systems.setRowHidden(at, self.systems.item(at).text() == self.baseline.currentText())
        self.take.setEnabled(False)
        self._pause.start()

    def _try(self) -> None:
        """Say what the plan would draw."""
        project = self.project
        try:
            choices = self.choices()
        except UserError as error:
            self._refused(str(error))
            return

        def job(_: Watch) -> tuple[int, int, int, str]:
            from annotator.project.audit_plan import SIMULATED
            from annotator.project.audit_sample import proposed
            from annotator.project.state import state_of

            plan, sample = proposed(state_of(project), choices)
            caution = f" {SIMULATED}" if plan.approximate else ""
            return len(sample.ids), len(sample.rows), plan.block, caution

        self.job.run("Counting", job, lambda counts: self._show(*counts))

    def _show(self, pool: int, drawn: int, block: int, caution: str) -> None:
        self.wrong.clear()
        self.take.setEnabled(True)
        pairs = counted(drawn, "unjudged candidate can", "unjudged candidates can")
        drawn_so = f"they are drawn in blocks of {block}"
        if self.choices().sample:
            drawn_so = f"{min(block, drawn):,} of them are drawn and looked at once"
        self.means.setText(
            f"{pairs} change the answer, of {pool:,} in the pool; {drawn_so}, those that weigh most with the "
            f"highest chance.{caution}"
        )

    def _refused(self, why: str) -> None:
        self.means.clear()
        self.wrong.setText(why)
        self.take.setEnabled(False)

    def _plan(self) -> None:
        project, name, choices = self.project, self.name.text().strip(), self.choices()

        def job(_: Watch) -> Change:
            from annotator.project.audit_sample import make_plan
            from annotator.project.state import state_of

            return make_plan(project, state_of(project), name, choices)

        self.job.run("Recording the plan", job, self._done, storing=True)

    def _done(self, change: Change) -> None:
        self.changed.emit(change)
        self.accept()
