"""Which candidates of a stored run share their score, so that the system left their order open."""

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.evaluating import SystemRows
from annotator.metrics.collection import Ranked
from annotator.metrics.ties import Ties, count_tied, find
from annotator.storage import arrays, reading

MOST_ROWS = 100_000
"""More rows are not looked through: an evaluation reads only what is judged, ties ask for whole rankings."""


def uncounted(systems: Sequence[SystemRows]) -> tuple[str, ...]:
    """Return a sentence that names the systems whose ties were not counted, none where all were."""
    names = ", ".join(one.name for one in systems if one.tied is None)
    most = f"their rankings hold more than {MOST_ROWS:,} candidates"
    return (f"Ties were not counted for {names}: {most}.",) if names else ()


def ties_of(
    db: sqlite3.Connection, run: reading.StoredRun, ranked: Ranked, queries: NDArray[np.int64]
) -> tuple[NDArray[np.int64] | None, Ties | None]:
    """Return how many candidates of each query (keys, ascending) are tied, and the groups of the hits.

    A run that came in its own order has no ties. Both are None where the rankings of the queries are too long
    to look through; those of queries that nobody judged do not count.
    """
    if run.order_rule == "given":
        return np.zeros(len(queries), dtype=np.int64), None
    if ranked.retrieved.sum() > MOST_ROWS:
        return None, None
    tied = np.zeros(len(queries), dtype=np.int64)
    groups = Ties(ranked.rank.copy(), ranked.rank.copy())
    for at in np.flatnonzero(ranked.retrieved > 1).tolist():
        ranks, scores = arrays.scores(db, run.key, int(queries[at]))
        if not (scores[1:] == scores[:-1]).any():
            continue
        one_query = np.zeros(len(scores), dtype=np.int64)
        ties = find(one_query, scores)
        tied[at] = count_tied(one_query, ties, 1)[0]
        hits = slice(*ranked.hit_offsets[at : at + 2])
        rows = np.searchsorted(ranks, ranked.rank[hits])
        groups.first[hits], groups.last[hits] = ties.first[rows], ties.last[rows]
    return tied, groups
