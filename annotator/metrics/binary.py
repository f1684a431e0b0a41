"""Measures that only ask whether a candidate is relevant: precision, recall, average precision, first hits.

Each function returns what every hit adds (one row per hit) and what a query's sum is divided by. `rel` is the
grade from which a candidate is relevant; R is the number of relevant candidates, retrieved or not.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.collection import Floats, Ranked, one_by_one
from annotator.metrics.measures import Shares, measure

Rounding = Literal["nearest", "up"]


@measure(
    key="P",
    title="Precision",
    sentence="How much of the top k is relevant.",
    blind_spot=BlindSpot(
        "P@5", "It cannot see where in the top k the relevant ones stand.", (1, 1, 1, 0, 0), (0, 0, 1, 1, 1)
    ),
    formula=r"\mathrm{P}@k = \frac{1}{k}\sum_{i=1}^{k}[g_i \ge \mathit{rel}]",
    family="Precision and recall",
    source="Cleverdon 1967; trec_eval P_k",
)
def precision(ranked: Ranked, *, k: int, rel: int = 1, norm: Literal["k", "retrieved"] = "k") -> Shares:
    """Return precision: divided by k also for short lists; `norm='retrieved'` divides by min(k, length)."""
    return ranked.relevant(rel), k if norm == "k" else np.minimum(ranked.retrieved, k)


@measure(
    key="R",
    title="Recall",
    sentence="How much of everything relevant is in the top k.",
    blind_spot=BlindSpot("R@3", "It cannot see how much of the top k is useless.", (1,), (0, 0, 1)),
    formula=r"\mathrm{R}@k = \frac{1}{R}\sum_{i=1}^{k}[g_i \ge \mathit{rel}]",
    family="Precision and recall",
    source="Cleverdon 1967; trec_eval recall_k",
)
def recall(ranked: Ranked, *, k: int, rel: int = 1) -> Shares:
    """Return recall over all judged candidates; 0 for a query without any relevant one."""
    return ranked.relevant(rel), ranked.n_relevant(rel)


@measure(
    key="F1",
    title="F1",
    sentence="Precision and recall of the top k in one number, their harmonic mean.",
    blind_spot=BlindSpot(
        "F1@5", "It cannot see the order within the top k.", (1, 0, 1, 0, 1), (0, 0, 1, 1, 1)
    ),
    formula=r"\mathrm{F1}@k = \frac{2\,\mathrm{P}@k\,\mathrm{R}@k}{\mathrm{P}@k + \mathrm{R}@k}"
    r" = \frac{2\sum_{i=1}^{k}[g_i \ge \mathit{rel}]}{k + R}",
    family="Precision and recall",
    source="van Rijsbergen 1979; ranx f1@k",
)
def f1(ranked: Ranked, *, k: int, rel: int = 1, norm: Literal["k", "retrieved"] = "k") -> Shares:
    """Return the harmonic mean of P@k (with its `norm`) and R@k: twice the hits over k + R; 0 without one."""
    shown = k if norm == "k" else np.minimum(ranked.retrieved, k)
    return 2.0 * ranked.relevant(rel), shown + ranked.n_relevant(rel)


@measure(
    key="AP",
    title="Average precision",
    sentence="The precision at every relevant candidate, averaged over all of them; a missed one gives 0.",
    blind_spot=BlindSpot(
        "AP",
        "It cannot see what follows the last relevant candidate, nor how relevant one is.",
        (5, 0, 1),
        (1, 0, 5, 0, 0, 0),
    ),
    formula=r"\mathrm{AP} = \frac{1}{R}\sum_{i}[g_i \ge \mathit{rel}]\;\mathrm{P}@i",
    family="Precision and recall",
    source="trec_eval map, map_cut_k; its mean over queries is MAP",
    ideal_is_one=True,
    tries_orders=lambda norm, k, **_: norm == "rel_ret" and k is not None,
)
def average_precision(
    ranked: Ranked, *, k: int | None = None, rel: int = 1, norm: Literal["R", "min", "rel_ret"] = "R"
) -> Shares:
    """Return average precision over R; `norm='min'` over min(R, k), 'rel_ret' over the relevant found.

    `rel_ret` is what some articles and libraries do; it gives 1 to a ranking that misses most.
    """
    rows, total = _precision_at_hits(ranked, rel), ranked.n_relevant(rel)
    if norm == "rel_ret":
        return rows, ranked.summed(ranked.relevant(rel))
    return rows, np.minimum(total, k) if norm == "min" and k is not None else total


@measure(
    key="GMAP",
    title="Geometric mean average precision",
    sentence="Average precision whose mean over queries is geometric, so that the worst queries weigh most.",
    blind_spot=BlindSpot(
        "GMAP",
        "It cannot tell a query that fails badly from one that fails by 0.00001.",
        (),
        (0, 0, 0),
        (1,),
        (1,),
    ),
    formula=r"\mathrm{GMAP} = \exp\Bigl(\frac{1}{n}\sum_{q}\ln\max(\mathrm{AP}_q, 10^{-5})\Bigr)",
    family="Precision and recall",
    source="Robertson 2006; trec_eval gm_map (floor 0.00001)",
    aggregation="geometric mean",
    ideal_is_one=True,
)
def geometric_average_precision(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return average precision of each query; the floor 0.00001 enters with the geometric mean."""
    return _precision_at_hits(ranked, rel), ranked.n_relevant(rel)


def _precision_at_hits(ranked: Ranked, rel: int) -> Floats:
    """Return the precision at the rank of each relevant hit, 0 for the others, float64[h]."""
    return np.where(ranked.relevant(rel), ranked.seen(rel) / ranked.rank, 0.0)


@measure(
    key="Rprec",
    title="R-precision",
    sentence="Precision at the rank that equals the number of relevant candidates.",
    blind_spot=BlindSpot(
        "Rprec",
        "It cannot see the order before rank R, nor anything after it.",
        (1, 0, 0, 1),
        (0, 1, 0, 0),
        (),
        (1,),
    ),
    formula=r"\mathrm{Rprec} = \frac{1}{R}\sum_{i=1}^{R}[g_i \ge \mathit{rel}]",
    family="Precision and recall",
    source="trec_eval Rprec",
    ideal_is_one=True,
)
def r_precision(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return precision at rank R; 0 for a query without any relevant candidate."""
    total = ranked.n_relevant(rel)
    return ranked.relevant(rel) & (ranked.rank <= total[ranked.query]), total


@measure(
    key="IPrec",
    title="Interpolated precision",
    sentence="The best precision at any rank by which a share of everything relevant has been found.",
    blind_spot=BlindSpot(
        "IPrec@0.5",
        "It cannot see anything before its recall is reached.",
        (1, 0, 1, 1),
        (0, 1, 1, 1),
        (1,),
        (1,),
    ),
    formula=r"\mathrm{IPrec}@r = \max_{i:\,R_i \ge \mathrm{round}(r R)}\mathrm{P}@i",
    family="Precision and recall",
    source="trec_eval 10 iprec_at_recall_r",
    ideal_is_one=True,
)
def interpolated_precision(
    ranked: Ranked, *, recall: float, rel: int = 1, rounding: Rounding = "nearest"
) -> Shares:
    """Return interpolated precision at one recall: r R relevant are needed, rounded to a whole number.

    trec_eval 10 rounds to the nearest, trec_eval 9 and what is built on it up (from a tenth on).
    """
    return _best_precision(ranked, recall, rel, rounding), 1.0


@measure(
    key="IPrec11",
    title="Interpolated precision at eleven points",
    sentence="Interpolated precision averaged over the recalls 0, 0.1, ... 1.",
    blind_spot=BlindSpot(
        "IPrec11",
        "It cannot see dips: a later, higher precision covers them.",
        (0, 1, 1),
        (0, 0, 1, 1, 1, 1),
    ),
    formula=r"\frac{1}{11}\sum_{r \in \{0, 0.1, \dots, 1\}}\mathrm{IPrec}@r",
    family="Precision and recall",
    source="trec_eval 11pt_avg",
    ideal_is_one=True,
)
def eleven_points(ranked: Ranked, *, rel: int = 1, rounding: Rounding = "nearest") -> Shares:
    """Return the mean of interpolated precision at eleven recalls."""
    rows = one_by_one([_best_precision(ranked, tenth / 10, rel, rounding) for tenth in range(11)])
    return rows, 11.0


def _best_precision(ranked: Ranked, recall: float, rel: int, rounding: Rounding) -> Floats:
    """Return the interpolated precision as a row of the first hit that reaches it, 0 elsewhere."""
    more = 0.5 if rounding == "nearest" else 0.9
    needed = np.floor(recall * ranked.n_relevant(rel) + more)[ranked.query]
    seen = ranked.seen(rel)
    reached = ranked.relevant(rel) & (seen >= needed)
    precision_there = np.where(reached, seen / ranked.rank, 0.0)
    best = np.zeros(ranked.n_queries)
    np.maximum.at(best, ranked.query, precision_there)
    winners = reached & (precision_there == best[ranked.query])
    return np.where(winners & (ranked.running(winners) == 1), precision_there, 0.0)


@measure(
    key="Success",
    title="Success",
    sentence="1 when the top k holds anything relevant, else 0; its mean is the hit rate.",
    blind_spot=BlindSpot(
        "Success@5",
        "It cannot see a second relevant candidate, nor where the first one stands.",
        (1, 1),
        (0, 0, 0, 0, 1),
        (),
        (1,),
    ),
    formula=r"\mathrm{Success}@k = \max_{i \le k}[g_i \ge \mathit{rel}]",
    family="First hit",
    source="trec_eval success_k; ranx hit_rate@k",
    ideal_is_one=True,
)
def success(ranked: Ranked, *, k: int, rel: int = 1) -> Shares:
    """Return 1 at the first relevant candidate of the top k."""
    return _first(ranked, rel), 1.0


@measure(
    key="RR",
    title="Reciprocal rank",
    sentence="One over the rank of the first relevant candidate; its mean is MRR.",
    blind_spot=BlindSpot(
        "RR", "It cannot see anything after the first relevant candidate.", (1, 0, 0, 0), (1, 1, 1, 1)
    ),
    formula=r"\mathrm{RR} = \frac{1}{\min\{i : g_i \ge \mathit{rel}\}}",
    family="First hit",
    source="Voorhees 1999; trec_eval recip_rank",
    ideal_is_one=True,
    discount=lambda rank, **_: 1.0 / rank,
)
def reciprocal_rank(ranked: Ranked, *, k: int | None = None, rel: int = 1) -> Shares:
    """Return the reciprocal rank of the first relevant candidate (in the top k); 0 without one."""
    return np.where(_first(ranked, rel), 1.0 / ranked.rank, 0.0), 1.0


@measure(
    key="MeanTopK",
    title="Mean top-k accuracy",
    sentence="Success@1, Success@2, ... Success@k averaged.",
    blind_spot=BlindSpot(
        "MeanTopK@3", "It cannot see anything after the first relevant candidate.", (0, 1, 0), (0, 1, 1)
    ),
    formula=r"\frac{1}{k}\sum_{j=1}^{k}\mathrm{Success}@j",
    family="First hit",
    source="a tutorial on question answering prints this number as MAP; it is not average precision",
    ideal_is_one=True,
)
def mean_top_k(ranked: Ranked, *, k: int, rel: int = 1) -> Shares:
    """Return the mean of Success@1..k: a first hit at rank i adds k - i + 1."""
    return np.where(_first(ranked, rel), k + 1.0 - ranked.rank, 0.0), float(k)


@measure(
    key="AvgP",
    title="Mean of precisions",
    sentence="P@1, P@2, ... P@k averaged over every rank, relevant or not.",
    blind_spot=BlindSpot(
        "AvgP@3", "It cannot see candidates that were missed.", (1, 0, 0), (1, 0, 0), (), (1, 1, 1)
    ),
    formula=r"\frac{1}{k}\sum_{j=1}^{k}\mathrm{P}@j",
    family="Precision and recall",
    source="a tutorial on question answering describes this as MAP; it is not average precision",
)
def mean_precision(ranked: Ranked, *, k: int, rel: int = 1) -> Shares:
    """Return the mean of P@1..k: a hit at rank i adds 1/i + 1/(i+1) + ... + 1/k."""
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, k + 1))))
    return np.where(ranked.relevant(rel), harmonic[k] - harmonic[ranked.rank - 1], 0.0), float(k)


def _first(ranked: Ranked, rel: int) -> NDArray[np.bool_]:
    """Mark the first relevant hit of each query."""
    first: NDArray[np.bool_] = ranked.relevant(rel) & (ranked.seen(rel) == 1)
    return first
