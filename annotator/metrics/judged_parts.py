"""Scores of answers that are judged part by part: by nuggets that they say, by sentences that are supported.

A measure of them returns a weight and a worth for each part of a `PartTable`. What is not there has a stated
result: a query that nothing asks about has no score (NaN), nor has one of whose parts one that counts is not
judged yet (its worth is NaN); a query that is asked about and has no answer scores 0, and so does one where
nothing counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.collection import Floats, Ints
from annotator.metrics.measures import Family, Measure, Needs, divided, measure

UNSAID = -1
"""Nobody said yet."""


def part_measure(
    key: str,
    title: str,
    sentence: str,
    blind: str,
    formula: str,
    *,
    family: Family,
    source: str,
    needs: Needs,
) -> Callable[..., Any]:
    """Declare a measure whose function returns the weight and the worth of each part of a table."""
    return measure(
        key=key,
        title=title,
        sentence=sentence,
        blind_spot=BlindSpot(key, blind),
        formula=formula,
        family=family,
        source=source,
        needs=needs,
    )


class PartTable(Protocol):
    """One system's answers at rank 1 to q queries, in n parts, those of a query together.

    `query` is int64[n] (0 .. q - 1, ascending); `answered` bool[q], whether the system returned an answer;
    `asked` bool[q], whether there is anything to judge an answer by. `called` is what the parts are.
    """

    called: ClassVar[str]

    @property
    def query(self) -> Ints:
        """The query of each part."""

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Whether there is an answer to each query."""

    @property
    def asked(self) -> NDArray[np.bool_]:
        """Whether anything is asked about each query."""

    def shown(self, part: int) -> tuple[str, str, str]:
        """Return the text of a part, its kind, and what was said of it."""

    def beside(self, query: int) -> str:
        """Return why a query has no score, as a sentence, or what else is to be said of it."""


@dataclass(frozen=True, slots=True)
class PartRow:
    """One part of one answer: how much it counts, what it gave, and what its lack cost, as parts of 1."""

    text: str
    kind: str
    said: str
    weight: float
    contribution: float
    cost: float


@dataclass(frozen=True, slots=True)
class PartExplanation:
    """The value of one query under a measure of parts, those first that cost most."""

    measure: Measure
    value: float
    rows: tuple[PartRow, ...]
    sentence: str
    formula: str


def values(asked: Measure, table: PartTable) -> Floats:
    """Return the value of every query, float64[q]: NaN where it has none.

    >>> from annotator.metrics.catalogue import parse
    >>> from annotator.metrics.nuggets import NuggetTable
    >>> one = NuggetTable(np.array([0, 0]), np.array([True, False]), np.array([2, 1]), np.array([True]))
    >>> values(parse("NuggetAll"), one).tolist(), values(parse("NuggetStrictAll"), one).tolist()
    ([0.75], [0.5])
    """
    weight, worth = _shares(asked, table)
    count = len(table.answered)
    given = np.where(weight > 0, weight * worth, 0.0)
    found = divided(np.bincount(table.query, given, count), np.bincount(table.query, weight, count))
    found[~table.answered] = 0.0
    found[~table.asked] = np.nan
    return found


def explain_parts(asked: Measure, table: PartTable, query: int = 0) -> PartExplanation:
    """Take apart the value of one query, part by part."""
    weight, worth = _shares(asked, table)
    mine = np.flatnonzero(table.query == query)
    total = float(weight[mine].sum())
    rows = []
    for at in mine.tolist():
        share = float(weight[at]) / total if total else 0.0
        got = float(worth[at]) if share and not np.isnan(worth[at]) else 0.0
        rows.append(PartRow(*table.shown(at), float(weight[at]), share * got, share * (1 - got)))
    value = float(values(asked, table)[query])
    sentence = _sentence(table, query, rows, int((np.isnan(worth[mine]) & (weight[mine] > 0)).sum()))
    ordered = tuple(sorted(rows, key=lambda row: -row.cost))
    return PartExplanation(asked, value, ordered, sentence, asked.formula)


def _sentence(table: PartTable, query: int, rows: Sequence[PartRow], unsaid: int) -> str:
    if not table.asked[query]:
        return table.beside(query)
    if not table.answered[query]:
        return "The system returned no answer: 0."
    more = f" {beside}" if (beside := table.beside(query)) else ""
    if unsaid:
        of = f"{unsaid} of the {table.called} that count"
        return f"Left out of the mean: {of} are not judged for this answer.{more}"
    lost = [row for row in rows if row.cost > 0]
    if not lost:
        return f"Nothing that counts is missing.{more}"
    worst = max(lost, key=lambda row: row.cost)
    return f"Most was lost by “{worst.text}” ({worst.cost:.4f}).{more}"


def _shares(asked: Measure, table: PartTable) -> tuple[Floats, Floats]:
    weight, worth = asked.declaration.function(table, **asked.arguments)
    return np.asarray(weight, np.float64), np.asarray(worth, np.float64)
