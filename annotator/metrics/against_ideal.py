"""Measures that hold a ranking against its ideal ordering: Q-measure, normalised ERR, compatibility.

Each function returns what every hit adds (one row per hit) and what a query's sum is divided by. Unjudged
candidates and negative grades count as worth nothing.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.collection import Floats, Ints, Ranked, added, one_by_one
from annotator.metrics.graded import Gains, MaxRel, gain, satisfied, stopping
from annotator.metrics.ideal import ideal
from annotator.metrics.measures import Shares, measure


def _always(**_: object) -> bool:
    """Say that there are no bounds, for the reason of `bounds.WITHOUT_BOUNDS`."""
    return True


def _gain_of_hits(ranked: Ranked, gains: Gains = None, **_: object) -> Floats:
    return gain(ranked.grade, gains=gains)


@measure(
    key="Q",
    title="Q-measure",
    sentence="Average precision blended with the share of the best possible gain at every relevant rank.",
    blind_spot=BlindSpot("Q", "It cannot see useless candidates after the last useful one.", (3,), (3, 0, 0)),
    formula=r"\mathrm{Q}@k = \frac{1}{\min(k, R)}\sum_{i=1}^{k}[\mathrm{gain}(g_i) > 0]"
    r"\frac{\beta\sum_{j \le i}\mathrm{gain}(g_j) + C_i}{\beta\sum_{j \le i}\mathrm{gain}(g^*_j) + i}",
    family="Graded",
    source="Sakai 2004; NTCIREVAL Q-measure and Q@k, with the gains that its -g lists as gains={1:1,2:2}",
    ideal_is_one=True,
    disclaims={"bounds": _always},
    gain=_gain_of_hits,
)
def q_measure(ranked: Ranked, *, k: int | None = None, beta: float = 1.0, gains: Gains = None) -> Shares:
    """Return the Q-measure: C_i of the top i are relevant, which is what has a gain; R are so in all.

    With a cut-off the sum is divided by the smaller of k and R, as NTCIREVAL does.
    """
    named = gains or {grade: float(grade) for grade in np.unique(ranked.judged).tolist() if grade > 0}
    least = next((grade for grade, worth in named.items() if worth), None)
    if least is None:
        return np.zeros(len(ranked.rank)), 1.0
    total = ranked.n_relevant(least)
    most = ranked.rank.astype(np.int64)
    gained = _added_up(named, lambda grade: ranked.running(ranked.grade >= grade))
    best = _added_up(named, lambda grade: np.minimum(most, ranked.n_relevant(grade)[ranked.query]))
    blended = (beta * gained + ranked.seen(least)) / (beta * best + ranked.rank)
    return np.where(ranked.relevant(least), blended, 0.0), total if k is None else np.minimum(total, k)


def _added_up(gains: dict[int, float], reached: Callable[[int], Ints]) -> Floats:
    """Return gains added up, given how many candidates reach each grade that has one."""
    steps = zip(gains.items(), [0.0, *gains.values()], strict=False)
    return one_by_one([(worth - below) * reached(grade) for (grade, worth), below in steps])


@measure(
    key="nERR",
    title="Normalised expected reciprocal rank",
    sentence="Expected reciprocal rank as a share of the highest possible one.",
    blind_spot=BlindSpot(
        "nERR(max_rel=1)@2",
        "It cannot see relevant candidates that the top k has no room for.",
        (1, 1),
        (1, 1),
        (),
        (1, 1, 1),
    ),
    formula=r"\mathrm{nERR}@k = \frac{\mathrm{ERR}@k}{\mathrm{ERR}^*@k},"
    r"\quad \mathrm{ERR}^* \mathrm{\ of\ } g^*_1 \ge g^*_2 \ge \dots",
    family="User models",
    source="Chapelle, Metzler, Zhang and Grinspan 2009, normalised as by Sakai and Song 2011; NTCIREVAL "
    "nERR@k with the gains 2^grade - 1; none of the NERR that ir_measures has",
    ideal_is_one=True,
    disclaims={"bounds": _always},
    gain=satisfied,
    discount=lambda rank, **_: 1.0 / rank,
)
def normalised_reciprocal_rank(ranked: Ranked, *, k: int | None = None, max_rel: MaxRel = 5) -> Shares:
    """Return ERR over that of everything judged in descending order of grade, both cut at k."""

    def best() -> Floats:
        top = ideal(ranked).to(k)
        return top.summed(stopping(top, max_rel))

    return stopping(ranked, max_rel), ranked.keep(("ideal ERR", k, max_rel), best)


@measure(
    key="Compat",
    title="Compatibility",
    sentence="How far the ranking overlaps with the nearest ideal ordering, the top counting most.",
    blind_spot=BlindSpot(
        "Compat", "It cannot see by how many grades one candidate is better than another.", (1, 5), (1, 2)
    ),
    formula=r"\mathrm{Compat}@k = \max_{I}\frac{\sum_{d=1}^{k} p^{\,d-1}|L_d \cap I_d|\,/\,d}"
    r"{\sum_{d=1}^{k} p^{\,d-1}|I_d|\,/\,d}",
    family="User models",
    source="Clarke, Vtyurina and Smucker 2021, normalised; compatibility.py's depth is Compat@1000, "
    "ir_measures Compat ends with the longer of ranking and ideal",
    ideal_is_one=True,
    disclaims={"bounds": _always},
)
def compatibility(ranked: Ranked, *, k: int | None = None, p: float = 0.95) -> Shares:
    """Return rank-biased overlap with the nearest ideal ordering, over the ideal's overlap with itself.

    An ideal ordering holds what has grade 1 or more, highest grade first; of those with equal grades it takes
    them as the ranking does, what was not retrieved last, which is the nearest. `k` is the depth of the
    overlap; without it every depth counts. L_d and I_d are the first d of the ranking and of the ideal.
    """
    place = _nearest_ideal_places(ranked)
    deepest = int(max(ranked.rank.max(initial=1), ranked.judged_place.max(initial=1)))
    below = _overlap_from(p, k, deepest)
    share = np.where(ranked.relevant(1), below[np.maximum(ranked.rank, place) - 1], 0.0)
    itself = np.where(ranked.judged >= 1, below[ranked.judged_place - 1], 0.0)
    return share, added(ranked.judged_query, itself, ranked.n_queries)


def _nearest_ideal_places(ranked: Ranked) -> Ints:
    """Return the place of each hit in the ideal ordering that keeps the ranking's order of equal grades."""
    higher = np.searchsorted((ranked.judged_query << 32) - ranked.judged, (ranked.query << 32) - ranked.grade)
    order = np.lexsort((ranked.grade, ranked.query))  # stable: equal grades stay in ranking order
    query, grade = ranked.query[order], ranked.grade[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (query[1:] != query[:-1]) | (grade[1:] != grade[:-1])
    rows = np.arange(len(order))
    earlier = np.empty(len(order), dtype=np.int64)
    earlier[order] = rows - np.maximum.accumulate(np.where(new, rows, 0))
    places: NDArray[np.int64] = higher - ranked.judged_offsets[ranked.query] + earlier + 1
    return places


def _overlap_from(p: float, k: int | None, deepest: int) -> Floats:
    """Return what a candidate adds that both orders hold from depth m on, entry m - 1 for m = 1 .. deepest.

    That is p^(d-1) / d summed over the depths d = m .. k, or without end: then all from d = 1 on sum to
    -ln(1 - p) / p. With p = 1 and no end the depths without number outweigh where they begin.
    """
    if p == 1 and k is None:
        return np.ones(deepest)
    depth = np.arange(1, max(deepest, k or 0) + 1)
    weight = p ** (depth - 1.0) / depth
    if k is None:  # from the whole downwards, so that no entry depends on how deep the deepest is
        whole = -np.log1p(-p) / p if p > 0 else 1.0
        left: Floats = whole - np.concatenate(([0.0], np.cumsum(weight[:-1])))
        return np.clip(left, weight / (1 - p + p / depth), weight / (1 - p))  # what the mean of 1 / d allows
    weight[k:] = 0.0
    below: Floats = np.cumsum(weight[::-1])[::-1]
    return below
