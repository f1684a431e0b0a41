"""Which queries are offered, which of them have something unjudged, and where one is among them."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from annotator.desktop.grade.prepared import Prepared
from annotator.desktop.grade.query_order import QueryOrder
from annotator.desktop.messages import may_pass
from annotator.desktop.worker import Worker
from annotator.project import browse
from annotator.project.finished import unsaid
from annotator.project.views import Filters, QueryView
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project

END = {False: "Everything in this list is done", True: "This is the end of the list"}
"""What is said behind the last query, by whether judged candidates were asked for."""

BATCH = 10
"""About so many candidates of a query come in a row before the next query does."""


def batch(at: int, count: int) -> range:
    """Return the places of the batch that holds one of `count` candidates; lengths differ by one at most."""
    batches = max(1, round(count / BATCH))
    first = at * batches // count
    return range(-(-first * count // batches), -(-(first + 1) * count // batches))


class Walk(QObject):
    """The order of the queries that the filters let through; `at` is the one that was gone to last.

    `keys_shown(keys)`: others are offered; `chosen(query, candidate)` goes to one of them, with that
    candidate in front (None: there is none); `known`: it was found out which have something unjudged;
    `found_open(query)`: that, and the one to begin with is another one. `unread(error, way, on)`: which there
    are, or the one gone to, could not be read, and a way on in a word and a call.
    """

    keys_shown = Signal(object)
    chosen = Signal(object, object)
    known = Signal()
    found_open = Signal(int)
    unread = Signal(object, str, object)

    def __init__(self, project: "Project", worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._worker = worker
        self.filters = Filters()
        self.order = QueryOrder()
        self.at: int | None = None
        self._asked = 0
        self.seeking = False
        """Whether to go on to a query with something unjudged, unless somebody goes to one before."""

    def show(
        self,
        filters: Filters,
        prefer: int | None = None,
        candidate: int | None = None,
        to_open: bool = False,
    ) -> None:
        """Offer the queries that the filters let through, from the preferred one and its candidate on.

        When that is not among them, or with `to_open`, begin with the next one that has something unjudged.
        """
        self.filters = filters
        if prefer is not None:
            self.at = prefer  # what comes meanwhile goes on from there
        self._asked += 1
        asked, began = self._asked, self.at

        def take(keys: NDArray[np.int64]) -> None:
            if asked != self._asked:
                return
            self.order = QueryOrder(keys)
            self.keys_shown.emit(keys)
            wanted = (prefer, candidate) if self.at == began else (self.at, None)  # one went on meanwhile
            known = self.order.place(wanted[0]) is not None
            first = int(keys[0]) if len(keys) else None
            self.chosen.emit(*wanted if known else (first, None))
            self._ask_open(asked, seek=to_open or not known)

        def failed(error: Exception) -> None:
            if asked == self._asked and may_pass(error):
                again = partial(self.show, filters, prefer, candidate, to_open)
                self.unread.emit(error, "Try again", again)
            else:
                self._worker.failed.emit(error)

        self._worker.submit(self, partial(browse.query_keys, self._project, filters), take, failed)

    def _ask_open(self, asked: int, seek: bool) -> None:
        """Learn which queries have something unjudged; with `seek`, go to the next one of them."""
        began, self.seeking = self.at, seek
        unjudged = Filters(states=("unjudged",), depth=self.filters.depth)

        def take(keys: NDArray[np.int64]) -> None:
            if asked != self._asked:
                return
            self.order.set_open(keys)
            first = self.next_open(itself=True)
            if self.seeking and self.at == began and first not in (None, began) and not self.filters.revisit:
                self.found_open.emit(first)
            else:
                self.known.emit()

        def job(_: Watch) -> NDArray[np.int64]:
            return browse.query_keys(self._project, unjudged)

        self._worker.start(self, job, take)  # no grade waits behind it

    def begin(self, view: QueryView) -> int | None:
        """Return the place of the first candidate asked for, else of one with something to be said."""
        unjudged = iter(unsaid(view))
        if self.filters.pairs:
            return next(self._asked_for(view), None)
        return next(chain(self._asked_for(view), unjudged), None)

    def following(self, prepared: Prepared, after: int, corrected: bool) -> int | None:
        """Return the place of the candidate to judge next: a later one asked for, or an unjudged one.

        None behind the last of a batch too, while other queries are open; who `corrected` a judgment stays.
        """
        view = prepared.view
        if self.revisits(view):
            return next((at for at in self._asked_for(view) if at > after), None)
        if self.filters.order == "batches" and not view.again and not corrected:
            here = batch(after, len(view.candidates))
            unjudged = [at for at in here if view.candidates[at].judgment.state is None]
            if unjudged or self.next_open() is not None:
                return next((at for at in unjudged if at > after), min(unjudged, default=None))
        return prepared.next_unjudged(after)

    def revisits(self, view: QueryView) -> bool:
        """Say whether judged candidates of a query are asked for."""
        return self.filters.revisit and not view.again

    def asks_for(self, view: QueryView, at: int) -> bool:
        """Say whether a candidate is one that the annotator wants to go over, judged or not."""
        return self.revisits(view) and at in self._asked_for(view)

    def _asked_for(self, view: QueryView) -> Iterator[int]:
        for at, one in enumerate(view.candidates):
            drawn = (view.key, one.key) in self.filters.pairs and one.judgment.state is None
            if drawn or one.key in view.asked or self.filters.ask_for(one.judgment):
                yield at

    def following_query(self, itself: bool = False) -> int | None:
        """Return the query to judge next: the next one where judged ones are asked for, else an open one."""
        return self.neighbour(1) if self.filters.revisit else self.next_open(itself)

    def next_open(self, itself: bool = False) -> int | None:
        """Return the next query with something unjudged, round to the start; or `itself`, if that has."""
        return self.order.next_open(self.at, itself)

    def neighbour(self, by: int) -> int | None:
        """Return the query so many places on, None past the ends."""
        return self.order.neighbour(self.at, by)
