"""Exchanging with a team beside the work: a thread that asks the carrier, and slices that are taken in.

Nothing here waits for a carrier but that thread, which is left alone when the project is closed: a folder of
another computer can keep who reads it waiting for minutes.
"""

import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.desktop.grade.flow import OTHER_QUERIES
from annotator.desktop.worker import Stop, Worker
from annotator.errors import Stopped, UserError
from annotator.project.project import Project
from annotator.project.share_record import ShareRecord
from annotator.project.sharing import Exchange, Exchanged
from annotator.project.views import Change
from annotator.tasks import SETTLING, declared
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.storage.ledger.arrivals import Arrived

LOOK_SECONDS = 20.0
"""So long at most the carrier is not asked, where it tells of nothing itself."""

SLICE_SECONDS = 0.1
"""So long the thread waits at once, so that it ends soon after it is asked to."""

TELL_MS = 2_000
"""Pages follow what arrives this often at most."""

LAST_SECONDS = 1.0
"""So long the end of a project waits for what is still to be handed over."""

SILENT_SECONDS = 30.0
"""So long a carrier may take for one answer before it is said that nothing comes from it."""

SILENT = (
    "Nothing has come from the carrier for a while. What you did is safe in your own project and is handed "
    "over once it answers."
)

FAILED = "The exchange failed ({error}) and is tried again. What you did is safe in your own project."

ARRIVED = "arrived"
"""The kind of a change by judgments of others: scores follow it, and nobody's place in the work."""


class Standing(NamedTuple):
    """What is known of the sharing: where, what was exchanged and is left, why the last try failed."""

    address: str
    exchanged: Exchanged = Exchanged()
    trouble: str = ""

    @property
    def behind(self) -> str:
        """What is not handed over, empty where all is."""
        return f"{self.exchanged.behind:,} not handed over" if self.exchanged.behind else ""


class Team(QObject):
    """Exchanges what a project's people do, as long as it is open and shared.

    `told(Standing)` follows every try, `changed(Change)` what has arrived.
    """

    told = Signal(object)
    changed = Signal(object)

    def __init__(self, project: Project, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self.standing: Standing | None = None
        self._known: Standing | None = None
        self._heard = time.monotonic()
        self._silence = QTimer(self, interval=TELL_MS)
        self._silence.timeout.connect(self._look_at_silence)
        self._project = project
        self._worker = worker
        self._stop = Stop()
        self._wanted, self._at_once, self._taken = (threading.Event() for _ in range(3))
        self._taken.set()
        self._thread: threading.Thread | None = None
        self._kinds: dict[str, None] = {}
        self._tell_later = QTimer(self, singleShot=True, interval=TELL_MS)
        self._tell_later.timeout.connect(self._tell_changes)
        self.begin()

    def begin(self) -> None:
        """Exchange from now on, where the project is shared and can be written to."""
        record = ShareRecord.of(self._project.identity, self._project.path)
        if record.carrier and self._thread is None and not self._project.read_only:
            self._heard = time.monotonic()
            self._silence.start()
            self._tell(Standing(record.carrier))
            self._thread = threading.Thread(target=self._run, name="team", daemon=True)
            self._thread.start()

    def want(self) -> None:
        """Hand over soon what was just done here."""
        self._wanted.set()

    def exchange_now(self) -> None:
        """Try at once, also where the carrier did not answer."""
        self._at_once.set()

    def close(self) -> None:
        """Hand over what is left, if the carrier answers within a moment, and exchange no more."""
        self._stop.ask()
        self._silence.stop()
        if self._thread is not None and self.standing is not None and not self.standing.trouble:
            self._thread.join(LAST_SECONDS)

    def _run(self) -> None:
        standing = self.standing
        assert standing is not None
        one: Exchange | None = None
        faults = set[type[Exception]]()
        while not self._stop.asked():
            try:
                one = one or Exchange(self._project)
                self._exchange(one)
                standing = standing._replace(exchanged=one.outcome(), trouble="")
            except Stopped:
                break
            except UserError as error:
                standing = self._left(standing, one)._replace(trouble=str(error))
            except Exception as error:  # noqa: BLE001 - a thread that ended would look like one that works
                said = f"{type(error).__name__}: {error}"
                standing = standing._replace(trouble=FAILED.format(error=said))
                if one is not None:
                    one.carrier.close()
                one = None
                if type(error) not in faults:
                    faults.add(type(error))
                    self._worker.post(self, partial(self._worker.failed.emit, error))
            self._worker.post(self, partial(self._tell, standing))
            self._rest(None if standing.trouble else one)
        if one is not None and self._taken.is_set() and not standing.trouble:
            with suppress(UserError):  # else it is handed over when the project is next open
                if self._wanted.is_set():
                    one.hand_over()
            one.carrier.close()

    def _exchange(self, one: Exchange) -> None:
        watch = Watch(should_stop=self._asked)
        self._wanted.clear()
        self._at_once.clear()
        one.look(watch)
        while one.ready:
            watch.look()
            self._take(one)
        one.hand_over(watch)

    def _asked(self) -> bool:
        """Say whether to stop; who asks is at work, and waits for nothing."""
        self._heard = time.monotonic()
        return self._stop.asked()

    def _left(self, standing: Standing, one: Exchange | None) -> Standing:
        """Count what is not handed over, without the carrier."""
        with suppress(UserError):
            if one is not None:
                return standing._replace(exchanged=one.outcome())
        return standing

    def _take(self, one: Exchange) -> None:
        """Let some events be taken in where all is stored, and wait for that."""
        failed: list[Exception] = []
        self._taken.clear()

        def take() -> "list[Arrived]":
            try:
                return one.take()
            except Exception as error:
                failed.append(error)
                raise
            finally:
                self._taken.set()

        self._worker.submit(self, take, self._took, lambda _: None)
        while not self._taken.wait(SLICE_SECONDS):
            if self._asked():
                raise Stopped
        if failed:
            raise failed[0]

    def _rest(self, one: Exchange | None) -> None:
        """Wait until something has come, something was done here, or it is time to look."""
        began, heard = time.monotonic(), False
        pause = one.carrier.pause if one else LOOK_SECONDS
        while not (self._asked() or self._at_once.is_set()):
            rested = time.monotonic() - began
            if rested >= LOOK_SECONDS or (rested >= pause and (heard or self._wanted.is_set())):
                return
            if one is None or heard:
                time.sleep(SLICE_SECONDS)
                continue
            try:
                heard = one.carrier.wait(SLICE_SECONDS)
            except UserError:
                return

    def _look_at_silence(self) -> None:
        """Say that nothing comes from the carrier, and that something comes again."""
        if self._known is not None:
            silent = time.monotonic() - self._heard > SILENT_SECONDS
            standing = self._known._replace(trouble=SILENT) if silent else self._known
            if standing != self.standing:
                self._show(standing)

    def _tell(self, standing: Standing) -> None:
        self._known = standing
        self._show(standing)

    def _show(self, standing: Standing) -> None:
        self.standing = standing
        self.told.emit(standing)

    def _took(self, events: "Iterable[Arrived]") -> None:
        self._kinds |= dict.fromkeys(kind_of(one, self._project.annotator) for one in events)
        if self._kinds and not self._tell_later.isActive():
            self._tell_later.start()

    def _tell_changes(self) -> None:
        kinds, self._kinds = self._kinds, {}
        for kind in kinds:
            self.changed.emit(Change(kind))


def kind_of(event: "Arrived", annotator: str) -> str:
    """Return the kind of change that an event of others is to the pages.

    What oneself did on another computer, and what is not one's own to say, is read anew.
    """
    if event.task == "session":
        return ARRIVED
    if event.annotator != annotator and (declared(event.task).own or event.task in SETTLING):
        return ARRIVED
    return event.task if event.task in OTHER_QUERIES else "import"
