"""One open project: its worker, its doorbell, its end. All verbs run in the worker's storage thread."""

import gc
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.desktop import preload
from annotator.desktop.pages import PAGES, Choices
from annotator.desktop.safety.open_file import Opened, Prepare, open_file
from annotator.desktop.worker import Stop, Worker
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.desktop.instance import Doorbell
    from annotator.project.maintenance import Care
    from annotator.project.project import Project
    from annotator.project.views import Contents

Result = TypeVar("Result")

FIRST_QUERY_MS = 300
"""The first query has the computer to itself so long before the file is checked and everything counted."""

BETWEEN_MS = 20
"""So long after one module of the other pages the next is loaded, if the annotator rests."""

QUIET_MS = 3_000
"""So long after opening a project is looked after, when its first page stands."""


def copy_of_sample(name: str) -> Path:
    """Return a fresh copy of a sample in the user's folder."""
    from annotator.project import samples

    return samples.copied(name)


def new_file(path: Path, name: str, annotator: str) -> Path:
    """Make a project file and return its path."""
    from annotator.project.project import Project

    Project.create(path, name, annotator).close()
    return path


class Session(QObject):
    """From the wish to open a project to its last stored word.

    `opened(Opened)` or `refused(error)` follows `open`, after `progressed(done, total, what)`;
    `rung` when a second start wants this project;
    `failed(error)` when work went wrong that nobody else answers for.
    """

    opened = Signal(object)
    refused = Signal(object)
    progressed = Signal(int, int, str)
    failed = Signal(object)
    rung = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.path = Path()
        self.project: Project | None = None
        self.choices = Choices()
        self.worker = Worker(self)
        self.worker.failed.connect(self.failed)
        self._opening = Stop()
        self._doorbell: Doorbell | None = None
        self._page_there = False
        self._waiting: Opened | None = None
        """What is open already while modules of its first page still come, one in each turn."""

    def open(self, prepare: Prepare, who: Callable[[Path], str], read_only: bool = False) -> None:
        """Open the file that `prepare` returns, for the one `who` grades in it; it may first make it."""
        job = partial(open_file, prepare, who, read_only)
        self._opening = self.worker.start(
            self, job, self._file_opened, self.refused.emit, self.progressed.emit, storing=True
        )
        load = partial(preload.load_page, PAGES[0].modules, self, self._page_loaded)
        self.worker.start(self, preload.load_numbers, lambda _: load())

    def cancel(self) -> None:
        """Open nothing after all; `refused` says so."""
        self._opening.ask()

    def do(self, verb: "Callable[[Project], Result]", done: Callable[[Result], object]) -> None:
        """Run a verb of the project in the storage thread."""
        project = self.project
        if project is not None:
            self.worker.submit(self, lambda: verb(project), done)

    def count(self, done: "Callable[[Contents], object]", after: int = 0) -> None:
        """Count what the project holds, in a thread of its own: a large project takes a while."""
        from annotator.project import browse

        project = self.project
        if project is not None:
            count = partial(self.worker.start, self, lambda *_: browse.contents(project), done)
            QTimer.singleShot(after, self, count)

    def look_after(
        self, done: "Callable[[Care], object]", failed: Callable[[Exception], object] | None = None
    ) -> None:
        """Check the project, back it up when that is due and index its texts, beside the window."""
        project = self.project
        if project is None:
            return
        path = project.path

        def job(watch: Watch) -> "Care":
            from annotator.project import background_check

            return background_check.look_after(path, watch)

        QTimer.singleShot(QUIET_MS, self, lambda: self.worker.start(self, job, done, failed))

    def close(self) -> None:
        """Finish what was begun, close the file, and deliver nothing more."""
        project = self._waiting.project if self._waiting is not None else self.project
        if project is not None:
            self.worker.submit(self, project.close, lambda _: None)
            self.project = self._waiting = None
        self.worker.close()
        if self._doorbell is not None:
            self._doorbell.close()
        self.deleteLater()

    def _file_opened(self, opened: Opened) -> None:
        if self._page_there:
            self._opened(opened)
        else:
            self._waiting = opened

    def _page_loaded(self) -> None:
        self._page_there = True
        if self._waiting is not None:
            opened, self._waiting = self._waiting, None
            self._opened(opened)

    def _opened(self, opened: Opened) -> None:
        from annotator.desktop.instance import Doorbell

        self.path, self.project = opened.path, opened.project
        gc.freeze()  # what is loaded stays: looking through it for garbage would hold the window up
        if not self.project.read_only:  # another window may have it for writing and be the one to raise
            self._doorbell = Doorbell(self.path, self)
            self._doorbell.rung.connect(self.rung)
        QTimer.singleShot(preload.AFTER_MS, self, self._warm_up)
        self.opened.emit(opened)

    def _warm_up(self) -> None:
        job = partial(preload.warm_up, self.worker.at_rest)
        self.worker.start(self, job, self._warmed)

    def _warmed(self, _: object) -> None:
        gc.freeze()
        modules = [name for page in PAGES for name in page.modules if name not in sys.modules]
        preload.load_in_turns(modules, self, self.worker.at_rest, BETWEEN_MS)
