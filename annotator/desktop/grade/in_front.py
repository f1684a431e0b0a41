"""What is in front on the Grade page: a query and one of its candidates, and how one gets there."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.desktop.grade.loop import Loop
from annotator.desktop.grade.prefetch import Ahead
from annotator.desktop.grade.prepared import Prepared, prepare
from annotator.desktop.grade.query_walk import Walk
from annotator.desktop.worker import Worker
from annotator.errors import DamagedError
from annotator.project.finished import unsaid

if TYPE_CHECKING:
    from annotator.project.project import Project


class InFront(Loop):
    """Goes to queries and candidates; keys count once the query in front is painted (`painted`).

    `query_shown(Prepared | None)`: another query, the same one anew, or none that the filters let through.
    `current_changed(position)`.
    """

    query_shown = Signal(object)
    current_changed = Signal(int)

    def __init__(self, project: "Project", worker: Worker, parent: QObject) -> None:
        super().__init__(worker, parent)
        self._project = project
        self.walk = Walk(project, worker, self)
        self.walk.chosen.connect(self._choose)
        self.walk.known.connect(self._look_ahead)
        self.walk.found_open.connect(
            lambda query: self._look_ahead() if self._own else self._choose(query, None)
        )
        self.prepared: Prepared | None = None
        self.position = 0
        self._wanted: int | None = None
        self._then: int | None = None
        self._own: bool = False
        """Whether the annotator put in front what is there."""
        self._ahead = Ahead(project, worker, self)

    @property
    def query(self) -> int | None:
        """The query in front, None when there is none."""
        return self.prepared.view.key if self.prepared else None

    @property
    def candidate(self) -> int | None:
        """The candidate in front, None when the query has none."""
        candidates = self.prepared.view.candidates if self.prepared else ()
        return candidates[self.position].key if candidates else None

    @property
    def went_to_candidate(self) -> bool:
        """Whether it was one of its candidates that the query in front was shown for."""
        return self._then is not None

    @property
    def asking_again(self) -> bool:
        """Whether what is in front was graded before and is asked again."""
        return self.prepared is not None and self.prepared.view.again

    def go(self, query: int, candidate: int | None = None) -> None:
        """Show a query, with this candidate in front, or one that the filters ask for, or an unjudged one."""
        self.walk.seeking = False
        here = self.prepared.position(candidate) if self.prepared and candidate is not None else None
        there = query == self.query == self._wanted and self._painted and not self.asking_again
        if there and here is not None:
            self._set_position(here, own=True)
        else:
            self._load(query, candidate, own=candidate is not None)

    def _choose(self, query: int | None, candidate: int | None) -> None:
        """Follow another choice of queries: go to one of them, or show that there is none."""
        self._ahead.forget()
        if query is None:
            self._show(None)
        else:
            self.go(query, candidate)

    def _load(self, query: int, candidate: int | None, own: bool) -> None:
        self.leave()
        self._own = own
        self._wanted = self.walk.at = query
        self._then = candidate
        if (ready := self._ahead.ready(query)) is not None:
            self._show(ready)
        else:

            def failed(error: Exception) -> None:
                if query == self._wanted and self.prepared is None:
                    damaged = isinstance(error, DamagedError)  # where to read again brings the same
                    again = partial(self.step, 1) if damaged else partial(self._load, query, candidate, own)
                    self.walk.unread.emit(error, "Next query" if damaged else "Try again", again)
                self._worker.failed.emit(error)

            job = partial(prepare, self._project, query, self.walk.filters.order)
            self._worker.submit(self, job, self._show_wanted, failed)

    def step(self, by: int) -> None:
        """Go to the next or previous query of the list."""
        if (query := self.walk.neighbour(by)) is not None:
            self.go(query)

    def move(self, by: int) -> None:
        """Put the next or previous candidate in front; past the ends, choose the one that is."""

        def move() -> None:
            if self.prepared and self.prepared.view.candidates:
                last = len(self.prepared.view.candidates) - 1
                self._set_position(min(max(self.position + by, 0), last), own=True)

        self.in_turn(move)

    def put_in_front(self, position: int) -> None:
        """Put a candidate in front, after what was pressed before."""
        self.in_turn(partial(self._set_position, position, own=True))

    def painted(self, query: int) -> None:
        """Let keys count: the query has reached the screen."""
        if query == self.query == self._wanted and not self._painted:
            self.count_keys()

    def _show_wanted(self, prepared: Prepared) -> None:
        if prepared.view.key == self._wanted:
            self._show(prepared)

    def _show(self, prepared: Prepared | None) -> None:
        self.leave()
        self.prepared = prepared
        self.position = 0
        if prepared is not None:
            begin = self.walk.begin(prepared.view)
            self.position = (begin if self._then is None else prepared.position(self._then)) or 0
            self._own |= self._then is None and self.walk.asks_for(prepared.view, self.position)
            self._note_open(prepared)
        self.query_shown.emit(prepared)
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Make the query ready that comes next."""
        self._ahead.forget()
        following = self.walk.following_query(itself=self.asking_again)
        if self.prepared is not None and following is not None:
            self._ahead.prepare(following, self.walk.filters.order)

    def _note_open(self, prepared: Prepared) -> None:
        if not prepared.view.again:
            self.walk.order.mark(prepared.view.key, bool(unsaid(prepared.view)))

    def _set_position(self, position: int, own: bool) -> None:
        if position != self.position:
            self.stopwatch.restart()
        self.position, self._own = position, own
        self.current_changed.emit(position)
