"""How systems, and measures, go together: correlations as one table, n beside each."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.correlations import Correlation, cautions, correlation, tau_ap
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import Kind

KINDS: dict[Kind, str] = {
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "kendall": "Kendall's tau-b",
}
MOST_MEASURES = 8
"""With more measures than this each is related to one alone: the pairs grow with the square."""

COLUMNS = (
    Column("Between", "text", key="between"),
    Column("First", "text", key="first"),
    Column("Second", "text", key="second"),
    Column("Coefficient", "text", key="coefficient"),
    Column("Value", decimals=3, key="value"),
    Column("n", "count", key="n", note="Queries; systems where their order is compared."),
    Column("95% low", decimals=3, key="low"),
    Column("95% high", decimals=3, key="high"),
    Column("p", "p", key="p"),
)


def together(result: EvaluationResult, measure: str, system: str, kind: Kind = "spearman") -> Table:
    """Return how every two systems, every two measures and the orders of the systems go together.

    Systems are related over the queries under one measure, measures over the queries of one system. The
    orders that two measures put the systems in are compared by tau-b, and by tau-AP, where errors at the top
    count more (the first measure is the reference). Of many measures each is related to `measure` alone.
    """
    correlations = list(_between(result, measure, system, kind))
    tops = [
        (what, a, b, replace(one, value=tau_ap(_means(result, a), _means(result, b))))
        for what, a, b, one in correlations
        if what == "orders"
    ]
    rows: list[tuple[Cell, ...]] = [
        (what, a, b, KINDS[one.kind], *_cells(one)) for what, a, b, one in correlations
    ]
    rows += [(what, a, b, "tau-AP", one.value, one.n, None, None, None) for what, a, b, one in tops]
    said = cautions([one for *_, one in (*correlations, *tops)])
    alone = [f"Each measure with {measure} alone"] * (len(result.measures) > MOST_MEASURES)
    notes = (
        "Intervals by Fisher's z",
        "Each p is of its coefficient alone, not corrected for their number",
    )
    caption = ". ".join((*notes, *alone, *said, ""))
    return Table.of_rows("together", "What goes together", COLUMNS, rows, caption.strip())


def _between(
    result: EvaluationResult, measure: str, system: str, kind: Kind
) -> Iterator[tuple[str, str, str, Correlation]]:
    """Yield (what is related, first, second, coefficient)."""
    names = [one.name for one in result.measures]
    pairs = list(combinations(names, 2))
    if len(names) > MOST_MEASURES:
        pairs = [(measure, name) for name in names if name != measure]
    for a, b in combinations(result.systems, 2):
        correlated = correlation(_used(result, a, measure), _used(result, b, measure), kind)
        yield f"systems, {measure}", a, b, correlated
    for a, b in pairs:
        correlated = correlation(_used(result, system, a), _used(result, system, b), kind)
        yield f"measures, {system}", a, b, correlated
    if len(result.systems) > 1:
        for a, b in pairs:
            yield "orders", a, b, correlation(_means(result, a), _means(result, b), "kendall")


def _used(result: EvaluationResult, system: str, measure: str) -> NDArray[np.float64]:
    return np.where(result.counted[result.systems.index(system)], result.of(system, measure), np.nan)


def _means(result: EvaluationResult, measure: str) -> list[float]:
    return [result.mean(system, measure) for system in result.systems]


def _cells(one: Correlation) -> tuple[Cell, ...]:
    return one.value, one.n, one.low, one.high, one.p
