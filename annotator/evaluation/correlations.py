"""Correlations between systems, measures or annotators, with intervals and their number of values."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from annotator.evaluation.statistics import EPSILON, FEW, SMALL, Floats, Kind, ranks
from annotator.text.counts import counted

EXACT = 33
"""Up to so many values without ties the p-value of tau-b is exact."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient with its 95% interval, two-sided p-value and the number of pairs it comes from."""

    kind: Kind
    value: float
    low: float
    high: float
    p: float
    n: int

    @property
    def caution(self) -> str:
        """Why there is no value, or a small number of pairs, in words; empty when it is not small."""
        if math.isnan(self.value):
            why = "fewer than two values go together" if self.n < 2 else "one side never changes"
            return f"not defined, because {why}"
        if self.n < SMALL:
            return f"n = {self.n} is very small: this is an impression, not evidence"
        return f"n = {self.n} is small: mind the width of the interval" if self.n < FEW else ""


def cautions(found: Sequence[Correlation]) -> list[str]:
    """Return each caution of the coefficients of a table once, with how many are not defined."""
    said = [one.caution for one in found if not math.isnan(one.value) and one.caution]
    without = Counter(one.caution for one in found if math.isnan(one.value))
    number = counted(len(found), "coefficient")
    undefined = (f"{n} of {number} (–) {'is' if n == 1 else 'are'} {why}" for why, n in without.items())
    return [*dict.fromkeys(said), *undefined]


def correlation(x: ArrayLike, y: ArrayLike, kind: Kind = "spearman", level: float = 0.95) -> Correlation:
    """Return how two equally long arrays go together; pairs with a NaN are left out.

    Intervals by Fisher's z: standard error 1 / sqrt(n - 3) for Pearson, sqrt((1 + r² / 2) / (n - 3)) for
    Spearman (Bonett and Wright 2000), sqrt(0.437 / (n - 4)) for Kendall's tau-b (Fieller et al. 1957). NaN
    where a side is constant.
    """
    from scipy.special import ndtri

    left, right = np.asarray(x, np.float64), np.asarray(y, np.float64)
    both = ~(np.isnan(left) | np.isnan(right))
    left, right = left[both], right[both]
    n = len(left)
    if n < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return Correlation(kind, math.nan, math.nan, math.nan, math.nan, n)
    if n == 2:
        value, p = math.copysign(1.0, (left[1] - left[0]) * (right[1] - right[0])), 1.0
    elif kind == "kendall":
        value, p = _tau_b(left, right)
    else:
        value, p = _linear(left, right) if kind == "pearson" else _linear(ranks(left), ranks(right))
    low, high = _fisher(value, n, kind, float(ndtri((1 + level) / 2)))
    return Correlation(kind, value, low, high, p, n)


def _linear(left: Floats, right: Floats) -> tuple[float, float]:
    """Return Pearson's r and the two-sided p of its t, which has n - 2 degrees of freedom."""
    from scipy.special import stdtr

    value = float(np.corrcoef(left, right)[0, 1])
    spare, freedom = 1 - value * value, len(left) - 2
    if spare < EPSILON:  # a straight line, but for rounding
        return math.copysign(1.0, value), 0.0
    return value, float(2 * stdtr(freedom, -abs(value) * math.sqrt(freedom / spare)))


def _tau_b(left: Floats, right: Floats) -> tuple[float, float]:
    """Return tau-b and its two-sided p: exact for few values without ties, else of the normal approximation.

    `scipy.stats.kendalltau` does the same (Kendall 1970, Rank correlation methods).
    """
    from scipy.special import ndtr

    n = len(left)
    score = sum(
        int((np.sign(left[at] - left[:at]) * np.sign(right[at] - right[:at])).sum()) for at in range(1, n)
    )
    ties = [np.unique(side, return_counts=True)[1].astype(np.float64) for side in (left, right)]
    pairs = n * (n - 1) / 2
    tied, triples, weighted = (
        [float((t * (t - 1) * factor(t)).sum()) for t in ties]
        for factor in (lambda _: 0.5, lambda t: t - 2, lambda t: 2 * t + 5)
    )
    value = score / math.sqrt((pairs - tied[0]) * (pairs - tied[1]))
    if not any(tied) and n <= EXACT:
        return value, _exact_p(n, round(pairs - abs(score)) // 2)
    variance = (2 * pairs * (2 * n + 5) - sum(weighted)) / 18
    variance += math.prod(tied) / pairs + math.prod(triples) / (18 * pairs * (n - 2))
    return value, float(2 * ndtr(-abs(score) / math.sqrt(variance)))


def _exact_p(n: int, inversions: int) -> float:
    """Return twice the chance that an order of n has at most so many inversions, 1 at most."""
    chance = np.zeros(inversions + 1)
    chance[0] = 1.0
    for size in range(2, n + 1):
        total = np.cumsum(chance)
        chance = (total - np.concatenate((np.zeros(size), total))[: len(total)]) / size
    return min(1.0, 2 * float(chance.sum()))


def _fisher(value: float, n: int, kind: Kind, quantile: float) -> tuple[float, float]:
    """Return the interval of a coefficient, NaN where n is too small for one."""
    variance, lost = {"pearson": (1.0, 3), "spearman": (1 + value**2 / 2, 3), "kendall": (0.437, 4)}[kind]
    if n <= lost:
        return math.nan, math.nan
    if abs(value) >= 1:
        return value, value
    half = quantile * math.sqrt(variance / (n - lost))
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def tau_ap(reference: ArrayLike, estimate: ArrayLike) -> float:
    """Return tau-AP: a rank correlation in which errors at the top count more (Yilmaz et al. 2008).

    Both arrays are scores, the highest first in rank; pairs with a NaN are left out. Each item but the
    estimate's first has a share: how many of those above it the reference has above it too; the mean of the
    shares is taken to -1..1. Items tied in the reference count half; of items tied in the estimate it is the
    mean over their orders (tau_ap,a of Urbano and Marrero 2017). NaN below two items, and where all items of
    a side are tied.
    """
    truth, shown = np.asarray(reference, np.float64), np.asarray(estimate, np.float64)
    both = ~(np.isnan(truth) | np.isnan(shown))
    truth, shown = truth[both], shown[both]
    if len(truth) < 2 or np.ptp(truth) == 0 or np.ptp(shown) == 0:
        return math.nan
    total = 0.0
    for score in np.unique(shown):
        tied, above = truth[shown == score], truth[shown > score]
        agreed = (above > tied[:, None]) + 0.5 * (above == tied[:, None])
        within = np.arange(len(tied))  # so many of the tied stand above as well, half of them rightly
        before = len(above) + within
        shares = (agreed.sum() / len(tied) + within / 2) / np.maximum(before, 1)
        total += float(shares[before > 0].sum())
    return 2 * total / (len(truth) - 1) - 1
