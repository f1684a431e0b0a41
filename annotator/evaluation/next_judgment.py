"""The next judgment that matters most for a comparison of two systems, by how far they pull.

A candidate matters as far as the two systems place it differently: by the difference of its discounts, |1 /
log2(rank + 1) in the first - the same in the second|, where a rank below the depth has no weight. A
candidate that both place alike cannot change which of them is better.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNJUDGED = -1
BATCH = 5


@dataclass(frozen=True, slots=True, eq=False)
class TwoRankings:
    """The candidates of two systems, one row per pair of query and candidate, int64[n] each.

    A rank of 0 means that the system did not retrieve it; a grade of -1 that it is unjudged.
    """

    query: Ints
    first_rank: Ints
    second_rank: Ints
    grade: Ints


def leverage(pool: TwoRankings, depth: int = 10) -> Floats:
    """Return how far each candidate pulls towards the second system per unit of gain, float64[n].

    It is the discount in the second ranking less that in the first; negative pulls towards the first.
    """
    return _discount(pool.second_rank, depth) - _discount(pool.first_rank, depth)


def _discount(rank: Ints, depth: int) -> Floats:
    seen = (rank >= 1) & (rank <= depth)
    discount: Floats = np.where(seen, 1 / np.log2(np.maximum(rank, 1) + 1.0), 0.0)
    return discount


def next_judgments(pool: TwoRankings, depth: int = 10, batch: int = BATCH) -> Ints:
    """Return the rows of the unjudged candidates that matter, in the order to judge them.

    Within a query the weightiest come first; they are handed out in batches of one query, so that nobody
    jumps between queries all the time, the weightiest batch first. Equal weights keep the order of the
    rows.
    """
    weight = np.round(np.abs(leverage(pool, depth)), 12)
    rows = np.flatnonzero((pool.grade == UNJUDGED) & (weight > 0))
    rows = rows[np.lexsort((rows, -weight[rows], pool.query[rows]))]
    query = pool.query[rows]
    place = np.arange(len(rows)) - np.searchsorted(query, query)
    _, number = np.unique(np.stack([query, place // batch], axis=1), axis=0, return_inverse=True)
    number = number.reshape(-1)
    total = np.round(np.bincount(number, weight[rows]), 12)
    return rows[np.lexsort((place, number, -total[number]))]
