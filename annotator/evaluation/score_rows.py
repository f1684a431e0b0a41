"""Scores in rows, as programs read them: one row per query and system, or per score."""

import numpy as np

from annotator.evaluation.cqa import named_values
from annotator.evaluation.missing_rankings import without_ranking
from annotator.evaluation.result_table import Cell, Cells, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.summary_tables import measure_column

YES = {True: "yes", False: "no"}
NO_RANKING = Column(
    "No ranking",
    "text",
    key="no_ranking",
    note="Of the system for the query: an empty one counts.",
)


def per_query_and_system(result: EvaluationResult) -> Table:
    """Return one row per query and system with a column for each measure, as programs read it."""
    count = len(result.systems)
    columns = [Column("Query", "text", key="query")]
    data: list[Cells] = [np.repeat(np.array(result.query_ids, dtype=object), count)]
    if any(result.query_texts):
        columns.append(Column("Text", "text", key="text"))
        data.append(np.repeat(np.array(result.query_texts, dtype=object), count))
    columns.append(Column("System", "text", key="system"))
    data.append(list(result.systems) * len(result.query_ids))
    for at, measure in enumerate(result.measures):
        columns.append(measure_column(measure))
        data.append(result.scores[:, at].T.ravel())
    for title, counts in (("Relevant", result.relevant), ("Judged", result.judged)):
        if counts is not None:
            columns.append(Column(title, "count", key=title.lower()))
            data.append(np.repeat(counts, count))
    columns.append(NO_RANKING)
    missing = np.array([without_ranking(result, system) for system in result.systems])
    data.append([YES[none] for none in missing.T.ravel().tolist()])
    return Table("per-query", "Per query", tuple(columns), tuple(data))


def long_scores(result: EvaluationResult, means: bool = False) -> Table:
    """Return every score in a row of its own: system, query, measure, value, no_ranking.

    `no_ranking` is yes where the system has no ranking for the query, so that an empty one counts, else no.
    With `means` there are rows of a query `all`, too, without it, and what the tables of cQA say.
    """
    columns = tuple(Column(name, "text") for name in ("system", "query", "measure"))
    rows: list[tuple[Cell, ...]] = []
    for row, system in enumerate(result.systems):
        missing = without_ranking(result, system).tolist()
        for at, measure in enumerate(result.measures):
            rows.extend(
                (system, query, measure.name, value, YES[none])
                for query, value, none in zip(
                    result.query_ids, result.scores[row, at].tolist(), missing, strict=True
                )
                if value == value
            )
            if means:
                rows.append((system, "all", measure.name, result.mean(system, measure.name), None))
        if means:
            rows += [
                (system, "all", name, value, None) for name, value in named_values(result, system).items()
            ]
    return Table.of_rows("scores", "Scores", (*columns, Column("value"), NO_RANKING), rows)
