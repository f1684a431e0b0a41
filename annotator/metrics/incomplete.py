"""Measures for incomplete judgments, for sets without order, and counts.

Each function returns what every hit adds (one row per hit) and what a query's sum is divided by.
"""

from typing import Literal

import numpy as np

from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import Shares, measure

EPSILON = 1e-5
"""Smooths the share of relevant among judged in infAP, as trec_eval does."""


@measure(
    key="Bpref",
    title="Binary preference",
    sentence="How seldom a judged irrelevant candidate stands above a relevant one, ignoring unjudged ones.",
    blind_spot=BlindSpot(
        "Bpref", "It cannot see unjudged candidates at all.", (1, 0, 1), (None, 1, None, 0, 1)
    ),
    formula=r"\mathrm{bpref} = \frac{1}{R}\sum_{r}\Bigl(1 - \frac{\min(n_r, R)}{\min(N, R)}\Bigr)",
    family="Incomplete judgments",
    source="Buckley and Voorhees 2004; trec_eval bpref",
    ideal_is_one=True,
)
def binary_preference(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return bpref: n_r judged irrelevant candidates stand above r, N are judged irrelevant in all.

    Negative grades count as unjudged. Without a judged irrelevant candidate above it, a relevant one adds 1.
    """
    irrelevant = (ranked.grade >= 0) & (ranked.grade < rel)
    total = ranked.n_relevant(rel)
    judged_irrelevant = (ranked.judged >= 0) & (ranked.judged < rel)
    known = np.bincount(ranked.judged_query[judged_irrelevant], minlength=ranked.n_queries)
    above = np.minimum(ranked.running(irrelevant), total[ranked.query])
    most = np.maximum(np.minimum(known, total), 1)[ranked.query]
    return np.where(ranked.relevant(rel), 1.0 - above / most, 0.0), total


@measure(
    key="infAP",
    title="Inferred average precision",
    sentence="Average precision estimated from judgments that are a random sample of the pool.",
    blind_spot=BlindSpot(
        "infAP", "It cannot see candidates that were never in the pool.", (1, None, 0), (1, 0, None)
    ),
    formula=r"\mathrm{infAP} = \frac{1}{R}\sum_{r}\Bigl(\frac{1}{r} + \frac{r-1}{r}\cdot\frac{j_r}{r-1}"
    r"\cdot\frac{R_r + \epsilon}{R_r + N_r + 2\epsilon}\Bigr)",
    family="Incomplete judgments",
    source="Yilmaz and Aslam 2006; trec_eval infAP",
    tries_orders=lambda **_: True,
)
def inferred_average_precision(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return infAP: above rank r stand R_r relevant and N_r irrelevant candidates, j_r of the pool in all.

    A negative grade says that a candidate was in the pool but not judged; a candidate without any grade was
    not in the pool.
    """
    relevant = ranked.relevant(rel)
    above = ranked.seen(rel) - 1
    irrelevant = ranked.running((ranked.grade >= 0) & (ranked.grade < rel))
    pooled = above + irrelevant + ranked.running(ranked.grade < 0)
    share = (above + EPSILON) / (above + irrelevant + 2 * EPSILON)
    expected = np.where(ranked.rank == 1, 1.0, (1.0 + pooled * share) / ranked.rank)
    return np.where(relevant, expected, 0.0), ranked.n_relevant(rel)


@measure(
    key="Judged",
    title="Judged",
    sentence="How much of the top k has been judged: how far the other numbers can be trusted.",
    blind_spot=BlindSpot("Judged@2", "It cannot see whether anything is relevant.", (5, 5), (0, 0)),
    formula=r"\mathrm{Judged}@k = \frac{1}{k}\,|\{i \le k : g_i \text{ known}\}|",
    family="Incomplete judgments",
    source="ir_measures Judged@k, which divides by the length of a list shorter than k: norm='retrieved'",
    only_shown=True,
    gain=lambda ranked, **_: np.ones(len(ranked.rank)),
)
def judged(ranked: Ranked, *, k: int, norm: Literal["k", "retrieved"] = "k") -> Shares:
    """Return the judged share of the top k, divided by k also for short lists; negative grades count.

    `norm='retrieved'` divides by min(k, length).
    """
    return np.ones(len(ranked.rank)), k if norm == "k" else ranked.retrieved


@measure(
    key="SetP",
    title="Set precision",
    sentence="How much of everything retrieved is relevant.",
    blind_spot=BlindSpot("SetP", "It cannot see the order.", (1, 0), (0, 1)),
    formula=r"\mathrm{SetP} = \frac{|\mathrm{relevant} \cap \mathrm{retrieved}|}{|\mathrm{retrieved}|}",
    family="Sets",
    source="trec_eval set_P",
    ideal_is_one=True,
)
def set_precision(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return precision of the whole list; the precision of nothing is 0."""
    return ranked.relevant(rel), ranked.retrieved


@measure(
    key="SetR",
    title="Set recall",
    sentence="How much of everything relevant was retrieved.",
    blind_spot=BlindSpot("SetR", "It cannot see how much else was retrieved.", (1,), (0, 0, 0, 1)),
    formula=r"\mathrm{SetR} = \frac{|\mathrm{relevant} \cap \mathrm{retrieved}|}{R}",
    family="Sets",
    source="trec_eval set_recall",
    ideal_is_one=True,
)
def set_recall(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return recall of the whole list."""
    return ranked.relevant(rel), ranked.n_relevant(rel)


@measure(
    key="SetF",
    title="Set F",
    sentence="Set precision and set recall in one number.",
    blind_spot=BlindSpot("SetF", "It cannot see the order.", (1, 0), (0, 1)),
    formula=r"\mathrm{SetF} = \frac{(1+\beta^2)\,|\mathrm{relevant} \cap \mathrm{retrieved}|}"
    r"{\beta^2 R + |\mathrm{retrieved}|}",
    family="Sets",
    source="trec_eval set_F, whose x is beta squared; ir_measures SetF",
    ideal_is_one=True,
)
def set_f(ranked: Ranked, *, rel: int = 1, beta: float = 1.0) -> Shares:
    """Return the weighted harmonic mean of set precision and set recall."""
    square = beta * beta
    return (1.0 + square) * ranked.relevant(rel), square * ranked.n_relevant(rel) + ranked.retrieved


@measure(
    key="NumRet",
    title="Number retrieved",
    sentence="How many candidates the system returned.",
    blind_spot=BlindSpot("NumRet", "It cannot see whether anything is relevant.", (1, 1), (0, 0)),
    formula=r"|\mathrm{retrieved}|",
    family="Counts",
    source="trec_eval num_ret",
    range=(0.0, np.inf),
    aggregation="sum",
    place="retrieved",
    only_shown=True,
)
def number_retrieved(ranked: Ranked) -> Shares:
    """Return the length of each ranking: every candidate adds 1."""
    return np.ones(ranked.n_queries), 1.0


@measure(
    key="NumRel",
    title="Number relevant",
    sentence="How many relevant candidates are known.",
    blind_spot=BlindSpot("NumRel", "It cannot see the ranking at all.", (1, 0), (0, 1)),
    formula=r"R = |\mathrm{relevant}|",
    family="Counts",
    source="trec_eval num_rel; with -c and -l 2 its sum over all queries still counts from grade 1 on",
    range=(0.0, np.inf),
    aggregation="sum",
    place="judged",
    only_shown=True,
)
def number_relevant(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return R: every relevant judged candidate adds 1; one row per judged grade."""
    return ranked.judged >= rel, 1.0


@measure(
    key="NumRelRet",
    title="Number relevant retrieved",
    sentence="How many of the retrieved candidates are relevant.",
    blind_spot=BlindSpot("NumRelRet", "It cannot see the order.", (1, 0), (0, 1)),
    formula=r"|\mathrm{relevant} \cap \mathrm{retrieved}|",
    family="Counts",
    source="trec_eval num_rel_ret",
    range=(0.0, np.inf),
    aggregation="sum",
)
def number_relevant_retrieved(ranked: Ranked, *, rel: int = 1) -> Shares:
    """Return the number of relevant candidates in the ranking."""
    return ranked.relevant(rel), 1.0
