"""Ties: candidates of one query with the same score, whose order the system left open."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.collection import Floats, Ints, Ranked, Small, count


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """The ranks that share a score: `first` and `last` (int32[n]) of the group of each row."""

    first: Small
    last: Small

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> "Ties":
        """Return the groups of some rows: those of the judged candidates, beside their `Ranked`."""
        return Ties(self.first[rows], self.last[rows])


def find(query: NDArray[np.int64], score: Floats) -> Ties:
    """Find the groups of whole rankings: rows by query in ranking order, score descending within a query.

    >>> find(np.array([0, 0, 0]), np.array([2.0, 1.0, 1.0])).last.tolist()
    [1, 3, 3]
    """
    n = len(query)
    new_query = np.ones(n, dtype=bool)
    new_query[1:] = query[1:] != query[:-1]
    new_group = new_query.copy()
    new_group[1:] |= score[1:] != score[:-1]
    rows = np.arange(n)
    start = np.maximum.accumulate(np.where(new_query, rows, 0))
    group = np.cumsum(new_group) - 1
    firsts = np.flatnonzero(new_group)
    lasts = np.append(firsts[1:], n) - 1
    return Ties((firsts[group] - start + 1).astype(np.int32), (lasts[group] - start + 1).astype(np.int32))


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
    group = np.cumsum(np.r_[True, (first[1:] != first[:-1]) | (query[1:] != query[:-1])]) - 1
    sizes = np.bincount(group)
    place = np.arange(len(rows)) - (np.cumsum(sizes) - sizes)[group]
    ranks, grades = ranked.rank.copy(), ranked.grade.copy()
    ranks[rows] = first + place if best else last - sizes[group] + 1 + place
    grades[rows] = grade[order]
    return ranked.with_hits(ranked.hit_offsets, ranks, grades, ranked.retrieved)
