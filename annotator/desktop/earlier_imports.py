"""The imports there were, and the way to take one back as a whole."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from annotator.desktop.controls import button
from annotator.desktop.dialog import ChangingDialog, Role
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.row_table import Rows
from annotator.desktop.style import prose, px
from annotator.desktop.worker import Worker
from annotator.project.views import Change
from annotator.text.times import MINUTES, local_time
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.maintenance import ImportView
    from annotator.project.project import Project

COLUMNS = ("When", "Files", "Judged or imported by", "State")
HINT = (
    "Taking an import back removes its runs, judgments and gold answers, and the queries and documents that "
    "nothing else uses; gold answers and texts that it replaced come back. What people graded since stays."
)


class EarlierImports(ChangingDialog):
    """A table of all imports, newest first, and a button that takes one back."""

    def __init__(self, project: "Project", worker: Worker, parent: QWidget) -> None:
        super().__init__("Earlier imports", parent)
        self._project = project
        self._views: Sequence[ImportView] = ()
        self._storing = False
        self.table = Rows("Earlier imports", COLUMNS, self, wide=1, wraps=True)
        self.table.itemSelectionChanged.connect(self._follow)
        self.said = prose("Reading the imports…", "muted", self)
        self.bar = JobBar(worker, self)
        self.bar.problem.connect(self._refused)
        self.take_back = button("Take this import back", self._take_back, self)
        self.take_back.setAutoDefault(False)
        self.take_back.setEnabled(False)
        buttons = self.way_out()
        buttons.addButton(self.take_back, Role.ActionRole)
        self.lay_out((self.table, 1), self.said, 0, self.bar, buttons, hint=HINT)
        self.resize(px(760), 0)
        self._read()

    def _read(self) -> None:
        project = self._project

        def job(_: Watch) -> "list[ImportView]":
            from annotator.project import maintenance

            return maintenance.imports(project)

        self.bar.run("Reading the imports", job, self._show, storing=True)

    def _show(self, views: "Sequence[ImportView]") -> None:
        self._views = views
        state = {True: "in force", False: "taken back"}
        self.table.show_rows(
            [(local_time(one.time, MINUTES), one.source, one.annotator, state[one.in_force]) for one in views]
        )
        for part in (self.table, self.take_back):
            part.setVisible(bool(views))
        if not views:
            self.said.setText("Nothing was imported yet. Ctrl+I imports files.")
            self.resize(self.width(), 0)  # without the room of the table
        elif not self._storing:
            self.said.setText("“Take this import back” takes back the one that is chosen.")
            self.table.setFocus()
        self._storing = False
        self._follow()

    def chosen(self) -> "ImportView | None":
        """Return the import that is selected."""
        row = self.table.chosen()
        return self._views[row] if row is not None and row < len(self._views) else None

    def _follow(self) -> None:
        one = self.chosen()
        self.take_back.setEnabled(one is not None and one.in_force and not self.bar.busy)

    def _take_back(self) -> None:
        one = self.chosen()
        if one is None:
            return
        project, identity = self._project, one.identity

        def job(watch: Watch) -> Change:
            from annotator.project import maintenance

            return maintenance.withdraw(project, identity, watch)

        self.take_back.setEnabled(False)
        self._storing = True
        self.said.setText(f"Taking back the import of {one.source}…")
        self.bar.run("Taking the import back", job, self._taken_back, storing=True)

    def _taken_back(self, change: Change) -> None:
        self.said.setText(f"{change.said}.")
        self.changed.emit(change)
        self._read()

    def _refused(self, why: str) -> None:
        self._storing = False
        self.said.setText(why)
        self._follow()

    def reject(self) -> None:
        """Close; while an import is being taken back ask that to stop, and stay to say what became of it."""
        self.bar.cancel()
        if not (self._storing and self.bar.busy):
            super().reject()
