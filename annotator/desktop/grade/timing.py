"""Time at work: with the window in front and not idle, in milliseconds; and what follows from it."""

import time
from collections import Counter
from collections.abc import Callable

IDLE_MS = 60_000
"""A stretch without any key, click or scroll counts no longer than this."""


FEW = 5
"""No rate is told of fewer judgments."""

EXACT_HOURS = 2
"""Nobody knows to the minute what is left of more hours than this."""


def monotonic_ms() -> int:
    """Return a clock that only runs forward."""
    return time.monotonic_ns() // 1_000_000


class Stopwatch:
    """How long one has looked at a candidate, without what happened elsewhere or nowhere."""

    def __init__(self, clock: Callable[[], int] = monotonic_ms) -> None:
        self._clock = clock
        self._counted = 0
        self._since = clock()
        self._running = True

    def restart(self) -> None:
        """Begin at zero: another candidate is in front."""
        self._counted, self._since = 0, self._clock()

    def touch(self) -> None:
        """Note that the user did something."""
        now = self._clock()
        if self._running:
            self._counted += min(now - self._since, IDLE_MS)
        self._since = now

    def run(self, on: bool) -> None:
        """Count or wait: the window came to the front or went away."""
        self.touch()
        self._running = on

    def elapsed(self) -> int:
        """Return the milliseconds counted so far."""
        self.touch()
        return self._counted


class Pace:
    """What was judged since the start: how many, how fast, how long the rest takes."""

    def __init__(self) -> None:
        self.judged = 0
        self.milliseconds = 0
        self.together = 0
        """So many more were given several at once, without a time of their own: they are not in the rate."""
        self.said: Counter[str] = Counter()

    def add(self, milliseconds: int, decision: str) -> None:
        """Count one judgment: the time it took, and what was said (a digit, or `skipped`)."""
        self.judged += 1
        self.milliseconds += milliseconds
        self.said[decision] += 1

    def summary(self) -> str:
        """Return what was said since the start: `This session: 12 in 4 min. Grade 3: 8, 4: 3, skipped: 1`."""
        together = f"{self.together:,} given together" if self.together else ""
        if not self.judged:
            return f"This session: {together}." if together else "Nothing judged in this session yet."
        parts = ", ".join(f"{decision}:\u00a0{count}" for decision, count in sorted(self.said.items()))
        first = f"Grade {parts}" if parts[0].isdigit() else parts.capitalize()
        alone = f"This session: {self.judged:,} in {duration(self.milliseconds / 3_600_000)}. {first}"
        return f"{alone}; {together}" if together else alone

    def per_hour(self) -> float | None:
        """Return judgments per hour at work, None while they are too few to tell."""
        enough = self.judged >= FEW and self.milliseconds
        return self.judged * 3_600_000 / self.milliseconds if enough else None

    def words(self, decided: int, pool: int) -> str:
        """Return progress, rate and time left, such as `12 of 60 done · 240 an hour · 12 min left`."""
        parts = [f"{decided:,} of {pool:,} done"]
        rate = self.per_hour()
        if rate:
            parts.append(f"{rate:,.0f} an hour")
            if decided < pool:
                left = (pool - decided) / rate
                parts.append(f"{duration(left if left < EXACT_HOURS else round(left))} left")
        return "  ·  ".join(parts)


def duration(hours: float) -> str:
    """Return a time in words: `12 min`, `3 h 20 min`, `5 h`."""
    minutes = max(1, round(hours * 60))
    if minutes < 60:
        return f"{minutes} min"
    whole, rest = divmod(minutes, 60)
    return f"{whole:,} h {rest} min" if rest and whole < 10 else f"{whole:,} h"
