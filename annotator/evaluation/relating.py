"""How measures, and systems, go together over the queries: correlations as tables, n beside each."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.correlations import Correlation, correlation, tau_ap
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import Kind

KINDS: dict[Kind, str] = {
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "kendall": "Kendall's tau-b",
}


def between_measures(result: EvaluationResult, system: str, kind: Kind = "spearman") -> Table:
    """Return how every two measures go together over the queries of one system."""
    row = result.systems.index(system)
    values = {one.name: _used(result, row, at) for at, one in enumerate(result.measures)}
    rows = [(a, b, *_cells(correlation(values[a], values[b], kind))) for a, b in combinations(values, 2)]
    return _table("measure-correlations", f"Measures of {system} over the queries", "measure", kind, rows)


def between_systems(result: EvaluationResult, measure: str, kind: Kind = "spearman") -> Table:
    """Return how every two systems go together over the queries under one measure."""
    at = result.position(measure)
    values = {system: _used(result, row, at) for row, system in enumerate(result.systems)}
    rows = [(a, b, *_cells(correlation(values[a], values[b], kind))) for a, b in combinations(values, 2)]
    return _table("system-correlations", f"Systems under {measure} over the queries", "system", kind, rows)


def between_orders(result: EvaluationResult) -> Table:
    """Return how alike every two measures rank the systems: tau-b, and tau-AP where the top counts more."""
    means = {
        one.name: [result.mean(system, one.name) for system in result.systems] for one in result.measures
    }
    rows = [
        (a, b, *_cells(correlation(means[a], means[b], "kendall")), tau_ap(means[a], means[b]))
        for a, b in combinations(means, 2)
    ]
    title = "The ranking of the systems under every two measures"
    extra = Column(
        "tau-AP", decimals=3, note="Errors at the top count more; the first measure is the reference."
    )
    return _table("order-correlations", title, "measure", "kendall", rows, (extra,))


def _used(result: EvaluationResult, row: int, at: int) -> NDArray[np.float64]:
    return np.where(result.counted[row], result.scores[row, at], np.nan)


def _cells(one: Correlation) -> tuple[Cell, ...]:
    return one.value, one.low, one.high, one.p, one.n, one.caution


def _table(
    key: str,
    title: str,
    what: str,
    kind: Kind,
    rows: Sequence[tuple[Cell, ...]],
    extra: tuple[Column, ...] = (),
) -> Table:
    columns = (
        Column(f"First {what}", "text", key="first"),
        Column(f"Second {what}", "text", key="second"),
        Column(KINDS[kind], decimals=3, key=kind),
        Column("95% low", decimals=3, key="low"),
        Column("95% high", decimals=3, key="high"),
        Column("p", "p", key="p"),
        Column("n", "count", key="n"),
        Column("Mind", "text", key="caution"),
        *extra,
    )
    return Table.of_rows(key, title, columns, rows, "Intervals by Fisher's z.")
