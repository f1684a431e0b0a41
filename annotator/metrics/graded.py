"""Measures that ask how relevant a candidate is: cumulative gain and its kin, ERR, RBP.

Unjudged candidates and negative grades gain 0. Each function returns what every hit adds (one row per hit)
and what a query's sum is divided by.
"""

import itertools
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError
from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.collection import Floats, Ints, Ranked, added
from annotator.metrics.measures import Shares, divided, measure
from annotator.metrics.parameters import HIGHEST_GRADE

Dcg = Literal["log2", "exp-log2"]
Gains = dict[int, float] | None
Ideal = Literal["cut", "whole", "length"]
MaxRel = int | Literal["query"]

DISCOUNTED = r"\sum_{i=1}^{k}\frac{\mathrm{gain}(g_i)}{\log_2(i+1)}"


def gain(grade: NDArray[np.int32], dcg: Dcg = "log2", gains: Gains = None) -> Floats:
    """Return the gain of each grade, float64 of the same shape.

    `log2` is the grade itself, `exp-log2` 2^grade - 1. `gains` maps grades first: a grade takes the gain of
    the nearest named grade at or below it, 0 below the lowest. Negative grades gain 0.

    >>> gain(np.array([3, 0, -1]), "exp-log2").tolist()
    [7.0, 0.0, 0.0]
    """
    values = np.maximum(grade, 0).astype(np.float64)
    if gains is not None:
        named = np.array(list(gains))
        worth = np.concatenate(([0.0], list(gains.values())))
        values = worth[np.searchsorted(named, grade, side="right")]
    if dcg == "log2":
        return values
    if values.max(initial=0.0) > HIGHEST_GRADE:
        raise MeasureError(f"Grades above {HIGHEST_GRADE:,} are too high for the gain 2^grade - 1.")
    gained: Floats = np.exp2(values) - 1.0
    return gained


def ideal_dcg(ranked: Ranked, k: int | Ints | None, dcg: Dcg, gains: Gains) -> tuple[Floats, Floats]:
    """Return each judged grade's discounted gain at its ideal place, float64[j], and the sums, float64[q].

    `k` is where the ideal ordering is cut: one rank, one per query, or not at all.
    """
    place = ranked.judged_place
    rows: Floats = gain(ranked.judged, dcg, gains) / np.log2(place + 1.0)
    if k is not None:
        rows[place > (k if isinstance(k, int) else k[ranked.judged_query])] = 0.0
    return rows, added(ranked.judged_query, rows, ranked.n_queries)


def _gain_of_hits(ranked: Ranked, dcg: Dcg = "log2", gains: Gains = None, **_: object) -> Floats:
    return gain(ranked.grade, dcg, gains)


def logarithmic(rank: Floats, **_: object) -> Floats:
    """Return the weight of a rank in discounted cumulative gain, 1 / log2(rank + 1)."""
    weight: Floats = 1.0 / np.log2(rank + 1.0)
    return weight


@measure(
    key="CG",
    title="Cumulative gain",
    sentence="The gains of the top k added up.",
    blind_spot=BlindSpot("CG@2", "It cannot see the order.", (3, 2), (2, 3)),
    formula=r"\mathrm{CG}@k = \sum_{i=1}^{k}\mathrm{gain}(g_i)",
    family="Graded",
    source="Järvelin and Kekäläinen 2002",
    range=(0.0, np.inf),
    gain=_gain_of_hits,
)
def cumulative_gain(
    ranked: Ranked, *, k: int | None = None, dcg: Dcg = "log2", gains: Gains = None
) -> Shares:
    """Return the sum of gains, without a discount; `dcg` only chooses the gain."""
    return gain(ranked.grade, dcg, gains), 1.0


@measure(
    key="DCG",
    title="Discounted cumulative gain",
    sentence="The gains of the top k added up, each worth less the lower it stands.",
    blind_spot=BlindSpot(
        "DCG", "It cannot see how good a ranking was possible for the query.", (3, 2), (3, 2), (), (5, 5)
    ),
    formula=r"\mathrm{DCG}@k = " + DISCOUNTED,
    family="Graded",
    source="Järvelin and Kekäläinen 2002, discount log2(rank + 1); Burges 2005 for exp-log2",
    range=(0.0, np.inf),
    gain=_gain_of_hits,
    discount=logarithmic,
)
def discounted_gain(
    ranked: Ranked, *, k: int | None = None, dcg: Dcg = "log2", gains: Gains = None
) -> Shares:
    """Return the sum of gain / log2(rank + 1)."""
    return gain(ranked.grade, dcg, gains) / ranked.log_rank, 1.0


@measure(
    key="IDCG",
    title="Ideal discounted cumulative gain",
    sentence="The highest discounted cumulative gain that the judged candidates allow.",
    blind_spot=BlindSpot("IDCG", "It cannot see the ranking at all.", (3, 0), (0, 3)),
    formula=r"\mathrm{IDCG}@k = \sum_{i=1}^{k}\frac{\mathrm{gain}(g^*_i)}{\log_2(i+1)},"
    r"\quad g^*_1 \ge g^*_2 \ge \dots",
    family="Graded",
    source="Järvelin and Kekäläinen 2002",
    range=(0.0, np.inf),
    place="judged",
    only_shown=True,
    gain=_gain_of_hits,
    discount=logarithmic,
)
def ideal_discounted_gain(
    ranked: Ranked, *, k: int | None = None, dcg: Dcg = "log2", gains: Gains = None
) -> Shares:
    """Return the DCG of all judged candidates in descending order of grade; one row per judged grade."""
    return ideal_dcg(ranked, k, dcg, gains)[0], 1.0


@measure(
    key="nDCG",
    title="Normalised discounted cumulative gain",
    sentence="Discounted cumulative gain as a share of the highest possible one.",
    blind_spot=BlindSpot(
        "nDCG", "It cannot see useless candidates after the last useful one.", (3, 2), (3, 2, 0, 0, 0)
    ),
    formula=r"\mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IDCG}@k}",
    family="Graded",
    source="Järvelin and Kekäläinen 2002; trec_eval ndcg, ndcg_cut_k",
    ideal_is_one=True,
    gain=_gain_of_hits,
    discount=logarithmic,
)
def normalised_gain(
    ranked: Ranked,
    *,
    k: int | None = None,
    dcg: Dcg = "log2",
    gains: Gains = None,
    ideal: Ideal = "cut",
) -> Shares:
    """Return DCG over the ideal DCG of all judged candidates; 0 for a query without any gain.

    `ideal` says where the ideal ordering ends: 'cut' at k, 'whole' never, 'length' at k and where the
    system's own list ends.
    """
    end = {"cut": k, "whole": None, "length": ranked.retrieved}[ideal]
    total = ranked.keep(("ideal", ideal, k, dcg, str(gains)), lambda: ideal_dcg(ranked, end, dcg, gains)[1])
    return gain(ranked.grade, dcg, gains) / ranked.log_rank, total


def satisfied(ranked: Ranked, max_rel: MaxRel, **_: object) -> Floats:
    """Return the chance that a hit satisfies the reader, (2^grade - 1) / 2^max_rel, float64[h]."""
    highest = _highest(ranked, max_rel)[ranked.query]
    chance: Floats = (np.exp2(np.clip(ranked.grade, 0, highest)) - 1.0) / np.exp2(highest)
    return chance


@measure(
    key="ERR",
    title="Expected reciprocal rank",
    sentence="The expected reciprocal rank at which a reader who stops when satisfied stops.",
    blind_spot=BlindSpot(
        "ERR(max_rel=1)@3",
        "It cannot see how much relevant material was missed.",
        (1, 0, 0),
        (1, 0, 0),
        (),
        (1, 1),
    ),
    formula=r"\mathrm{ERR} = \sum_{i}\frac{1}{i}\,s_i\prod_{j<i}(1 - s_j),"
    r"\quad s_i = \frac{2^{g_i}-1}{2^{\mathit{max\_rel}}}",
    family="User models",
    source="Chapelle, Metzler, Zhang and Grinspan 2009; gdeval with max_rel=4",
    gain=satisfied,
    discount=lambda rank, **_: 1.0 / rank,
)
def expected_reciprocal_rank(ranked: Ranked, *, k: int | None = None, max_rel: MaxRel = 5) -> Shares:
    """Return ERR; a grade above `max_rel` counts as `max_rel`. Even the best leaves some unsatisfied."""
    return stopping(ranked, max_rel), 1.0


def stopping(ranked: Ranked, max_rel: MaxRel) -> Floats:
    """Return the chance that the reader stops at a hit, satisfied, over its rank, float64[h]."""
    chance = satisfied(ranked, max_rel)
    stops: Floats = chance * _still_reading(ranked, chance) / ranked.rank
    return stops


def share_of_best(ranked: Ranked, max_rel: MaxRel, rel: int | None = None, **_: object) -> Floats:
    """Return the gain of a hit in RBP: grade / max_rel, or 1 and 0 with a relevance threshold, float64[h]."""
    if rel is not None:
        return ranked.relevant(rel).astype(np.float64)
    highest = _highest(ranked, max_rel)[ranked.query]
    return divided(np.clip(ranked.grade, 0, highest), highest)


def patience(rank: Floats, p: float, **_: object) -> Floats:
    """Return the chance that a reader looks at a rank, times 1 - p so that all ranks sum to 1."""
    return (1.0 - p) * p ** (rank - 1.0)


def with_residual(
    ranked: Ranked, p: float, max_rel: MaxRel, k: int | None = None, rel: int | None = None, **_: object
) -> Floats:
    """Return what RBP would be if everything unjudged were perfect, float64[q]: RBP and its residual.

    The residual is the weight of the ranks of the unjudged candidates and of all below the list, down to k or
    for ever (Moffat and Zobel 2008). trec_eval 10 prints the part of it that lies within the list.
    """
    short = (1.0 - share_of_best(ranked, max_rel, rel)) * patience(ranked.rank.astype(np.float64), p)
    total: float = 1.0 - p ** (np.inf if k is None else k)
    return np.maximum(0.0, total - ranked.summed(short))


@measure(
    key="RBP",
    title="Rank-biased precision",
    sentence="The gain a reader collects per candidate read who goes on to the next one with chance p.",
    blind_spot=BlindSpot(
        "RBP(p=0.8,max_rel=1)",
        "It cannot see how much relevant material was missed.",
        (1, 0),
        (1, 0),
        (),
        (1, 1),
    ),
    formula=r"\mathrm{RBP} = (1-p)\sum_{i} p^{\,i-1}\frac{g_i}{\mathit{max\_rel}}",
    family="User models",
    source="Moffat and Zobel 2008; trec_eval 10 rbp with p=0.9,max_rel='query'",
    gain=share_of_best,
    discount=patience,
    open_ended=with_residual,
)
def rank_biased_precision(
    ranked: Ranked, *, k: int | None = None, p: float = 0.8, max_rel: MaxRel = 5, rel: int | None = None
) -> Shares:
    """Return RBP with graded gain grade / max_rel; with `rel` a relevant candidate gains 1, others 0.

    What unjudged candidates could add is its residual (`with_residual`).
    """
    return share_of_best(ranked, max_rel, rel) * patience(ranked.rank.astype(np.float64), p), 1.0


def _highest(ranked: Ranked, max_rel: MaxRel) -> NDArray[np.int64]:
    """Return the highest grade that counts for each query, int64[q]."""
    if max_rel != "query":
        return np.full(ranked.n_queries, max_rel, dtype=np.int64)
    highest = np.zeros(ranked.n_queries, dtype=np.int64)
    some = np.diff(ranked.judged_offsets) > 0
    highest[some] = np.clip(ranked.judged[ranked.judged_offsets[:-1][some]], 0, HIGHEST_GRADE)
    return highest


def _still_reading(ranked: Ranked, chance: Floats) -> Floats:
    """Return for each hit the chance that no earlier one of its query satisfied the reader, float64[h].

    Steps through the satisfying hits by their order within the query, all queries at once, because a product
    over a whole collection taken apart by division would lose digits.
    """
    rows = np.flatnonzero(chance > 0)
    left = np.ones(len(chance))
    if not len(rows):
        return left
    place = ranked.running(chance > 0)[rows]
    by_place = np.argsort(place, kind="stable")
    bounds = np.cumsum(np.bincount(place))
    for start, stop in itertools.pairwise(bounds[1:]):
        here = by_place[start:stop]
        before = rows[here - 1]
        left[rows[here]] = left[before] * (1.0 - chance[before])
    return left
