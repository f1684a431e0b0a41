"""The order in which queries come, and which of them still have something unjudged."""

import numpy as np
from numpy.typing import NDArray


class QueryOrder:
    """Keys of queries in their order. Until it is known better, every query counts as open."""

    def __init__(self, keys: NDArray[np.int64] | None = None) -> None:
        self.keys: NDArray[np.int64] = np.empty(0, np.int64) if keys is None else keys
        self._open = np.ones(len(self.keys), np.bool_)
        self._marked: dict[int, bool] = {}
        self._last = 0

    def place(self, query: int | None) -> int | None:
        """Return where a query stands, None when it is not among them."""
        if query is None:
            return None
        if self._last >= len(self.keys) or self.keys[self._last] != query:  # it is mostly the same one
            places = np.flatnonzero(self.keys == query)
            if not len(places):
                return None
            self._last = int(places[0])
        return self._last

    def neighbour(self, query: int | None, by: int) -> int | None:
        """Return the query so many places on, None past the ends."""
        at = self.place(query)
        if at is None or not 0 <= at + by < len(self.keys):
            return None
        return int(self.keys[at + by])

    def set_open(self, queries: NDArray[np.int64]) -> None:
        """Take these, and no others, as having something unjudged; what was marked meanwhile is newer."""
        self._open = np.isin(self.keys, queries)
        for query, is_open in self._marked.items():
            self.mark(query, is_open)

    def mark(self, query: int, is_open: bool) -> None:
        """Note that a query has, or has no longer, something unjudged."""
        self._marked[query] = is_open
        if (at := self.place(query)) is not None:
            self._open[at] = is_open

    def first_open(self) -> int | None:
        """Return the first query with something unjudged."""
        places = np.flatnonzero(self._open)
        return int(self.keys[places[0]]) if len(places) else None

    def next_open(self, query: int | None, itself: bool = False) -> int | None:
        """Return the next query with something unjudged, round to the start: after this one, or `itself`."""
        at = self.place(query)
        if at is None:
            return None
        around = np.concatenate([np.arange(at + (not itself), len(self.keys)), np.arange(at)])
        places = np.flatnonzero(self._open[around])
        return int(self.keys[around[places[0]]]) if len(places) else None
