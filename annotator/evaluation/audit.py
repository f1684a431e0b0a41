"""Comparing with a limited risk: which pairs to judge, drawn by chance, and what the grades so far prove.

The pairs (query, candidate) of a pool are a finite population whose gains are fixed, though mostly unknown.
What is asked for is linear in them: `theta = sum_i weight_i gain_i`, such as the difference of two systems'
mean DCG. Pairs are drawn one after the other without replacement, each with a chance proportional to
`chance_i` among those that are left. With `S` the part of theta that is known before a draw, `P` the sum of
the chances left and `u = weight / chance`, the drawn `u gain` is expected to be `(theta - S) / P` whatever
was drawn before (the ordered estimator of Des Raj 1956), and `u (gain - slope predicted)` that less the
same of the predictions, as long as `slope` comes from earlier draws alone. So predictions, such as a
model's grades, can narrow the interval and cannot bias it.

Betting against a value theta is then fair when it is the true one: a gambler who stakes the share f of what
cannot ruin him multiplies his money by `1 + f (value - expected) / (expected - lowest)`. The mean over
several shares is a non-negative martingale, which ever reaches `2 / risk` with a chance of at most `risk /
2` (Ville 1939). The interval holds the values against which nobody has become so rich, on either side: with
a chance of at least `1 - risk` it covers the true one at all looks together, for any population and any
number of draws (Waudby-Smith and Ramdas 2024; Shekhar, Xu, Lipton, Liang and Ramdas 2023 for weighted draws
without replacement).
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError
from annotator.grades import GRADES
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import Measure

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLOCK = 50
"""So many draws are handed out together; nobody looks between them."""

SHARES = np.array((0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.65, 0.9))
"""What the gamblers stake of what cannot ruin them."""

STEPS = 50
"""Halvings of the span in which an end of the interval is looked for."""

TINY = 1e-6
"""A share of the whole below which a difference may be rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The pairs whose gains are not known, float64[n] each.

    `weight` is what a pair adds to theta for each unit of gain, `chance` what its chance to be drawn next
    is proportional to, above 0 where there is a weight. Gains go from 0 to 1; `predicted` is what a model
    expects of each, 0 without one. `known` is what the pairs add whose gains are known.
    """

    weight: Floats
    chance: Floats
    predicted: Floats
    known: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """What the draws say of theta, one row per draw in their order, float64[t].

    Before a draw `known` of theta was known, `foretold` is slope times what the predictions of the pairs
    left add, and `left` the sum of their chances. `value` is what was drawn less slope times what was
    predicted of it; it could have been anything from `lowest` to `most`. `certain` bounds theta whatever
    the pairs gain that are left.
    """

    known: Floats
    foretold: Floats
    left: Floats
    value: Floats
    lowest: Floats
    most: Floats
    certain: tuple[float, float]

    @property
    def each(self) -> Floats:
        """What each draw alone says theta is, float64[t]: right on average, whatever was drawn before."""
        return self.known + self.foretold + self.left * self.value

    @property
    def estimate(self) -> float:
        """What all draws say theta is: each weighs by the inverse square of the chances left before it.

        NaN where nothing was drawn and theta is not certain.
        """
        low, high = self.certain
        if high - low <= 0:
            return (low + high) / 2
        if not len(self.value):
            return math.nan
        return float(np.clip(np.average(self.each, weights=self.left**-2), low, high))


def drawing_keys(chance: Floats, pairs: Sequence[tuple[str, str]], seed: int, name: str) -> Floats:
    """Return the keys in whose order the pairs are drawn, float64[n]; `pairs` are their external ids.

    The smallest `-log(u) / chance` comes first, which draws one after the other with these chances
    (Efraimidis and Spirakis 2006). `u` is made of the SHA-256 of seed, name of the plan, query and candidate,
    joined by NUL: its first 48 bits as a fraction of 2^48. Anybody can make it again, from any copy of the
    project. Without the name a second plan with the same seed would draw from what the first one left over
    by the same `u`, so not with its own chances.
    """
    uniform = np.array([_fraction(f"{seed}\0{name}\0{query}\0{candidate}") for query, candidate in pairs])
    keys: Floats = -np.log(uniform) / chance
    return keys


def _fraction(text: str) -> float:
    """Return a number above 0 and below 1 that a text stands for."""
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:6]) + 0.5) / 2.0**48


def drawn(population: Population, order: Ints, gain: Floats, block: int = BLOCK) -> Draws:
    """Return what the rows `order` and their gains, both in the order of drawing, say of theta.

    The slope of the predictions is fitted for each block on the blocks before it.
    """
    count = len(order)
    rest = np.ones(len(population.weight), dtype=bool)
    rest[order] = False
    rows = np.concatenate((order, np.flatnonzero(rest)))
    weight, chance = population.weight[rows], population.chance[rows]
    unit, predicted = weight / chance, population.predicted[rows]
    gained, expected = unit[:count] * gain, unit * predicted
    known = population.known + np.concatenate(([0.0], np.cumsum(weight[:count] * gain)))
    foretold = _onwards(weight * predicted)[:count]
    slope, lowest, most = np.zeros((3, count))
    for start in range(0, count, block):
        here = slice(start, min(start + block, count))
        slope[here] = fitted = _slope(expected[:start], gained[:start])
        ends = np.stack((-fitted * expected, unit - fitted * expected))
        lowest[here] = np.minimum.accumulate(ends.min(axis=0)[::-1])[::-1][here]
        most[here] = np.maximum.accumulate(ends.max(axis=0)[::-1])[::-1][here]
    value = gained - slope * expected[:count]
    open_ones = weight[count:]
    certain = (
        float(known[-1] + np.minimum(open_ones, 0).sum()),
        float(known[-1] + np.maximum(open_ones, 0).sum()),
    )
    return Draws(known[:-1], slope * foretold, _onwards(chance)[:count], value, lowest, most, certain)


def _onwards(values: Floats) -> Floats:
    """Return the sum of each value and all behind it, float64[n]."""
    summed: Floats = np.cumsum(values[::-1])[::-1]
    return summed


def _slope(predicted: Floats, gained: Floats) -> float:
    """Return how far gains follow predictions: 0 (not at all, or nothing to see it by) to 1."""
    spread = predicted - predicted.mean() if len(predicted) else predicted
    square = float(spread @ spread)
    return float(np.clip(spread @ gained / square, 0.0, 1.0)) if square > 1e-12 else 0.0


def evidence(draws: Draws, theta: float, *, above: bool) -> Floats:
    """Return the logarithm of what the gamblers have after each draw, float64[t], who began with 1.

    They bet that the true value is above `theta`, or below it; `theta` lies within the certain bounds. They
    stop when next to nothing is left, where rounding weighs more than what is known.
    """
    expected = (theta - draws.known - draws.foretold) / draws.left
    lowest, value = (draws.lowest, draws.value) if above else (-draws.most, -draws.value)
    expected = expected if above else -expected
    span = draws.most - draws.lowest
    stake = np.maximum(expected - lowest, TINY * span)
    worth_it = (draws.left > TINY * draws.left[:1]) & (stake > TINY**2 * span[:1])
    gain = np.divide(value - expected, stake, where=worth_it, out=np.zeros(len(value)))
    money = np.cumsum(np.log1p(SHARES[:, None] * np.maximum(gain, -1.0)), axis=1)
    summed: Floats = np.logaddexp.reduce(money, axis=0) - math.log(len(SHARES))
    return summed


def excludes(draws: Draws, theta: float, risk: float = 0.05) -> Ints:
    """Say after each draw on which side of theta the true value is by then: 1 above, -1 below, 0 open."""
    limit = math.log(2 / risk)
    above, below = (
        np.maximum.accumulate(evidence(draws, theta, above=side)) >= limit for side in (True, False)
    )
    return above.astype(np.int64) - below


def interval(draws: Draws, risk: float = 0.05) -> tuple[float, float]:
    """Return between which values theta is: true at all looks together with a chance of 1 - `risk`."""
    limit = math.log(2 / risk)
    low, high = draws.certain

    def end(out: float, inside: float, above: bool) -> float:
        if evidence(draws, out, above=above).max(initial=0.0) < limit:
            return out
        for _ in range(STEPS):
            middle = (out + inside) / 2
            far = evidence(draws, middle, above=above).max(initial=0.0) >= limit
            out, inside = (middle, inside) if far else (out, middle)
        return out

    return end(low, high, True), end(high, low, False)


def approximate_interval(draws: Draws, risk: float = 0.05) -> tuple[float, float]:
    """Return an interval that covers theta at all looks together as the number of draws grows, not for few.

    Robbins' normal mixture with the variance estimated from the draws (Waudby-Smith, Arbour, Sinha, Kennedy
    and Ramdas 2024), narrowest after as many draws as a block has. For what is only nearly linear, as nDCG.
    """
    low, high = draws.certain
    count = len(draws.value)
    if count < 2:
        return low, high
    precision = float((draws.left**-2).sum())
    centre = float((draws.each * draws.left**-2).sum()) / precision
    deviation = (draws.each - centre) / draws.left**2
    spent = float(deviation @ deviation)
    mixed = spent * min(1.0, BLOCK / count) / (-2 * math.log(risk) + math.log(1 - 2 * math.log(risk)))
    half = (
        math.sqrt((spent + mixed) * math.log((spent + mixed) / (mixed * risk**2))) / precision
        if spent
        else 0.0
    )
    return max(low, centre - half), min(high, centre + half)


def decided(low: float, high: float, margin: float = 0.0) -> int | None:
    """Say what an interval of a difference decides: 1 or -1 off 0, None within the margin, 0 nothing."""
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    return None if margin > 0 and -margin <= low and high <= margin else 0


def still_to_draw(
    population: Population,
    order: Ints,
    gain: Floats,
    block: int = BLOCK,
    risk: float = 0.05,
    margin: float = 0.0,
    tries: int = 20,
) -> int:
    """Return how many more draws it takes to decide, in whole blocks, if the rest gains like what was drawn.

    The middle of so many tries: each gives the pairs that are left the gains of drawn ones that speak for
    the same side, a gain the more often the smaller its chance to be drawn was. All that is left when
    nothing was drawn.
    """
    count, n = len(gain), len(order)
    if not count:
        return n
    random = np.random.default_rng(1)
    side = population.weight >= 0
    more = []
    for _ in range(tries):
        future = np.zeros(n)
        future[:count] = gain
        for one in (True, False):
            rest = np.flatnonzero(side[order[count:]] == one) + count
            like = np.flatnonzero(side[order[:count]] == one)
            like = like if len(like) else np.arange(count)
            rarity = 1 / population.chance[order[like]]
            future[rest] = gain[random.choice(like, len(rest), p=rarity / rarity.sum())]
        more.append(_draws_to_decide(drawn(population, order, future, block), count, block, risk, margin))
    return int(np.sort(more)[tries // 2])


def _draws_to_decide(draws: Draws, count: int, block: int, risk: float, margin: float) -> int:
    """Return after how many draws behind the first `count` something is decided, at the end of a block."""
    open_still = excludes(draws, 0.0, risk) == 0
    if margin > 0:
        open_still &= (excludes(draws, margin, risk) != -1) | (excludes(draws, -margin, risk) != 1)
    ends = np.arange(count + block, len(draws.value), block)
    done = ends[~open_still[ends - 1]]
    return int(done[0] if len(done) else len(draws.value)) - count


def linear(measure: Measure, depth: int) -> tuple[Floats, Floats]:
    """Return what each rank adds at the highest grade, float64[depth], and each grade's share of that.

    Raises MeasureError for a measure that is no sum over ranks of a gain times a weight, found by trying it.
    """
    ones = [[*[None] * (rank - 1), grade] for rank in range(1, depth + 1) for grade in GRADES]
    each = _values(measure, ones).reshape(depth, len(GRADES))
    discount, top = each[:, -1], float(each[0, -1])
    gain = each[0] / top if top > 0 else np.zeros(len(GRADES))
    random = np.random.default_rng(1)
    trials = [
        [None if one < 0 else one for one in random.integers(-1, len(GRADES), size).tolist()]
        for size in random.integers(1, depth + 1, 50)
    ]
    sums = [
        sum(float(discount[at] * gain[one]) for at, one in enumerate(some) if one is not None)
        for some in trials
    ]
    missed = [random.choice(GRADES, 2).tolist() for _ in trials]
    if top <= 0 or gain[0] or not np.allclose(_values(measure, trials, missed), sums):
        raise MeasureError(
            f"{measure.name} is no sum of gains by rank, so nothing is claimed of it; take P, CG, DCG or RBP."
        )
    return discount, gain


def _values(
    measure: Measure, rankings: Sequence[Sequence[int | None]], missed: Sequence[Sequence[int]] | None = None
) -> Floats:
    return np.asarray(measure.per_query(Ranked.of_rankings(rankings, missed)), np.float64)
