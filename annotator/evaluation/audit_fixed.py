"""A sample whose size is fixed before it is drawn, and looked at once: what it says of a sum over a pool.

The pairs with the smallest keys `-log(u) / chance` are drawn. Given the key of the next one, each pair was
in the sample with a chance of `1 - exp(-chance key)`, and what is drawn weighs by the inverse of it, which is
right on average and without covariances (rank conditioning: Cohen and Kaplan 2007). A model's predictions
enter as in prediction-powered inference: their sum over the whole pool, corrected by what the drawn ones
lack, with a slope for each part of the pool that is fitted on the other parts (Angelopoulos, Duchi and Zrnic
2023; Zrnic and Candès 2024). The interval is normal: it holds approximately, for one look. It is narrower
than one that holds at all looks together, and misses several times as often when it is looked at after every
block (`tests/evaluation/test_audit_fixed.py`).
"""

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.audit import Floats, Ints, Population

FOLDS = 5
"""Parts of the pool: the slope of each comes from the others."""


def inclusion(chance: Floats, key: Floats, order: Ints, count: int) -> Floats:
    """Return with what chance each pair is among the first `count` drawn, given the next one's key."""
    if count >= len(order):
        return np.ones(len(chance))
    drawn: Floats = -np.expm1(-chance * key[order[count]])
    return drawn


def fixed_interval(
    population: Population, taken: Ints, gain: Floats, included: Floats, risk: float
) -> tuple[float, float, float]:
    """Return estimate, low and high of theta by the rows `taken` and what each gained, float64[taken].

    The variance is that of the drawn pairs and of one more, which gains what nobody foretold: that all were
    foretold, or that none was relevant, makes nothing certain of the rest.
    """
    from scipy.special import ndtri

    weight, predicted, chance = population.weight, population.predicted, included[taken]
    fold = np.arange(len(weight)) % FOLDS
    slope = np.array([_slope(population, taken, gain, included, fold[taken] != one) for one in range(FOLDS)])
    foretold = slope[fold] * predicted
    residual = weight[taken] * (gain - foretold[taken])
    estimate = population.known + float(weight @ foretold) + float((residual / chance).sum())
    weighs = (1 - chance) * (weight[taken] / chance) ** 2
    one_more = float(weighs.mean()) if len(taken) else 0.0
    spread = float(np.sqrt(((1 - chance) * (residual / chance) ** 2).sum() + one_more))
    rest = np.delete(weight, taken)
    seen = population.known + float(weight[taken] @ gain)
    certain = seen + float(np.minimum(rest, 0).sum()), seen + float(np.maximum(rest, 0).sum())
    half = float(-ndtri(risk / 2)) * spread
    middle, low, high = np.clip((estimate, estimate - half, estimate + half), *certain).tolist()
    return middle, low, high


def _slope(
    population: Population, taken: Ints, gain: Floats, included: Floats, fitted: NDArray[np.bool_]
) -> float:
    """Return the slope, 0 to 1, with which the interval would be narrowest for some of the drawn pairs."""
    rows = taken[fitted]
    share, predicted = included[rows], population.predicted[rows]
    counts = (1 - share) * (population.weight[rows] / share) ** 2
    square = float(counts @ predicted**2)
    return float(np.clip(counts @ (predicted * gain[fitted]) / square, 0.0, 1.0)) if square > 0 else 0.0
