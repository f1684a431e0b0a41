"""What came in with an import, what can be done next, and the way back."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QFormLayout, QGridLayout, QLabel, QPushButton, QWidget

from annotator.desktop.actions import Actions, keyed
from annotator.desktop.controls import button
from annotator.desktop.dialog import ChangingDialog, Role
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label, prose, px
from annotator.desktop.worker import Worker
from annotator.project import maintenance
from annotator.project.next_steps import NextStep, next_steps
from annotator.project.views import Change
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.data_import import Tally
    from annotator.project.project import Project

WORDS = {"grade": "Grade now", "evaluate": "Evaluate", "baseline": "Add a baseline run"}
COMMANDS = {"grade": "page_1", "evaluate": "page_2", "baseline": "baseline"}
WHY_MORE = "Further queries, documents, runs or judgments."
WHY_NEEDED = "Nothing can be graded or scored yet: that takes queries, and documents or runs of systems."


class ImportSuccess(ChangingDialog):
    """Says what an import brought. `next_wanted(command)` follows when the user goes on from there."""

    next_wanted = Signal(str)

    def __init__(
        self, project: "Project", worker: Worker, tally: "Tally", commands: Actions, parent: QWidget
    ) -> None:
        super().__init__("Imported", parent)
        self._project = project
        self._identity = tally.identity
        self._commands = commands
        self.state = prose("", "heading", self)
        self.said = QWidget(self)
        rows = QFormLayout(self.said)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(STEPS[2])
        for what, done in tally.rows(would=False):
            rows.addRow(label(f"{what[:1].upper()}{what[1:]}", "muted"), prose(done))
        self._next = label("What next?", "heading", self)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(STEPS[2])
        self._rows.setVerticalSpacing(STEPS[1])
        self._rows.setColumnStretch(1, 1)
        self.ways: list[QPushButton] = []
        self._reasons: list[QLabel] = []
        self.bar = JobBar(worker, self)
        self.bar.problem.connect(self._kept)
        self.take_back = button("Take this import back", self._take_back, self)
        self.take_back.setAutoDefault(False)
        buttons = self.way_out()
        self.close_button = buttons.buttons()[0]
        buttons.addButton(self.take_back, Role.ResetRole)
        self.lay_out(self.state, self.said, self._next, self._rows, 1, self.bar, buttons)
        self.state.hide()
        self._next.hide()
        self.resize(QSize(px(620), px(360)).boundedTo(self.screen().availableSize()))
        self.close_button.setFocus()
        worker.start(self, lambda _: next_steps(project), self._offer)

    def _offer(self, steps: Sequence[NextStep]) -> None:
        """Offer what can be done next, the likeliest first, unless it was taken back meanwhile."""
        if not self._identity or self.bar.busy:
            return
        for step in steps:
            self._add(COMMANDS[step.what], WORDS[step.what], step.why)
        self._add("import", "Add more files", WHY_MORE if steps else WHY_NEEDED)
        self._commands.name_keys(self)
        self._next.show()
        self.ways[0].show()  # the layout would show it later, and what is hidden cannot take the keys
        self.ways[0].setFocus()

    def _add(self, command: str, words: str, why: str) -> None:
        made = button(words, partial(self._go_on, command), self, "" if self.ways else "primary")
        keyed(made, command, words)
        QShortcut(self._commands[command].shortcut(), self).activated.connect(made.click)
        at = len(self.ways)
        self._rows.addWidget(made, at, 0)
        reason = prose(why, "muted", self)
        self._rows.addWidget(reason, at, 1, Qt.AlignmentFlag.AlignVCenter)
        self.ways.append(made)
        self._reasons.append(reason)

    def _go_on(self, command: str) -> None:
        self.accept()
        self.next_wanted.emit(command)

    def _take_back(self) -> None:
        project, identity = self._project, self._identity

        def job(watch: Watch) -> Change:
            return maintenance.withdraw(project, identity, watch)

        self._say("Taking the import back…")
        self._enable(False)
        self.bar.run("Taking the import back", job, self._taken_back, storing=True)

    def _taken_back(self, change: Change) -> None:
        self._identity = ""
        self.take_back.hide()
        for one in (*self.ways, *self._reasons, self._next):
            one.hide()
        self._say(f"{change.said}.")
        self.said.hide()
        self.close_button.setFocus()
        self.changed.emit(change)

    def _kept(self, why: str) -> None:
        self._say(f"Not taken back. {why}")
        self._enable(True)

    def _say(self, state: str) -> None:
        self.state.setText(state)
        self.state.show()

    def _enable(self, on: bool) -> None:
        for one in (*self.ways, self.take_back):
            one.setEnabled(on)

    def reject(self) -> None:
        """Close; while the import is being taken back ask that to stop, and stay to say what became of it."""
        self.bar.cancel()
        if not self.bar.busy:
            super().reject()
