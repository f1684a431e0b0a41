"""The dialogs around a project: open, new, import, who grades, what happened; each loaded when asked for."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.preferences import Settings
from annotator.places import SUFFIX
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.desktop.dialog import ChangingDialog
    from annotator.desktop.session import Session
    from annotator.desktop.worker import Worker
    from annotator.project.data_import import Tally
    from annotator.project.maintenance import Merged
    from annotator.project.project import Project
    from annotator.project.views import CandidateView, Change, HistoryLine, SystemView

Result = TypeVar("Result")
Kind = TypeVar("Kind", bound="ChangingDialog")


class ProjectDialogs(QObject):
    """Asks over the window; what was chosen is announced or done in `session`.

    `project_chosen(path)`, `new_wanted(path, name, files)`, `changed(Change)`. `filters_wanted(Filters)`
    asks for some candidates on the Grade page.
    """

    project_chosen = Signal(Path)
    new_wanted = Signal(Path, str, list)
    changed = Signal(object)
    filters_wanted = Signal(object)

    def __init__(
        self, settings: Settings, commands: Actions, theme: Callable[[], Theme], window: QWidget
    ) -> None:
        super().__init__(window)
        self._theme = theme
        self._settings = settings
        self._window = window
        self._commands = commands
        self.session: Session | None = None

    def answer(self) -> None:
        """Open the dialogs when their commands are given."""
        for name, call in (
            ("annotator", self.ask_annotator),
            ("open", self.ask_project),
            ("new", self.ask_files),
            ("import", self.import_files),
            ("imports", self.show_imports),
            ("baseline", self.add_baseline),
            ("aggregate", self.aggregate),
            ("audit", self.show_audit),
            ("snapshot", self.ask_snapshot),
            ("lead", self.ask_lead),
            ("assign", self.assign),
            ("project_settings", self.ask_settings),
            ("project_history", self.show_history),
            ("keys", self.show_keys),
            ("commands", self.show_commands),
            ("help", self.show_help),
        ):
            self._commands.on(name, call)

    def ask_project(self) -> None:
        """Ask for a project file to open."""
        from PySide6.QtWidgets import QFileDialog

        name, _ = QFileDialog.getOpenFileName(self._window, "Open a project", "", f"Projects (*{SUFFIX})")
        if name:
            self.project_chosen.emit(Path(name))

    def ask_files(self) -> None:
        """Ask for data files, then for the name and place of a new project that takes them in."""
        from PySide6.QtWidgets import QFileDialog

        names, _ = QFileDialog.getOpenFileNames(self._window, "Files for the new project")
        self.name_new([Path(name) for name in names])

    def name_new(self, files: Sequence[Path]) -> None:
        """Ask for the name and place of a new project."""
        from annotator.desktop.new_project import NewProjectDialog

        dialog = NewProjectDialog(files, self._window)
        dialog.chosen.connect(lambda path, name: self.new_wanted.emit(path, name, list(files)))
        dialog.open()

    def import_files(self, files: Sequence[Path] = ()) -> None:
        """Show what importing files would do, and do it if wanted."""
        from annotator.desktop.import_dialog import ImportDialog

        dialog = self._open(partial(ImportDialog, settings=self._settings, files=files, parent=self._window))
        if dialog is not None:
            dialog.imported.connect(self._tell_imported)

    def _tell_imported(self, tally: "Tally") -> None:
        from annotator.desktop.import_success import ImportSuccess

        made = partial(ImportSuccess, tally=tally, commands=self._commands, parent=self._window)
        dialog = self._open(made)
        if dialog is not None:
            dialog.next_wanted.connect(lambda name: self._commands[name].trigger())

    def tell_merged(self, merged: "Merged", aside: Path | None, other: Path) -> None:
        """Show what a merge came to, and what comes next."""
        from annotator.desktop.safety.merge_success import MergeSuccess, rows_of

        rows = rows_of(merged, other, aside)
        made = partial(MergeSuccess, rows=rows, merged=merged, commands=self._commands, parent=self._window)
        dialog = self._open(made)
        if dialog is not None:
            dialog.next_wanted.connect(lambda name: self._commands[name].trigger())

    def show_imports(self) -> None:
        """Show the imports there were, to take one back."""
        from annotator.desktop.earlier_imports import EarlierImports

        self._open(partial(EarlierImports, parent=self._window))

    def add_baseline(self) -> None:
        """Ask how the project's documents are to be ranked, and make the system."""
        from annotator.desktop.system_dialogs import BaselineDialog

        self._open(partial(BaselineDialog, parent=self._window))

    def aggregate(self) -> None:
        """Ask which systems are to be put together, and make the new one."""
        from annotator.project import browse

        self._do(lambda project: browse.contents(project).systems, self._aggregate)

    def _aggregate(self, systems: "Sequence[SystemView]") -> None:
        from annotator.desktop.system_dialogs import AggregateDialog

        names = [one.name for one in systems]
        self._open(partial(AggregateDialog, systems=names, parent=self._window))

    def show_audit(self) -> None:
        """Show the comparisons with a limited risk: plans, what they prove, what to judge next."""
        from annotator.desktop.compare.audit_dialog import AuditDialog

        pair = self.session.choices.pair if self.session is not None else ()
        dialog = self._open(partial(AuditDialog, theme=self._theme(), parent=self._window, pair=pair))
        if dialog is not None:
            dialog.judge_wanted.connect(self.filters_wanted)

    def _open(self, make: "Callable[[Project, Worker], Kind]") -> "Kind | None":
        """Open a dialog about the open project, if there is one, and announce what it changes."""
        if self.session is None or self.session.project is None:
            return None
        dialog = make(self.session.project, self.session.worker)
        dialog.changed.connect(self.changed)
        dialog.open()
        return dialog

    def ask_snapshot(self) -> None:
        """Ask how the present state is called; naming it shows nothing of it, so the blind may."""
        from annotator.desktop.question import Ask

        words = "Name this state of judgments and runs, to compare with it later."
        Ask(self._window, "Take a snapshot", words, self.take_snapshot, name=True).open()

    def take_snapshot(self, name: str) -> None:
        """Name the present state of judgments and runs."""
        from annotator.project import snapshots

        self._do(lambda project: snapshots.take_snapshot(project, name), self.changed.emit)

    def _do(self, verb: "Callable[[Project], Result]", done: Callable[[Result], object]) -> None:
        if self.session is not None:
            self.session.do(verb, done)

    def show_keys(self) -> None:
        """Show the sheet of all keys, and remember those that are changed there."""
        from annotator.desktop.key_sheet import KeySheet

        sheet = KeySheet(self._commands, self._window)
        sheet.changed.connect(lambda own: self._settings.set("keys", own))
        sheet.open()

    def show_commands(self) -> None:
        """Offer all commands that can be given now, and give the one that is chosen."""
        from annotator.desktop.palette import Palette, offered

        hint = "Type some words of a command; Enter gives it."
        palette = Palette("All commands", hint, offered(self._commands), self._commands, self._window)
        palette.chosen.connect(lambda name: self._commands[name].trigger())
        palette.open()

    def show_help(self) -> None:
        """Show the help, from where the tour begins too."""
        from annotator.desktop.help import HelpDialog

        dialog = HelpDialog(self._window)
        dialog.tour_wanted.connect(self._commands["tour"].trigger)
        dialog.open()

    def ask_lead(self, then: Callable[[], object] = lambda: None) -> None:
        """Ask whether to take the role of lead, or to give it back; `then` follows when that was done."""
        from annotator.project import lead_role

        def done(change: "Change") -> None:
            self.changed.emit(change)
            then()

        def ask(known: tuple[str, Sequence[str]]) -> None:
            from annotator.desktop.lead_question import ask_lead

            ask_lead(self._window, *known, lambda verb: self._do(verb, done))

        self._do(lambda project: (project.annotator, lead_role.leads(project)), ask)

    def assign(self) -> None:
        """Let a lead say who judges what; who has not the role is asked to take it first."""
        from annotator.desktop.assign_dialog import AssignDialog
        from annotator.project import lead_role

        def show() -> None:
            self._open(partial(AssignDialog, parent=self._window))

        self._do(lead_role.is_lead, lambda lead: show() if lead else self.ask_lead(show))

    def ask_settings(self) -> None:
        """Show the project's settings for changing."""
        from annotator.desktop.project_settings import settings_of

        self._do(settings_of, lambda read: self._ask_settings(*read))

    def _ask_settings(self, now: dict[str, object], shown: "CandidateView | None") -> None:
        from annotator.desktop.project_settings import ProjectSettings

        dialog = ProjectSettings(now, shown, self._window)
        dialog.chosen.connect(self._set)
        dialog.open()

    def _set(self, changed: dict[str, object]) -> None:
        from annotator.project.settings import set_setting

        for name, value in changed.items():
            self._do(partial(set_setting, name=name, value=value), self.changed.emit)

    def show_history(self) -> None:
        """Show what happened in the project."""
        from annotator.project import history

        self._do(lambda project: history.history(project, as_seen=True), self._show_history)

    def _show_history(self, lines: "Sequence[HistoryLine]") -> None:
        from annotator.desktop.history_dialog import HistoryDialog

        HistoryDialog("History of the project", lines, self._window).open()

    def ask_annotator(self, then: Callable[[], object] = lambda: None, why: str = "", last: str = "") -> None:
        """Ask who grades, and say why; the project is seen through their eyes from then on.

        `then` follows the answer; it is not asked again because of the one who used the project `last`.
        """
        from annotator.project import assignments

        def ask(known: tuple[str, Sequence[str]]) -> None:
            from annotator.desktop.annotator_dialog import AnnotatorDialog

            dialog = AnnotatorDialog(*known, self._window, why)
            dialog.chosen.connect(partial(self._use_annotator, last=last))
            dialog.finished.connect(lambda _: then())
            dialog.open()

        self._do(lambda project: (project.annotator, assignments.people(project)), ask)

    def _use_annotator(self, name: str, last: str = "") -> None:
        from annotator.project.views import Change

        told = Change("annotator", said=f"Grading as {name}.")

        def used(path: Path) -> None:
            self._settings.set("annotator", name)
            self._settings.grades(path, name, after=last)
            self.changed.emit(told)

        def use(project: "Project") -> Path:
            project.use_annotator(name)
            return project.path

        self._do(use, used)
