"""What came in with an import, what can be done next, and the way back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.controls import button
from annotator.desktop.dialog import Role
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import prose
from annotator.desktop.success import COMMANDS, WORDS, Success
from annotator.desktop.worker import Worker
from annotator.project import maintenance
from annotator.project.next_steps import NextStep, next_steps
from annotator.project.views import Change
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.data_import import Tally
    from annotator.project.project import Project

WHY_MORE = "Further queries, documents, runs or judgments."
WHY_NEEDED = "Nothing can be graded or scored yet: that takes queries, and documents or runs of systems."


class ImportSuccess(Success):
    """Says what an import brought, and takes it back if that is wanted."""

    def __init__(
        self, project: "Project", worker: Worker, tally: "Tally", commands: Actions, parent: QWidget
    ) -> None:
        rows = [(f"{what[:1].upper()}{what[1:]}", done) for what, done in tally.rows(would=False)]
        super().__init__("Imported", rows, commands, parent)
        self._project = project
        self._identity = tally.identity
        self.state = prose("", "heading", self)
        self.bar = JobBar(worker, self)
        self.bar.problem.connect(self._kept)
        self.take_back = button("Take this import back", self._take_back, self)
        self.take_back.setAutoDefault(False)
        self.buttons.addButton(self.take_back, Role.ResetRole)
        self.put(self.state, below=(self.bar,))
        self.state.hide()
        worker.start(self, lambda _: next_steps(project), self._offer)

    def _offer(self, steps: Sequence[NextStep]) -> None:
        """Offer what can be done next, the likeliest first, unless it was taken back meanwhile."""
        if not self._identity or self.bar.busy:
            return
        for step in steps:
            self.add_way(COMMANDS[step.what], WORDS[step.what], step.why)
        self.add_way("import", "Add more files", WHY_MORE if steps else WHY_NEEDED)
        self.offer()

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
        self.setWindowTitle("Import")
        self._say(f"{change.said}.")
        self.said.hide()
        self.resize(self.width(), 0)  # without the room of what is hidden
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
