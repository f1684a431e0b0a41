"""Intervals, paired tests, corrections and correlations over queries.

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

from annotator.evaluation.options import Correction, Test
from annotator.watch import UNWATCHED, Watch

Floats = NDArray[np.float64]

DRAWS = 10_000
"""Random draws of a bootstrap or a randomisation test."""

WORK, FEWEST_DRAWS = 50_000_000, 500
"""Draws times values: above it fewer draws are made, down to the fewest; many values need fewer draws."""

SMALL, FEW = 10, 30
"""Below these many values a coefficient is an impression, or has a wide interval."""

ALL_FLIPS = 14
"""Up to so many differing queries, all 2^n ways to flip their signs are taken instead of random ones."""

EPSILON = 1e-12
"""Differences nearer to each other than this are the same: what adding in another order may change."""

Span = tuple[float, float]
UNBOUNDED: Span = (-math.inf, math.inf)

TESTS: tuple[Test, ...] = get_args(Test)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
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
    drawn = np.concatenate([statistic(sample[random.integers(0, n, (size, n))]) for size in _portions(n)])
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2)).tolist()
    return Estimate(float(statistic(sample[None])[0]), low, high, n)


def _portions(n: int) -> Iterator[int]:
    """Yield how many draws of n values to make at a time, so that memory stays at some 30 MB."""
    left = max(FEWEST_DRAWS, min(DRAWS, WORK // max(n, 1)))
    while left > 0:
        size = min(left, max(1, 4_000_000 // max(n, 1)))
        yield size
        left -= size


def paired_p(differences: ArrayLike, test: Test = "randomisation", seed: int = 1) -> float:
    """Return the two-sided p-value of paired differences under one of `TESTS`, but "tukey" (see `tukey_hsd`).

    `t`: paired t. `wilcoxon`: signed ranks, zeros dropped, exact up to `ALL_FLIPS` and where no values tie.
    `sign`: binomial, zeros dropped. `randomisation`: signs flipped at random, all ways up to `ALL_FLIPS`;
    the statistic is the mean. No difference at all gives 1, fewer than two queries NaN.
    """
    sample = np.asarray(differences, np.float64)
    if len(sample) < 2:
        return math.nan
    if np.abs(sample).max() <= EPSILON:
        return 1.0
    if test == "randomisation":
        return _randomisation_p(sample, seed)
    return {"t": _t_p, "wilcoxon": _wilcoxon_p, "sign": _sign_p}[test](sample)


def _t_p(sample: Floats) -> float:
    from scipy.special import stdtr

    deviation = float(sample.std(ddof=1))
    if deviation <= EPSILON:
        return 0.0
    statistic = abs(float(sample.mean())) / (deviation / math.sqrt(len(sample)))
    return float(2 * stdtr(len(sample) - 1, -statistic))


def _wilcoxon_p(sample: Floats) -> float:
    from scipy.stats import wilcoxon

    differing = np.round(sample[np.abs(sample) > EPSILON], 12)
    if len(differing) <= ALL_FLIPS:
        return _randomisation_p(np.sign(differing) * ranks(np.abs(differing)), seed=0)
    return float(wilcoxon(differing).pvalue)


def _sign_p(sample: Floats) -> float:
    from scipy.special import bdtr

    wins, _, losses = wins_ties_losses(sample)
    return min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))


def ranks(values: ArrayLike) -> Floats:
    """Return the ranks of values, 1 for the lowest; values that are the same share the mean of their ranks.

    >>> ranks([0.5, 0.1, 0.5]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(np.asarray(values, np.float64), return_inverse=True, return_counts=True)
    mean: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return mean


def _randomisation_p(sample: Floats, seed: int) -> float:
    differing = sample[np.abs(sample) > EPSILON]
    n = len(differing)
    observed = abs(float(differing.sum())) - EPSILON * n
    if n <= ALL_FLIPS:
        signs = 1 - 2 * ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1)
        return float((np.abs(signs @ differing) >= observed).mean())
    random = np.random.default_rng(seed)
    as_extreme = draws = 0
    for size in _portions(n):
        flips = np.unpackbits(np.frombuffer(random.bytes(size * n // 8 + 1), np.uint8), count=size * n)
        sums = differing.sum() - 2 * (flips.reshape(size, n) @ differing)
        as_extreme += int((np.abs(sums) >= observed).sum())
        draws += size
    return (as_extreme + 1) / (draws + 1)


def tukey_hsd(scores: ArrayLike, seed: int = 1, watch: Watch = UNWATCHED) -> Floats:
    """Return the p-values of the randomised Tukey HSD test between all systems, float64[s, s].

    `scores` is float64[s, n]. Every draw shuffles the systems' scores within each query; p is the share of
    draws whose largest difference of means reaches the observed one (Carterette 2012). The p-values hold for
    all pairs together and need no correction. `watch` is asked between portions of the draws. Raises
    Stopped.
    """
    table = np.asarray(scores, np.float64).T
    n, systems = table.shape
    means = table.mean(axis=0)
    observed = np.abs(means[:, None] - means) - EPSILON
    random = np.random.default_rng(seed)
    spans = []
    for size in _portions(n * systems):
        watch.look()
        shuffled = random.permuted(np.broadcast_to(table, (size, n, systems)), axis=2)
        spans.append(np.ptp(shuffled.mean(axis=1), axis=1))
    sorted_spans = np.sort(np.concatenate(spans))
    reached = len(sorted_spans) - np.searchsorted(sorted_spans, observed)
    p: Floats = np.minimum(1.0, (reached + 1) / (len(sorted_spans) + 1))
    p[np.abs(means[:, None] - means) <= EPSILON] = 1.0
    return p


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
