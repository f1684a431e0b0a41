"""How far annotators agree: percent, kappas, alpha, AC2, each with a bootstrap interval.

Grades stand in a table of items by annotators with -1 where there is none. Only items with two grades or more
tell about agreement. Coefficients depend on how often each pattern of grades occurs, not on the items one by
one, so a bootstrap draw of a million items is a draw of a few hundred numbers. A coefficient that is not
defined (everybody always gave the same grade) is NaN.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.grades import HIGHEST

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Weights = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]

ENOUGH = 30
"""With fewer items than this a coefficient is not shown as a finding."""

DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of agreement with its 95% bootstrap interval over the `n` items that it comes from."""

    name: str
    value: float
    low: float
    high: float
    n: int

    @property
    def enough(self) -> bool:
        """Whether there are enough items for a finding."""
        return self.n >= ENOUGH

    @property
    def said(self) -> str:
        """The coefficient in words: its value and interval, or why there is none."""
        if not self.enough:
            return f"{self.name}: not enough data ({self.n} items judged by two or more; {ENOUGH} are needed)"
        if math.isnan(self.value):
            return f"{self.name}: not defined, because every grade is the same"
        return (
            f"{self.name} {self.value:.3f} (95% interval {self.low:.3f} to {self.high:.3f}, {self.n} items)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class PairAgreement:
    """Two annotators: `confusion[i, j]` counts items with grade i by the first and j by the second."""

    confusion: Ints
    coefficients: tuple[Coefficient, ...]

    @property
    def n(self) -> int:
        """How many items both graded."""
        return int(self.confusion.sum())

    @property
    def same(self) -> int:
        """How many items got the same grade from both."""
        return int(self.confusion.trace())

    @property
    def by_grade(self) -> Floats:
        """How often the second gives the same grade, for each grade of the first; NaN where there is none."""
        total = self.confusion.sum(axis=1)
        share = np.full(len(total), np.nan)
        np.divide(self.confusion.diagonal(), total, out=share, where=total > 0)
        return share


class Patterns(NamedTuple):
    """Distinct ways in which items were graded.

    `counts[p, k]` says how many gave grade k in pattern p (int64), `times[p]` how many items show it.
    """

    counts: Ints
    times: Ints

    @classmethod
    def of(cls, table: ArrayLike, levels: int = HIGHEST + 1) -> "Patterns":
        """Count the patterns of a table int[items, annotators], without items of fewer than two."""
        grades = np.asarray(table, np.int64)
        counts = np.stack([(grades == level).sum(axis=1) for level in range(levels)], axis=1)
        counts = counts[counts.sum(axis=1) >= 2]
        distinct, times = np.unique(counts, axis=0, return_counts=True)
        return cls(distinct, times)


def between(first: ArrayLike, second: ArrayLike, levels: int = HIGHEST + 1, seed: int = 1) -> PairAgreement:
    """Return the agreement of two annotators, or of one annotator's first and second time.

    `first` and `second` are int[n], grades of the same items, -1 where there is none.
    """
    table = np.stack([np.asarray(first, np.int64), np.asarray(second, np.int64)], axis=1)
    both = table[(table >= 0).all(axis=1)]
    cells = np.bincount(both[:, 0] * levels + both[:, 1], minlength=levels * levels)
    kappas: tuple[tuple[str, Weights], ...] = (
        ("Cohen's kappa", "none"),
        ("Cohen's kappa, linear", "linear"),
        ("Cohen's kappa, quadratic", "quadratic"),
    )
    coefficients = [_bootstrapped(name, cells, _kappa(weights, levels), seed) for name, weights in kappas]
    overall = among(both, levels, seed)
    rho = _bootstrapped("Spearman's rho", cells, lambda drawn: _rho(drawn, levels), seed)
    return PairAgreement(cells.reshape(levels, levels), (overall[0], *coefficients, *overall[1:], rho))


def among(table: ArrayLike, levels: int = HIGHEST + 1, seed: int = 1) -> tuple[Coefficient, ...]:
    """Return the agreement of several annotators; `table` is int[items, annotators], -1 where no grade is."""
    patterns = Patterns.of(table, levels)
    formulas: tuple[tuple[str, Callable[[Floats], Floats]], ...] = (
        ("Same grade", lambda times: _observed(patterns.counts, times, _weights("none", levels))),
        ("Fleiss' kappa", lambda times: _fleiss(patterns.counts, times)),
        ("Krippendorff's alpha, nominal", lambda times: _alpha(patterns.counts, times, "nominal")),
        ("Krippendorff's alpha, ordinal", lambda times: _alpha(patterns.counts, times, "ordinal")),
        ("Krippendorff's alpha, interval", lambda times: _alpha(patterns.counts, times, "interval")),
        ("Gwet's AC2, quadratic", lambda times: _gwet(patterns.counts, times, "quadratic")),
    )
    return tuple(_bootstrapped(name, patterns.times, formula, seed) for name, formula in formulas)


def _bootstrapped(name: str, times: Ints, formula: Callable[[Floats], Floats], seed: int) -> Coefficient:
    """Return a coefficient with its percentile interval over resampled items."""
    n = int(times.sum())
    if n == 0:
        return Coefficient(name, math.nan, math.nan, math.nan, 0)
    value = float(formula(times[None].astype(np.float64))[0])
    drawn = formula(np.random.default_rng(seed).multinomial(n, times / n, DRAWS).astype(np.float64))
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.quantile(drawn, (0.025, 0.975)).tolist() if len(drawn) else (math.nan, math.nan)
    return Coefficient(name, value, low, high, n)


def _weights(kind: Weights, levels: int) -> Floats:
    """Return how much of an agreement each pair of grades is, float64[k, k]: 1 for the same grade."""
    distance = np.abs(np.arange(levels)[:, None] - np.arange(levels)) / max(levels - 1, 1)
    away = {"none": distance > 0, "linear": distance, "quadratic": distance**2}
    weights: Floats = 1 - away[kind].astype(np.float64)
    return weights


def _over_chance(observed: Floats, expected: Floats) -> Floats:
    """Return (observed - expected) / (1 - expected), NaN where chance alone explains everything."""
    room = 1 - expected
    value = np.full(len(room), np.nan)
    np.divide(observed - expected, room, out=value, where=room > 1e-12)
    return value


def _kappa(kind: Weights, levels: int) -> Callable[[Floats], Floats]:
    """Return Cohen's weighted kappa (1968) as a function of the cells of the confusion, float64[d, k * k]."""
    weights = _weights(kind, levels)

    def formula(cells: Floats) -> Floats:
        share = cells.reshape(-1, levels, levels) / cells.sum(axis=1)[:, None, None]
        rows, columns = share.sum(axis=2), share.sum(axis=1)
        chance = np.einsum("di,dj,ij->d", rows, columns, weights)
        return _over_chance(np.einsum("dij,ij->d", share, weights), chance)

    return formula


def _rho(cells: Floats, levels: int) -> Floats:
    """Return Spearman's rho of the cells of the confusion, float64[d, k * k]; NaN for a constant side."""
    share = cells.reshape(-1, levels, levels) / cells.sum(axis=1)[:, None, None]
    rows, columns = share.sum(axis=2), share.sum(axis=1)
    x, y = (np.cumsum(side, axis=1) - side / 2 - 0.5 for side in (rows, columns))
    spread = np.sqrt((rows * x**2).sum(axis=1) * (columns * y**2).sum(axis=1))
    rho = np.full(len(cells), np.nan)
    np.divide(np.einsum("dij,di,dj->d", share, x, y), spread, out=rho, where=spread > 1e-12)
    return rho


def _observed(counts: Ints, times: Floats, weights: Floats) -> Floats:
    """Return the mean agreement of two grades of one item, float64[d]; every item counts the same."""
    size = counts.sum(axis=1)
    agreeing = (counts * (counts @ weights - weights.diagonal())).sum(axis=1) / (size * (size - 1))
    share: Floats = times @ agreeing / times.sum(axis=1)
    return share


def _fleiss(counts: Ints, times: Floats) -> Floats:
    """Return Fleiss' kappa (1971): chance from the share of each grade among all grades.

    Items may have different numbers of grades.
    """
    given = times @ counts
    share = given / given.sum(axis=1, keepdims=True)
    return _over_chance(_observed(counts, times, np.eye(counts.shape[1])), (share**2).sum(axis=1))


def _alpha(counts: Ints, times: Floats, level: Level) -> Floats:
    """Return Krippendorff's alpha (2004), 1 - observed / expected disagreement of paired values."""
    levels = counts.shape[1]
    size = counts.sum(axis=1)
    together = counts[:, :, None] * counts[:, None, :] - np.eye(levels, dtype=np.int64) * counts[:, :, None]
    coincidence = np.einsum("dp,pij->dij", times, together / (size - 1)[:, None, None])
    given = coincidence.sum(axis=2)
    total = given.sum(axis=1)
    distance = _distance(given, level)
    observed = (coincidence * distance).sum(axis=(1, 2))
    expected = (given[:, :, None] * given[:, None, :] * distance).sum(axis=(1, 2))
    ratio = np.full(len(total), np.nan)
    np.divide((total - 1) * observed, expected, out=ratio, where=expected > 0)
    return 1 - ratio


def _distance(given: Floats, level: Level) -> Floats:
    """Return the squared distance of every two grades, float64[d, k, k]; ordinal ones depend on `given`."""
    levels = np.arange(given.shape[1])
    if level == "ordinal":
        middle = np.cumsum(given, axis=1) - given / 2
        ordinal: Floats = (middle[:, :, None] - middle[:, None, :]) ** 2
        return ordinal
    apart = levels[:, None] - levels
    plain = (apart != 0) if level == "nominal" else apart**2
    return np.broadcast_to(plain.astype(np.float64), (len(given), *plain.shape))


def _gwet(counts: Ints, times: Floats, kind: Weights) -> Floats:
    """Return Gwet's AC2 (2014, AC1 without weights): chance from how evenly the grades are spread."""
    levels = counts.shape[1]
    weights = _weights(kind, levels)
    share = times @ (counts / counts.sum(axis=1, keepdims=True)) / times.sum(axis=1, keepdims=True)
    chance = weights.sum() / (levels * (levels - 1)) * (share * (1 - share)).sum(axis=1)
    return _over_chance(_observed(counts, times, weights), chance)


def drift(position: ArrayLike, value: ArrayLike, bins: int = 10) -> list[tuple[float, float, int]]:
    """Return (mean position, mean value, how many) of equally full bins along the positions.

    For grades along time, or along the place in the session: a line that falls or rises is drift. `value` may
    also be the difference from another annotator.
    """
    at, values = np.asarray(position, np.float64), np.asarray(value, np.float64)
    order = np.argsort(at, kind="stable")
    parts = np.array_split(order, min(bins, len(order))) if len(order) else []
    return [(float(at[part].mean()), float(values[part].mean()), len(part)) for part in parts]
