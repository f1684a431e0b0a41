"""Is B really better than A: the paired comparison of systems, and the one sentence that says it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation import statistics
from annotator.evaluation.family import Family
from annotator.evaluation.options import ComparisonChoice, Correction, Test
from annotator.evaluation.results import EvaluationResult
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

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
    of the differences and `effect` d_z. `p` is corrected over the `comparisons` of its family that have one,
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
    comparisons: int
    family: Family

    @property
    def test(self) -> Test:
        """The test that gave p."""
        return self.family.test

    @property
    def correction(self) -> Correction:
        """What p is corrected by; Tukey's test needs nothing more."""
        return self.family.correction

    @property
    def baseline(self) -> str:
        """The system that every other one is compared with, nothing where every pair is compared."""
        return self.family.baseline or ""

    @property
    def identity(self) -> str:
        """The short name of what is compared."""
        return self.family.identity

    def turned(self) -> "Comparison":
        """Return the comparison of the second with the first: the same p, the differences the other way."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            first_mean=self.second_mean,
            second_mean=self.first_mean,
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            effect=-self.effect,
            wins=self.losses,
            losses=self.wins,
        )

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
        interval = f"95% interval {low:.3f} to {high:.3f}; {self.p_in_words}"
        if self.significant:
            return f"{better} is better than {other} by {size}; {interval}.{few}"
        return f"{better} is ahead of {other} by {size}, which chance may explain; {interval}.{few}"

    def _repr_html_(self) -> str:
        """Return the sentence, as notebooks show it."""
        return f"<p>{escape(self.sentence)}</p>"

    @property
    def p_in_words(self) -> str:
        """p with the test that gave it, and what it is corrected over."""
        if math.isnan(self.p):
            return f"no p: the {TEST_NAMES[self.test]} asks for two queries that all systems share"
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        if self.corrected:
            after = f"after {CORRECTION_NAMES[self.correction]} over {self.comparisons} comparisons"
            return f"{p} {after} ({TEST_NAMES[self.test]})"
        return f"{p} ({TEST_NAMES[self.test]}{self._not_corrected})"

    @property
    def test_in_words(self) -> str:
        """The test, the correction and the size of the family, as they stand beside every p."""
        name = TEST_NAMES[self.test]
        named = f"{name[0].upper()}{name[1:]}"
        if self.corrected:
            return f"{named}, {CORRECTION_NAMES[self.correction]} over {self.comparisons} comparisons"
        return f"{named}{self._not_corrected}"

    @property
    def corrected(self) -> bool:
        """Whether a correction had several p-values to look at."""
        return self.correction != "none" and self.comparisons > 1

    @property
    def _not_corrected(self) -> str:
        """Say how many comparisons there are where no correction speaks of them."""
        if self.test == "tukey":
            each = " of each measure" if len(self.family.measures) > 1 else ""
            return f", {counted(self.comparisons, 'comparison')}{each}"
        return f", {self.comparisons} comparisons, not corrected" if self.comparisons > 1 else ""


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
    result: EvaluationResult,
    measure: str,
    first: str,
    second: str,
    choice: ComparisonChoice = ComparisonChoice(),
) -> Comparison:
    """Return one comparison of its family, which is made whole for it; the seed is the result's."""
    return one_of(compare_all(result, replace(choice, by=measure)), result, measure, first, second)


def one_of(
    compared: Sequence[Comparison], result: EvaluationResult, measure: str, first: str, second: str
) -> Comparison:
    """Return the comparison of two systems under a measure, second - first, among those of a family.

    Raises UserError for a system or measure that is not known, or not compared.
    """
    paired(result, measure, first, second)
    for one in compared:
        if one.measure == measure and {one.first, one.second} == {first, second} and first != second:
            return one if one.first == first else one.turned()
    raise UserError(f"{measure} of {first} and {second} is not compared: {_scope(compared[0].family)}")


def _scope(family: Family) -> str:
    each = "every two systems are" if family.baseline is None else f"every system is with {family.baseline}"
    return f"{each}, by {', '.join(family.measures)}."


def compare_all(
    result: EvaluationResult, choice: ComparisonChoice = ComparisonChoice(), watch: Watch = UNWATCHED
) -> list[Comparison]:
    """Make the comparisons of the family that the choice means.

    p-values are corrected over all of it, except those of Tukey's test, which hold for all pairs of a measure
    together, also beside a baseline; that test uses the queries that all systems share. `watch` is asked
    before each comparison. Raises UserError for what `Family.of` refuses, Stopped.
    """
    family = Family.of(result, choice)
    pairs = family.pairs
    compared: list[Comparison] = []
    for measure in family.measures:
        tukey = _tukey(result, measure, family.systems, watch) if family.test == "tukey" else None
        for first, second in pairs:
            watch.step(len(compared), len(family.measures) * len(pairs), "Comparing")
            compared.append(_compared(result, measure, first, second, family, tukey))
    if family.test == "tukey":
        return compared
    alone = [one.p_alone for one in compared]
    p_values = statistics.corrected(alone, family.correction).tolist()
    with_p = sum(not math.isnan(p) for p in alone)
    return [replace(one, p=p, comparisons=with_p) for one, p in zip(compared, p_values, strict=True)]


def _tukey(
    result: EvaluationResult, measure: str, systems: Sequence[str], watch: Watch
) -> dict[tuple[str, str], float]:
    """Return the p-value of every two systems under Tukey's test."""
    table = np.array([_values(result, measure, system) for system in systems])
    table = table[:, ~np.isnan(table).any(axis=0)]
    p = np.full((len(table), len(table)), np.nan)
    if table.shape[1] > 1:
        p = statistics.tukey_hsd(table, result.options.seed, watch)
    return {
        (systems[one], systems[other]): float(p[one, other])
        for one, other in permutations(range(len(systems)), 2)
    }


def _compared(
    result: EvaluationResult,
    measure: str,
    first: str,
    second: str,
    family: Family,
    tukey: Mapping[tuple[str, str], float] | None,
) -> Comparison:
    """Compare two systems; the p-value is not corrected yet, that of Tukey's test is among `tukey`."""
    queries, differences = paired(result, measure, first, second)
    p = (
        tukey[first, second]
        if tukey is not None
        else statistics.paired_p(differences, family.test, result.options.seed)
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
        comparisons=1 if tukey is None else len(tukey) // 2,
        family=family,
    )
