"""Paired tests of differences over queries: p-values, and the intervals that the tests leave.

A table is float64[c, n]: c comparisons over the same number of queries. Random flips are drawn from the seed
for n queries, the same for every comparison, so that a p-value does not depend on what else is compared.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.evaluation.options import Test
from annotator.evaluation.statistics import (
    EPSILON,
    Span,
    mean_interval,
    portions,
    ranks,
    wins_ties_losses,
)
from annotator.watch import UNWATCHED, Watch

Floats = NDArray[np.float64]

ALL_FLIPS = 16
"""Up to so many queries, all 2^n ways to flip the signs of their differences are taken, not random ones."""

MOST_DRAWS, FEWEST_DRAWS, WORK = 99_999, 999, 2_000_000_000
"""The declared maximum of random flips: fewer where that times the queries is more than the work."""

REACHED = 5_000
"""Drawing ends early when so many flips reach the observed difference (Besag and Clifford 1991)."""

EXACT_RANKS = 200
"""Up to so many queries the null distribution of the signed rank sum is counted, also with ties."""

BLOCK, DRAWS, COLUMNS = 2_000_000, 10_000, 32
"""Signs and flips that are drawn at a time at most, and comparisons that are made with them."""


class Tested(NamedTuple):
    """A two-sided p-value, and the interval that the test leaves for what it is about.

    The interval holds each shift of the differences that would not be rejected at the level: it excludes 0
    exactly where p is below it. For `wilcoxon` and `sign` it is Student's t interval of the mean instead.
    `floor` is the smallest p there can be with these queries and draws; `draws` were made, 0 where p is
    exact, and `ended` says that they ended before the maximum. `spread` is Tukey's.
    """

    p: float
    low: float
    high: float
    floor: float
    draws: int = 0
    ended: bool = False
    spread: float = math.nan


def paired_tests(
    table: ArrayLike,
    test: Test = "randomisation",
    seed: int = 1,
    level: float = 0.05,
    span: Span = (-math.inf, math.inf),
    watch: Watch = UNWATCHED,
) -> list[Tested]:
    """Test each row of differences under one of the tests but "tukey" (see `tukey_hsd`).

    `t`: paired t; without a p where all differences are the same. `wilcoxon`: signed ranks, zeros dropped,
    exact up to `EXACT_RANKS`. `sign`: binomial, zeros dropped. `randomisation`: signs flipped, all ways up to
    `ALL_FLIPS`; the statistic is the mean. No difference at all gives 1, fewer than two queries NaN.
    `span` is what a mean can be at all. Raises Stopped.
    """
    rows = np.atleast_2d(np.asarray(table, np.float64))
    if rows.shape[1] < 2:
        return [Tested(math.nan, math.nan, math.nan, math.nan) for _ in rows]
    if test == "randomisation":
        found = _randomised(rows, seed, level, watch)
    else:
        p_of = {"t": _t_p, "wilcoxon": _wilcoxon_p, "sign": _sign_p}[test]
        found = [_with_t_interval(row, p_of(row), level, exact=test != "t") for row in rows]
    return [one._replace(low=max(one.low, span[0]), high=min(one.high, span[1])) for one in found]


def paired_p(differences: ArrayLike, test: Test = "randomisation", seed: int = 1) -> float:
    """Return the two-sided p-value of the differences of one comparison."""
    return paired_tests(differences, test, seed)[0].p


def _with_t_interval(sample: Floats, p: float, level: float, exact: bool) -> Tested:
    mean = mean_interval(sample, 1 - level)
    low, high = (mean.low, mean.high) if p == p else (math.nan, math.nan)
    return Tested(p, low, high, _fewest(sample) if exact else 0.0)


def _fewest(sample: Floats) -> float:
    """Return the smallest two-sided p of a test of signs: all differences on one side."""
    return min(1.0, 2.0 ** (1 - int((np.abs(sample) > EPSILON).sum())))


def _t_p(sample: Floats) -> float:
    from scipy.special import stdtr

    deviation = float(sample.std(ddof=1))
    if deviation <= EPSILON:
        return 1.0 if abs(float(sample.mean())) <= EPSILON else math.nan
    statistic = abs(float(sample.mean())) / (deviation / math.sqrt(len(sample)))
    return float(2 * stdtr(len(sample) - 1, -statistic))


def _sign_p(sample: Floats) -> float:
    from scipy.special import bdtr

    wins, _, losses = wins_ties_losses(sample)
    return min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))


def rank_share(differences: ArrayLike) -> float:
    """Return the share of the rank sum that the positive differences hold; NaN without any difference."""
    differing = np.asarray(differences, np.float64)
    differing = np.round(differing[np.abs(differing) > EPSILON], 12)
    place = ranks(np.abs(differing))
    return float(place[differing > 0].sum() / place.sum()) if len(place) else math.nan


def _wilcoxon_p(sample: Floats) -> float:
    """Return p of the signed ranks: counted over all flips, of the normal approximation for many queries."""
    from scipy.special import ndtr

    differing = np.round(sample[np.abs(sample) > EPSILON], 12)
    doubled = np.rint(2 * ranks(np.abs(differing))).astype(np.int64)
    most = int(doubled.sum())
    apart = abs(2 * int(doubled[differing > 0].sum()) - most)
    if len(doubled) > EXACT_RANKS:
        return float(2 * ndtr(-apart / math.sqrt(float((doubled**2).sum()))))
    chance = np.zeros(most + 1)
    chance[0] = 1.0
    for rank in doubled.tolist():
        chance[rank:] = (chance[rank:] + chance[: most + 1 - rank]) / 2
        chance[:rank] /= 2
    reached = np.abs(2 * np.arange(most + 1) - most) >= apart
    return min(1.0, float(chance[reached].sum()))


def most_draws(queries: int) -> int:
    """Return the declared maximum of random flips for so many queries."""
    return max(FEWEST_DRAWS, min(MOST_DRAWS, WORK // max(queries, 1)))


def _flips(n: int, seed: int) -> Iterator[Floats]:
    """Yield which signs to flip, float64[draws, n] of 0 and 1: every way but its opposite, or drawn."""
    if n <= ALL_FLIPS:
        yield (np.arange(1 << (n - 1))[:, None] >> np.arange(n) & 1).astype(np.float64)
        return
    random = np.random.default_rng(seed)
    left = most_draws(n)
    while left:
        size = min(left, DRAWS, max(1, BLOCK // n))
        bits = np.frombuffer(random.bytes(size * n // 8 + 1), np.uint8)
        yield np.unpackbits(bits, count=size * n).reshape(size, n).astype(np.float64)
        left -= size


def _randomised(rows: Floats, seed: int, level: float, watch: Watch) -> list[Tested]:
    found: list[Tested] = []
    for start in range(0, len(rows), COLUMNS):
        found += _flipped(rows[start : start + COLUMNS], seed, level, watch)
    return found


def _flipped(rows: Floats, seed: int, level: float, watch: Watch) -> list[Tested]:
    """Test some rows by flips of their signs.

    A flip reaches a mean difference of delta when the mean of the flipped queries, or that of the others, is
    not above it (for a delta below the observed mean): their sum of (d - delta) is not above 0. So the means
    of parts give p at 0 and, in their order, the ends of the interval (Hartigan 1969, Typical values).
    """
    count, n = rows.shape
    drawn = n > ALL_FLIPS
    above = rows.mean(axis=1) >= 0
    reached, draws = np.zeros(count, np.int64), np.zeros(count, np.int64)
    kept = [_Ends(math.ceil(level * (most_draws(n) + 1))) for _ in range(count)]
    going = np.arange(count)
    for flips in _flips(n, seed):
        watch.look()
        low, high = _means_of_parts(flips, rows[going])
        hits = np.where(above[going], low <= EPSILON, high >= -EPSILON)
        running = reached[going] + np.cumsum(hits, axis=0)
        full = running >= REACHED if drawn else np.zeros_like(hits)
        last = np.where(full.any(axis=0), full.argmax(axis=0) + 1, len(flips))
        for column, (one, end) in enumerate(zip(going.tolist(), last.tolist(), strict=True)):
            kept[one].add(low[:end, column], high[:end, column])
            reached[one], draws[one] = running[end - 1, column], draws[one] + end
        going = going[~full.any(axis=0)]
        if not len(going):
            break
    ended = ~np.isin(np.arange(count), going)
    tested = []
    for row, ends, hit, made, early in zip(rows, kept, reached, draws, ended, strict=True):
        more = int(drawn and not early)
        low_end, high_end = ends.at(math.ceil(level * (made + more) - more - 1e-9))
        floor = max(_fewest(row), 1 / (most_draws(n) + 1) if drawn else 0.0)
        p = float((hit + more) / (made + more))
        tested.append(Tested(p, low_end, high_end, floor, int(made) if drawn else 0, bool(drawn and early)))
    return tested


def _means_of_parts(flips: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Return the lower and the higher of the means of the flipped and of the other queries, [draws, c].

    Where a part is empty nothing is flipped, or all: that reaches every difference.
    """
    sizes = flips.sum(axis=1)[:, None]
    sums = flips @ rows.T
    n = rows.shape[1]
    whole = (sizes == 0) | (sizes == n)
    one = sums / np.maximum(sizes, 1)
    other = (rows.sum(axis=1) - sums) / np.maximum(n - sizes, 1)
    low = np.where(whole, -np.inf, np.minimum(one, other))
    return low, np.where(whole, np.inf, np.maximum(one, other))


class _Ends:
    """The lowest of the lower and the highest of the higher means that came so far, so many of each."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._low = self._negated_high = np.zeros(0)

    def add(self, low: Floats, high: Floats) -> None:
        """Take further means."""
        self._low, self._negated_high = (
            self._lowest(np.concatenate(parts)) for parts in ((self._low, low), (self._negated_high, -high))
        )

    def _lowest(self, values: Floats) -> Floats:
        return np.partition(values, self._most - 1)[: self._most] if len(values) > self._most else values

    def at(self, place: int) -> tuple[float, float]:
        """Return the mean at a place from below, and the one from above; infinite where none need be."""
        if place < 1:
            return -math.inf, math.inf
        low, high = (
            round(float(np.partition(ends, place - 1)[place - 1]), 12)
            for ends in (self._low, self._negated_high)
        )
        return low, -high + 0.0


class Tukey(NamedTuple):
    """The p-values of every two systems, float64[s, s], and the range that a difference has to exceed.

    `spread` is the standard deviation of the differences between two systems, taken over all of them: the
    root of twice the residual mean square of queries by systems.
    """

    p: Floats
    edge: float
    spread: float
    floor: float
    draws: int


def tukey_hsd(scores: ArrayLike, seed: int = 1, level: float = 0.05, watch: Watch = UNWATCHED) -> Tukey:
    """Return the randomised Tukey HSD test between all systems.

    `scores` is float64[s, n]. Every draw shuffles the systems' scores within each query; p is the share of
    draws whose largest difference of means reaches the observed one (Carterette 2012). The p-values hold for
    all pairs together and need no correction; p is below the level exactly where the difference exceeds the
    edge. `watch` is asked between portions of the draws. Raises Stopped.
    """
    table = np.asarray(scores, np.float64).T
    n, systems = table.shape
    means = table.mean(axis=0)
    apart = np.abs(means[:, None] - means)
    random = np.random.default_rng(seed)
    parts = []
    for size in portions(n * systems):
        watch.look()
        shuffled = random.permuted(np.broadcast_to(table, (size, n, systems)), axis=2)
        parts.append(np.ptp(shuffled.mean(axis=1), axis=1))
    spans = np.sort(np.concatenate(parts))
    draws = len(spans)
    reached = draws - np.searchsorted(spans, apart - EPSILON)
    p: Floats = np.where(apart <= EPSILON, 1.0, np.minimum(1.0, (reached + 1) / (draws + 1)))
    place = math.ceil(level * (draws + 1) - 1 - 1e-9)
    edge = float(spans[draws - place]) if place > 0 else math.inf
    fewest = math.exp((1 - n) * math.lgamma(systems + 1))
    rest = table - table.mean(axis=1, keepdims=True) - means + table.mean()
    spread = math.sqrt(2 * float((rest**2).sum()) / ((n - 1) * (systems - 1)))
    return Tukey(p, edge, spread, max(1 / (draws + 1), fewest), draws)
