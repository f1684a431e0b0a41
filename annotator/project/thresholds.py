"""A threshold as a classifier: gold matches against people's grades, or one annotator against another."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.result_table import Column, Table
from annotator.metrics.answer_parts import prediction_scores
from annotator.metrics.answers import AnswerTable
from annotator.metrics.classification import MEANINGS, Confusion, sweep
from annotator.project.answer_models import models_for, with_models
from annotator.project.project_scores import ANSWER_LENGTH
from annotator.project.state import decided_alone, qrels_of, stems_of
from annotator.project.stored_values import gold_list
from annotator.storage.reads import lookup
from annotator.storage.reads.states import State

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Classified:
    """What a threshold says beside what is taken for true, over the pairs that have both.

    `truth` and `predicted` say in words what positive means on each side. `sweep` holds the table for every
    threshold of the predicted side that changes something, ascending. `together` says how many grades were
    not given on their own, and whether they count; it is empty without any.
    """

    truth: str
    predicted: str
    confusion: Confusion
    sweep: tuple[tuple[float, Confusion], ...]
    together: str = ""

    @property
    def n(self) -> int:
        """How many pairs were compared."""
        one = self.confusion
        return one.tp + one.fp + one.fn + one.tn


def match_against_grades(
    state: State, match: GoldMatch, rel: int, options: Options, together: bool = False
) -> Classified:
    """Hold gold matches of the graded answers against their grades; the grades are combined as usual.

    Answers to queries without gold answer and without the mark "unanswerable" are left out, and unless
    `together` grades that were given with the rest of a query or with a near-duplicate. Raises UserError when
    no answer is left, MeasureError for an unknown match.
    """
    state, said = decided_alone(state, together)
    models = models_for(replace(options, relevance=match))
    qrels = qrels_of(state, replace(options, relevance=None))
    with state.rows() as db:
        contents = lookup.contents(db, np.unique(qrels.pairs.candidate), ANSWER_LENGTH)
    gold = {key: gold_list("", value) for key, value in state.gold.items()}
    answers = {key: one.text for key, one in contents.items() if one.query is not None}
    use = np.isin(qrels.pairs.candidate, list(answers)) & np.isin(qrels.pairs.query, list(gold))
    candidate, grade = qrels.pairs.candidate[use], qrels.grade[use]
    queries, row = np.unique(qrels.pairs.query[use], return_inverse=True)
    table = AnswerTable.build(
        row,
        range(1, len(row) + 1),
        [answers[key] for key in candidate.tolist()],
        [[one.wordings for one in gold[key].answers] for key in queries.tolist()],
        [gold[key].unanswerable for key in queries.tolist()],
        normaliser=match.normaliser,
        stemming=stems_of(state, options),
    )
    _, score = prediction_scores(with_models(table, models), match.match)
    scorable = table.scorable[table.prediction_query]
    if not scorable.any():
        raise UserError(
            "No graded answer belongs to a question with gold answers: grade some answers first, or hold one "
            "annotator against another."
        )
    return _classified(
        grade[scorable],
        rel,
        score[scorable],
        match.threshold,
        f"grade {rel} or higher",
        f"{match.match} {match.threshold:g} or higher ({match.normaliser})",
        said,
    )


def annotator_against_annotator(
    state: State, predicted: str, truth: str, rel: int, together: bool = False
) -> Classified:
    """Hold one annotator's grades against another's, whose grades are taken for true.

    Those that were given with the rest of a query or with a near-duplicate are left out unless `together`.
    Raises UserError for a name that has not judged, or when they graded nothing in common.
    """
    state, said = decided_alone(state, together)
    positive, true = (qrels_of(state, Options(annotator=name)) for name in (predicted, truth))
    _, left, right = np.intersect1d(positive.pairs.codes, true.pairs.codes, return_indices=True)
    if not len(left):
        raise UserError(f"{predicted} and {truth} have graded nothing in common.")
    return _classified(
        true.grade[right],
        rel,
        positive.grade[left].astype(np.float64),
        rel,
        f"grade {rel} or higher by {truth}",
        f"grade {rel} or higher by {predicted}",
        said,
    )


def _classified(
    grade: Ints, rel: int, score: Floats, threshold: float, truth: str, predicted: str, together: str
) -> Classified:
    true = grade >= rel
    one, every = Confusion.of(true, score >= threshold), tuple(sweep(true, score))
    return Classified(truth, predicted, one, every, together)


SWEPT = ("precision", "recall", "f1", "mcc", "fpr")


def confusion_table(classified: Classified) -> Table:
    """Return what was said against what is taken for true, counted."""
    one = classified.confusion
    shares = one.by_true_class
    rows = [("negative", one.tn, one.fp, shares[0][0]), ("positive", one.fn, one.tp, shares[1][1])]
    columns = (
        Column("True \\ said", "text", key="true"),
        Column("negative", "count"),
        Column("positive", "count"),
        Column("right", "share", 2),
    )
    return Table.of_rows(
        "confusion", f"{classified.predicted} against {classified.truth}", columns, rows, classified.together
    )


def rates_table(classified: Classified) -> Table:
    """Return the rates at the threshold; what is undefined says so."""
    one = classified.confusion
    rows = [
        (name, value, "undefined, shown as 0" if name in one.undefined else MEANINGS[name])
        for name, value in one.rates.items()
    ]
    columns = (Column("Rate", "text", key="rate"), Column("Value", key="value"))
    return Table.of_rows(
        "rates",
        "Rates",
        (*columns, Column("What it is", "text", key="meaning", prose=True)),
        rows,
        classified.together,
    )


def sweep_table(classified: Classified) -> Table:
    """Return counts and rates at every threshold that changes something."""
    columns = (
        Column("Threshold", decimals=3, key="threshold"),
        *(Column(name, "count") for name in ("tp", "fp", "fn", "tn")),
        *(Column(name) for name in SWEPT),
    )
    rows = [
        (at, one.tp, one.fp, one.fn, one.tn, *(one.rates[name] for name in SWEPT))
        for at, one in classified.sweep
    ]
    return Table.of_rows("sweep", "Thresholds", columns, rows, classified.together)
