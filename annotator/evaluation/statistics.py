"""Intervals, corrections and effect sizes over queries.

Everything is computed from per-query values, float64[n] without NaN. What is drawn at random is drawn from
a seed: same seed, same numbers. Undefined values (an interval of one query, a correlation of constants) are
NaN. scipy is loaded by the functions that need it: `scipy.special` where that will do, because loading
`scipy.stats` takes a second.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.evaluation.options import Correction, Over, Test

Floats = NDArray[np.float64]

DRAWS = 10_000
"""Random draws of a bootstrap or of Tukey's test."""

WORK, FEWEST_DRAWS = 50_000_000, 500
"""Draws times values: above it fewer draws are made, down to the fewest; many values need fewer draws."""

SMALL, FEW = 10, 30
"""Below these many values a coefficient is an impression, or has a wide interval."""

EPSILON = 1e-12
"""Differences nearer to each other than this are the same: what adding in another order may change."""

Span = tuple[float, float]
UNBOUNDED: Span = (-math.inf, math.inf)

TESTS: tuple[Test, ...] = get_args(Test)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
OVER: tuple[Over, ...] = get_args(Over)
Kind = Literal["spearman", "pearson", "kendall"]


class Estimate(NamedTuple):
    """A value with the interval it is known to and the number of values it comes from."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Description:
    """The distribution of a measure over the queries."""

    mean: Estimate
    bootstrap: Estimate
    deviation: float
    lowest: float
    lower_quartile: float
    median: float
    upper_quartile: float
    highest: float


def describe(values: ArrayLike, seed: int = 1, span: Span = UNBOUNDED) -> Description:
    """Return mean with both 95% intervals, standard deviation (n - 1), quartiles (linear) and extremes.

    `span` is the range of the values.
    """
    sample = np.asarray(values, np.float64)
    n = len(sample)
    five = np.quantile(sample, (0, 0.25, 0.5, 0.75, 1)).tolist() if n else [math.nan] * 5
    deviation = float(sample.std(ddof=1)) if n > 1 else math.nan
    mean = mean_interval(sample, span=span)
    return Description(mean, bootstrap_interval(sample, seed=seed), deviation, *five)


def mean_interval(values: ArrayLike, level: float = 0.95, span: Span = UNBOUNDED) -> Estimate:
    """Return the mean with Student's t interval: mean ± t(n - 1) s / sqrt(n).

    The interval ends where `span`, the range that a mean can have at all, ends.
    """
    from scipy.special import stdtrit

    sample = np.asarray(values, np.float64)
    n = len(sample)
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    mean = float(sample.mean())
    if n == 1:
        return Estimate(mean, math.nan, math.nan, 1)
    half = float(stdtrit(n - 1, (1 + level) / 2) * sample.std(ddof=1) / math.sqrt(n))
    return Estimate(mean, max(mean - half, span[0]), min(mean + half, span[1]), n)


def difference_of_means(first: ArrayLike, second: ArrayLike, level: float = 0.95) -> Estimate:
    """Return mean(second) - mean(first) of two independent groups with Welch's t interval; n is their sum."""
    from scipy.special import stdtrit

    groups = [np.asarray(group, np.float64) for group in (first, second)]
    n = sum(map(len, groups))
    if not all(map(len, groups)):
        return Estimate(math.nan, math.nan, math.nan, n)
    value = float(groups[1].mean() - groups[0].mean())
    if min(map(len, groups)) < 2:
        return Estimate(value, math.nan, math.nan, n)
    shares = [float(group.var(ddof=1)) / len(group) for group in groups]
    error = sum(shares)
    if error == 0:
        return Estimate(value, value, value, n)
    weights = sum(share**2 / (len(group) - 1) for share, group in zip(shares, groups, strict=True))
    half = float(stdtrit(error**2 / weights, (1 + level) / 2)) * math.sqrt(error)
    return Estimate(value, value - half, value + half, n)


def bootstrap_interval(
    values: ArrayLike,
    statistic: Callable[[Floats], Floats] = lambda resampled: resampled.mean(axis=1),
    level: float = 0.95,
    seed: int = 1,
) -> Estimate:
    """Return a statistic with its percentile bootstrap interval (Efron 1979) over the values.

    `statistic` takes float64[draws, n] and returns float64[draws]; the default is the mean.
    """
    sample = np.asarray(values, np.float64)
    n = len(sample)
    if n < 2:
        value = float(statistic(sample[None])[0]) if n else math.nan
        return Estimate(value, math.nan, math.nan, n)
    random = np.random.default_rng(seed)
    drawn = np.concatenate([statistic(sample[random.integers(0, n, (size, n))]) for size in portions(n)])
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2)).tolist()
    return Estimate(float(statistic(sample[None])[0]), low, high, n)


def portions(n: int) -> Iterator[int]:
    """Yield how many draws of n values to make at a time, so that memory stays at some 30 MB."""
    left = max(FEWEST_DRAWS, min(DRAWS, WORK // max(n, 1)))
    while left > 0:
        size = min(left, max(1, 4_000_000 // max(n, 1)))
        yield size
        left -= size


def ranks(values: ArrayLike) -> Floats:
    """Return the ranks of values, 1 for the lowest; values that are the same share the mean of their ranks.

    >>> ranks([0.5, 0.1, 0.5]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(np.asarray(values, np.float64), return_inverse=True, return_counts=True)
    mean: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return mean


def corrected(p_values: ArrayLike, correction: Correction = "holm") -> Floats:
    """Return p-values corrected for their number; NaN stays NaN and does not count.

    `bonferroni` and `holm` (1979) bound the chance of any wrong finding, `bh` (Benjamini and Hochberg 1995)
    the share of wrong ones among the findings.
    """
    p = np.asarray(p_values, np.float64).copy()
    there = np.flatnonzero(~np.isnan(p))
    m = len(there)
    order = there[np.argsort(p[there], kind="stable")]
    place = np.arange(1, m + 1)
    if correction == "bonferroni":
        p[order] = np.minimum(1.0, p[order] * m)
    elif correction == "holm":
        p[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * (m - place + 1)))
    elif correction == "bh":
        p[order] = np.minimum(1.0, np.minimum.accumulate((p[order] * m / place)[::-1])[::-1])
    return p


def effect_size(differences: ArrayLike) -> float:
    """Return d_z: the mean difference over the standard deviation (n - 1) of the differences (Cohen 1988).

    It is the effect size of paired values, not Cohen's d of two groups. 0 without any difference; NaN where
    all differences are the same, or for one query.
    """
    sample = np.asarray(differences, np.float64)
    if len(sample) < 2:
        return math.nan
    if np.abs(sample).max() <= EPSILON:
        return 0.0
    deviation = float(sample.std(ddof=1))
    return float(sample.mean()) / deviation if deviation > EPSILON else math.nan


def wins_ties_losses(differences: ArrayLike) -> tuple[int, int, int]:
    """Return on how many queries the difference is positive, none and negative."""
    sample = np.asarray(differences, np.float64)
    wins, losses = int((sample > EPSILON).sum()), int((sample < -EPSILON).sum())
    return wins, len(sample) - wins - losses, losses


def share_interval(count: int, of: int, level: float = 0.95) -> Estimate:
    """Return a share with its Clopper-Pearson interval (1934), which inverts the binomial test of each end.

    >>> share_interval(0, 10).low
    0.0
    """
    from scipy.special import betaincinv

    if not of:
        return Estimate(math.nan, math.nan, math.nan, 0)
    tail = (1 - level) / 2
    low = float(betaincinv(count, of - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, of - count, 1 - tail)) if count < of else 1.0
    return Estimate(count / of, low, high, of)
