"""Bringing files in: what an import would do is shown first; then all of it happens, or nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from annotator.desktop.controls import button
from annotator.desktop.dialog import ChangingDialog, Role, Standard
from annotator.desktop.earlier_imports import EarlierImports
from annotator.desktop.file_drop import TakesFiles
from annotator.desktop.import_choices import ChoiceForm
from annotator.desktop.import_files import FilePane
from annotator.desktop.layouts import row
from annotator.desktop.preferences import Settings
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label, px
from annotator.desktop.worker import Job, Worker
from annotator.errors import InputError, Stopped, UserError
from annotator.project import data_import
from annotator.project.views import Change
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.data_import import ImportChoices, ImportPlan
    from annotator.project.import_preview import Glance
    from annotator.project.project import Project


class ImportDialog(TakesFiles, ChangingDialog):
    """Files, what they are taken for, what would happen; then what happened, and the way back."""

    def __init__(
        self, project: "Project", worker: Worker, settings: Settings, files: Sequence[Path], parent: QWidget
    ) -> None:
        super().__init__("Import files", parent)
        self.setAcceptDrops(True)
        self._project = project
        self._worker = worker
        self._plan: ImportPlan | None = None
        self._asked: ImportChoices | None = None
        self._identity = ""
        self._storing = False
        self.pane = FilePane(settings, self)
        self.pane.files_changed.connect(self.look)
        self.pane.roles_changed.connect(self._choose)
        self.form = ChoiceForm(self)
        self.form.changed.connect(self._choose)
        self.state = label("", "heading", self)
        self.said = QPlainTextEdit(self)
        self.said.setReadOnly(True)
        self.said.setTabChangesFocus(True)
        self.said.setAccessibleName("What the import would do")
        self.said.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.said.setMinimumHeight(px(104))
        self.bar = JobBar(worker, self)
        self.bar.problem.connect(self._stopped)
        self.bar.busy_changed.connect(self._rest)
        self._lay_out()
        self.pane.take(files)
        self.look()
        self.pane.add.setFocus()

    def _lay_out(self) -> None:
        self.again = button("Look again", self._look_again, self)
        self.copy = button("Copy", self._copy, self)
        self.copy.setAccessibleName("Copy what would happen")
        self.take_back = button("Take this import back", self._take_back, self)
        self.earlier = button("Earlier imports…", self._show_earlier, self)
        buttons = self.question("Import", self._import)
        self.run, self.close_button = buttons.buttons()[0], buttons.button(Standard.Cancel)
        buttons.addButton(self.earlier, Role.ResetRole)
        buttons.addButton(self.take_back, Role.ActionRole)
        self.take_back.hide()
        for one in (self.again, self.copy, self.earlier, self.take_back, self.pane.add, self.pane.remove):
            one.setAutoDefault(False)
        state = row((self.state, 1), self.again, self.copy)
        self.lay_out((self.pane, 3), self.form, state, (self.said, 2), self.bar, buttons)
        self.resize(QSize(px(940), px(740)).boundedTo(self.screen().availableSize()))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.said.toPlainText())

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

        self._begin("Looking at the files…")
        self.bar.run("Looking at the files", job, lambda looked: self._seen(*looked), storing=True)

    def _seen(self, glances: "Sequence[Glance]", titles: dict[str, str], roles: tuple[str, ...]) -> None:
        self.pane.seen(glances, titles, roles)
        self._choose()

    def _look_again(self) -> None:
        for one in self.pane.files:
            one.glance = None
        self.look()

    def _choose(self) -> None:
        """Find out what an import with the choices of now would do, unless that is what is shown."""
        seen = [one.glance for one in self.pane.files if one.glance is not None]
        if len(seen) < len(self.pane.files):
            return
        self.form.show_for(
            {part for one in self.pane.files if one.glance for part in one.glance.holds(one.roles)}
        )
        if not seen:
            self.bar.cancel()
            self._tell("Nothing to import yet", "")
            return
        unknown = [one for one in seen if one.key is None]
        if unknown:
            lines = [one.problem for one in unknown]
            sentence = "Nothing was imported. Choose above what the file is taken for, or remove it:\n\n"
            self._tell("Not recognised", sentence + "\n".join(lines))
            self._asked = None
            return
        choices = self._choices()
        if choices == self._asked:
            return
        self._asked = choices
        paths = [one.path for one in self.pane.files]

        def job(watch: Watch) -> "ImportPlan | UserError":
            try:
                return data_import.plan_import(self._project, paths, choices, watch=watch)
            except Stopped:
                raise
            except UserError as error:
                return error

        self._begin("Reading…")
        self.bar.run("Reading the files", job, self._planned, storing=True)

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
        self.said.setPlainText(sentences)
        self.copy.setEnabled(bool(sentences))
        for part in (self.said, self.again, self.copy):
            part.setVisible(bool(self.pane.files))

    def _planned(self, planned: "ImportPlan | UserError") -> None:
        if isinstance(planned, InputError):
            count = len(planned.problems) + planned.more
            places = "One place" if count == 1 else f"{count:,} places"
            mend = "Nothing was imported. Mend the file, or what is chosen above, and look again:"
            self._tell(f"{places} cannot be taken", f"{mend}\n\n{planned}")
        elif isinstance(planned, UserError):
            self._tell("This cannot be imported as it is", f"Nothing was imported.\n\n{planned}")
        else:
            lines = planned.tally.sentences(would=True) if planned.tally else []
            whose = [f"judged by: {planned.annotator}"] if self.form.judged else []
            changed = sum(planned.tally.changed.values()) if planned.tally else 0
            state = f"Ready; {changed:,} would be changed" if changed else "Ready"
            self._tell(state, "\n".join([*lines, *whose, "", *planned.taken_for]))
            self._plan = planned
            self.run.setEnabled(True)

    def _stopped(self, why: str) -> None:
        if self._identity:
            self._tell("Imported, and not taken back", why)
            self._end()
            self.take_back.setEnabled(True)
            return
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

        self._store("Importing", job, self._done)

    def _store(self, what: str, job: Job, done: Callable[[Change], object]) -> None:
        self._storing = True
        self._begin(f"{what}…")
        self._enable(False)
        self.bar.run(what, job, done, storing=True)

    def _enable(self, on: bool) -> None:
        for part in (self.pane, self.form, self.earlier):
            part.setEnabled(on)

    def _done(self, change: Change) -> None:
        from annotator.project.data_import import Tally

        tally = change.after
        assert isinstance(tally, Tally)
        self._identity = tally.identity
        self.pane.remember()
        self._tell("Imported", "\n".join(tally.sentences(would=False)))
        self.take_back.show()
        self._end()
        self.changed.emit(change)

    def _end(self) -> None:
        """Leave nothing to do but to close, or to take back."""
        for part in (self.pane, self.form, self.again, self.run):
            part.hide()
        self.close_button.setText("Close")
        self.close_button.setDefault(True)
        self.close_button.setFocus()
        self.earlier.setEnabled(True)
        self.setAcceptDrops(False)

    def _take_back(self) -> None:
        identity, project = self._identity, self._project

        def job(watch: Watch) -> Change:
            from annotator.project import maintenance

            return maintenance.withdraw(project, identity, watch)

        self.take_back.setEnabled(False)
        self._store("Taking the import back", job, self._taken_back)

    def _taken_back(self, change: Change) -> None:
        self.take_back.hide()
        self._tell("Taken back", f"{change.said}.")
        self._end()
        self.changed.emit(change)

    def _show_earlier(self) -> None:
        dialog = EarlierImports(self._project, self._worker, self)
        dialog.changed.connect(self._changed_elsewhere)
        dialog.open()

    def _changed_elsewhere(self, change: Change) -> None:
        self.changed.emit(change)
        self._asked = None
        if self.run.isVisible():
            self._choose()

    def take_files(self, paths: Sequence[Path]) -> None:
        """Add what was dropped."""
        self.pane.take(paths)

    def reject(self) -> None:
        """Close; while something is being stored ask that to stop, and stay to say what became of it."""
        self.bar.cancel()
        if not (self._storing and self.bar.busy):
            super().reject()
