"""Ties: candidates of one query with the same score, whose order the system left open.

By their order alone a value moves between two ends. For most measures a tied group is at its best with the
highest grade first, at its worst with the lowest first. Two kinds try more orders (`Measure.tries_orders`).
What is divided by the relevant found above a cut-off gains when one of them falls below it; and a candidate
of the pool that was not judged (a negative grade, infAP) helps a relevant one below it where enough above it
are relevant. Within a group of either kind some best order is: relevant ones, others, the rest of the
relevant, the rest of the others; and some worst one: others, all relevant, the rest of the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator import ranking_order
from annotator.metrics.collection import Floats, Ints, Ranked, Small, count
from annotator.metrics.measures import Measure


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """The ranks that share a score: `first` and `last` (int32[n]) of the group of each row."""

    first: Small
    last: Small

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> "Ties":
        """Return the groups of some rows: those of the judged candidates, beside their `Ranked`."""
        return Ties(self.first[rows], self.last[rows])

    def closed(self, ranked: Ranked) -> "Ties":
        """Return the groups with the gaps between the hits closed, as `only_judged` closes them."""
        group, sizes = _groups(ranked.query, self.first)
        ends = np.cumsum(sizes)
        start = ranked.hit_offsets[ranked.query]
        first = (ends - sizes)[group] - start + 1
        return Ties(first.astype(np.int32), (ends[group] - start).astype(np.int32))


def find(query: NDArray[np.int64], score: Floats) -> Ties:
    """Find the groups of whole rankings: rows by query in ranking order, score descending within a query.

    >>> find(np.array([0, 0, 0]), np.array([2.0, 1.0, 1.0])).last.tolist()
    [1, 3, 3]
    """
    rows = np.arange(len(query))
    first, last = ranking_order.ends(ranking_order.tied_with_above(query, score), rows)
    start = np.maximum.accumulate(np.where(np.diff(query, prepend=-1) != 0, rows, 0))
    return Ties((first - start + 1).astype(np.int32), (last - start + 1).astype(np.int32))


def count_tied(query: NDArray[np.int64], ties: Ties, n_queries: int) -> Ints:
    """Count the candidates of each query that share their score with another, int64[n_queries]."""
    return count(query, ties.first < ties.last, n_queries)


def settled(ranked: Ranked, ties: Ties, best: bool) -> Ranked:
    """Return the rankings with every tie settled as well, or as badly, as it can be.

    At best the judged candidates of a group stand first, highest grade first; at worst last, lowest first.
    `ties` has one row per hit of `ranked`.
    """
    rows = np.flatnonzero(ties.first < ties.last)
    if not len(rows):
        return ranked
    query, first, last = ranked.query[rows], ties.first[rows], ties.last[rows]
    grade = ranked.grade[rows].astype(np.int64)
    order = np.lexsort((-grade if best else grade, first, query))  # moves nothing out of its group
    group, sizes = _groups(query, first)
    place = np.arange(len(rows)) - (np.cumsum(sizes) - sizes)[group]
    ranks, grades = ranked.rank.copy(), ranked.grade.copy()
    ranks[rows] = first + place if best else last - sizes[group] + 1 + place
    grades[rows] = grade[order]
    return ranked.with_hits(ranked.hit_offsets, ranks, grades, ranked.retrieved)


def settled_value(measure: Measure, ranked: Ranked, ties: Ties, best: bool) -> Floats:
    """Return the value of every query at that end, float64[q]; `ranked` is settled by grades towards it."""
    prepared = measure.prepared(ranked)
    if not measure.tries_orders or not len(prepared.rank):
        return measure.value(prepared)
    groups = ties.closed(ranked) if measure.parameters["judged_only"] else ties
    return _tried(measure, prepared, groups, best)


def _groups(query: Ints, first: Small) -> tuple[Ints, Ints]:
    """Number the groups of rows that share query and first rank, and count the rows of each."""
    new = np.ones(len(query), dtype=bool)
    new[1:] = (first[1:] != first[:-1]) | (query[1:] != query[:-1])
    group: Ints = np.cumsum(new) - 1
    return group, np.bincount(group)


def _tried(measure: Measure, ranked: Ranked, ties: Ties, best: bool) -> Floats:
    """Return the values after trying the orders of one group of each query after the other."""
    rank, value, sign = ranked.rank.copy(), measure.value(ranked), 1 if best else -1
    for rows in _open_groups(measure, ranked, ties):
        tied = _Tied(measure, ranked, ties, rows, best)
        kept = rank.copy()
        for places in tied.orders():
            rank[rows] = places
            other = measure.value(_placed(ranked, rank))
            further = sign * other > sign * value
            value = np.where(further, other, value)
            moved = rows[further[ranked.query[rows]]]
            kept[moved] = rank[moved]
        rank = kept
    return value


def _open_groups(measure: Measure, ranked: Ranked, ties: Ties) -> Iterator[Ints]:
    """Yield the rows of one group of each query at a time, of those that grades alone may not settle."""
    group, _ = _groups(ranked.query, ties.first)
    relevant = ranked.grade >= (measure.rel or 1)
    some = np.bincount(group, relevant) > 0
    first, last = ties.first, ties.last
    if isinstance(measure.cutoff, int):
        open_ones = some[group] & (first <= measure.cutoff) & (last > measure.cutoff)
    else:
        open_ones = (some & (np.bincount(group, ranked.grade < 0) > 0))[group]
    rows = np.flatnonzero(open_ones)
    query = ranked.query[rows]
    starts = np.r_[True, group[rows][1:] != group[rows][:-1]] if len(rows) else np.zeros(0, dtype=bool)
    number = np.cumsum(starts)
    number -= np.concatenate(([0], number))[np.searchsorted(query, query)]
    for one in range(1, int(number.max(initial=0)) + 1):
        yield rows[number == one]


def _placed(ranked: Ranked, rank: Small) -> Ranked:
    """Return the rankings with their hits at other ranks."""
    return Ranked.build(
        ranked.query, rank, ranked.grade, ranked.retrieved, ranked.judged_query, ranked.judged
    )


class _Tied:
    """One tied group of each of some queries, and the orders that may be best or worst for it.

    The others of a group are lined up (negative, irrelevant, unjudged for the best; unjudged, irrelevant,
    negative for the worst), and the relevant are put in: `front` of them before, the rest after some others.
    """

    def __init__(self, measure: Measure, ranked: Ranked, ties: Ties, rows: Ints, best: bool) -> None:
        grade, query, self.best = ranked.grade[rows], ranked.query[rows], best
        self.first = ties.first[rows].astype(np.int64)
        self.relevant = grade >= (measure.rel or 1)
        negative = grade < 0
        n = ranked.n_queries
        relevant_in_all = np.bincount(query, self.relevant, n).astype(np.int64)
        self.found = relevant_in_all[query]
        self.negative = np.bincount(query, negative, n).astype(np.int64)[query]
        size = ties.last[rows].astype(np.int64) - self.first + 1
        self.others = size - self.found
        unjudged = size - np.bincount(query, minlength=n)[query]
        depth = measure.cutoff if isinstance(measure.cutoff, int) else np.iinfo(np.int32).max
        self.slots = np.minimum(depth - self.first + 1, self.others)
        self.place = self._line_up(query, negative, unjudged)

    def _line_up(self, query: Ints, negative: NDArray[np.bool_], unjudged: Ints) -> Ints:
        """Return the place of each row in the line of the relevant or in that of the others, from 0."""
        kind = np.where(self.relevant, 0, np.where(negative == self.best, 1, 2))
        order = np.lexsort((kind, query))
        start = np.searchsorted(query, query)
        place = np.empty(len(query), dtype=np.int64)
        place[order] = np.arange(len(query)) - start
        return np.where(self.relevant, place, place - self.found + (0 if self.best else unjudged))

    def orders(self) -> Iterator[Ints]:
        """Yield the ranks of the rows in each order."""
        if self.best:
            for front in range(int(self.found.max()) + 1):
                yield self._ranks(front, self.negative)
                yield self._ranks(front, self.others)
            return
        for fewer in range(int(np.maximum(self.found, self.negative).max()) + 1):
            yield self._ranks(0, np.maximum(self.slots - fewer, 0))

    def _ranks(self, front: int, before: Ints) -> Ints:
        """Return the ranks with `front` relevant ones first and the others after so many not relevant."""
        late = np.where(self.place >= front, before, 0)
        above = np.where(self.place < before, np.minimum(front, self.found), self.found)
        return self.first + self.place + np.where(self.relevant, late, above)
