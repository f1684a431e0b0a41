"""Evaluating files without a project: runs against qrels, predicted answers against gold answers.

No storage, pandas or scipy is loaded on this path.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.evaluator import (
    Collection,
    SystemRows,
    evaluate,
    parsed,
    ranked_by_gold,
    refuse_beyond,
    with_answerability,
)
from annotator.evaluation.options import GoldMatch, Options, with_stems
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.tables import Rows
from annotator.formats.declaration import Reading
from annotator.formats.judged_pairs import Qrels
from annotator.formats.registry import hits_in, qrels_in, read_file
from annotator.grades import HIGHEST
from annotator.metrics.answers import AnswerTable
from annotator.metrics.collection import Ranked
from annotator.metrics.ties import Ties
from annotator.project.passages import passage_of
from annotator.project.version import version
from annotator.records import Dataset, GoldList, Query, RunTable
from annotator.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from annotator.semantics.answer_scores import SemanticMatches

NO_JUDGMENTS = "it has no judgments"


def evaluate_runs(
    qrels: Path, runs: Sequence[Path], options: Options, watch: Watch = UNWATCHED
) -> EvaluationResult:
    """Evaluate run files against a file of judgments; raises InputError for what cannot be taken."""
    provenance = Provenance(name=qrels.name, version=version())
    made = collection_of_runs(qrels, runs, highest=options.highest_grade, watch=watch)
    return evaluate(made, options, provenance)


def evaluate_answers(
    gold: Path,
    predictions: Sequence[Path],
    options: Options,
    reading: Reading = Reading(),
) -> EvaluationResult:
    """Evaluate predicted answers against gold answers in files; see `evaluated_answers`."""
    made = [predictions_in(one, reading) for one in predictions]
    return evaluated_answers(questions_in(gold), made, options, gold.name)[0]


def evaluated_answers(
    questions: Dataset, predictions: Sequence[tuple[str, Dataset]], options: Options, name: str
) -> tuple[EvaluationResult, Collection]:
    """Evaluate predicted answers against gold answers; ranking measures take the gold match as relevance."""
    from annotator.project.answer_models import models_for, naming

    if options.relevance is None and any(one.needs == "grades" for one in parsed(options)):
        options = replace(options, relevance=GoldMatch(normaliser=options.normaliser))
    models = models_for(options)
    collection = answered(questions, predictions, options, models)
    result = evaluate(collection, options, Provenance(name=name, version=version()))
    return naming(models, result), collection


def collection_of_runs(
    qrels: Path,
    runs: Sequence[Path],
    names: Sequence[str] = (),
    highest: int = HIGHEST,
    watch: Watch = UNWATCHED,
) -> Collection:
    """Read judgments and runs from files; the system of a file is the tag in the run, or the file's stem.

    `names` are others for the systems, one for each file; a file of several systems keeps its own.
    Raises InputError for what cannot be taken, UserError for a grade above the highest of the scale.
    """
    each = watch.parts([one.stat().st_size if one.is_file() else 0 for one in (qrels, *runs)])
    judged = qrels_in(qrels, next(each))
    systems: list[SystemRows] = []
    left_out: dict[str, None] = {}
    notes = dict.fromkeys(judged.notes)
    places: dict[str, tuple[Path, str]] = {}
    for path, given in zip(runs, names or [""] * len(runs), strict=True):
        hits = hits_in(path, judged, next(each))
        for run in hits:
            name = given if given and len(hits) == 1 else _free_name(run.system, path.name, systems)
            ranked = Ranked.build(run.query, run.rank, run.grade, run.retrieved, judged.query, judged.grade)
            systems.append(SystemRows(name, ranked, tied=run.tied, ties=Ties(run.first, run.last)))
            left_out.update(dict.fromkeys(run.unjudged))
            notes.update(dict.fromkeys(run.notes))
            places[name] = path, run.system
    collection = Collection(
        query_ids=judged.query_ids,
        systems=tuple(systems),
        left_out=tuple((query, NO_JUDGMENTS) for query in left_out),
        notes=tuple(notes),
        names=partial(_names, judged, places),
    )
    refuse_beyond(collection, highest)
    return collection


def _names(
    judged: Qrels, places: Mapping[str, tuple[Path, str]], system: str, query: str
) -> tuple[list[str], dict[str, int]]:
    """Return the candidates of one query in a run file's order, and the grade of each judged one."""
    path, tag = places[system]
    dataset = read_file(path, Reading(in_pieces=True), "trec-run")
    tables = chain(dataset.runs, *(run.pieces for run in dataset.long_runs))
    names = (table.ranking(query) for table in tables if table.system == tag)
    at = judged.query_ids.index(query)
    mine = slice(*judged.starts[at : at + 2])
    ids = (one.decode("utf-8") for one in judged.candidate[mine].tolist())
    return next(filter(None, names), []), dict(zip(ids, judged.grade[mine].tolist(), strict=True))


def judged_rows(path: Path) -> Rows:
    """Return the judgments in a file as columns."""
    table = read_file(path, wanted="judgments").judgments
    if table is None:
        raise UserError(f"{path} holds no judgments; give a file of qrels.")
    queries, candidates = np.array(table.query_ids, object), np.array(table.candidate_ids, object)
    return Rows(queries[table.query], candidates[table.candidate], table.grade)


def run_rows(path: Path) -> Rows:
    """Return the only run in a file as columns; an order without scores becomes scores that keep it."""
    runs = read_file(path, wanted="trec-run").runs
    if len(runs) != 1:
        raise UserError(f"{path} holds {len(runs)} runs; give a file of one run.")
    run = runs[0]
    score = run.score
    if score is None or run.order_rule == "given":
        score = -run.rank.astype(np.float64)
    queries, candidates = np.array(run.query_ids, object), np.array(run.candidate_ids, object)
    return Rows(queries[run.query], candidates[run.candidate], score)


def collection_of_answers(
    gold: Path,
    predictions: Sequence[Path],
    options: Options,
    models: "SemanticMatches | None" = None,
    reading: Reading = Reading(),
) -> Collection:
    """Read gold answers and predicted answers from files; see `answered`."""
    return answered(
        questions_in(gold), [predictions_in(one, reading) for one in predictions], options, models
    )


def questions_in(path: Path) -> Dataset:
    """Return the questions of a file; raises UserError where it has no gold answers."""
    questions = read_file(path)
    if not questions.gold:
        raise UserError(f"{path} holds no gold answers; give a file of questions with answers (SQuAD).")
    return questions


def predictions_in(path: Path, reading: Reading = Reading()) -> tuple[str, Dataset]:
    """Return the predicted answers of a file, beside its name; raises UserError where there are none."""
    dataset = read_file(path, reading)
    if not dataset.answers or not dataset.runs:
        raise UserError(f"{path} holds no predicted answers; give a file of predictions.")
    return path.name, dataset


def answered(
    questions: Dataset,
    predictions: Sequence[tuple[str, Dataset]],
    options: Options,
    models: "SemanticMatches | None" = None,
) -> Collection:
    """Put predicted answers, each beside where they come from, next to gold answers.

    Every question with gold answers is a query. Where only some questions are unanswerable, the tags HasAns
    and NoAns tell them apart.
    """
    from annotator.project.answer_models import with_models

    query_ids = tuple(one.query_id for one in questions.gold)
    asked = {one.id: one for one in questions.queries}
    passages = _passages(questions, options)
    systems: list[SystemRows] = []
    left_out: dict[str, None] = {}
    notes: list[str] = []
    for source, dataset in predictions:
        notes += dataset.notes
        for run in dataset.runs:
            table = with_models(answer_table(questions.gold, dataset, run, options, passages), models)
            ranked = ranked_by_gold(table, options.relevance or GoldMatch(normaliser=options.normaliser))
            systems.append(SystemRows(_free_name(run.system, source, systems), ranked, table))
            known = frozenset(query_ids)
            left_out.update((query, None) for query in run.query_ids if query not in known)
    unscorable = [one.query_id for one in questions.gold if not one.answers and not one.unanswerable]
    return Collection(
        query_ids=query_ids,
        systems=tuple(systems),
        query_texts=tuple(asked[one].text if one in asked else "" for one in query_ids),
        tags=with_answerability([()] * len(query_ids), [one.unanswerable for one in questions.gold]),
        notes=tuple(notes),
        left_out=(
            *((query, "the gold file does not have it") for query in left_out),
            *((query, "it has no gold answer and is not marked unanswerable") for query in unscorable),
        ),
    )


def _passages(questions: Dataset, options: Options) -> list[str] | None:
    """Return the passage of each question with gold answers; None where no measure looks at them."""
    if all(one.needs != "passages" for one in parsed(options)):
        return None
    asked = {one.id: one for one in questions.queries}
    documents = {one.id: one.text for one in questions.documents}
    return [
        passage_of(
            asked.get(one.query_id, Query(one.query_id, "")), one, lambda name: documents.get(name, "")
        )
        for one in questions.gold
    ]


def answer_table(
    gold: Sequence[GoldList],
    made: Dataset,
    run: RunTable,
    options: Options,
    passages: Sequence[str] | None = None,
) -> AnswerTable:
    """Put one system's predicted answers beside the gold answers, in the order of the gold file.

    `passages` are those of the questions; an answer's own goes first.
    """
    answers = {one.id: one for one in made.answers}
    query = _codes([one.query_id for one in gold], run.query_ids)[run.query]
    rows = np.flatnonzero(query >= 0)
    said = [answers[run.candidate_ids[at]] for at in run.candidate[rows].tolist()]
    table = AnswerTable.build(
        query[rows],
        run.rank[rows],
        [one.text for one in said],
        [[answer.wordings for answer in one.answers] for one in gold],
        [one.unanswerable for one in gold],
        normaliser=options.normaliser,
        stemming=with_stems(options.language or "en") if options.stemming else None,
    )
    if passages is None:
        return table
    own = {
        at: one.passage
        for at, rank, one in zip(query[rows].tolist(), run.rank[rows], said, strict=True)
        if rank == 1
    }
    return table.with_passages([own.get(at) or passage for at, passage in enumerate(passages)])


def _codes(known: Sequence[str], ids: Sequence[str]) -> NDArray[np.int64]:
    """Return where each id stands among the known ones, -1 where it does not."""
    place = {one: at for at, one in enumerate(known)}
    return np.array([place.get(one, -1) for one in ids], dtype=np.int64)


def _free_name(name: str, source: str, systems: Sequence[SystemRows]) -> str:
    """Return the system's name, with where it comes from where two bear the same."""
    return name if all(name != one.name for one in systems) else f"{name} ({source})"
