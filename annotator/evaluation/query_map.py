"""The scores of every query under one measure, to be shown as shades."""

import numpy as np

from annotator.evaluation.missing_rankings import missing_marked
from annotator.evaluation.result_table import Cells, Column, Table, columns_of
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.summary_tables import measure_column


def by_query(result: EvaluationResult, name: str) -> Table:
    """Return one row per query and one shaded column per system under one measure, the best mean first.

    A sign stands at each 0 of a query that the system has no ranking for.
    """
    at = result.position(name)
    measure = result.measures[at]
    means = [result.mean(system, name) for system in result.systems]
    order = sorted(range(len(means)), key=lambda row: (np.isnan(means[row]), -means[row]))
    span = shade_span(result, at)
    decimals = measure_column(measure).decimals
    columns = [Column("Query", "text", key="query")]
    data: list[Cells] = [result.query_ids]
    if any(result.query_texts):
        columns.append(Column("Text", "text", key="text"))
        data.append(result.query_texts)
    scores = {}
    for row in order:
        system = result.systems[row]
        scores[len(columns)] = name, system
        note = f"{name} of {system}: mean {means[row]:.{max(decimals, 4)}f}."
        columns.append(Column(system, decimals=decimals, note=note, shade=span))
        data.append(result.scores[row, at])
    for title, counts in (("Relevant", result.relevant), ("Judged", result.judged)):
        if counts is not None:
            columns.append(Column(title, "count", key=title.lower()))
            data.append(counts)
    table = Table("by-query", f"{name} of every query", tuple(columns), tuple(data))
    marked = missing_marked(table, result, scores, np.arange(len(result.query_ids)))
    return columns_of(marked, range(len(columns)))  # the sign is in sight, so no column need name the systems


def shade_span(result: EvaluationResult, at: int) -> tuple[float, float]:
    """Return between which values a measure is shaded: its range, or from 0 to what was reached."""
    low, high = result.measures[at].range
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    values = result.scores[:, at]
    reached = np.nanmax(values, initial=0.0)
    return min(float(np.nanmin(values, initial=0.0)), 0.0), float(reached)
