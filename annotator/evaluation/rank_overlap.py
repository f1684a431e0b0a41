"""Rank-biased overlap: how alike two systems rank, before anything is judged."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.statistics import mean_interval

NAMED = 5
"""So many queries without a ranking are named."""

PERSISTENCE = 0.9
"""Two thirds of the weight lie above rank 5, 86% above rank 10."""


def rank_overlap(first: ArrayLike, second: ArrayLike, p: float = PERSISTENCE) -> float:
    """Return the extrapolated rank-biased overlap of two rankings, 0 to 1 (Webber et al. 2010, equation 32).

    `first` and `second` are int[n], keys of candidates, best first, none twice; they may differ in length.
    Agreement at each depth weighs p times that of the depth above; below the ends of the lists it is taken to
    stay as it is. NaN where either is empty.

    >>> round(rank_overlap([1, 2, 3], [1, 3, 4], p=0.5), 4)
    0.7917
    """
    shorter, longer = sorted((np.asarray(first, np.int64), np.asarray(second, np.int64)), key=len)
    short, long = len(shorter), len(longer)
    if not short:
        return math.nan
    _, in_shorter, in_longer = np.intersect1d(shorter, longer, assume_unique=True, return_indices=True)
    shared = np.cumsum(np.bincount(np.maximum(in_shorter, in_longer), minlength=long))
    depth = np.arange(1, long + 1)
    at_short, at_long = float(shared[short - 1]), float(shared[-1])
    assumed = np.maximum(depth - short, 0) * at_short / short
    weighted = float(((shared + assumed) / depth * p**depth).sum())
    rest = (at_long - at_short) / long + at_short / short
    return (1 - p) / p * weighted + rest * p**long


def overlap_table(
    rows: Sequence[tuple[str, str, NDArray[np.float64]]], p: float, without: Mapping[str, Sequence[str]] = {}
) -> Table:
    """Return the mean overlap of every two systems (first, second, one value a query) with its interval.

    `without` are the queries that a system has no ranking for, and another one has.
    """
    cells: list[tuple[Cell, ...]] = []
    for first, second, values in rows:
        mean = mean_interval(values, span=(0.0, 1.0))
        cells.append((first, second, mean.value, mean.low, mean.high, mean.n))
    columns = (
        Column("First", "text", key="first"),
        Column("Second", "text", key="second"),
        Column("Overlap", key="overlap", note="1 for the same rankings, 0 where they share nothing."),
        Column("95% low", key="low"),
        Column("95% high", key="high"),
        Column("Queries", "count", key="queries", note="For which both systems have a ranking."),
    )
    caption = (
        f"Rank-biased overlap with p = {p:g}, extrapolated (Webber et al. 2010); mean over the queries that "
        "both rank, Student's interval. No judgment enters."
    )
    for system, queries in without.items():
        which = ", ".join(queries) if len(queries) <= NAMED else f"{len(queries):,} queries"
        caption += f" No ranking by {system}, so left out beside it: {which}."
    return Table.of_rows("overlap", "How alike the systems rank", columns, cells, caption)
