"""How often tests reject what is true, by the number of queries: the table of the help is made here.

`python -m tests.evaluation.levels` prints it. Each row draws worlds in which its null hypothesis holds, or
another one that people take it for, and counts how often p < 0.05; an interval of a mean is counted where it
misses the true mean.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation import paired_tests
from annotator.evaluation.statistics import bootstrap_interval, corrected, mean_interval

Floats = NDArray[np.float64]
Random = np.random.Generator
Drawn = Callable[[Random, int, int], Floats]
"""How many worlds, of how many queries -> their differences, float64[worlds, queries]."""

QUERIES = (5, 10, 20, 50, 100)
WORLDS, SEED = 4_000, 18
DRAWS, REACHED, SHUFFLES = 1_999, 100, 499
"""Flips and shuffles that are drawn here: fewer than in the program, with the same rule. A Monte Carlo test
keeps its level with any number of draws; a bootstrap interval does not, and draws as many as ever."""

SYSTEMS = 5


def normal(random: Random, worlds: int, n: int) -> Floats:
    """Normal differences around 0."""
    return random.normal(0, 0.2, (worlds, n))


def exchanged(random: Random, worlds: int, n: int) -> Floats:
    """Differences of two systems that are the same: P@5 of queries of different difficulty, often 0."""
    share = random.beta(0.8, 1.6, (worlds, n))
    one, other = (random.binomial(5, share) / 5 for _ in range(2))
    return one - other


def even(random: Random, worlds: int, n: int) -> Floats:
    """As many wins as losses, the wins by a hair and the losses by far."""
    won = random.random((worlds, n)) < 0.5
    return np.where(won, 0.01, -0.3) * random.random((worlds, n))


def skewed(random: Random, worlds: int, n: int) -> Floats:
    """Differences whose mean is 0: mostly a little worse, now and then much better."""
    return random.exponential(0.2, (worlds, n)) - 0.2


def rejected(test: str, drawn: Drawn) -> Callable[[Random, int, int], int]:
    """Return how often a test rejects the differences that are drawn."""

    def count(random: Random, worlds: int, n: int) -> int:
        return sum(
            one.p < 0.05
            for one in paired_tests.paired_tests(drawn(random, worlds, n), test)  # type: ignore[arg-type]
        )

    return count


def _same_systems(random: Random, n: int) -> Floats:
    share = random.beta(0.8, 1.6, n)
    return random.binomial(5, share, (SYSTEMS, n)) / 5


def tukey(random: Random, worlds: int, n: int) -> int:
    """How often Tukey's test finds any difference among five systems that are the same."""
    found = (
        paired_tests.tukey_hsd(_same_systems(random, n), int(random.integers(2**31))).p for _ in range(worlds)
    )
    return sum(bool((p < 0.05).any()) for p in found)


def any_of_all(correction: str) -> Callable[[Random, int, int], int]:
    """Return how often a correction leaves any of the ten pairs of five systems that are the same."""
    first, second = np.triu_indices(SYSTEMS, 1)

    def count(random: Random, worlds: int, n: int) -> int:
        times = 0
        for _ in range(worlds):
            scores = _same_systems(random, n)
            tests = paired_tests.paired_tests(scores[second] - scores[first])
            p = corrected([one.p for one in tests], correction)  # type: ignore[arg-type]
            times += bool((p < 0.05).any())
        return times

    return count


def missed(interval: Callable[..., object]) -> Callable[[Random, int, int], int]:
    """Return how often the interval of a mean of skewed scores misses the true mean."""

    def count(random: Random, worlds: int, n: int) -> int:
        found = (interval(sample) for sample in skewed(random, worlds, n))
        return sum(not one.low <= 0 <= one.high for one in found)  # type: ignore[attr-defined]

    return count


OWN: dict[str, Callable[[Random, int, int], int]] = {
    "paired t test: normal differences, mean 0": rejected("t", normal),
    "randomisation test: the systems are the same": rejected("randomisation", exchanged),
    "Wilcoxon test: the systems are the same": rejected("wilcoxon", exchanged),
    "sign test: as many wins as losses": rejected("sign", even),
    "randomised Tukey HSD test: five systems are the same": tukey,
    "Holm, any of 10 pairs: five systems are the same": any_of_all("holm"),
    "Benjamini-Hochberg, any of 10 pairs: five systems are the same": any_of_all("bh"),
}
"""Tests under the null hypothesis that they are made for."""

OTHER: dict[str, Callable[[Random, int, int], int]] = {
    "paired t test: skewed differences, mean 0": rejected("t", skewed),
    "randomisation test: skewed differences, mean 0": rejected("randomisation", skewed),
    "Wilcoxon test: skewed differences, mean 0": rejected("wilcoxon", skewed),
    "sign test: skewed differences, mean 0": rejected("sign", skewed),
    "t interval of the mean of skewed scores": missed(mean_interval),
    "bootstrap interval of the mean of skewed scores": missed(bootstrap_interval),
}
"""Tests under another one, and intervals of scores as they are."""


@contextmanager
def few_draws() -> Iterator[None]:
    """Draw fewer flips and shuffles than the program does."""
    fewer = {"MOST_DRAWS": DRAWS, "REACHED": REACHED, "portions": lambda _: iter([SHUFFLES])}
    with patch.multiple(paired_tests, **fewer):
        yield


def measured(
    rows: dict[str, Callable[[Random, int, int], int]], worlds: int, seed: int
) -> dict[str, list[int]]:
    """Return in how many worlds each row rejects, by the numbers of queries."""
    with few_draws():
        return {
            name: [count(np.random.default_rng((seed, n)), worlds, n) for n in QUERIES]
            for name, count in rows.items()
        }


def table(rows: dict[str, list[int]], worlds: int) -> str:
    """Return the rows as the help shows them, in per cent."""
    head = f"| rejected, in per cent, with | {' | '.join(f'{n} queries' for n in QUERIES)} |"
    lines = [head, "|---|" + "---|" * len(QUERIES)]
    for name, counts in rows.items():
        lines.append(f"| {name} | {' | '.join(f'{100 * one / worlds:.1f}' for one in counts)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    for part in (OWN, OTHER):
        sys.stdout.write(table(measured(part, WORLDS, SEED), WORLDS) + "\n\n")
