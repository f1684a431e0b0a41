"""The next judgment that matters most for a comparison of two systems, and when enough is judged.

A candidate matters as far as the two systems place it differently: by the difference of its discounts, |1 /
log2(rank + 1) in the first - the same in the second|, where a rank below the depth has no weight. A
candidate that both place alike cannot change which of them is better.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.grades import GRADES

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNJUDGED = -1
BATCH = 5
SURE = 0.95


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


@dataclass(frozen=True, slots=True)
class Decision:
    """What is known so far of which system is better by DCG.

    `second_better` is the chance, over the grades that are still missing, that the second system ends ahead;
    `open` counts unjudged candidates that matter.
    """

    second_better: float
    open: int

    @property
    def sure(self) -> bool:
        """Whether one system ends ahead with at least 95%: time to stop."""
        return max(self.second_better, 1 - self.second_better) >= SURE


def decision(pool: TwoRankings, depth: int = 10) -> Decision:
    """Return how sure the comparison is with the grades so far.

    A missing grade is expected to be spread as those given so far, with one more of each grade added, so that
    few grades claim little. Its mean is itself uncertain, by the number of grades it comes from. The sum over
    the missing grades is taken as normal. The gain is the grade.
    """
    pull = leverage(pool, depth)
    missing = pool.grade == UNJUDGED
    seen = np.append(pool.grade[~missing], GRADES).astype(np.float64)
    known = float(pull[~missing] @ pool.grade[~missing])
    expected = known + float(pull[missing].sum()) * seen.mean()
    weight = float((pull[missing] ** 2).sum()) + float(pull[missing].sum()) ** 2 / len(seen)
    spread = math.sqrt(weight * seen.var())
    if spread == 0:
        chance = 0.5 if abs(expected) < 1e-12 else float(expected > 0)
    else:
        chance = (1 + math.erf(expected / spread / math.sqrt(2))) / 2
    return Decision(chance, int((missing & (pull != 0)).sum()))
