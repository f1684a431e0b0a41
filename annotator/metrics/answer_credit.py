"""Gold answers as a source of relevance: which predicted answer is credited with which gold answer."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.answer_parts import fits
from annotator.metrics.answers import AnswerTable
from annotator.metrics.collection import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Credited:
    """Relevance that follows from the gold answers, ready for the ranking kernel.

    `query`, `rank`, `grade` are one row per prediction (grade = gain of the gold answer credited to it, else
    0); `judged_query`, `judged_grade` the gains of all gold answers and a 0 for each prediction not credited.
    """

    query: Ints
    rank: NDArray[np.int32]
    grade: NDArray[np.int32]
    judged_query: Ints
    judged_grade: NDArray[np.int32]


def credit_gold(
    table: AnswerTable, match: str = "em", threshold: float = 1.0, credit: str = "once", gains: str = "binary"
) -> Credited:
    """Turn gold answers into the relevance of the predicted answers.

    A prediction is credited with at most one gold answer, the most preferred of those it matches from
    `threshold` on. `credit='once'`: each gold answer is credited at its first hit only, so a query has as
    many relevant candidates as distinct gold answers. `credit='all'`: every hit is credited; gold answers hit
    several times count several times among what could be found, so that no measure exceeds its range.
    `gains='gold-order'` gives answer i of n the gain n - i + 1; `'binary'` gives 1. For a query marked
    unanswerable the empty answer is the one gold answer.
    """
    query = table.prediction_query
    parts = fits(table, match, np.arange(len(query)))
    hit = parts.score >= threshold
    at, gold = parts.at[hit], parts.gold[hit]
    credited = np.full(len(query), -1)
    taken: set[int] = set()
    for prediction, answer in zip(at.tolist(), gold.tolist(), strict=True):
        if credited[prediction] < 0 and (credit == "all" or answer not in taken):
            credited[prediction] = answer
            taken.add(answer)
    ends = np.searchsorted(table.gold_query, table.gold_query, side="right")
    gain = ends - np.arange(len(ends)) if gains == "gold-order" else np.ones(len(ends), np.int64)
    grade = np.where(credited >= 0, np.append(gain, 0)[credited], 0)

    marked = np.flatnonzero(table.unanswerable)
    right = (table.size[table.predictions] == 0) & table.unanswerable[query]
    if credit == "once":
        earlier: Ints = np.cumsum(right) - right
        right &= earlier == earlier[table.prediction_offsets[query]]
    grade[right] = 1

    missed_gold = np.setdiff1d(np.flatnonzero(~table.unanswerable[table.gold_query]), credited)
    missed_mark = np.setdiff1d(marked, query[right])
    return Credited(
        query,
        table.rank,
        grade.astype(np.int32),
        np.concatenate((query, table.gold_query[missed_gold], missed_mark)),
        np.concatenate((grade, gain[missed_gold], np.ones(len(missed_mark)))).astype(np.int32),
    )
