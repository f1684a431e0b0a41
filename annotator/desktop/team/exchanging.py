"""Exchanging with a team beside the work: what the window knows of it, and what has arrived."""

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.desktop.grade.flow import OTHER_QUERIES
from annotator.desktop.team.exchange_thread import Exchanging, Standing
from annotator.desktop.worker import Worker
from annotator.project.project import Project
from annotator.project.share_record import ShareRecord
from annotator.project.sharing import SAFE, up_to_now
from annotator.project.views import Change
from annotator.tasks import SETTLING, declared

if TYPE_CHECKING:
    from annotator.storage.ledger.arrivals import Arrived

TELL_MS = 2_000
"""Pages follow what arrives this often at most."""

LAST_SECONDS = 1.0
"""So long the end of a project waits for what is still to be handed over."""

SILENT_SECONDS = 30.0
"""So long a carrier may take for one answer before it is said that nothing comes from it."""

SILENT = f"Nothing has come from the carrier for a while. {SAFE}"

ARRIVED = "arrived"
"""The kind of a change by judgments of others: scores follow it, and nobody's place in the work."""


class Team(QObject):
    """Exchanges what a project's people do, as long as it is open and shared.

    `told(Standing)` follows every try and what is stored here, `changed(Change)` what has arrived. `record`
    is what is known of the sharing of this file, once `begin` has looked.
    """

    told = Signal(object)
    changed = Signal(object)

    def __init__(self, project: Project, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self.standing: Standing | None = None
        self.record: ShareRecord | None = None
        self._known: Standing | None = None
        self._silence = QTimer(self, interval=TELL_MS)
        self._silence.timeout.connect(self._look_at_silence)
        self._project = project
        self._worker = worker
        self._thread: Exchanging | None = None
        self._kinds: dict[str, None] = {}
        self._tell_later = QTimer(self, singleShot=True, interval=TELL_MS)
        self._tell_later.timeout.connect(self._tell_changes)

    def begin(self, then: Callable[[], object] = lambda: None) -> None:
        """Exchange from now on, where the project is shared and can be written to; then call `then`."""
        if self._thread is not None:
            then()
            return
        project = self._project
        look = partial(ShareRecord.of, project.identity, project.path)
        self._worker.start(self, lambda _: look(), partial(self._begin, then), elsewhere=True)

    def _begin(self, then: Callable[[], object], record: ShareRecord) -> None:
        self.record = record
        if record.carrier and self._thread is None and not self._project.read_only:
            standing = Standing(record.carrier)
            self._thread = Exchanging(self._project, self._worker, self, standing, self._tell, self._took)
            self._silence.start()
            self._tell(standing)
            self._thread.start()
        then()

    def want(self) -> None:
        """Hand over soon what was just done here, and count it until then."""
        if self._thread is not None and self.standing is not None:
            self._show(self.standing)
            if self.standing.exchanged.behind:
                self._thread.wanted.set()
            QTimer.singleShot(0, self._thread.stored)  # once the page has moved on

    def exchange_now(self) -> None:
        """Try at once, also where the carrier did not answer."""
        if self._thread is not None:
            self._thread.at_once.set()

    def leave_place(self) -> None:
        """Exchange no more until `begin`: the project may go on at another place."""
        self._silence.stop()
        if self._thread is not None:
            self._thread.leave_place()
        self._thread = None

    def close(self) -> None:
        """Hand over what is left, if the carrier answers within a moment, and exchange no more."""
        self._silence.stop()
        if self._thread is not None:
            self._thread.ask_to_end()
            if self.standing is not None and not self.standing.trouble:
                self._thread.join(LAST_SECONDS)

    def _look_at_silence(self) -> None:
        """Say that nothing comes from the carrier, and that something comes again."""
        if self._known is not None and self._thread is not None:
            silent = time.monotonic() - self._thread.heard > SILENT_SECONDS
            standing = self._known._replace(trouble=SILENT, takes=False) if silent else self._known
            if standing.trouble != (self.standing and self.standing.trouble):
                self._show(standing)

    def _tell(self, standing: Standing) -> None:
        self._known = standing
        self._show(standing)

    def _show(self, standing: Standing) -> None:
        self.standing = standing._replace(exchanged=up_to_now(self._project, standing.exchanged))
        self.told.emit(self.standing)

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
