"""Mean ranks of systems over queries: whether they differ at all, and how far apart they must then lie."""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.statistics import ranks


def mean_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each system's mean rank over the queries, 1 is best; ties share the mean of their ranks.

    `scores[s, q]` holds no NaN.
    """
    mean: NDArray[np.float64] = np.mean([ranks(-of_query) for of_query in scores.T], axis=0)
    return mean


def friedman(scores: NDArray[np.float64]) -> float:
    """Return p of Friedman's test that all systems rank alike, corrected for ties (chi-squared, k - 1).

    `scores[s, q]` holds no NaN. 1 where every query ranks all systems the same, or there is none.
    """
    from scipy.special import chdtrc

    k, n = scores.shape
    if k < 2 or n == 0:
        return 1.0
    of_query = np.array([ranks(-column) for column in scores.T])
    spread = float((of_query**2).sum()) - n * k * (k + 1) ** 2 / 4
    if spread <= 0:
        return 1.0
    apart = float(((of_query.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    return float(chdtrc(k - 1, (k - 1) * apart / spread))


def critical_difference(systems: int, queries: int, level: float = 0.05) -> float:
    """Return Nemenyi's critical difference of mean ranks, `q sqrt(k (k + 1) / (6 n))`.

    q is the studentised range for k systems and infinitely many degrees of freedom, divided by sqrt(2)
    (Demšar 2006, Journal of Machine Learning Research 7, table 5: k = 5 gives q = 2.728). Infinite without
    queries.
    """
    if queries == 0:
        return math.inf
    quantile = studentised_range(1 - level, systems) / math.sqrt(2)
    return quantile * math.sqrt(systems * (systems + 1) / (6 * queries))


@cache
def level_of_a_pair(systems: int, level: float = 0.05) -> float:
    """Return the two-sided level that Tukey's test asks of one pair, so that all pairs together keep theirs.

    It is the chance that a standard normal value is beyond q / sqrt(2), q as for Nemenyi: what Tukey's HSD
    comes to with many queries (Hsu 1996, Multiple comparisons). Two systems keep the level.

    >>> round(level_of_a_pair(3), 4)
    0.0191
    """
    from scipy.special import ndtr

    return float(2 * ndtr(-studentised_range(1 - level, systems) / math.sqrt(2)))


def studentised_range(chance: float, k: int) -> float:
    """Return the value that the range of k standard normal values stays below with this chance.

    The chance of a range below q is k times the integral over z of phi(z) (Phi(z) - Phi(z - q))^(k - 1).
    """
    from scipy.special import ndtr

    z = np.linspace(-9.0, 9.0, 2_001)
    density = k * np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        below = float(np.trapezoid(density * (ndtr(z) - ndtr(z - middle)) ** (k - 1), z))
        low, high = (middle, high) if below < chance else (low, middle)
    return high
