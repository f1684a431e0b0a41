"""Who looks on while something long is done: told how far it is, and asked whether to go on."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TypeVar

from annotator.errors import Stopped

OnProgress = Callable[[int, int, str], None]
ShouldStop = Callable[[], bool]
Item = TypeVar("Item")

FINE = 1_000
"""Into so many steps the whole of something in several parts is divided."""

ROWS_BETWEEN_LOOKS = 1_000
STEPS_BETWEEN_LOOKS = 50_000
"""SQLite's own steps, a few milliseconds' worth: so often a long statement looks whether to stop."""


@dataclass(frozen=True, slots=True)
class Watch:
    """`on_progress(done, total, what)` is told; once `should_stop()` says so, Stopped(`said`) is raised."""

    said: str = "It was stopped; nothing was changed."
    on_progress: OnProgress | None = None
    should_stop: ShouldStop | None = None

    def step(self, done: int, total: int, what: str) -> None:
        """Tell how far the work is; a total of 0 is not known. Raises Stopped."""
        if self.should_stop and self.should_stop():
            raise Stopped(self.said)
        if self.on_progress:
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
            yield replace(self, on_progress=self._part(low, high))

    def _part(self, low: float, high: float) -> OnProgress | None:
        told = self.on_progress
        if told is None:
            return None

        def of_the_whole(done: int, total: int, what: str) -> None:
            share = min(done / total, 1) if total else 0
            told(round(FINE * (low + (high - low) * share)), FINE, what)

        return of_the_whole

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
