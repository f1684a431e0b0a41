"""Strengths of systems from who was preferred to whom (Bradley and Terry 1952), and how sure they are.

`wins[i, j]` is how often i was preferred to j; where both were equally good, each of them has half a win, as
in Chatbot Arena (Chiang et al. 2024, arXiv:2403.04132). i is then preferred to j with the probability
1 / (1 + exp(s_j - s_i)), where s are the strengths: natural logarithms, whose mean is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.statistics import Estimate, portions

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

STEPS = 200
TAIL = 0.025
"""What lies beyond each end of an interval of 95%."""

NEAR = 1e-9
"""Strengths that move less than this are the ones that fit best."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """Strengths with their intervals; without any, `problem` says why no finite ones fit."""

    found: tuple[Estimate, ...] = ()
    draws: int = 0
    unbounded: int = 0
    """In so many of the draws no finite strengths fitted: they count as beyond either end."""
    problem: str = ""


def reached(wins: Floats) -> Bools:
    """Return whether each system was preferred to each other one, or to one that was, and so on.

    It takes and returns [..., systems, systems].
    """
    there = (wins > 0) | np.eye(wins.shape[-1], dtype=np.bool_)
    for _ in range(max(wins.shape[-1] - 1, 1).bit_length()):
        there = there @ there
    return there


def fitted(wins: Floats) -> Floats:
    """Return the strengths of greatest likelihood, [..., systems]; NaN where no finite ones fit.

    They are finite just when every system was preferred, over others maybe, to every other one (Ford 1957).
    Found by Newton's method; a step of d is cut to ln(1 + m) / m of it, m being how far d spreads, which
    raises the likelihood of a logistic model every time (Bach 2010, proposition 1).
    """
    flat = np.asarray(wins, np.float64).reshape(-1, *wins.shape[-2:])
    finite = reached(flat).all(axis=(1, 2))
    size = flat.shape[-1]
    strengths = np.full((len(flat), size), np.nan)
    strengths[finite] = 0.0
    moving = np.flatnonzero(finite)
    for _ in range(STEPS):
        if not len(moving):
            break
        won, now = flat[moving], strengths[moving]
        met = won + won.swapaxes(1, 2)
        likely = 1 / (1 + np.exp(now[:, None, :] - now[:, :, None]))
        slope = (won - met * likely).sum(axis=2)
        weight = met * likely * likely.swapaxes(1, 2)
        curve = -weight
        curve[:, range(size), range(size)] = weight.sum(axis=2) - weight[:, range(size), range(size)]
        step = np.linalg.solve(curve + weight.max(axis=(1, 2))[:, None, None], slope[..., None])[..., 0]
        spread = step.max(axis=1) - step.min(axis=1)
        cut = np.divide(np.log1p(spread), spread, out=np.ones_like(spread), where=spread > 0)
        now = now + cut[:, None] * step
        strengths[moving] = now - now.mean(axis=1, keepdims=True)
        moving = moving[spread > NEAR]
    return strengths.reshape(wins.shape[:-1])


def strengths(names: Sequence[str], wins: Floats, seed: int = 1) -> Strengths:
    """Return strengths with 95% percentile bootstrap intervals over the queries.

    `wins` is float64[queries, systems, systems]. A draw that no finite strengths fit counts as below the
    lower and as above the upper end, so an end may have no bound: it is infinite then. One query alone has no
    interval (NaN).
    """
    total = wins.sum(axis=0)
    if problem := why_none(names, total):
        return Strengths(problem=problem)
    best = fitted(total)
    queries, size = len(wins), len(names)
    if queries < 2:
        return Strengths(tuple(Estimate(one, np.nan, np.nan, queries) for one in best.tolist()))
    random = np.random.default_rng(seed)
    flat, chances = wins.reshape(queries, -1), np.full(queries, 1 / queries)
    drawn = np.concatenate(
        [
            fitted((random.multinomial(queries, chances, many) @ flat).reshape(-1, size, size))
            for many in portions(max(size * size, queries))
        ]
    )
    none = np.isnan(drawn[:, 0])
    lows = np.quantile(np.where(np.isnan(drawn), -np.inf, drawn), TAIL, axis=0, method="lower")
    highs = np.quantile(np.where(np.isnan(drawn), np.inf, drawn), 1 - TAIL, axis=0, method="higher")
    ends = zip(best.tolist(), lows.tolist(), highs.tolist(), strict=True)
    return Strengths(tuple(Estimate(*one, queries) for one in ends), len(none), int(none.sum()))


def why_none(names: Sequence[str], wins: Floats) -> str:
    """Return a sentence why no finite strengths fit, "" where some do."""
    over = reached(wins)
    if over.all():
        return ""
    met = reached(wins + wins.T)
    if not met.all():
        here = _named(names, met[0])
        return (
            f"There are no strengths: nothing that is judged links {here} with {_named(names, ~met[0])}, so "
            "how strong they are beside each other is not known."
        )
    first = next(at for at in range(len(names)) if (over[:, at] <= over[at]).all())
    top, rest = over[:, first], ~over[:, first]
    return (
        f"There are no strengths: each time {_one_of(names, top)} stood beside {_one_of(names, rest)}, the "
        "former was preferred, so no finite strength fits."
    )


def _one_of(names: Sequence[str], which: Bools) -> str:
    return f"{'one of ' if which.sum() > 1 else ''}{_named(names, which)}"


def _named(names: Sequence[str], which: Bools) -> str:
    return ", ".join(name for name, one in zip(names, which.tolist(), strict=True) if one)
