"""Bringing files in: what an import would do is shown first; then all of it happens, or nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from annotator.desktop.controls import button
from annotator.desktop.dialog import ChangingDialog
from annotator.desktop.earlier_imports import EarlierImports
from annotator.desktop.file_drop import TakesFiles
from annotator.desktop.import_choices import WHOSE, ChoiceForm
from annotator.desktop.import_details import FileDetails, remember, remembered
from annotator.desktop.import_files import FilePane
from annotator.desktop.layouts import row
from annotator.desktop.preferences import Settings
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import prose, px
from annotator.desktop.worker import Worker
from annotator.desktop.wrap_layout import WrapLayout
from annotator.errors import ChoiceError, Stopped, UserError
from annotator.project import data_import
from annotator.project.views import Change
from annotator.text.counts import counted
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.data_import import ImportChoices, ImportPlan
    from annotator.project.import_preview import Glance
    from annotator.project.project import Project

MEND = "Nothing is imported until each file can be taken: mend it, say what it holds, or remove it."


class ImportDialog(TakesFiles, ChangingDialog):
    """Files, what they are taken for, what would happen. `imported(tally)` follows when it did."""

    imported = Signal(object)

    def __init__(
        self, project: "Project", worker: Worker, settings: Settings, files: Sequence[Path], parent: QWidget
    ) -> None:
        super().__init__("Import files", parent)
        self.setAcceptDrops(True)
        self._project = project
        self._worker = worker
        self._settings = settings
        self._plan: ImportPlan | None = None
        self._asked: ImportChoices | None = None
        self._storing = self._fresh = False
        self.pane = FilePane(self)
        self.pane.files_changed.connect(self.look)
        self.pane.chosen.connect(self._show_chosen)
        self.details = FileDetails(self)
        self.details.first_rows.roles_changed.connect(self._choose)
        self.form = ChoiceForm(self)
        self.form.changed.connect(self._choose)
        self.form.typed.connect(self._await)
        self.state = prose("", "heading", self)
        self.said = prose("", "", self)
        self.bar = JobBar(worker, self, cancels=False)
        self.bar.problem.connect(self._stopped)
        self.bar.busy_changed.connect(self._rest)
        self._lay_out()
        self.pane.take(files)
        self.look()
        self.pane.add.setFocus()

    def _lay_out(self) -> None:
        self.again = button("Look again", self._look_again, self)
        self.copy = button("Copy problems", self._copy, self)
        self.copy.setToolTip("Copies what is wrong in all the files, with file, line and column")
        self.earlier = button("Earlier imports…", self._show_earlier, self)
        buttons = self.question("Import", self._import)
        self.run = buttons.buttons()[0]
        for one in (self.again, self.copy, self.earlier, self.pane.add, self.pane.remove):
            one.setAutoDefault(False)
        below = WrapLayout()  # large words take two lines
        for one in (self.pane.add, self.pane.remove, self.copy, self.again, self.form.more):
            below.addWidget(one)
        parts = (self.pane, below, *self.details.parts, self.form, self.said, 1, self.bar)
        self.lay_out(*parts, row(self.earlier, (self.state, 1), buttons, gap=STEPS[1]))
        self.resize(min(px(940), self.screen().availableSize().width()), 0)

    def problems(self) -> list[str]:
        """Return what is wrong with all the files, each place with its file, line and column."""
        return [problem for one in self.pane.files for problem in one.problems]

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self.problems()))

    def _show_chosen(self) -> None:
        self.details.show_file(self.pane.current())

    def look(self) -> None:
        """Look at the files and say what importing them would do; nothing is stored."""
        self._asked = None
        unseen = self.pane.unseen()
        if not unseen:
            self._choose()
            return

        def job(_: Watch) -> Any:
            from annotator.project import import_preview

            return (
                [import_preview.glance(*one) for one in unseen],
                import_preview.titles(),
                import_preview.roles(),
            )

        self._fresh = True
        self._begin("Looking at the files…")
        self.bar.run("Looking at the files", job, lambda looked: self._seen(*looked), storing=True)

    def _seen(self, glances: "Sequence[Glance]", titles: dict[str, str], roles: tuple[str, ...]) -> None:
        self.pane.table.know(titles)
        self.details.first_rows.know(roles)
        by_path = {one.path: one for one in glances}
        for one in self.pane.files:
            if one.glance is None and one.path in by_path:
                one.glance = by_path[one.path]
                one.roles = remembered(one, self._settings, roles)
        self._choose()
        if any(one.unknown for one in self.pane.files):
            self.pane.show_known(first_wrong=True)

    def _look_again(self) -> None:
        for one in self.pane.files:
            one.glance = one.read = None
        self.look()

    def _choose(self) -> None:
        """Find out what an import with the choices of now would do, unless that is what is shown."""
        files = self.pane.files
        if any(one.glance is None for one in files):
            return
        self.form.show_for(self._parts())
        self.pane.show_known()
        if not files:
            self.bar.cancel()
            self._tell("", "")
            return
        unknown = [one for one in files if one.unknown]
        if unknown:
            which = "one file is" if len(unknown) == 1 else f"{len(unknown):,} files are"
            self._tell(f"Not ready: {which} not recognised", MEND)
            self._asked = None
            return
        choices = self._choices()
        if self.form.unread:
            self._await()
            return
        if choices == self._asked:
            return
        self._asked = choices
        paths = [one.path for one in files]

        def job(watch: Watch) -> "ImportPlan | UserError":
            try:
                return data_import.plan_import(self._project, paths, choices, watch=watch)
            except Stopped:
                raise
            except UserError as error:
                return error

        self._begin("Reading the files…")
        self.bar.run("Reading the files", job, self._planned, storing=True)

    def _await(self) -> None:
        """Say that what is typed cannot be read, or was not looked at yet; what was found is no more."""
        if all(one.glance is not None and not one.unknown for one in self.pane.files):
            self._asked = None
            unread = self.form.unread
            self._tell("Not ready: the rule for grades cannot be read" if unread else "Not looked at yet", "")

    def _parts(self) -> set[str]:
        """Return the parts that the files hold, or can hold as long as they are not read."""
        return {part for one in self.pane.files for part in one.parts}

    def _choices(self) -> "ImportChoices":
        from annotator.project.import_preview import mapping_told

        return self.form.choices(
            {
                one.path: (one.glance.key, mapping_told(one.roles) if one.glance.mapped else {})
                for one in self.pane.files
                if one.glance is not None
            }
        )

    def _begin(self, state: str) -> None:
        self._tell(state, "")
        self.again.setEnabled(False)

    def _tell(self, state: str, sentences: str) -> None:
        """Show where the import stands, and why or what of it; it can not be run as it is."""
        self._plan = None
        self.run.setEnabled(False)
        self.again.setEnabled(bool(self.pane.files))
        self.state.setText(state)
        self.said.setText(sentences)
        self.said.setVisible(bool(sentences))
        self.state.setVisible(bool(state))
        self.again.setVisible(bool(self.pane.files))
        self.copy.setVisible(bool(self.problems()))

    def _planned(self, planned: "ImportPlan | UserError") -> None:
        if self._asked is None:
            self._await()  # other choices were typed since
            return
        if isinstance(planned, data_import.ImportPlan | data_import.Refused | data_import.Undecided):
            for one, read in zip(self.pane.files, planned.files, strict=True):
                one.read = read
        if isinstance(planned, data_import.ImportPlan):
            self._ready(planned)
        elif isinstance(planned, data_import.Refused):
            wrong = [one for one in self.pane.files if one.problems]
            places = counted(sum(one.count for one in wrong), "place")
            self._tell(f"Not ready: {places} to mend in {counted(len(wrong), 'file')}", MEND)
        elif isinstance(planned, ChoiceError):
            self.form.show_for(self._parts(), planned.choices)
            self._tell("Not ready: something is to be said first", str(planned))
        else:
            self._tell("Not ready", str(planned))
        self.pane.show_known(first_wrong=self._fresh)
        self._fresh = False

    def _ready(self, plan: "ImportPlan") -> None:
        self.form.show_for(self._parts())
        tally = plan.tally
        lines = tally.sentences(would=True) if tally else []
        whose = [f"judged by: {plan.judged_by}"] if self.form.judged else []
        changed = sum(tally.changed.values()) if tally else 0
        self._tell(
            f"Ready; {changed:,} would be changed" if changed else "Ready", " · ".join([*lines, *whose])
        )
        self.form.annotator.setPlaceholderText(plan.judged_by if whose else WHOSE)
        self._plan = plan
        self.run.setEnabled(True)

    def _stopped(self, why: str) -> None:
        self._asked = None
        self._enable(True)
        self._tell("Not imported", why)

    def _rest(self, busy: bool) -> None:
        """Say so when work ends; what it came to replaces this at once, unless that was a fault."""
        if not busy:
            self._tell("Something went wrong", "Nothing was changed.")

    def _import(self) -> None:
        plan = self._plan
        if plan is None:
            return

        def job(watch: Watch) -> Change:
            return data_import.run_import(self._project, plan, watch)

        self._storing = True
        self._begin("Importing…")
        self._enable(False)
        self.bar.run("Importing", job, self._done, storing=True)

    def _enable(self, on: bool) -> None:
        pane, form = self.pane, self.form
        for part in (pane, pane.add, pane.remove, form.more, *self.details.parts, form, self.earlier):
            part.setEnabled(on)

    def _done(self, change: Change) -> None:
        remember(self.pane.files, self._settings)
        self.accept()
        self.changed.emit(change)
        self.imported.emit(change.after)

    def _show_earlier(self) -> None:
        dialog = EarlierImports(self._project, self._worker, self)
        dialog.changed.connect(self._changed_elsewhere)
        dialog.open()

    def _changed_elsewhere(self, change: Change) -> None:
        self.changed.emit(change)
        self._asked = None
        self._choose()

    def take_files(self, paths: Sequence[Path]) -> None:
        """Add what was dropped."""
        self.pane.take(paths)

    def reject(self) -> None:
        """Close; while something is being stored ask that to stop, and stay to say what became of it."""
        self.bar.cancel()
        if not (self._storing and self.bar.busy):
            super().reject()
