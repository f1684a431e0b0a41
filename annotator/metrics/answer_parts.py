"""What the values of answers are made of: each prediction that counts beside each wording of gold answers."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.answers import AnswerTable, match_of
from annotator.metrics.collection import Floats, Ints
from annotator.metrics.token_bags import ranges


def _compared_wordings(table: AnswerTable) -> NDArray[np.bool_]:
    """Return which wordings are compared, bool[w]: under squad2 no empty one beside another."""
    if table.normaliser != "squad2":
        return np.ones(len(table.wordings), np.bool_)
    filled = table.size[table.wordings] > 0
    query = table.gold_query[table.wording_gold]
    compared: NDArray[np.bool_] = filled | (np.bincount(query, filled, table.n_queries) == 0)[query]
    return compared


class Fits(NamedTuple):
    """How well predictions fit gold answers, one row per pair, sorted by prediction and gold answer.

    `at` (int64) is a position in the chosen predictions, `gold` a gold answer, `wording` a position in the
    table's wordings, `score` float64.
    """

    at: Ints
    gold: Ints
    wording: Ints
    score: Floats


def fits(table: AnswerTable, match: str, chosen: Ints) -> Fits:
    """Return how well chosen predictions fit each wording that is compared with them.

    `chosen` (int64) are positions in `predictions`; those of unanswerable queries have no rows. MeasureError
    when `match` is not known.
    """
    query = table.prediction_query[chosen]
    wording_query = table.gold_query[table.wording_gold]
    offsets = np.searchsorted(wording_query, np.arange(table.n_queries + 1))
    wordings = np.where(table.unanswerable[query], 0, np.diff(offsets)[query])
    at, wording = np.repeat(np.arange(len(chosen)), wordings), ranges(offsets[query], wordings)
    keep = _compared_wordings(table)[wording]
    at, wording = at[keep], wording[keep]
    key = table.predictions[chosen[at]] * len(table.texts) + table.wordings[wording]
    distinct, back = np.unique(key, return_inverse=True)
    score = match_of(table, match)(table, distinct // len(table.texts), distinct % len(table.texts))
    return Fits(at, table.wording_gold[wording], wording, score[back])


def prediction_scores(table: AnswerTable, match: str, depth: int | None = None) -> tuple[Ints, Floats]:
    """Return how right each prediction is: the best score over the gold answers of its query.

    Returns (positions in `predictions`, score); `depth` takes only ranks up to it. For a query marked
    unanswerable the score is 1 where the prediction has no tokens, else 0.
    """
    chosen = np.arange(len(table.predictions)) if depth is None else np.flatnonzero(table.rank <= depth)
    fitting = fits(table, match, chosen)
    best = np.zeros(len(chosen))
    np.maximum.at(best, fitting.at, fitting.score)
    marked = np.flatnonzero(table.unanswerable[table.prediction_query[chosen]])
    best[marked] = table.size[table.predictions[chosen[marked]]] == 0
    return chosen, best


class Parts(NamedTuple):
    """What values are made of: each prediction that counts beside each wording, one row per pair.

    `prediction` and `wording` are positions in the table's columns, `place` that of the gold answer in its
    list, from 1; for the mark "unanswerable" `wording` is -1 and `place` 0. `match` says how well the two
    fit, `worth` what that is worth to the measure (float64): a question's highest is its value.
    """

    prediction: Ints
    wording: Ints
    place: Ints
    match: Floats
    worth: Floats


Worth = Callable[[Floats, Ints], Floats]
"""What matches are worth, from how well they fit and the places of the gold answers."""


def parts(table: AnswerTable, match: str, depth: int = 1, worth: Worth = lambda match, _: match) -> Parts:
    """Return what the top `depth` predictions of every question are worth, one row per wording.

    The empty answer to a question marked unanswerable is worth 1, any other 0. MeasureError when `match` is
    not known.
    """
    chosen = np.flatnonzero(table.rank <= depth)
    fitting = fits(table, match, chosen)
    first = np.searchsorted(table.gold_query, np.arange(table.n_queries))
    place = fitting.gold - first[table.gold_query[fitting.gold]] + 1
    marked = chosen[table.unanswerable[table.prediction_query[chosen]]]
    right = (table.size[table.predictions[marked]] == 0).astype(np.float64)
    return Parts(
        np.concatenate((chosen[fitting.at], marked)),
        np.concatenate((fitting.wording, np.full(len(marked), -1))),
        np.concatenate((place, np.zeros(len(marked), np.int64))),
        np.concatenate((fitting.score, right)),
        np.concatenate((worth(fitting.score, place), right)),
    )


def highest(table: AnswerTable, fitting: Parts) -> Floats:
    """Return the value of every question, float64[q]: 0 without a prediction, NaN where it has no gold."""
    value = np.zeros(table.n_queries)
    np.maximum.at(value, table.prediction_query[fitting.prediction], fitting.worth)
    value[~table.scorable] = np.nan
    return value


def best_in_top(table: AnswerTable, match: str, depth: int = 1) -> Floats:
    """Return the best match among the top `depth` predictions, float64[q]; NaN where a query has no gold."""
    return highest(table, parts(table, match, depth))
