"""Systems compared two and two: every comparison of a family, made and corrected together."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation import statistics
from annotator.evaluation.comparison import Comparison
from annotator.evaluation.family import Family
from annotator.evaluation.options import ComparisonChoice
from annotator.evaluation.paired_tests import COLUMNS, Tested, paired_tests, rank_share, tukey_hsd
from annotator.evaluation.results import EvaluationResult
from annotator.watch import UNWATCHED, Watch

Floats = NDArray[np.float64]


def paired(
    result: EvaluationResult, measure: str, first: str, second: str, tag: str = ""
) -> tuple[NDArray[np.int64], Floats]:
    """Return the queries that count for both systems, and second - first on each of them.

    Those with a tag alone, where one is named. Raises UserError for a system or measure that the result does
    not hold.
    """
    a, b = (_values(result, measure, system, tag) for system in (first, second))
    queries = np.flatnonzero(~np.isnan(a) & ~np.isnan(b))
    return queries, b[queries] - a[queries]


def _values(result: EvaluationResult, measure: str, system: str, tag: str = "") -> Floats:
    """Return a system's values, NaN where a query does not count."""
    if system not in result.systems:
        raise UserError(f"There is no system {system} here; there are {', '.join(result.systems)}.")
    if measure not in (names := [one.name for one in result.measures]):
        raise UserError(f"{measure} was not evaluated; there are {', '.join(names)}.")
    counts = result.counted[result.systems.index(system)]
    if tag:
        counts = counts & np.array([tag in own for own in result.tags])
    return np.where(counts, result.of(system, measure), np.nan)


def compare(
    result: EvaluationResult,
    measure: str,
    first: str,
    second: str,
    choice: ComparisonChoice = ComparisonChoice(),
) -> Comparison:
    """Return one comparison of its family, which is made whole for it; the seed is the result's."""
    return one_of(compare_all(result, choice), result, measure, first, second)


def one_of(
    compared: Sequence[Comparison],
    result: EvaluationResult,
    measure: str,
    first: str,
    second: str,
    tag: str = "",
) -> Comparison:
    """Return the comparison of two systems under a measure, second - first, among those of a family.

    Raises UserError for a system or measure that is not known, or not compared.
    """
    paired(result, measure, first, second)
    for one in compared:
        if (one.measure, one.tag) == (measure, tag) and {one.first, one.second} == {first, second}:
            return one if one.first == first else one.turned()
    family = compared[0].family
    every = f"every system is with {family.baseline}" if family.baseline else "every two systems are"
    over = f" over the tags {', '.join(family.tags)}" if family.tags else ""
    what = f"{measure} of {first} and {second}" + f" over the tag {tag}" * bool(tag)
    raise UserError(f"{what} is not compared: {every}, by {', '.join(family.measures)}{over}.")


@dataclass(frozen=True, slots=True)
class _Pair:
    """What is compared, and the differences that it is compared by."""

    measure: str
    tag: str
    first: str
    second: str
    queries: NDArray[np.int64]
    differences: Floats


def compare_all(
    result: EvaluationResult, choice: ComparisonChoice = ComparisonChoice(), watch: Watch = UNWATCHED
) -> list[Comparison]:
    """Make the comparisons of the family that the choice means.

    p-values are corrected over those of each measure, or of all measures, and of all tags together, except
    those of Tukey's test, which hold for all pairs of a measure (and tag), also beside a baseline; everything
    said beside that test is of the queries that all systems share. `watch` is told how far it is. Raises
    UserError for what `Family.of` refuses, Stopped.
    """
    family = Family.of(result, choice)
    pairs = [
        one
        for measure in family.measures
        for tag in family.tags or ("",)
        for one in _pairs(result, family, measure, tag)
    ]
    tested = (_by_tukey if family.test == "tukey" else _tested)(result, family, pairs, watch)
    compared = [_compared(result, one, family, test) for one, test in zip(pairs, tested, strict=True)]
    if family.test == "tukey":
        size = math.comb(len(family.systems), 2)
        return [replace(one, comparisons=size, open=one.floor >= family.alpha) for one in compared]
    together = list(zip(compared, (test.ended for test in tested), strict=True))
    if family.over == "all":
        return list(_corrected(together, family))
    groups = ([one for one in together if one[0].measure == measure] for measure in family.measures)
    return [one for group in groups for one in _corrected(group, family)]


def _pairs(result: EvaluationResult, family: Family, measure: str, tag: str) -> Iterator[_Pair]:
    """Yield the pairs of a measure and tag with the queries that both share, for Tukey's test all systems."""
    shared = _shared(result, family, measure, tag)[1]
    for first, second in family.pairs:
        queries, differences = paired(result, measure, first, second, tag)
        if family.test == "tukey":
            kept = np.isin(queries, shared)
            queries, differences = queries[kept], differences[kept]
        yield _Pair(measure, tag, first, second, queries, differences)


def _shared(
    result: EvaluationResult, family: Family, measure: str, tag: str
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the values of the family's systems on the queries that count for all, and these queries."""
    table = np.array([_values(result, measure, system, tag) for system in family.systems])
    queries = np.flatnonzero(~np.isnan(table).any(axis=0))
    return table[:, queries], queries


def _corrected(group: Sequence[tuple[Comparison, bool]], family: Family) -> Iterator[Comparison]:
    """Correct p-values over a group of comparisons, each with whether its draws ended early.

    One is open where not even the smallest p that there can be would be below the level, beside the others.
    """
    alone = np.array([one.p_alone for one, _ in group])
    count = int((~np.isnan(alone)).sum())
    p_values = statistics.corrected(alone, family.correction).tolist()
    for at, ((one, ended), p) in enumerate(zip(group, p_values, strict=True)):
        still_open = False
        if p >= family.alpha and not ended and one.floor * count >= family.alpha:
            best = alone.copy()
            best[at] = one.floor
            still_open = bool(statistics.corrected(best, family.correction)[at] >= family.alpha)
        yield replace(one, p=p, comparisons=count, open=still_open)


def _tested(result: EvaluationResult, family: Family, pairs: Sequence[_Pair], watch: Watch) -> list[Tested]:
    """Test the pairs, those over the same number of queries together."""
    nothing = Tested(math.nan, math.nan, math.nan, math.nan)
    found = [nothing] * len(pairs)
    alike: dict[tuple[int, str], list[int]] = {}
    for at, one in enumerate(pairs):
        alike.setdefault((len(one.queries), one.measure), []).append(at)
    spans = {name: _span(result, name) for name in family.measures}
    done = 0
    for (_, measure), places in alike.items():
        for start in range(0, len(places), COLUMNS):
            some = places[start : start + COLUMNS]
            watch.step(done, len(pairs), "Comparing")
            table = np.array([pairs[at].differences for at in some])
            seed = result.options.seed
            tests = paired_tests(table, family.test, seed, family.alpha, spans[measure], watch)
            for at, test in zip(some, tests, strict=True):
                found[at] = test
            done += len(some)
    return found


def _span(result: EvaluationResult, measure: str) -> statistics.Span:
    """Return between which values a mean difference lies."""
    least, most = result.measures[result.position(measure)].range
    return least - most, most - least


def _by_tukey(result: EvaluationResult, family: Family, pairs: Sequence[_Pair], watch: Watch) -> list[Tested]:
    """Test every two systems of a measure and tag together."""
    tests: dict[tuple[str, str, str, str], Tested] = {}
    steps = [(measure, tag) for measure in family.measures for tag in family.tags or ("",)]
    for done, (measure, tag) in enumerate(steps):
        watch.step(done, len(steps), "Comparing")
        table, _ = _shared(result, family, measure, tag)
        if table.shape[1] < 2:
            continue
        tukey = tukey_hsd(table, result.options.seed, family.alpha, watch)
        span = _span(result, measure)
        for one, other in permutations(range(len(table)), 2):
            apart = float((table[other] - table[one]).mean())
            low, high = (round(apart + end, 12) for end in (-tukey.edge, tukey.edge))
            names = (measure, tag, family.systems[one], family.systems[other])
            p = float(tukey.p[one, other])
            ends = max(low, span[0]), min(high, span[1])
            tests[names] = Tested(p, *ends, tukey.floor, tukey.draws, spread=tukey.spread)
    nothing = Tested(math.nan, math.nan, math.nan, math.nan)
    return [tests.get((one.measure, one.tag, one.first, one.second), nothing) for one in pairs]


def _compared(result: EvaluationResult, pair: _Pair, family: Family, test: Tested) -> Comparison:
    """Return a comparison whose p-value is not corrected yet."""
    differences = pair.differences
    n = len(differences)
    wins, ties, losses = statistics.wins_ties_losses(differences)
    first_mean, second_mean = (
        float(result.of(system, pair.measure)[pair.queries].mean()) if n else math.nan
        for system in (pair.first, pair.second)
    )
    deviation = float(differences.std(ddof=1)) if n > 1 else math.nan
    return Comparison(
        measure=pair.measure,
        first=pair.first,
        second=pair.second,
        n=n,
        first_mean=first_mean,
        second_mean=second_mean,
        difference=float(differences.mean()) if n else math.nan,
        span=_span(result, pair.measure),
        low=test.low,
        high=test.high,
        deviation=deviation,
        spread=test.spread if family.test == "tukey" else deviation,
        p=test.p,
        p_alone=test.p,
        effect=statistics.effect_size(differences),
        wins=wins,
        ties=ties,
        losses=losses,
        rank_share=rank_share(differences),
        floor=test.floor,
        draws=test.draws,
        open=False,
        comparisons=1,
        family=family,
        tag=pair.tag,
    )
