"""Work outside the window's thread: one thread for everything stored, a few for long computations.

Results come back in the window's thread, and only to an owner that still lives: what arrives after its
widget was deleted, or after `close`, is dropped. Python's garbage is collected in the window's thread alone
meanwhile: a circle that holds a widget, freed by a job, would end the program.
"""

import gc
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from annotator.watch import Watch

GARBAGE_MS = 1_000
"""How often the window's thread looks whether there is garbage to collect."""

REST_SECONDS = 1.0
"""After so long without anything to store, slow work that can wait goes on."""

ELSEWHERE_SECONDS = 1.0
"""So long `close` waits for a job that asks another computer, which may never answer."""

WAY_MS = 20
"""So long at most `give_way` waits at once."""

Result = TypeVar("Result")
Job = Callable[[Watch], Any]
"""A long computation: it tells its watch how far it is, and stops when asked (raising `errors.Stopped`)."""


@dataclass(frozen=True, slots=True)
class _Letter:
    """A call to make in the window's thread, and the object that must still live for it."""

    owner: QObject
    call: Callable[[], None]


class Stop:
    """A wish to stop one job, set from any thread."""

    def __init__(self) -> None:
        self._asked = threading.Event()

    def ask(self) -> None:
        """Ask the job to stop at its next look."""
        self._asked.set()

    def asked(self) -> bool:
        """Say whether someone asked."""
        return self._asked.is_set()


class Worker(QObject):
    """One storage thread, in order, and a thread for each long job.

    `failed(error)` is emitted for an exception that the caller of `submit` or `start` did not take.
    """

    failed = Signal(object)
    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._jobs: dict[threading.Thread, Stop] = {}
        self._elsewhere: set[threading.Thread] = set()
        self._storing = Stop()
        self._stores = False
        self._asked = time.monotonic()
        self._posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._storage = threading.Thread(target=self._run, name="storage", daemon=True)
        self._garbage = QTimer(self, interval=GARBAGE_MS)
        self._garbage.timeout.connect(collect_garbage)
        self._garbage.start()
        gc.disable()
        self._storage.start()

    def submit(
        self,
        owner: QObject,
        work: Callable[[], Result],
        done: Callable[[Result], object],
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Do `work` in the storage thread after what was submitted before, then call `done(result)`."""
        self._asked = time.monotonic()
        if self._open:
            self._work.put(lambda: self._attempt(owner, work, done, failed))

    def at_rest(self, seconds: float = REST_SECONDS) -> bool:
        """Say whether nothing was submitted for a while."""
        return time.monotonic() - self._asked > seconds

    def waited_for(self) -> bool:
        """Say whether something waits for what the storage thread does now."""
        return not self._work.empty()

    def give_way(self) -> None:
        """Let what was submitted be done first, for a moment: for who computes beside, at each small step.

        Else each statement of a step that is stored would wait for Python until the other pauses.
        """
        for _ in range(WAY_MS):
            if not self._stores and self._work.empty():
                return
            time.sleep(0.001)

    def start(
        self,
        owner: QObject,
        job: Job,
        done: Callable[[Any], object],
        failed: Callable[[Exception], object] | None = None,
        progress: Callable[[int, int, str], object] | None = None,
        storing: bool = False,
        elsewhere: bool = False,
    ) -> Stop:
        """Run a long job in a thread of its own; the returned wish stops it.

        With `storing` it runs in the storage thread, after what was submitted before. One that asks
        `elsewhere`, of another computer, is left alone by `close` where it does not end soon.
        """
        stop = Stop()
        if not self._open:
            return stop

        def tell(done: int, total: int, what: str) -> None:
            if progress is not None:
                self.post(owner, lambda: progress(done, total, what))

        watch = Watch(on_progress=tell, should_stop=stop.asked)

        def work() -> Any:
            return job(watch)

        if storing:
            self._storing = stop
            self.submit(owner, work, done, failed)
            return stop
        self._jobs = {thread: wish for thread, wish in self._jobs.items() if thread.is_alive()}
        thread = threading.Thread(
            target=self._attempt, args=(owner, work, done, failed), name="job", daemon=True
        )
        self._jobs[thread] = stop
        if elsewhere:
            self._elsewhere.add(thread)
        thread.start()
        return stop

    def close(self) -> None:
        """Finish what was submitted for storing, stop the jobs, wait for all, and deliver nothing more.

        What asks elsewhere is waited for a moment.
        """
        if not self._open:
            return
        self._open = False
        self._storing.ask()
        self._work.put(None)
        for stop in self._jobs.values():
            stop.ask()
        for thread in (self._storage, *self._jobs):
            thread.join(ELSEWHERE_SECONDS if thread in self._elsewhere else None)
        self._garbage.stop()
        gc.unfreeze()
        gc.enable()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            self._stores = True
            work()
            del work
            self._stores = False

    def _attempt(
        self,
        owner: QObject,
        work: Callable[[], Result],
        done: Callable[[Result], object],
        failed: Callable[[Exception], object] | None,
    ) -> None:
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - handed to whoever asked, in the window's thread
            problem = error
            self.post(owner, lambda: failed(problem) if failed else self.failed.emit(problem))
        else:
            self.post(owner, lambda: done(result))

    def post(self, owner: QObject, call: Callable[[], object]) -> None:
        """Make a call in the window's thread, from any thread, if its owner lives by then."""
        if self._open:
            self._posted.emit(_Letter(owner, lambda: (call(), None)[1]))

    @Slot(object)
    def _deliver(self, letter: _Letter) -> None:
        if self._open and shiboken6.isValid(letter.owner):
            letter.call()


def collect_garbage() -> None:
    """Collect as Python would by itself: a generation when enough was made since its last time."""
    for generation, (made, enough) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)):
        if made > enough:
            gc.collect(generation)
