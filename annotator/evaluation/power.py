"""How many queries it takes to see a difference with a paired t test, and what those there are can show.

`deviation` is the standard deviation of the per-query differences, from a comparison at hand. Power is the
chance that a true difference is found at the level (two-sided); it follows the noncentral t distribution.
"""

import math

MOST = 1_000_000
"""More queries than this are not looked for."""


def power(queries: int, difference: float, deviation: float, level: float = 0.05) -> float:
    """Return the chance to find a true mean difference with so many queries; 0 below two queries."""
    from scipy.special import nctdtr, stdtrit

    if queries < 2 or difference == 0:
        return 0.0 if queries < 2 else level
    if deviation == 0:
        return 1.0
    freedom = queries - 1
    edge = float(stdtrit(freedom, 1 - level / 2))
    shift = math.sqrt(queries) * abs(difference) / deviation
    # The far tail is below 1e-12 for a shift of 10, where scipy's series for it gives NaN.
    far = 0.0 if shift > 10 else float(nctdtr(freedom, shift, -edge))
    return min(1.0, 1.0 - float(nctdtr(freedom, shift, edge)) + far)


def queries_needed(difference: float, deviation: float, goal: float = 0.8, level: float = 0.05) -> int | None:
    """Return the fewest queries with which a difference is found with the wanted power; None above `MOST`."""
    if difference == 0 or power(MOST, difference, deviation, level) < goal:
        return None
    low, high = 1, 2
    while power(high, difference, deviation, level) < goal:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle, difference, deviation, level) >= goal else (middle, high)
    return high


def smallest_difference(queries: int, deviation: float, goal: float = 0.8, level: float = 0.05) -> float:
    """Return the smallest true difference that so many queries find with the wanted power; NaN below two."""
    if queries < 2:
        return math.nan
    low, high = 0.0, deviation
    while power(queries, high, deviation, level) < goal:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if power(queries, middle, deviation, level) >= goal else (middle, high)
    return high
