"""Several rankings of the same queries become one: Borda, Copeland, reciprocal rank fusion, CombSUM, CombMNZ.

The rankings may be runs, or annotators' grades taken as rankings (`grades_as_ranking`). A query's
candidates are all that any of its rankings holds; N is their number. What a ranking does not hold (a
partial list):

- Borda: the points that the ranking has left over are shared equally among the candidates it leaves out;
- Copeland: what a ranking holds beats what it leaves out; between two it leaves out it has no vote;
- reciprocal rank fusion, CombSUM, CombMNZ: it gives nothing to what it leaves out.

A system that has no ranking at all for a query has no say in it. Equal totals are ordered by the best rank
that any ranking gives, then by the candidate's number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Rule = Literal["borda", "borda+1", "copeland", "rrf", "combsum", "combmnz"]
RULES: tuple[Rule, ...] = get_args(Rule)
Scale = Literal["minmax", "max", "sum", "zscore"]
SCALES: tuple[Scale, ...] = get_args(Scale)

RULE_SENTENCES: dict[Rule, str] = {
    "borda": "N - rank points of each ranking",
    "borda+1": "N - rank + 1 points of each ranking",
    "copeland": "how many candidates it beats by a majority of rankings, less how many beat it (Condorcet)",
    "rrf": "1 / (60 + rank) of each ranking",
    "combsum": "the sum of the normalised scores",
    "combmnz": "the sum of the normalised scores, times the number of rankings that hold it",
}
SHORT_SENTENCES: dict[Rule, str] = {
    "borda": "What a ranking leaves out shares the points it has left over.",
    "borda+1": "What a ranking leaves out shares the points it has left over.",
    "copeland": "What a ranking holds beats what it leaves out.",
    "rrf": "A ranking gives nothing to what it leaves out.",
    "combsum": "A ranking gives nothing to what it leaves out.",
    "combmnz": "A ranking gives nothing to what it leaves out.",
}
"""What happens to the candidates that a ranking does not hold."""
SCALE_SENTENCES: dict[Scale, str] = {
    "minmax": "scores from 0 to 1 within each ranking",
    "max": "scores divided by the highest of the ranking",
    "sum": "scores from 0 on, divided by their sum",
    "zscore": "standard deviations above the lowest score of the ranking",
}

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack et al. 2009)."""


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """Rankings of many queries by one system, one row per candidate, in any order.

    `query` and `candidate` are int64[n] (below 2^31), `rank` float64[n], 1 is best, equal for ties; `score`
    may be None, then CombSUM and CombMNZ take N - rank + 1 for it.
    """

    query: Ints
    candidate: Ints
    rank: Floats
    score: Floats | None = None


def grades_as_ranking(query: ArrayLike, candidate: ArrayLike, grade: ArrayLike) -> Rankings:
    """Return one annotator's grades as rankings: highest first, ties share their mean rank."""
    queries, grades = np.asarray(query, np.int64), np.asarray(grade, np.float64)
    order = np.lexsort((-grades, queries))
    of, value = queries[order], grades[order]
    starts = np.flatnonzero(np.append(True, of[1:] != of[:-1])) if len(of) else order
    place = np.arange(len(of)) - np.repeat(starts, np.diff(np.append(starts, len(of)))) + 1.0
    group = (
        np.cumsum(np.append(True, (of[1:] != of[:-1]) | (value[1:] != value[:-1]))) - 1 if len(of) else order
    )
    rank = np.empty(len(of))
    rank[order] = (np.bincount(group, place) / np.maximum(np.bincount(group), 1))[group]
    return Rankings(queries, np.asarray(candidate, np.int64), rank, grades)


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """All rankings over the union of their candidates: `pair` numbers the distinct (query, candidate)."""

    keys: Ints
    pair: tuple[Ints, ...]
    lists: Sequence[Rankings]

    @property
    def query(self) -> Ints:
        return self.keys >> 32

    def candidates(self) -> Ints:
        """N of each pair's query."""
        return _per_query(self.query, np.ones(len(self.keys))).astype(np.int64)

    def total(self, rows: Callable[[Rankings, Ints], Floats]) -> Floats:
        """Sum what each ranking gives to the pairs it holds."""
        given = np.zeros(len(self.keys))
        for ranking, pair in zip(self.lists, self.pair, strict=True):
            given += np.bincount(pair, rows(ranking, pair), len(self.keys))
        return given


def _per_query(query: Ints, values: Floats) -> Floats:
    """Return for each row the sum of the values of its query."""
    _, back = np.unique(query, return_inverse=True)
    sums: Floats = np.bincount(back, values).astype(np.float64)
    return sums[back]


def aggregate(lists: Sequence[Rankings], rule: Rule = "rrf", scale: Scale = "minmax") -> Rankings:
    """Return the aggregated rankings, by query and rank, with the totals as scores.

    `scale` is how CombSUM and CombMNZ make scores of different rankings comparable; a ranking whose scores
    are all the same counts 1 for each. Sources: Borda 1781; Copeland 1951; Fox and Shaw 1994; Cormack et
    al. 2009.
    """
    rows = [one.query << 32 | one.candidate for one in lists]
    keys, back = np.unique(np.concatenate(rows) if rows else np.zeros(0, np.int64), return_inverse=True)
    ends = np.cumsum([len(one) for one in rows])
    joined = _Joined(keys, tuple(np.split(back, ends[:-1])) if rows else (), lists)
    total = np.round(_totals(joined, rule, scale), 12)
    best = np.full(len(keys), np.inf)
    for ranking, pair in zip(lists, joined.pair, strict=True):
        np.minimum.at(best, pair, ranking.rank)
    query = keys >> 32
    order = np.lexsort((keys, best, -total, query))
    starts = np.searchsorted(query[order], query[order])
    rank = (np.arange(len(keys)) - starts + 1).astype(np.float64)
    return Rankings(query[order], keys[order] & 0xFFFFFFFF, rank, total[order])


def _totals(joined: _Joined, rule: Rule, scale: Scale) -> Floats:
    """Return what each pair has gathered over all rankings."""
    if rule == "rrf":
        return joined.total(lambda ranking, _: 1 / (RRF_K + ranking.rank))
    if rule in ("borda", "borda+1"):
        return _borda(joined, extra=float(rule == "borda+1"))
    if rule == "copeland":
        return _copeland(joined)
    candidates = joined.candidates()
    scores = joined.total(lambda ranking, pair: _scaled(ranking, candidates[pair], scale))
    if rule == "combsum":
        return scores
    return scores * joined.total(lambda ranking, _: np.ones(len(ranking.rank)))


def _borda(joined: _Joined, extra: float) -> Floats:
    """Return N - rank + extra points of every ranking, and of those left over an equal share."""
    candidates = joined.candidates()
    total = np.zeros(len(joined.keys))
    for ranking, pair in zip(joined.lists, joined.pair, strict=True):
        held = np.bincount(pair, minlength=len(total))
        given = np.bincount(pair, candidates[pair] - ranking.rank + extra, len(total))
        size = _per_query(joined.query, held.astype(np.float64))
        share = (candidates - size - 1) / 2 + extra
        total += np.where(held > 0, given, np.where(size > 0, share, 0.0))
    return total


def _copeland(joined: _Joined) -> Floats:
    """Return how many candidates of its query each beats, less how many beat it, by majority of rankings."""
    total = np.zeros(len(joined.keys))
    ranks = np.full((len(joined.lists), len(joined.keys)), np.inf)
    for row, (ranking, pair) in enumerate(zip(joined.lists, joined.pair, strict=True)):
        ranks[row, pair] = ranking.rank
    bounds = np.append(np.flatnonzero(np.diff(joined.query, prepend=-1)), len(joined.keys))
    for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        votes = np.zeros((end - start, end - start), np.int16)
        for one in ranks[:, start:end]:
            votes += one[:, None] < one
            votes -= one[:, None] > one
        total[start:end] = np.sign(votes).sum(axis=1)
    return total


def _scaled(ranking: Rankings, candidates: Ints, scale: Scale) -> Floats:
    """Return a ranking's scores made comparable, within each query."""
    _, query = np.unique(ranking.query, return_inverse=True)
    score = candidates - ranking.rank + 1 if ranking.score is None else ranking.score
    n = int(query.max(initial=-1)) + 1
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, query, score)
    np.maximum.at(high, query, score)
    above = score - low[query]
    if scale == "max":
        above, unit = score, high
    elif scale == "minmax":
        unit = high - low
    elif scale == "sum":
        unit = np.bincount(query, above, n)
    else:
        size = np.bincount(query, minlength=n)
        mean = np.bincount(query, score, n) / size
        unit = np.sqrt(np.bincount(query, (score - mean[query]) ** 2, n) / size)
    scaled = np.ones(len(score))
    np.divide(above, unit[query], out=scaled, where=unit[query] != 0)
    return scaled
