"""The tables that community question answering prints: REC1, ACC, AC1, AC2 at every k, AvgRec, MAP, MRR."""

from dataclasses import dataclass

import numpy as np

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Floats, Integers, Ranked


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

    def each(name: str) -> Floats:
        return parse(name, rel=rel).per_query(ranked)

    cutoffs = range(1, depth + 1)
    return table_of_scores(
        np.stack([each(f"Success@{k}") for k in cutoffs]),
        np.stack([each(f"P@{k}") for k in cutoffs]),
        each("NumRelRet"),
        each(f"AP(norm='rel_ret')@{depth}"),
        each(f"RR@{depth}"),
    )


def table_of_scores(
    success: Floats, precision: Floats, listed: Floats, average_precision: Floats, reciprocal_rank: Floats
) -> CqaTable:
    """Return the table from scores of n queries: Success and P at each k float64[N, n], the others [n].

    `listed` is how many relevant candidates each ranking holds.
    """
    depth, n = success.shape
    cutoffs = np.arange(1, depth + 1)
    hits = np.rint(precision.sum(axis=1) * cutoffs).astype(np.int64)
    possible = np.minimum(listed, cutoffs[:, None]).sum(axis=1)
    ac1 = hits / np.maximum(possible, 1)
    questions = max(n, 1)
    return CqaTable(
        queries=n,
        rec1=100.0 * success.sum(axis=1) / questions,
        acc=100.0 * hits / (cutoffs * questions),
        ac1=ac1,
        ac2=hits,
        avgrec=float(ac1.mean()),
        map=float(average_precision.sum() / questions),
        mrr=float(100.0 * reciprocal_rank.sum() / questions),
    )
