"""From which no-answer probability on answers should have become empty, and what that would have given."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from annotator.errors import MeasureError, UserError
from annotator.evaluation.evaluator import Collection, evaluate, parsed
from annotator.evaluation.options import ANSWER_MEASURES, Options
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.formats.squad_predictions import doubts_in
from annotator.metrics.no_answer import best_threshold
from annotator.project.answer_models import models_for, naming
from annotator.project.files import collection_of_answers
from annotator.project.project_scores import collected
from annotator.project.provenance import provenance
from annotator.project.state import State
from annotator.project.version import version
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

WARNING = (
    "Each threshold was chosen with the right answers of the very questions it is judged on. Expect less on "
    "other questions, and compare no systems by these numbers: choose a threshold on other questions, and "
    "give it with --no-answer-from."
)
EMPTIED = "Answers that became empty when they were imported stay so."


def best_no_answer(
    gold: Path, predictions: Sequence[Path], no_answer: Path, options: Options
) -> tuple[Table, EvaluationResult]:
    """Return each system's scores as predicted and at the threshold that serves each measure best.

    An answer is emptied above the threshold, as `--no-answer-from` does; a question without a probability
    counts as sure. The result is the one as predicted. Raises MeasureError for a measure of rankings,
    InputError for what cannot be read.
    """
    for one in parsed(options):
        if one.needs == "grades":
            raise MeasureError(
                f"{one.name} is no measure of answers; the best threshold is for EM or TokenF1."
            )
    doubt_of = doubts_in(no_answer)
    models = models_for(options)
    collection = collection_of_answers(gold, predictions, options, models)
    result = naming(models, evaluate(collection, options, Provenance(name=gold.name, version=version())))
    return _at_best(collection, result, doubt_of).noted(WARNING), result


def best_no_answer_of(state: State, options: Options, no_answer: Path, watch: Watch = UNWATCHED) -> Table:
    """Return the same for the answers that a project holds, under the chosen measures of answers.

    Where none is chosen these are EM and TokenF1. An answer that became empty on import stays so. Raises
    UserError without predicted answers.
    """
    doubt_of = doubts_in(no_answer)
    of_answers = tuple(one.name for one in parsed(options) if one.needs != "grades")
    options = options.of_measures(*(of_answers or ANSWER_MEASURES))
    models = models_for(options, watch)
    collection = collected(state, options, models, watch=watch)
    collection = replace(collection, systems=tuple(one for one in collection.systems if one.answers))
    if not collection.systems:
        raise UserError("No system here has predicted answers; no-answer probabilities are about these.")
    known = {one.name for one in collection.systems}
    options = replace(options, systems=tuple(name for name in options.systems if name in known))
    result = naming(models, evaluate(collection, options, provenance(state, options), watch))
    missing = sum(query not in doubt_of for query in result.query_ids)
    table = _at_best(collection, result, doubt_of)
    if missing:
        table = table.noted(
            f"{counted(missing, 'question has', 'questions have')} no probability in {no_answer.name} and "
            f"{'counts' if missing == 1 else 'count'} as sure."
        )
    return table.noted(EMPTIED).noted(WARNING)


def _at_best(collection: Collection, result: EvaluationResult, doubt_of: Mapping[str, float]) -> Table:
    """Return each system's means as predicted and at the best threshold of each measure."""
    place = {query: at for at, query in enumerate(collection.query_ids)}
    at = np.array([place[query] for query in result.query_ids], np.int64)
    doubt = np.array([doubt_of.get(query, 0.0) for query in result.query_ids], np.float64)
    tables = {one.name: one.answers for one in collection.systems}
    rows: list[tuple[Cell, ...]] = []
    for number, system in enumerate(result.systems):
        table = tables[system]
        assert table is not None
        emptied = (table.unanswerable & (np.diff(table.prediction_offsets) > 0)).astype(np.float64)[at]
        row: list[Cell] = [system]
        for kept, measure in zip(result.scores[number], result.measures, strict=True):
            use = result.counted[number] & ~np.isnan(kept)
            best = best_threshold(kept[use], emptied[use], doubt[use])
            row += [result.mean(system, measure.name), *best]
        rows.append(tuple(row))
    names = [one.name for one in result.measures]
    titles = [title for one in names for title in (one, f"{one} at best", f"{one} empty above")]
    columns = (Column("System", "text", key="system"), *map(Column, titles))
    title = "The no-answer thresholds that would have served best"
    return Table.of_rows("best-no-answer", title, columns, rows)
