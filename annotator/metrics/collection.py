"""What a measure needs to know of one system: the judged part of its rankings, as flat arrays.

Only candidates that are both retrieved and judged ("hits") can change a measure, together with the grades of
everything judged. So a ranking of a thousand candidates of which twelve are judged costs twelve rows.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Small = NDArray[np.int32]
T = TypeVar("T")


def offsets_of(query: NDArray[Any], n_queries: int) -> Ints:
    """Return where each query's rows begin and end: int64[n_queries + 1] for rows sorted by query."""
    counts = np.bincount(query, minlength=n_queries)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Ranked:
    """One system's judged retrieved candidates of all queries, one query after the other.

    `hit_offsets` int64[q+1] bounds each query's hits in `rank` (int32[h], 1-based, ascending within a query)
    and `grade` (int32[h]). `retrieved` int64[q] is the length of each ranking; 0 says that the system has no
    ranking for the query. `judged_offsets` int64[q+1] bounds each query's judged grades in `judged`
    (int32[j], descending), retrieved or not.

    A gold match is the same value: the grade of a hit is the gain of the gold answer credited there, and
    `judged` holds the gains of all distinct gold answers.
    """

    hit_offsets: Ints
    rank: Small
    grade: Small
    retrieved: Ints
    judged_offsets: Ints
    judged: Small
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def build(
        cls,
        query: ArrayLike,
        rank: ArrayLike,
        grade: ArrayLike,
        retrieved: ArrayLike,
        judged_query: ArrayLike,
        judged_grade: ArrayLike,
    ) -> "Ranked":
        """Sort what is not sorted yet and find the offsets.

        `query`, `rank`, `grade` are the hits (h rows), `judged_query`, `judged_grade` everything judged (j
        rows), `retrieved` has one length per query. Raises ValueError for two hits at one rank.
        """
        hits, ranks = np.asarray(query, dtype=np.int64), np.asarray(rank, dtype=np.int32)
        grades, lengths = np.asarray(grade, dtype=np.int32), np.asarray(retrieved, dtype=np.int64)
        of, judged = np.asarray(judged_query, dtype=np.int64), np.asarray(judged_grade, dtype=np.int32)
        step = (hits[1:] - hits[:-1]) * (1 << 32) + (ranks[1:] - ranks[:-1])
        if (step <= 0).any():
            order = np.lexsort((ranks, hits))
            hits, ranks, grades = hits[order], ranks[order], grades[order]
            if ((hits[1:] == hits[:-1]) & (ranks[1:] == ranks[:-1])).any():
                raise ValueError("two candidates of one query stand at the same rank")
        both = (of << 32) - judged
        if (both[1:] < both[:-1]).any():
            both.sort()
            of = (both + (1 << 31)) >> 32
            judged = ((of << 32) - both).astype(np.int32)
        n = len(lengths)
        return cls(offsets_of(hits, n), ranks, grades, lengths, offsets_of(of, n), judged)

    @classmethod
    def of_rankings(
        cls, rankings: Sequence[Sequence[int | None]], missed: Sequence[Sequence[int]] | None = None
    ) -> "Ranked":
        """Build from the grades in ranking order, None for an unjudged candidate, one list per query.

        `missed[q]` holds the grades of query q's judged candidates that were not retrieved.

        >>> Ranked.of_rankings([[3, None, 2]], missed=[[1]]).judged.tolist()
        [3, 2, 1]
        """
        missed = missed if missed is not None else [()] * len(rankings)
        hits = [
            (q, rank, grade)
            for q, ranking in enumerate(rankings)
            for rank, grade in enumerate(ranking, 1)
            if grade is not None
        ]
        rows = np.array(hits, dtype=np.int64).reshape(-1, 3)
        others = np.array([(q, grade) for q, some in enumerate(missed) for grade in some], dtype=np.int64)
        others = others.reshape(-1, 2)
        return cls.build(
            rows[:, 0],
            rows[:, 1],
            rows[:, 2],
            [len(ranking) for ranking in rankings],
            np.concatenate((rows[:, 0], others[:, 0])),
            np.concatenate((rows[:, 2], others[:, 1])),
        )

    @property
    def n_queries(self) -> int:
        """How many queries there are, judged or not, retrieved or not."""
        return len(self.retrieved)

    @cached_property
    def query(self) -> Ints:
        """The query of each hit, int64[h]."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.hit_offsets))

    @cached_property
    def judged_query(self) -> Ints:
        """The query of each judged grade, int64[j]."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.judged_offsets))

    @cached_property
    def log_rank(self) -> Floats:
        """The discount's divisor log2(rank + 1) of each hit, float64[h]."""
        logs: Floats = np.log2(self.rank + 1.0)
        return logs

    @cached_property
    def judged_place(self) -> Ints:
        """The 1-based place of each judged grade in the ideal ordering of its query, int64[j]."""
        return np.arange(1, len(self.judged) + 1) - self.judged_offsets[self.judged_query]

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, computed once for this collection: several measures share it."""
        if key not in self._kept:
            self._kept[key] = make()
        kept: T = self._kept[key]
        return kept

    def relevant(self, rel: int) -> NDArray[np.bool_]:
        """Say for each hit whether its grade reaches `rel`, bool[h]."""
        return self.keep(("relevant", rel), lambda: self.grade >= rel)

    def seen(self, rel: int) -> Ints:
        """Count for each hit the relevant candidates up to and with its rank, int64[h]."""
        return self.keep(("seen", rel), lambda: self.running(self.relevant(rel)))

    def n_relevant(self, rel: int) -> Ints:
        """Count the relevant candidates of each query, retrieved or not, int64[q]."""
        return self.keep(("n", rel), lambda: count(self.judged_query, self.judged >= rel, self.n_queries))

    def running(self, mask: NDArray[np.bool_]) -> Ints:
        """Count for each hit how many hits of its query up to and with it are in the mask, int64[h]."""
        total = np.concatenate(([0], np.cumsum(mask)))
        running: Ints = total[1:] - total[self.hit_offsets[self.query]]
        return running

    def summed(self, weights: NDArray[Any]) -> Floats:
        """Sum a weight of each hit within each query, float64[q]."""
        return added(self.query, weights, self.n_queries)

    def to(self, k: int | None) -> "Ranked":
        """Return the rankings cut after rank k; what is judged stays whole. None cuts nothing."""
        if k is None or not self.n_queries or self.retrieved.max() <= k:
            return self
        return self.keep(("to", k), lambda: self._cut(k))

    def _cut(self, k: int) -> "Ranked":
        mask = self.rank <= k
        offsets = np.concatenate(([0], np.cumsum(mask)))[self.hit_offsets]
        return self.with_hits(offsets, self.rank[mask], self.grade[mask], np.minimum(self.retrieved, k))

    def with_hits(self, offsets: Ints, rank: Small, grade: Small, retrieved: Ints) -> "Ranked":
        """Return other rankings with the same judgments; what follows from these is computed once for all."""
        other = Ranked(offsets, rank, grade, retrieved, self.judged_offsets, self.judged)
        vars(other).update(judged_query=self.judged_query, judged_place=self.judged_place)
        return other

    def one(self, query: int) -> "Ranked":
        """Return one query alone."""
        hits = slice(*self.hit_offsets[query : query + 2])
        judged = slice(*self.judged_offsets[query : query + 2])
        bounds = np.array([0, hits.stop - hits.start]), np.array([0, judged.stop - judged.start])
        length = self.retrieved[query : query + 1]
        return Ranked(bounds[0], self.rank[hits], self.grade[hits], length, bounds[1], self.judged[judged])


def count(query: NDArray[Any], mask: NDArray[np.bool_], n_queries: int) -> Ints:
    """Count the rows of a mask within each query, int64[n_queries]."""
    return np.bincount(query[mask], minlength=n_queries)


def added(query: NDArray[Any], weights: NDArray[Any], n_queries: int) -> Floats:
    """Add up the weights of the rows of each query, float64[n_queries]."""
    return np.bincount(query, weights=weights, minlength=n_queries).astype(np.float64, copy=False)


def one_by_one(terms: Sequence[NDArray[np.floating[Any]]]) -> Floats:
    """Add arrays up, each element in the order of the terms.

    `np.sum` takes another order where there is a single element, so that a query alone would differ in the
    last bit from the same query among others.
    """
    total: Floats = np.zeros_like(terms[0], dtype=np.float64)
    for term in terms:
        total += term
    return total


def only_judged(ranked: Ranked) -> Ranked:
    """Remove the unjudged candidates and close the gaps: ranks count judged candidates only."""
    place = ranked.running(np.ones(len(ranked.rank), dtype=bool)).astype(np.int32)
    lengths = np.diff(ranked.hit_offsets)
    return Ranked(ranked.hit_offsets, place, ranked.grade, lengths, ranked.judged_offsets, ranked.judged)


def only_retrieved(ranked: Ranked) -> Ranked:
    """Forget what is judged but not retrieved: R and the ideal ordering count the ranking's own."""
    return Ranked.build(ranked.query, ranked.rank, ranked.grade, ranked.retrieved, ranked.query, ranked.grade)
