"""Queries that a system has no ranking for: they count as 0, and every table of queries says so."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.result_table import Column, Place, Table
from annotator.evaluation.results import EvaluationResult
from annotator.text.counts import counted

NO_RANKING = "*"
"""Stands beside the 0 of a query that a system has no ranking for."""

NAMED = 3
"""So many systems that lack rankings are named."""


def without_ranking(result: EvaluationResult, system: str) -> NDArray[np.bool_]:
    """Return for which queries a system has no ranking at all."""
    if result.retrieved is None:
        return np.zeros(len(result.query_ids), dtype=bool)
    none: NDArray[np.bool_] = result.retrieved[result.systems.index(system)] == 0
    return none


def of_no_ranking(result: EvaluationResult, system: str, measure: str) -> NDArray[np.bool_]:
    """Return which scores are the 0 of a missing ranking, or of missing answers."""
    zero: NDArray[np.bool_] = result.of(system, measure) == 0
    return without_ranking(result, system) & zero


def missing_in_words(counts: Collection[int]) -> str:
    """Say what the sign means, and how often there is no ranking, of the counts of each system."""
    lacking = sum(count > 0 for count in counts)
    among = f", of {lacking} systems together" if lacking > 1 else ""
    return f"{NO_RANKING} no ranking for the query ({counted(sum(counts), 'time')}{among}): it counts as 0."


def lacking_in_words(result: EvaluationResult) -> str:
    """Say which systems have no ranking for how many queries of their means, "" where none lacks any."""
    lacking: dict[str, int] = {}
    for row, system in enumerate(result.systems):
        zeros = [of_no_ranking(result, system, measure.name) for measure in result.measures]
        if count := int((np.any(zeros, axis=0) & result.counted[row]).sum()):
            lacking[system] = count
    if not lacking:
        return ""
    named = [f"{system} has none for {counted(n, 'query', 'queries')}" for system, n in lacking.items()]
    rest = [f"{len(named) - NAMED} more systems lack some"] * (len(named) > NAMED + 1)
    return f"A missing ranking counts as 0: {', '.join(named[: NAMED if rest else None] + rest)}."


def missing_marked(
    table: Table, result: EvaluationResult, scores: Mapping[int, tuple[str, str]], queries: NDArray[np.int64]
) -> Table:
    """Return a table of queries with a sign at each 0 that stands for no ranking.

    `scores` are the columns of scores, with their measure and system; `queries` are the rows' places in the
    result. A further column names the systems, for a file that holds no signs.
    """
    lacking = {system: np.zeros(len(queries), dtype=bool) for _, system in scores.values()}
    marks: dict[Place, str] = {}
    for at, (measure, system) in scores.items():
        gone = of_no_ranking(result, system, measure)[queries]
        lacking[system] |= gone
        marks.update(dict.fromkeys(((row, at) for row in np.flatnonzero(gone).tolist()), NO_RANKING))
    if not marks:
        return table
    names = [
        ", ".join(system for system, gone in lacking.items() if gone[row]) for row in range(len(queries))
    ]
    column = Column("No ranking", "text", key="no_ranking", note="The systems that have none for the query.")
    words = missing_in_words([int(gone.sum()) for gone in lacking.values()])
    return replace(
        table,
        columns=(*table.columns, column),
        data=(*table.data, names),
        caption=f"{table.caption} {words}".strip(),
        marks={**table.marks, **marks},
    )
