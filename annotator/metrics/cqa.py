"""The tables that community question answering prints: REC1, ACC, AC1, AC2 at every k, AvgRec, MAP, MRR."""

from dataclasses import dataclass

import numpy as np

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Floats, Integers, Ranked, count


@dataclass(frozen=True, slots=True, eq=False)
class CqaTable:
    """The table of one system over n queries; entry k - 1 of each array belongs to the top k.

    `rec1` is per cent of the queries with a hit; `acc` hits per cent of k n places; `ac1` hits as a share of
    what was to be had, 0 to 1; `ac2` the hits themselves. `avgrec` is the mean of `ac1`, `map` is 0 to 1,
    `mrr` is per cent.
    """

    queries: int
    rec1: Floats
    acc: Floats
    ac1: Floats
    ac2: Integers
    avgrec: float
    map: float
    mrr: float


def cqa_table(ranked: Ranked, depth: int = 10, rel: int = 1) -> CqaTable:
    """Return the table to a depth N, as Severyn's script and the SemEval-2016 task 3 scorer count.

    R is counted within the candidate list; MAP divides by the relevant found in the top N; MRR is cut at N;
    queries without a relevant candidate count in every mean. Without queries everything is 0.
    """
    n = ranked.n_queries
    relevant = ranked.relevant(rel)
    listed = count(ranked.query, relevant, n)
    cutoffs = range(1, depth + 1)
    hits = np.array([np.count_nonzero(relevant & (ranked.rank <= k)) for k in cutoffs])
    first = relevant & (ranked.seen(rel) == 1)
    found = np.array([np.count_nonzero(first & (ranked.rank <= k)) for k in cutoffs])
    possible = np.array([np.minimum(listed, k).sum() for k in cutoffs])
    ac1 = hits / np.maximum(possible, 1)
    average_precision = parse(f"AP(norm='rel_ret')@{depth}", rel=rel).per_query(ranked)
    reciprocal_rank = parse(f"RR@{depth}", rel=rel).per_query(ranked)
    return CqaTable(
        queries=n,
        rec1=100.0 * found / max(n, 1),
        acc=100.0 * hits / (np.arange(1, depth + 1) * max(n, 1)),
        ac1=ac1,
        ac2=hits,
        avgrec=float(ac1.mean()),
        map=float(average_precision.sum() / max(n, 1)),
        mrr=float(100.0 * reciprocal_rank.sum() / max(n, 1)),
    )
