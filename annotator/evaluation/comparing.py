"""Is B really better than A: the paired comparison of systems, and the one sentence that says it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotator.errors import Stopped, UserError
from annotator.evaluation import statistics
from annotator.evaluation.evaluating import OnProgress, ShouldStop
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import Correction, Test
from annotator.text.counts import counted

Floats = NDArray[np.float64]

LEVEL = 0.05

TEST_NAMES: dict[Test, str] = {
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed rank test",
    "randomisation": "randomisation test",
    "sign": "sign test",
    "tukey": "randomised Tukey HSD test",
}
CORRECTION_NAMES: dict[Correction, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "none": "no correction",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems under one measure over the queries that both are scored on.

    `difference` is the mean of second - first, with its 95% t interval; `deviation` is the standard deviation
    of the differences and `effect` d_z. `p` is corrected for `comparisons` (the number made together),
    `p_alone` is not. `wins` counts queries where the second is better.
    """

    measure: str
    first: str
    second: str
    n: int
    first_mean: float
    second_mean: float
    difference: float
    low: float
    high: float
    deviation: float
    p: float
    p_alone: float
    effect: float
    wins: int
    ties: int
    losses: int
    test: Test
    correction: Correction
    comparisons: int

    @property
    def significant(self) -> bool:
        """Whether p is below 0.05."""
        return self.p < LEVEL

    @property
    def sentence(self) -> str:
        """The result in one plain sentence, with the number of queries when it is small."""
        small = 1 < self.n < statistics.FEW
        few = f" Only {counted(self.n, 'query', 'queries')}: mind the width of the interval." if small else ""
        if self.n == 0:
            return f"{self.second} and {self.first} share no query that {self.measure} scores."
        if self.wins == self.losses == 0:
            return f"{self.second} and {self.first} have the same {self.measure} on every query.{few}"
        better, other = (self.second, self.first) if self.difference >= 0 else (self.first, self.second)
        size = f"{abs(self.difference):.3f} {self.measure}"
        if self.n == 1:
            return f"{better} is better than {other} by {size} on one query: no test can say more."
        low, high = (self.low, self.high) if self.difference >= 0 else (-self.high, -self.low)
        interval = f"95% interval {low:.3f} to {high:.3f}; {_p_in_words(self.p)}{self._after}"
        if self.significant:
            return f"{better} is better than {other} by {size}; {interval}.{few}"
        return f"{better} is ahead of {other} by {size}, which chance may explain; {interval}.{few}"

    def _repr_html_(self) -> str:
        """Return the sentence, as notebooks show it."""
        return f"<p>{escape(self.sentence)}</p>"

    @property
    def _after(self) -> str:
        if self.test == "tukey":
            many = "1 comparison" if self.comparisons == 1 else f"{self.comparisons} comparisons"
            return f" ({TEST_NAMES['tukey']}, {many})"
        if self.comparisons > 1 and self.correction != "none":
            return f" after {CORRECTION_NAMES[self.correction]} over {self.comparisons} comparisons"
        return f" ({TEST_NAMES[self.test]})"


def _p_in_words(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def paired(
    result: EvaluationResult, measure: str, first: str, second: str
) -> tuple[NDArray[np.int64], Floats]:
    """Return the queries that count for both systems, and second - first on each of them.

    Raises UserError for a system or measure that the result does not hold.
    """
    a, b = (_values(result, measure, system) for system in (first, second))
    queries = np.flatnonzero(~np.isnan(a) & ~np.isnan(b))
    return queries, b[queries] - a[queries]


def _values(result: EvaluationResult, measure: str, system: str) -> Floats:
    """Return a system's values, NaN where a query does not count."""
    if system not in result.systems:
        raise UserError(f"There is no system {system} here; there are {', '.join(result.systems)}.")
    if measure not in (names := [one.name for one in result.measures]):
        raise UserError(f"{measure} was not evaluated; there are {', '.join(names)}.")
    row = result.systems.index(system)
    return np.where(result.counted[row], result.of(system, measure), np.nan)


def compare(
    result: EvaluationResult, measure: str, first: str, second: str, test: Test = "randomisation"
) -> Comparison:
    """Compare two systems under one measure, alone; the seed is that of the result's options."""
    return compare_all(result, (measure,), (first, second), test, "none")[0]


def compare_all(
    result: EvaluationResult,
    measures: Sequence[str] = (),
    systems: Sequence[str] = (),
    test: Test = "randomisation",
    correction: Correction = "holm",
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> list[Comparison]:
    """Compare every pair of systems under every measure; empty means all there are.

    p-values are corrected over all comparisons made, except those of Tukey's test, which hold for all pairs
    of a measure together; that test uses the queries that all systems share. `should_stop` is asked before
    each comparison. Raises UserError for a test, correction, system or measure that is not known, Stopped.
    """
    if test not in statistics.TESTS:
        raise UserError(f"There is no test {test!r}; there are {', '.join(statistics.TESTS)}.")
    if correction not in statistics.CORRECTIONS:
        raise UserError(
            f"There is no correction {correction!r}; there are {', '.join(statistics.CORRECTIONS)}."
        )
    names = tuple(measures) or tuple(one.name for one in result.measures)
    chosen = tuple(systems) or result.systems
    if len(chosen) < 2:
        raise UserError(f"There is nothing to compare {chosen[0]} with; name two systems or more.")
    pairs = list(combinations(chosen, 2))
    found: list[Comparison] = []
    for measure in names:
        tukey = _tukey(result, measure, chosen, should_stop) if test == "tukey" else None
        for first, second in pairs:
            if should_stop is not None and should_stop():
                raise Stopped("The comparison was cancelled.")
            if on_progress is not None:
                on_progress(len(found), len(names) * len(pairs), "Comparing")
            found.append(_compared(result, measure, first, second, test, tukey))
    if test == "tukey":
        return [replace(one, correction="none", comparisons=len(pairs)) for one in found]
    p_values = statistics.corrected([one.p_alone for one in found], correction).tolist()
    return [
        replace(one, p=p, correction=correction, comparisons=len(found))
        for one, p in zip(found, p_values, strict=True)
    ]


def _tukey(
    result: EvaluationResult, measure: str, systems: Sequence[str], should_stop: ShouldStop | None
) -> dict[tuple[str, str], float]:
    """Return the p-value of every two systems under Tukey's test."""
    table = np.array([_values(result, measure, system) for system in systems])
    table = table[:, ~np.isnan(table).any(axis=0)]
    p = np.full((len(table), len(table)), np.nan)
    if table.shape[1] > 1:
        p = statistics.tukey_hsd(table, result.options.seed, should_stop)
    return {
        (systems[one], systems[other]): float(p[one, other])
        for one, other in combinations(range(len(systems)), 2)
    }


def _compared(
    result: EvaluationResult,
    measure: str,
    first: str,
    second: str,
    test: Test,
    tukey: Mapping[tuple[str, str], float] | None,
) -> Comparison:
    """Compare two systems; the p-value is not corrected, that of Tukey's test is among `tukey`."""
    queries, differences = paired(result, measure, first, second)
    p = (
        tukey[first, second]
        if tukey is not None
        else statistics.paired_p(differences, test, result.options.seed)
    )
    least, most = result.measures[result.position(measure)].range
    interval = statistics.mean_interval(differences, span=(least - most, most - least))
    wins, ties, losses = statistics.wins_ties_losses(differences)
    first_mean, second_mean = (
        float(result.of(system, measure)[queries].mean()) if len(queries) else math.nan
        for system in (first, second)
    )
    return Comparison(
        measure=measure,
        first=first,
        second=second,
        n=len(queries),
        first_mean=first_mean,
        second_mean=second_mean,
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        deviation=float(differences.std(ddof=1)) if len(queries) > 1 else math.nan,
        p=p,
        p_alone=p,
        effect=statistics.effect_size(differences),
        wins=wins,
        ties=ties,
        losses=losses,
        test=test,
        correction="none",
        comparisons=1,
    )
