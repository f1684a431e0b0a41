"""Why an answer scores what it does: each prediction that counts beside each wording of the gold answers."""

from dataclasses import dataclass, replace

import numpy as np

from annotator.metrics.answer_parts import Parts, highest
from annotator.metrics.answers import AnswerTable
from annotator.metrics.measures import Measure
from annotator.text.normalisers import SENTENCES
from annotator.text.small_tables import WriteTable, html_table, text_table

BESIDE = ("the best wording of the best gold answer counts", "the answer is sought in its passage")


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One prediction against one wording: what is compared after normalising, and how well it fits.

    `gold` is the place in the list of gold answers, from 1; 0 is the empty answer to an unanswerable
    question. `common` are the words that both have, `precision` and `recall` the shares of the prediction's
    and of the wording's words among them. `worth` is what the match is worth to the measure, the highest is
    the value; `decides` says that it comes from this row (of equals the best match, then the first).
    """

    rank: int
    prediction: str
    gold: int
    wording: str
    compared: tuple[str, str]
    common: tuple[str, ...]
    precision: float
    recall: float
    match: float
    worth: float
    decides: bool = False


@dataclass(frozen=True, slots=True)
class AnswerExplanation:
    """The value of one question under a measure of answers, with everything that was compared for it."""

    measure: Measure
    value: float
    rows: tuple[AnswerRow, ...]
    sentence: str
    formula: str

    def _repr_html_(self) -> str:
        """Return the value, its rows and what they mean, as notebooks show them."""
        return self._written(html_table)

    def __repr__(self) -> str:
        return self._written(text_table)

    def _written(self, write: WriteTable) -> str:
        fields = ("rank", "prediction", "gold", "wording", "match")
        rows = [
            (str(row.rank), row.prediction, str(row.gold), row.wording, f"{row.match:.4f}")
            for row in self.rows
        ]
        sentence = f"{self.measure.name} = {self.value:.4f}. {self.sentence}"
        return write(fields, rows, [True, False, True, False, True], sentence)


def explain_answers(measure: Measure, table: AnswerTable, query: int = 0) -> AnswerExplanation:
    """Take apart the value of one question; NaN when it has neither gold answers nor the mark.

    Raises TypeError for a measure of grades, MeasureError when a language model is needed and not there.
    """
    table = measure.beside(table)
    parts = measure.parts(table)
    rows = _rows(table, parts, query)
    best = max(rows, key=lambda row: (row.worth, row.match), default=None)
    depth = int(measure.cutoff or 1)
    counted = table.rank[slice(*table.prediction_offsets[query : query + 2])] <= depth
    return AnswerExplanation(
        measure,
        float(highest(table, parts)[query]),
        tuple(replace(row, decides=row is best) for row in rows),
        _sentence(measure, table, query, depth, int(counted.sum())),
        measure.formula,
    )


def _rows(table: AnswerTable, parts: Parts, query: int) -> list[AnswerRow]:
    """Return every prediction of the query that counts against every wording, or against the mark."""
    mine = np.flatnonzero(table.prediction_query[parts.prediction] == query)
    each = zip(*(column[mine].tolist() for column in parts), strict=True)
    return [_row(table, *one) for one in each]


def _row(
    table: AnswerTable, prediction: int, wording: int, place: int, match: float, worth: float
) -> AnswerRow:
    text = int(table.predictions[prediction])
    gold = int(table.wordings[wording]) if wording >= 0 else None
    compared = table.compared[text], "" if gold is None else table.compared[gold]
    words = compared[0].split(), compared[1].split()
    common = _common(*words)
    return AnswerRow(
        rank=int(table.rank[prediction]),
        prediction=table.texts[text],
        gold=place,
        wording="" if gold is None else table.texts[gold],
        compared=compared,
        common=common,
        precision=len(common) / len(words[0]) if words[0] else 0.0,
        recall=len(common) / len(words[1]) if words[1] else 0.0,
        match=match,
        worth=worth,
    )


def _common(predicted: list[str], gold: list[str]) -> tuple[str, ...]:
    """Return the words of the prediction that the wording has too, each as often as both have it."""
    left = list(gold)
    common = []
    for word in predicted:
        if word in left:
            left.remove(word)
            common.append(word)
    return tuple(common)


def _sentence(measure: Measure, table: AnswerTable, query: int, depth: int, predictions: int) -> str:
    """Say what was compared with what, and what happens where there is nothing to compare."""
    if table.unanswerable[query]:
        words = "The question is marked unanswerable: it is right exactly when the predicted answer is empty."
    elif not table.scorable[query] and measure.needs == "passages":
        return "No passage of the answer is known: the question is left out of the mean."
    elif not table.scorable[query]:
        return "The question has no gold answer and no mark: it is left out of the mean."
    else:
        stems = ", taken to their stems" if table.stemming else ""
        words = (
            f"Texts are compared {SENTENCES[table.normaliser]}{stems} ({table.normaliser}); "
            f"{BESIDE[measure.needs == 'passages']}."
        )
    counts = (
        "The prediction at rank 1 counts." if depth == 1 else f"The predictions at ranks 1 to {depth} count."
    )
    return f"{words} {counts if predictions else 'There is no prediction, which scores 0.'}"
