"""What if: the fewest grade changes after which the other system is ahead.

One change at a time is taken, always the one that moves the mean difference furthest, to the lowest or the
highest grade; the last is then softened to the nearest grade that still suffices. For measures that are
sums over the candidates (P, CG, DCG, Success of one query) no smaller number of changes exists; for others,
in which a change moves the ideal ordering too, the number is an upper bound.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.grades import GRADES, HIGHEST, LOWEST
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import Measure
from annotator.text.counts import in_digits

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST = 50
"""More changes than this are not looked for."""

DEPTH = 20
"""Only candidates that one of the systems has up to this rank are changed."""

ROWS = 2_000_000
"""How many rows of tried collections are in memory at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class TwoSystems:
    """Everything judged, and where two systems have it: one row per judged pair, sorted by query.

    `query` (0 .. q - 1), `grade`, `first_rank`, `second_rank` are int64[n], a rank of 0 means not retrieved;
    `first_retrieved`, `second_retrieved` are the lengths of the rankings, int64[q].
    """

    query: Ints
    grade: Ints
    first_rank: Ints
    second_rank: Ints
    first_retrieved: Ints
    second_retrieved: Ints


@dataclass(frozen=True, slots=True)
class GradeChange:
    """One grade to change: the row of the pair, the grade before and after, the mean difference then."""

    row: int
    before: int
    after: int
    difference: float


@dataclass(frozen=True, slots=True)
class Flip:
    """The changes that flip who is ahead; `flipped` is False when those that were tried do not.

    Then others still may: each was the best at its turn, and no two were tried together.
    """

    before: float
    changes: tuple[GradeChange, ...]
    flipped: bool

    def sentence(self, measure: str, first: str, second: str) -> str:
        """Return the result in plain words: who is ahead by the mean, and which way it was subtracted."""
        if self.before == 0:
            return f"{first} and {second} have the same mean {measure}: neither is ahead of the other."
        ahead, behind = (second, first) if self.before > 0 else (first, second)
        if not self.changes:
            return (
                f"None of the grade changes tried, one at a time, brings {behind} nearer to {ahead} by mean "
                f"{measure}; others might."
            )
        count, one = len(self.changes), len(self.changes) == 1
        before, after = map(_signed, (self.before, self.after))
        goes = f"the difference, {second} minus {first}, goes from {before} to {after}"
        if self.flipped:
            put = "changed grade puts" if one else "changed grades put"
            return f"{count} {put} {behind} ahead of {ahead} by mean {measure}: {goes}."
        changes = "grade change" if one else "grade changes"
        return (
            f"{count} {changes}, each the best of those tried at its turn, did not put {behind} ahead of "
            f"{ahead} by mean {measure}: {goes}; others might."
        )

    @property
    def after(self) -> float:
        """The mean difference after all changes."""
        return self.changes[-1].difference if self.changes else self.before


def _signed(difference: float) -> str:
    """Return a difference as the tables have it, one too small for them in its own digits."""
    return f"{difference:+.4f}" if round(difference, 4) else in_digits(difference, "+")


def fewest_changes(pairs: TwoSystems, measure: Measure, most: int = MOST) -> Flip:
    """Return the fewest grade changes found that put the other system ahead under a measure of grades.

    The difference is the mean over all queries of second - first.
    """
    n = len(pairs.first_retrieved)
    grade = pairs.grade.copy()
    per_query = _differences(pairs, grade, measure, np.arange(n), np.full(n, -1), np.zeros(n, np.int64))
    before = float(np.round(per_query.sum(), 12)) / max(n, 1)
    changes: list[GradeChange] = []
    if before == 0:
        return Flip(before, (), False)
    towards = -np.sign(before)
    rows = np.flatnonzero(_within(pairs.first_rank) | _within(pairs.second_rank))
    tries = _tries(rows, (LOWEST, HIGHEST))
    differences = _tried(pairs, grade, measure, tries)
    total = per_query.sum()
    while len(changes) < most and len(tries):
        gains = towards * (differences - per_query[pairs.query[tries[:, 0]]])
        best = int(np.argmax(np.round(gains, 12)))
        if gains[best] <= 1e-12:
            break
        row, after = (int(number) for number in tries[best])
        flips = towards * (total + towards * gains[best]) > 1e-12
        if flips:
            after, difference = _softest(pairs, grade, measure, row, towards, total, per_query)
            changes.append(GradeChange(row, int(grade[row]), after, difference / n))
            return Flip(before, tuple(changes), True)
        query = pairs.query[row]
        total += differences[best] - per_query[query]
        per_query[query] = differences[best]
        changes.append(GradeChange(row, int(grade[row]), after, float(total) / n))
        grade[row] = after
        keep = tries[:, 0] != row
        tries, differences = tries[keep], differences[keep]
        again = np.flatnonzero(pairs.query[tries[:, 0]] == query)
        differences[again] = _tried(pairs, grade, measure, tries[again])
    return Flip(before, tuple(changes), False)


def _within(rank: Ints) -> NDArray[np.bool_]:
    return (rank >= 1) & (rank <= DEPTH)


def _tries(rows: Ints, grades: tuple[int, ...]) -> Ints:
    """Return every (row, new grade), int64[t, 2]."""
    return np.stack([np.repeat(rows, len(grades)), np.tile(grades, len(rows))], axis=1)


def _softest(
    pairs: TwoSystems,
    grade: Ints,
    measure: Measure,
    row: int,
    towards: float,
    total: float,
    per_query: Floats,
) -> tuple[int, float]:
    """Return the grade nearest to the present one that flips the sign, and the sum of differences then."""
    tries = _tries(np.array([row]), GRADES)
    sums = total + _tried(pairs, grade, measure, tries) - per_query[pairs.query[row]]
    enough = np.flatnonzero(towards * sums > 1e-12)
    nearest = min(enough.tolist(), key=lambda at: (abs(int(tries[at, 1]) - int(grade[row])), at))
    return int(tries[nearest, 1]), float(sums[nearest])


def _tried(pairs: TwoSystems, grade: Ints, measure: Measure, tries: Ints) -> Floats:
    """Return the difference of the changed row's query after each try, float64[t]."""
    query = pairs.query[tries[:, 0]]
    size = np.bincount(pairs.query, minlength=len(pairs.first_retrieved))[query]
    part = (np.cumsum(size) - 1) // ROWS if len(size) else size
    done = [
        _differences(pairs, grade, measure, query[at], tries[at, 0], tries[at, 1])
        for at in (np.flatnonzero(part == number) for number in np.unique(part))
    ]
    return np.concatenate(done) if done else np.zeros(0)


def _differences(
    pairs: TwoSystems, grade: Ints, measure: Measure, query: Ints, row: Ints, after: Ints
) -> Floats:
    """Return second - first for copies of queries, in each of which one row (-1: none) has another grade."""
    start = np.searchsorted(pairs.query, query)
    size = np.searchsorted(pairs.query, query, side="right") - start
    copy = np.repeat(np.arange(len(query)), size)
    rows = np.arange(len(copy)) - np.repeat(np.cumsum(size) - size - start, size)
    grades = np.where(rows == row[copy], after[copy], grade[rows])
    values = []
    for rank, retrieved in (
        (pairs.first_rank, pairs.first_retrieved),
        (pairs.second_rank, pairs.second_retrieved),
    ):
        hit = rank[rows] > 0
        ranked = Ranked.build(copy[hit], rank[rows][hit], grades[hit], retrieved[query], copy, grades)
        values.append(measure.per_query(ranked))
    return values[1] - values[0]
