"""Who looks on while something long is done: told how far it is, and asked whether to go on."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TypeVar

from annotator.errors import Stopped

Item = TypeVar("Item")

FINE = 1_000
"""Into so many steps the whole of something in several parts is divided."""

ROWS_BETWEEN_LOOKS = 1_000
STEPS_BETWEEN_LOOKS = 50_000
"""SQLite's own steps, a few milliseconds' worth: so often a long statement looks whether to stop."""


@dataclass(frozen=True, slots=True)
class Watch:
    """`on_progress(done, total, what)` is told; once `should_stop()` says so, Stopped(`said`) is raised.

    Everything long takes one as its last parameter.
    """

    said: str = "It was stopped; nothing was changed."
    on_progress: Callable[[int, int, str], None] | None = None
    should_stop: Callable[[], bool] | None = None

    def saying(self, said: str) -> "Watch":
        """Return the same with what is said of an action that is stopped."""
        return replace(self, said=said)

    @property
    def silent(self) -> "Watch":
        """The same, for a part of the work that nobody is told of."""
        return replace(self, on_progress=None)

    def step(self, done: int, total: int, what: str) -> None:
        """Look whether to stop, and tell how far the work is. Raises Stopped."""
        self.look()
        self.tell(done, total, what)

    def look(self) -> None:
        """Raise Stopped once somebody asked to stop."""
        if self.asked():
            raise Stopped(self.said)

    def asked(self) -> bool:
        """Say whether somebody asked to stop."""
        return self.should_stop is not None and self.should_stop()

    def tell(self, done: int, total: int, what: str) -> None:
        """Tell how far the work is; a total of 0 is not known."""
        if self.on_progress is not None:
            self.on_progress(done, total, what)

    def each(self, rows: Iterable[Item], total: int, what: str) -> Iterator[Item]:
        """Yield rows, and tell after some how many there were."""
        for done, row in enumerate(rows):
            if done % ROWS_BETWEEN_LOOKS == 0:
                self.step(done, total, what)
            yield row

    def parts(self, sizes: Sequence[float]) -> Iterator["Watch"]:
        """Yield one for each part of something long, which tells how far the whole of it is."""
        ends = accumulate(sizes, initial=0.0)
        whole = sum(sizes) or 1
        for low, high in pairwise(end / whole for end in ends):
            yield self._part(low, high) if self.on_progress else self

    def _part(self, low: float, high: float) -> "Watch":
        def of_the_whole(done: int, total: int, what: str) -> None:
            share = min(done / total, 1) if total else 0
            self.tell(round(FINE * (low + (high - low) * share)), FINE, what)

        return replace(self, on_progress=of_the_whole)

    @contextmanager
    def over(self, *databases: sqlite3.Connection) -> Iterator[None]:
        """Let long statements inside end with Stopped soon after somebody asks to stop."""
        if self.should_stop is None:
            yield
            return
        for db in databases:
            db.set_progress_handler(self.should_stop, STEPS_BETWEEN_LOOKS)
        try:
            yield
        except sqlite3.OperationalError as error:
            if self.should_stop():
                raise Stopped(self.said) from error
            raise
        finally:
            for db in databases:
                db.set_progress_handler(None, 0)


UNWATCHED = Watch()
