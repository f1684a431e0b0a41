"""How far a value may move when the unjudged candidates of the pool are judged.

`worst` and `best` fill them with the grades that move the value furthest, `estimate` with grades drawn like
those given so far. Every bound is the value of an assignment that could come true.

A good grade never helps less the higher its candidate stands, so it is enough to try, for each number t of
unjudged candidates, the highest grade for the t that stand first (best) or last (worst) and the lowest for
the others; candidates that this system did not retrieve stand last. For binary measures and for those that
never fall when a grade rises that is exact. The worst nDCG is exact too: it lies at extreme grades. For the
best nDCG the grades between are tried level by level until nothing improves, which is exact because levels
add up independently in both DCG and its ideal. Only infAP, itself an estimate, is not proven.
"""

from dataclasses import dataclass

import numpy as np

from annotator.grades import HIGHEST, LOWEST
from annotator.metrics.collection import Floats, Integers, Ranked, Small
from annotator.metrics.measures import Measure

DRAWS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Unjudged:
    """The pool's unjudged candidates: `query` int64[u], `rank` int32[u] in the system's list, 0 outside."""

    query: Integers
    rank: Small


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The value of each query (float64[q]) at worst, as estimated, at best; `exact` as the module says."""

    worst: Floats
    estimate: Floats
    best: Floats
    exact: bool

    def mean(self, measure: Measure) -> tuple[float, float, float]:
        """Return worst, estimate and best of the aggregate over all queries."""
        worst, estimate, best = (measure.aggregate(each) for each in (self.worst, self.estimate, self.best))
        return worst, estimate, best


def bounds(
    measure: Measure, ranked: Ranked, unjudged: Unjudged, highest: int = HIGHEST, seed: int = 1
) -> Bounds:
    """Return the bounds of every query under a measure of grades, over grades from 0 to `highest`.

    Costs one evaluation for each unjudged candidate of the query that has most. The same seed gives the same
    estimate. A query without unjudged candidates keeps its value in all three.
    """
    filling = _Filling(ranked, unjudged)
    if not len(filling.query):
        value = measure.per_query(ranked)
        return Bounds(value, value, value, True)
    counts = range(filling.most + 1)
    levels = range(1, highest + 1) if measure.parameters.get("max_rel") == "query" else (highest,)
    best = np.max([filling.value(measure, filling.top(t, top)) for top in levels for t in counts], axis=0)
    worst = np.min([filling.value(measure, filling.bottom(t, highest)) for t in counts], axis=0)
    if _by_levels(measure):
        best = np.maximum(best, _best_by_levels(measure, filling, highest))
    return Bounds(worst, _estimate(measure, filling, highest, seed), best, measure.key != "infAP")


class _Filling:
    """The collection with room for the grades of the unjudged candidates, in order of standing."""

    def __init__(self, ranked: Ranked, unjudged: Unjudged) -> None:
        rank = unjudged.rank.astype(np.int64)
        standing = np.lexsort((np.where(rank > 0, rank, np.iinfo(np.int64).max), unjudged.query))
        self.query = unjudged.query[standing]
        self.rank = rank[standing]
        self.ranked = ranked
        self.counts = np.bincount(self.query, minlength=ranked.n_queries)
        self.most = int(self.counts.max(initial=0))
        start = np.cumsum(self.counts) - self.counts
        self.place = np.arange(len(self.query)) - start[self.query]

    def useful(self, measure: Measure) -> int:
        """Return the most candidates of a query whose grade could raise nDCG: those above the cut-off."""
        cutoff = measure.cutoff if isinstance(measure.cutoff, int) else np.inf
        listed = (self.rank > 0) & (self.rank <= cutoff)
        return int(np.bincount(self.query[listed]).max(initial=0))

    def top(self, t: int, grade: int) -> Integers:
        """Return the grade for the first t of each query, the lowest for the others."""
        return np.where(self.place < t, grade, LOWEST)

    def bottom(self, t: int, grade: int) -> Integers:
        """Return the grade for the last t of each query, the lowest for the others."""
        return np.where(self.place >= self.counts[self.query] - t, grade, LOWEST)

    def value(self, measure: Measure, grades: Integers) -> Floats:
        """Return the value of every query with these grades, one for each unjudged candidate."""
        ranked, listed = self.ranked, self.rank > 0
        return measure.per_query(
            Ranked.build(
                np.concatenate((ranked.query, self.query[listed])),
                np.concatenate((ranked.rank, self.rank[listed])),
                np.concatenate((ranked.grade, grades[listed])),
                ranked.retrieved,
                np.concatenate((ranked.judged_query, self.query)),
                np.concatenate((ranked.judged, grades)),
            )
        )


def _by_levels(measure: Measure) -> bool:
    return "dcg" in measure.parameters and measure.declaration.ideal_is_one


def _best_by_levels(measure: Measure, filling: _Filling, highest: int) -> Floats:
    """Try, level by level, how many candidates of each query should have at least that grade."""
    n, useful = filling.ranked.n_queries, filling.useful(measure)
    reach = np.zeros((highest + 2, n), dtype=np.int64)
    reach[0] = filling.counts
    value = filling.value(measure, np.full(len(filling.query), LOWEST))
    improved = True
    while improved:
        improved = False
        for level in range(1, highest + 1):
            for t in range(useful + 1):
                allowed = (reach[level + 1] <= t) & (t <= reach[level - 1]) & (t != reach[level])
                if not allowed.any():
                    continue
                trial = reach.copy()
                trial[level, allowed] = t
                grades = np.sum(filling.place < trial[1:-1, filling.query], axis=0)
                tried = filling.value(measure, grades)
                better = allowed & (tried > value + 1e-15)
                if better.any():
                    reach[level, better] = t
                    value = np.where(better, tried, value)
                    improved = True
    return value


def _estimate(measure: Measure, filling: _Filling, highest: int, seed: int) -> Floats:
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
        total += filling.value(measure, grades)
    return total / DRAWS
