"""How hard each query is for all systems, and which systems do well on the hard or on the easy ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.errors import UserError
from annotator.evaluation.correlations import Correlation, cautions, correlation
from annotator.evaluation.family import compared_measures
from annotator.evaluation.result_table import Cell, Cells, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import Estimate, mean_interval
from annotator.text.counts import counted

Floats = NDArray[np.float64]

ENOUGH = 3
"""So many systems it takes to tell a gain: two that are compared, and one that says how hard a query is."""

SAME = 12
"""Means that agree in so many decimals are the same: adding in another order may change the rest."""


@dataclass(frozen=True)
class SystemByDifficulty:
    """One system on hard and on easy queries.

    `with_others` is how its score goes with the mean of the other systems. `hard` and `easy` are its gain on
    the two halves of the queries, NaN below three systems; `apart` is the easy minus the hard one.
    """

    system: str
    with_others: Correlation
    hard: float
    easy: float
    apart: Estimate


@dataclass(frozen=True, eq=False)
class Difficulty:
    """How hard the queries of a result are under one measure, by what its systems score.

    `queries` are the places of the queries that count for every system, int[n]; `scores` is
    float64[systems, n].
    """

    result: EvaluationResult
    measure: str
    queries: NDArray[np.int64]
    scores: Floats

    @cached_property
    def mean(self) -> Floats:
        """The mean of the systems' scores, float64[n]: low is hard (AAP for AP, Mizzaro, Robertson 2007)."""
        mean: Floats = np.round(self.scores.mean(axis=0), SAME)
        return mean

    @cached_property
    def of_others(self) -> Floats:
        """The mean of all other systems, float64[systems, n]: its own score has no part in it."""
        others: Floats = (self.scores.sum(axis=0) - self.scores) / (len(self.scores) - 1)
        return np.round(others, SAME)

    @cached_property
    def by_system(self) -> tuple[SystemByDifficulty, ...]:
        """Each system on hard and on easy queries."""
        return tuple(self._of(at) for at in range(len(self.scores)))

    def _of(self, at: int) -> SystemByDifficulty:
        """Return one system's gain over each other one, on halves that neither of the two has a part in.

        Were the other one's score among what says how hard a query is, whoever is compared would gain on hard
        queries, because the other one did badly there by chance.
        """
        with_others = correlation(self.scores[at], self.of_others[at])
        systems, n = self.scores.shape
        others = [other for other in range(systems) if other != at]
        if systems < ENOUGH or n < 2:
            none = Estimate(np.nan, np.nan, np.nan, n)
            return SystemByDifficulty(self.result.systems[at], with_others, np.nan, np.nan, none)
        total = self.scores.sum(axis=0)
        gain = self.scores[at] - self.scores[others]
        hard = harder_half((total - self.scores[at] - self.scores[others]) / (systems - 2))
        each = (1 - 2 * hard) * (gain - gain.mean(axis=1, keepdims=True))
        return SystemByDifficulty(
            self.result.systems[at],
            with_others,
            float((hard * gain).mean() * 2),
            float(((1 - hard) * gain).mean() * 2),
            mean_interval(2 * each.mean(axis=0)),
        )


def difficulty(result: EvaluationResult, measure: str) -> Difficulty:
    """Return how hard the queries are under a measure, over those that count for every system.

    Raises UserError below two systems, and for a measure that systems cannot be compared by.
    """
    if len(result.systems) < 2:
        raise UserError("How hard a query is for the others takes two systems or more.")
    if measure not in compared_measures(result):
        raise UserError(f"{measure} counts, or is no mean over queries; choose one such as nDCG@10.")
    scores = result.scores[:, result.position(measure)]
    queries = np.flatnonzero(result.counted.all(axis=0) & ~np.isnan(scores).any(axis=0))
    return Difficulty(result, measure, queries, scores[:, queries])


def difficulties(result: EvaluationResult) -> list[Difficulty]:
    """Return how hard the queries are under each measure; none where there is nothing to compare."""
    measures = compared_measures(result) if len(result.systems) > 1 else ()
    found = [difficulty(result, name) for name in measures]
    return [one for one in found if len(one.queries)]


def needed(result: EvaluationResult) -> list[Difficulty]:
    """Return how hard the queries are under each measure; raises UserError where that cannot be said."""
    found = difficulties(result)
    if not found:
        raise UserError(
            "How hard queries are takes two systems with scores of the same queries, and a measure that is a "
            "mean over queries, such as nDCG@10."
        )
    return found


def harder_half(mean: ArrayLike) -> Floats:
    """Return how much of each query is in the half with the lowest means, 0 to 1, float64[..., n].

    The queries with the mean at which the halves part are in both, with equal shares, so that no order of
    theirs decides.

    >>> harder_half([0.1, 0.5, 0.5, 0.5, 0.9, 0.9]).round(3).tolist()
    [1.0, 0.667, 0.667, 0.667, 0.0, 0.0]
    """
    values = np.round(np.asarray(mean, np.float64), SAME)
    n = values.shape[-1]
    ordered = np.sort(values, axis=-1)
    middle = (ordered[..., (n - 1) // 2] if n % 2 else ordered[..., n // 2 - 1])[..., None]
    below, at = values < middle, values == middle
    share = (n / 2 - below.sum(axis=-1, keepdims=True)) / at.sum(axis=-1, keepdims=True)
    half: Floats = below + at * share
    return half


def by_system(found: Sequence[Difficulty]) -> Table:
    """Return a row for each measure and system: how it goes with the others, its gain on hard and on easy."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(each.measure, one.system, one.with_others.value, one.with_others.low, one.with_others.high),
            *(one.with_others.n, one.hard, one.easy, *one.apart[:3]),
        )
        for each in found
        for one in each.by_system
    ]
    columns = (
        Column("Measure", "text", key="measure"),
        Column("System", "text", key="system"),
        Column("rho", decimals=3, key="rho", note="Spearman's, of its score with the mean of the others."),
        Column("95% low", decimals=3, key="rho_low"),
        Column("95% high", decimals=3, key="rho_high"),
        Column("n", "count", key="n", note="Queries that count for every system."),
        Column("Gain, hard", key="gain_hard", note="On the half of the queries that the rest do worst on."),
        Column("Gain, easy", key="gain_easy", note="On the half of the queries that the rest do best on."),
        Column("Easy minus hard", key="apart", note="Above 0: it gains more on easy queries."),
        Column("95% low", key="apart_low"),
        Column("95% high", key="apart_high"),
    )
    said = cautions([one.with_others for each in found for one in each.by_system])
    return Table.of_rows(
        "difficulty-systems",
        "Systems on hard and easy queries",
        columns,
        rows,
        " ".join((_how(found), *(f"{one}." for one in said))),
    )


def _how(found: Sequence[Difficulty]) -> str:
    """Say what the numbers of systems on hard and easy queries are."""
    words = (
        "rho is Spearman's, of a system's score with the mean of the other systems (average AP per topic: "
        "Mizzaro and Robertson 2007), with Fisher's interval."
    )
    if not found or len(found[0].scores) < ENOUGH:
        return f"{words} A gain on hard or easy queries takes {ENOUGH} systems."
    return (
        f"{words} The gain is the mean difference from each other system; hard is the half of the queries "
        "with the lowest mean of the rest, without the two systems of the difference. Interval: Student's "
        "over the queries, the halves as they are."
    )


def by_query(found: Sequence[Difficulty]) -> Table:
    """Return a row for each measure and query, the hardest first.

    It has the mean of the systems, how far they spread, and each system's score minus the mean of the others.
    """
    result = found[0].result
    columns = [Column("Measure", "text", key="measure"), Column("Query", "text", key="query")]
    orders = [np.argsort(one.mean, kind="stable") for one in found]
    queries = np.concatenate([one.queries[order] for one, order in zip(found, orders, strict=True)])
    data: list[Cells] = [
        [one.measure for one in found for _ in one.queries],
        [result.query_ids[at] for at in queries],
    ]
    if any(result.query_texts):
        columns.append(Column("Text", "text", key="text"))
        data.append([result.query_texts[at] for at in queries])

    def put(column: Column, of: Sequence[Floats]) -> None:
        columns.append(column)
        data.append(np.concatenate([one[order] for one, order in zip(of, orders, strict=True)]))

    put(Column("Mean", key="mean", note="Of all systems: low is hard."), [each.mean for each in found])
    put(
        Column("SD", key="sd", note="Standard deviation over the systems (n - 1)."),
        [each.scores.std(axis=0, ddof=1) for each in found],
    )
    put(Column("Lowest", key="lowest"), [each.scores.min(axis=0) for each in found])
    put(Column("Highest", key="highest"), [each.scores.max(axis=0) for each in found])
    if result.relevant is not None:
        columns.append(Column("Relevant", "count", key="relevant"))
        data.append(result.relevant[queries])
    gains = [each.scores - each.of_others for each in found]
    most = max(float(np.abs(one).max(initial=0.0)) for one in gains)
    for at, system in enumerate(result.systems):
        note = f"Score of {system} minus the mean of the other systems."
        column = Column(system, note=note, key=f"gain_{system}", shade=(-most, most))
        put(column, [one[at] for one in gains])
    caption = (
        "The hardest first, by the mean of all systems. Under each system its score minus the mean of the "
        f"others.{_relevant(found)}{_left(found)}"
    )
    return Table("difficulty", "How hard each query is", tuple(columns), tuple(data), caption)


def _relevant(found: Sequence[Difficulty]) -> str:
    """Say how the mean goes with the number of relevant candidates."""
    result = found[0].result
    if result.relevant is None:
        return ""
    words = ""
    for one in found:
        with_number = correlation(one.mean, result.relevant[one.queries])
        if with_number.value == with_number.value:
            ends = f", 95% interval {with_number.low:.2f} to {with_number.high:.2f}"
            ends = ends if with_number.low == with_number.low else ""
            caution = f"; {with_number.caution.partition(': ')[2]}" if with_number.caution else ""
            words += (
                f" Spearman's rho of the mean {one.measure} with the number relevant: "
                f"{with_number.value:.2f} (n = {with_number.n}{ends}{caution})."
            )
    return words


def _left(found: Sequence[Difficulty]) -> str:
    """Say how many queries do not count for every system."""
    left = len(found[0].result.query_ids) - min(len(one.queries) for one in found)
    return f" Left out: {counted(left, 'query', 'queries')} without a score of every system." if left else ""
