"""Mean ranks of systems over queries, and how far apart they must lie to be told apart."""

import math

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.statistics import ranks


def mean_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each system's mean rank over the queries, 1 is best; ties share the mean of their ranks.

    `scores[s, q]` holds no NaN.
    """
    mean: NDArray[np.float64] = np.mean([ranks(-of_query) for of_query in scores.T], axis=0)
    return mean


def critical_difference(systems: int, queries: int, level: float = 0.05) -> float:
    """Return Nemenyi's critical difference of mean ranks, `q sqrt(k (k + 1) / (6 n))`.

    q is the studentised range for k systems and infinitely many degrees of freedom, divided by sqrt(2)
    (Demšar 2006, Journal of Machine Learning Research 7, table 5: k = 5 gives q = 2.728). Infinite without
    queries.
    """
    from scipy.stats import studentized_range

    if queries == 0:
        return math.inf
    quantile = float(studentized_range.ppf(1 - level, systems, math.inf)) / math.sqrt(2)
    return quantile * math.sqrt(systems * (systems + 1) / (6 * queries))
