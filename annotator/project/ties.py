"""Which candidates of a stored run share their score, so that the system left their order open."""

import sqlite3

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.collection import Ranked
from annotator.metrics.ties import Ties, count_tied, find
from annotator.storage import arrays, reading

MOST_ROWS = 100_000
"""Longer runs are not looked through: an evaluation reads only what is judged, ties ask for every row."""


def ties_of(
    db: sqlite3.Connection, run: reading.StoredRun, ranked: Ranked, queries: NDArray[np.int64]
) -> tuple[NDArray[np.int64] | None, Ties | None]:
    """Return how many candidates of each query (keys, ascending) are tied, and the groups of the hits.

    A run that came in its own order has no ties. Both are None where the run is too long to look through.
    """
    if run.order_rule == "given":
        return np.zeros(len(queries), dtype=np.int64), None
    if run.rows > MOST_ROWS:
        return None, None
    tied = np.zeros(len(queries), dtype=np.int64)
    groups = Ties(ranked.rank.copy(), ranked.rank.copy())
    place = {key: at for at, key in enumerate(queries.tolist())}
    for query, _, ranks, scores in arrays.rankings(db, run.key):
        at = place.get(query)
        if at is None or not (scores[1:] == scores[:-1]).any():
            continue
        ties = find(np.zeros(len(scores), dtype=np.int64), scores)
        tied[at] = count_tied(np.zeros(len(scores), dtype=np.int64), ties, 1)[0]
        hits = slice(*ranked.hit_offsets[at : at + 2])
        rows = np.searchsorted(ranks, ranked.rank[hits])
        groups.first[hits], groups.last[hits] = ties.first[rows], ties.last[rows]
    return tied, groups
