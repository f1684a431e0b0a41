"""What the window does so that nothing is lost: states of the file, backups, copies, exports, merges."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from annotator.desktop import log
from annotator.desktop.safety.banner import Notice, Way
from annotator.errors import DamagedError, LockedError, ProjectError, ReadOnlyError, UnclearError
from annotator.places import SUFFIX

if TYPE_CHECKING:
    from annotator.desktop.results.job_bar import JobBar
    from annotator.desktop.safety.open_file import Opened
    from annotator.desktop.session import Session
    from annotator.desktop.worker import Worker
    from annotator.project.maintenance import Care, Merged, Tried, TriedRecovery
    from annotator.watch import Watch

FILTER = f"Projects (*{SUFFIX})"


class Safety(QObject):
    """Tells in `notice` what is not as usual about the file, and runs the verbs that copy and mend projects.

    `open_wanted(prepare, meanwhile, read_only)` asks for another file, which `prepare` makes or finds once
    the present one is closed, `close_wanted` for none; `open_then_wanted` has one more, which is called when
    the file is open. `merged(Merged, where the project as it was is, the other copy)` follows a merge then.
    `changed(Change)` is what a verb returned. `said(text)` is for the status bar.
    """

    open_wanted = Signal(object, str, bool)
    open_then_wanted = Signal(object, str, bool, object)
    merged = Signal(object, object, Path)
    close_wanted = Signal()
    changed = Signal(object)
    said = Signal(str)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.notice = Notice(window)
        self.session: Session | None = None
        self._worker: Worker | None = None
        self._done: list[str] = []
        self._unstored = False
        self._damaged = False

    def close(self) -> None:
        """Wait for what was begun without a project; the window closes."""
        if self._worker is not None:
            self._worker.close()

    # States of the file

    def opened(self, opened: "Opened") -> None:
        """Say what is special about a project that was just opened, and have it checked and looked after."""
        how = " for reading only" if opened.project.read_only else ""
        log.note(f"opened project {opened.project.identity}{how}")
        self._damaged = False
        if not opened.project.unproved:
            self._tell_opened(opened, opened.project.damage)
            return

        def checked(damage: Sequence[str]) -> None:
            self._tell_opened(opened, damage)
            if damage:
                self._stop_writing(damage)
            else:
                self.changed.emit(Change("proof"))

        from annotator.desktop.session import FIRST_QUERY_MS
        from annotator.project.views import Change

        after = "scores come" if opened.project.read_only else "what you decide is stored"
        text = f"Checking {opened.path.name} before its first use: {after} after it"

        def check(watch: "Watch") -> Sequence[str]:
            whole = replace(watch, on_progress=lambda done, total, _: watch.tell(done, total, text))
            return opened.project.prove(whole)

        bar = self._job_bar(self.close_wanted.emit)
        QTimer.singleShot(FIRST_QUERY_MS, bar, lambda: bar.run(text, check, checked))

    def _tell_opened(self, opened: "Opened", damage: Sequence[str]) -> None:
        usual: tuple[Way, ...] = (("Save a copy…", self.save_copy),) if opened.why else ()
        text, ways = (self._done.pop(), ()) if self._done else (opened.why, usual)
        self._damaged = bool(damage)
        if self._damaged:
            self._tell_damage(opened.path, damage)
        else:
            self.notice.tell(f"{text} {opened.project.told}".strip(), ways)
        if self.session is not None:
            self.session.look_after(self.looked_after, self._not_looked_after)

    def ways_on(self, error: Exception) -> Sequence[Way]:
        """Return what can be done about a file that did not open."""
        from annotator.desktop.safety.open_file import Unopened

        self._done.clear()
        if not isinstance(error, Unopened):
            return ()
        log.note(f"a file did not open: {type(error.error).__name__}")
        path = error.path
        if isinstance(error.error, LockedError):
            return (("Open for reading only", partial(self._open_to_read, path)),)
        if isinstance(error.error, DamagedError):
            return self._mending(path)
        return ()

    def _not_looked_after(self, error: Exception) -> None:
        if type(error) is ProjectError:  # which says of itself that grades are stored
            self.notice.tell(str(error))
        elif self.session is not None:
            self.session.failed.emit(error)

    def looked_after(self, care: "Care") -> None:
        """Say how the check ended; a project that is not sound goes on for reading only."""
        parts = sorted({one.partition(":")[0] for one in care.findings})
        log.note(f"checked: not sound in {', '.join(parts)}" if parts else "checked: sound")
        if not care.findings:
            warns = bool(care.warning) and not self.notice.text()
            self.said.emit(replace(care, warning="").sentence if warns else care.sentence)  # and not twice
            if warns:
                self.notice.tell(care.warning, [("Merge…", self.merge)] if care.copies else [])
            return
        if self.session is None:
            return
        if not self._damaged:
            self._stop_writing(care.findings)
            self._tell_damage(self.session.path, care.findings)

    def _tell_damage(self, path: Path, findings: Sequence[str]) -> None:
        more = f"; and {len(findings) - 1:,} more" if findings[1:] else ""
        self.notice.tell(
            f"{path.name} is damaged: {findings[0].partition(': ')[2] or findings[0]}{more}. It is open for "
            "reading only: what it shows may not be what was recorded, no score is computed from it, and "
            "nothing is exported.",  # the buttons say what can be done
            (("What is damaged…", partial(self._show_findings, findings)), *self._mending(path)),
            lasting=True,
        )

    def failed(self, error: ProjectError) -> None:
        """Say what went wrong with the file; it stays until it is put away or a step is stored again."""
        log.note(f"not done: {type(error).__name__}")
        if isinstance(error, ReadOnlyError):
            self.said.emit(str(error))
            return
        if isinstance(error, UnclearError):
            from annotator.project.views import Change

            self.changed.emit(Change("import"))  # what is shown may not be what is stored
            self._unstored = True
            self.notice.tell(str(error))
        elif not isinstance(error, DamagedError):
            self._unstored = True
            self.notice.tell(" ".join((*getattr(error, "__notes__", ()), str(error))))
        elif self._damaged or self.session is None:
            self.said.emit(str(error))
        else:
            self._stop_writing((str(error),))
            self.notice.tell(str(error), self._mending(self.session.path), lasting=True)

    def stored(self) -> None:
        """A step was stored: what was said of one that was not is over."""
        if self._unstored:
            self._unstored = False
            self.notice.clear()

    def _stop_writing(self, findings: Sequence[str]) -> None:
        from annotator.project.views import Change

        self._damaged = True
        if self.session is not None:
            again = Change("import")  # scores that are shown have to go
            done = partial(self.changed.emit, again)
            self.session.do(lambda project: project.stop_writing(findings), lambda _: done())

    def _show_findings(self, findings: Sequence[str]) -> None:
        from annotator.desktop.safety.damage_dialogs import FindingsDialog

        FindingsDialog(findings, self._window).open()

    def _mending(self, path: Path) -> tuple[Way, ...]:
        return (
            ("Backups…", partial(self.show_backups, path)),
            ("Recover what can be read…", partial(self.recover, path)),
        )

    def _open_to_read(self, path: Path) -> None:
        self.open_wanted.emit(lambda: path, f"Opening {path.stem} for reading only…", True)

    # Copies

    def save_copy(self) -> None:
        """Ask for a name and write a compact copy of the project, whole or not at all."""
        if self.session is None or self.session.project is None:
            return
        path = self.session.path
        target = self._ask_new("Save a copy", path.with_name(f"{path.stem} copy{SUFFIX}"))
        if target is None:
            return
        from annotator.project import maintenance

        bar = self._job_bar(lambda: self.said.emit("No copy was written."))
        job = partial(maintenance.save_copy, self.session.project, target)
        bar.run(f"Writing {target.name}", job, lambda _: self.said.emit(f"Wrote {target}."))

    def recover(self, path: Path) -> None:
        """List what is lost of a damaged project; what is sound goes into a new file if that is wanted."""
        from annotator.desktop.safety.damage_dialogs import RecoveryDialog

        dialog = RecoveryDialog(path, self._some_worker(), self._window)
        dialog.keep_wanted.connect(self._keep_recovered)
        dialog.open()

    def _keep_recovered(self, tried: "TriedRecovery") -> None:
        path = tried.path
        target = self._ask_free("Write a new file", path.with_name(f"{path.stem} recovered{SUFFIX}"))
        if target is None:
            tried.drop()
            return

        def prepare() -> Path:
            from annotator.project import maintenance

            maintenance.keep(tried, target)
            self._tell_then(
                f"Recovered from {path.name}, which is unchanged. What was lost stands in the history."
            )
            return target

        self.open_wanted.emit(prepare, "Writing what was recovered…", False)

    def show_backups(self, path: Path | None = None) -> None:
        """Show the backups of the open project, or of a file that does not open."""
        from annotator.desktop.safety.backups_dialog import BackupsDialog

        if path is None and self.session is not None:
            path = self.session.path
        if path is None:
            return
        dialog = BackupsDialog(path, self._some_worker(), self._window)
        dialog.restore_wanted.connect(self._restore)
        dialog.beside_wanted.connect(partial(self._restore_beside, path))
        dialog.copy_wanted.connect(self.save_copy)
        dialog.open()

    def _restore(self, backup: Path, path: Path) -> None:
        def prepare() -> Path:
            from annotator.project import maintenance

            aside = maintenance.restore(backup, path)
            kept = f" What was there before is kept as “{aside.name}”." if aside else ""
            self._tell_then(f"The backup was restored.{kept}")
            return path

        self.open_wanted.emit(prepare, "Restoring the backup…", False)

    def _restore_beside(self, path: Path, backup: Path) -> None:
        target = self._ask_free("Restore beside", path.with_name(f"{path.stem} restored{SUFFIX}"))
        if target is None:
            return

        def prepare() -> Path:
            from annotator.project import maintenance

            maintenance.restore(backup, target)
            self._tell_then(f"The backup was restored beside {path.name}, which is unchanged.")
            return target

        self.open_wanted.emit(prepare, "Restoring the backup…", False)

    # In and out

    def export(self) -> None:
        """Ask for a format and a place, and write what other programs read."""
        from annotator.desktop.safety.export_dialog import ExportDialog

        if self.session is not None and self.session.project is not None:
            dialog = ExportDialog(self.session.project, self.session.worker, self._window)
            dialog.written.connect(self.said)
            dialog.open()

    def merge(self) -> None:
        """Ask for another copy of the project and show what merging it would do."""
        from annotator.desktop.safety.merge_dialog import MergeDialog

        if self.session is not None and self.session.project is not None:
            dialog = MergeDialog(self.session.path, self.session.worker, self._window)
            dialog.merge_wanted.connect(self._merge)
            dialog.open()

    def _merge(self, tried: "Tried", target: Path) -> None:
        taken: list[tuple[Merged, Path | None]] = []

        def prepare() -> Path:
            from annotator.project import maintenance

            taken.append(maintenance.take(tried, target))
            return target

        def told() -> None:
            self.merged.emit(*taken[0], tried.other)

        self.open_then_wanted.emit(prepare, "Merging…", False, told)

    def _tell_then(self, text: str) -> None:
        """Have this said once the file that is being made is open; called in the storage thread."""
        self._done.append(text)

    def _job_bar(self, cancelled: Callable[[], object]) -> "JobBar":
        """Return a bar in the status bar for one long job, which goes away with it."""
        from annotator.desktop.results.job_bar import JobBar

        assert self.session is not None
        bar = JobBar(self.session.worker, self._window)
        bar.problem.connect(self.said)
        bar.cancelled.connect(cancelled)
        bar.busy_changed.connect(lambda busy: None if busy else bar.deleteLater())
        self.session.destroyed.connect(bar.deleteLater)
        self._window.statusBar().addPermanentWidget(bar)
        return bar

    def _ask_new(self, title: str, proposed: Path) -> Path | None:
        from PySide6.QtWidgets import QFileDialog

        name, _ = QFileDialog.getSaveFileName(self._window, title, str(proposed), FILTER)
        return Path(name).with_suffix(SUFFIX) if name else None

    def _ask_free(self, title: str, proposed: Path) -> Path | None:
        """Ask for the name of a file that is not there yet."""
        target = self._ask_new(title, proposed)
        if target is not None and os.path.exists(target):
            self.said.emit(f"{target.name} exists already; choose another name.")
            return None
        return target

    def _some_worker(self) -> "Worker":
        """Return the session's worker, or one for files that are not open."""
        from annotator.desktop.worker import Worker

        if self.session is not None:
            return self.session.worker
        if self._worker is None:
            self._worker = Worker(self)
        return self._worker
