"""How far a value may move when the unjudged candidates of the pool are judged.

`worst` and `best` fill them with the grades that move the value furthest, `estimate` with grades drawn like
those given so far. Every bound is the value of an assignment that could come true. What a measure leaves out
(`judged_only`, `over='retrieved'`) is left out as it would be after the pool is judged.

The bounds are exact; a measure whose bounds would not be disclaims them. A good grade never helps less the
higher its candidate stands, so it is enough to try, for each number t of unjudged candidates, the highest
grade for the t that stand first (best) or last (worst) and the lowest for the others; candidates that this
system did not retrieve stand last. That settles binary measures, those that never fall when a grade rises,
and the worst nDCG, which lies at extreme grades. infAP needs these grades to be 0 or more, as a project's
are: then how many candidates are judged above a rank is known, and a relevant one gains at its own rank and
at every relevant one below.

The best nDCG is a ratio of two sums to which every grade level adds on its own: that at least t candidates
have at least the level adds the discounts of their ranks above, of their ideal places below. So a ratio is
improved by choosing each level's t alone, until nothing improves (Dinkelbach 1967).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from annotator.grades import HIGHEST, LOWEST
from annotator.metrics.collection import Floats, Ints, Ranked, Small, count, only_retrieved
from annotator.metrics.measures import Measure
from annotator.watch import UNWATCHED, Watch

WITHOUT_BOUNDS = (
    "a grade between the lowest and the highest can move such a measure further than either, and how far at "
    "most is not computed here."
)
"""Why a measure disclaims bounds, and so has none."""

DRAWS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Unjudged:
    """The pool's unjudged candidates: `query` int64[u], `rank` int32[u] in the system's list, 0 outside."""

    query: Ints
    rank: Small


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The value of each query (float64[q]) at worst, as estimated, at best.

    `worst_grades` and `best_grades` (int64[u]) are grades of the unjudged candidates that lead there.
    """

    worst: Floats
    estimate: Floats
    best: Floats
    worst_grades: Ints
    best_grades: Ints


def bounds(
    measure: Measure,
    ranked: Ranked,
    unjudged: Unjudged,
    highest: int = HIGHEST,
    seed: int = 1,
    watch: Watch = UNWATCHED,
) -> Bounds:
    """Return the bounds of every query under a measure of grades, over grades from 0 to `highest`.

    Costs two evaluations for each unjudged candidate of the query that has most; `watch` is asked
    before each. The same seed gives the same estimate. A query without unjudged candidates keeps its value in
    all three. Raises Stopped.
    """
    filling = _Filling(measure, ranked, unjudged, watch)
    if not len(filling.query):
        value = measure.per_query(ranked)
        untouched = filling.all_of(np.zeros(0, dtype=np.int64))
        return Bounds(value, value, value, untouched, untouched)
    counts = range(filling.most + 1)
    levels = range(1, highest + 1) if measure.parameters.get("max_rel") == "query" else (highest,)
    best, best_grades = _extreme(filling, (filling.top(t, top) for top in levels for t in counts), 1)
    worst, worst_grades = _extreme(filling, (filling.bottom(t, highest) for t in counts), -1)
    if "ideal" in measure.parameters:
        best, best_grades = _best_by_levels(filling, highest, best, best_grades)
    at_ends = filling.all_of(worst_grades), filling.all_of(best_grades)
    return Bounds(worst, _estimate(filling, highest, seed), best, *at_ends)


class _Filling:
    """The collection with room for the grades of the unjudged candidates, in order of standing."""

    def __init__(self, measure: Measure, ranked: Ranked, unjudged: Unjudged, watch: Watch) -> None:
        query, rank = unjudged.query, unjudged.rank.astype(np.int64)
        self.total, matter = len(rank), np.arange(len(rank))
        if measure.parameters["over"] == "retrieved":
            matter = np.flatnonzero(rank > 0)
            ranked, query, rank = only_retrieved(ranked), query[matter], rank[matter]
        if measure.parameters["judged_only"]:
            ranked, rank = _closed(ranked, query, rank)
        standing = np.lexsort((np.where(rank > 0, rank, np.iinfo(np.int64).max), query))
        self.query, self.rank, self.origin = query[standing], rank[standing], matter[standing]
        self.measure, self.ranked, self.watch = measure, ranked, watch
        self.counts = np.bincount(self.query, minlength=ranked.n_queries)
        self.most = int(self.counts.max(initial=0))
        self.start = np.cumsum(self.counts) - self.counts
        self.place = np.arange(len(self.query)) - self.start[self.query]

    def top(self, t: int, grade: int) -> Ints:
        """Return the grade for the first t of each query, the lowest for the others."""
        return np.where(self.place < t, grade, LOWEST)

    def bottom(self, t: int, grade: int) -> Ints:
        """Return the grade for the last t of each query, the lowest for the others."""
        return np.where(self.place >= self.counts[self.query] - t, grade, LOWEST)

    def all_of(self, grades: Ints) -> Ints:
        """Return the grades in the order that the candidates were given in, the lowest for those left out."""
        every = np.full(self.total, LOWEST, dtype=np.int64)
        every[self.origin] = grades
        return every

    def value(self, grades: Ints) -> Floats:
        """Return the value of every query with these grades; what the measure leaves out is out already."""
        self.watch.look()
        ranked, listed = self.ranked, self.rank > 0
        return self.measure.value(
            Ranked.build(
                np.concatenate((ranked.query, self.query[listed])),
                np.concatenate((ranked.rank, self.rank[listed])),
                np.concatenate((ranked.grade, grades[listed])),
                ranked.retrieved,
                np.concatenate((ranked.judged_query, self.query)),
                np.concatenate((ranked.judged, grades)),
            )
        )


def _closed(ranked: Ranked, query: Ints, rank: Ints) -> tuple[Ranked, Ints]:
    """Close the gaps that candidates outside the pool leave in rankings and in `rank`."""
    listed = np.flatnonzero(rank > 0)
    queries = np.concatenate((ranked.query, query[listed]))
    order = np.lexsort((np.concatenate((ranked.rank, rank[listed])), queries))
    lengths = np.bincount(queries, minlength=ranked.n_queries)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(1, len(order) + 1) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    hits = len(ranked.rank)
    rank = rank.copy()
    rank[listed] = place[hits:]
    closed = Ranked.build(
        ranked.query, place[:hits], ranked.grade, lengths, ranked.judged_query, ranked.judged
    )
    return closed, rank


def _extreme(filling: _Filling, tried: Iterator[Ints], sign: int) -> tuple[Floats, Ints]:
    """Return each query's highest value (lowest with sign -1) over some grades, and the grades of it."""
    kept = next(tried)
    value = filling.value(kept)
    for grades in tried:
        other = filling.value(grades)
        further = sign * other > sign * value
        value, kept = np.where(further, other, value), np.where(further[filling.query], grades, kept)
    return value, kept


def _best_by_levels(filling: _Filling, highest: int, value: Floats, kept: Ints) -> tuple[Floats, Ints]:
    """Improve nDCG from `value` on by choosing, for each level, how many candidates have at least that."""
    ranked, query, rank = filling.ranked, filling.query, filling.rank
    cutoff = filling.measure.cutoff or np.inf
    ends = {"cut": cutoff, "whole": np.inf, "length": np.minimum(ranked.retrieved, cutoff)[query]}
    above = np.where((rank > 0) & (rank <= cutoff), 1 / np.log2(rank + 1.0 + (rank == 0)), 0.0)
    while True:
        grades = np.zeros(len(query), dtype=np.int64)
        for level in range(1, highest + 1):
            known = count(ranked.judged_query, ranked.judged >= level, ranked.n_queries)
            place = known[query] + filling.place + 1.0
            below = np.where(place <= ends[filling.measure.parameters["ideal"]], 1 / np.log2(place + 1), 0.0)
            total = np.cumsum(above - value[query] * below)
            total -= np.concatenate(([0.0], total))[filling.start][query]
            most = np.zeros(ranked.n_queries)
            np.maximum.at(most, query, total)
            reach = np.zeros(ranked.n_queries, dtype=np.int64)
            best = (total > 0) & (total == most[query])
            np.maximum.at(reach, query[best], filling.place[best] + 1)
            grades += filling.place < reach[query]
        tried = filling.value(grades)
        if not (tried > value + 1e-15).any():
            return value, kept
        kept = np.where((tried > value)[query], grades, kept)
        value = np.maximum(value, tried)


def _estimate(filling: _Filling, highest: int, seed: int) -> Floats:
    """Average over grades drawn from those of the same query, or of all queries where it has none."""
    random = np.random.default_rng(seed)
    ranked = filling.ranked
    known = np.clip(ranked.judged, LOWEST, highest)
    own = np.diff(ranked.judged_offsets)[filling.query]
    start = np.where(own > 0, ranked.judged_offsets[filling.query], 0)
    size = np.where(own > 0, own, len(known))
    total = np.zeros(ranked.n_queries)
    for _ in range(DRAWS):
        at = start + (random.random(len(size)) * size).astype(np.int64)
        grades = known[at].astype(np.int64) if len(known) else np.full(len(size), LOWEST)
        total += filling.value(grades)
    return total / DRAWS
