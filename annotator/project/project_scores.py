"""A project's judgments and rankings as a collection, and its evaluation.

Only what is judged is read from the rankings.
"""

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError, UserError
from annotator.evaluation.evaluator import (
    Collection,
    SystemRows,
    evaluate,
    parsed,
    ranked_by_gold,
    with_answerability,
)
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.answers import AnswerTable
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import OF_PARTS, Needs
from annotator.project.answer_models import models_for, naming, with_models
from annotator.project.citation_support import CitationSupport, citation_support, without_text
from annotator.project.nugget_matches import NuggetMatches, nugget_matches
from annotator.project.passages import passage_of
from annotator.project.project import Project
from annotator.project.provenance import provenance
from annotator.project.snapshots import backwards
from annotator.project.state import Qrels, keys_of, of_state, qrels_of, runs_of, state_of, stems_of
from annotator.project.stored_values import gold_list
from annotator.project.tie_counter import TieCounter
from annotator.records import GoldList, Query
from annotator.semantics.answer_scores import SemanticMatches
from annotator.storage.reads import arrays, holdings, lookup
from annotator.storage.reads.states import State
from annotator.tasks import PREFERENCE
from annotator.text.times import in_words
from annotator.watch import UNWATCHED, Watch

Ints = NDArray[np.int64]
OnPart = Callable[[EvaluationResult], None]
PART_SECONDS = 1.0
"""So much time is between two parts of a long evaluation, and more the longer it takes."""

ANSWER_LENGTH = 1_000_000
DEEPEST = 1_000
"""Names are read for so many ranks of an explanation; below, a row shows its grade alone."""

NO_JUDGMENTS = "it has no judgments"
NO_GOLD = "it has no gold answer and is not marked unanswerable"


def evaluate_project(
    project: Project,
    options: Options = Options(),
    on_part: OnPart | None = None,
    watch: Watch = UNWATCHED,
) -> EvaluationResult:
    """Evaluate the systems of a project from its grades or its gold answers; see `evaluated`."""
    return evaluated(state_of(project, options, watch), options, on_part, watch)


def evaluated(
    state: State,
    options: Options,
    on_part: OnPart | None = None,
    watch: Watch = UNWATCHED,
) -> EvaluationResult:
    """Evaluate the systems of one state; `on_part` is handed what is known of a long one now and then."""
    options = of_state(state, options)
    known = provenance(state, options)
    start = told = time.monotonic()

    def part(collection: Collection) -> None:
        nonlocal told
        systems = collection.systems
        if on_part is None or not systems or time.monotonic() - told < max(PART_SECONDS, (told - start) / 2):
            return
        on_part(replace(evaluate(collection, replace(options, systems=()), known), options=options))
        told = time.monotonic()

    watch = watch.saying("The evaluation was cancelled; nothing was changed.")
    models = models_for(options, watch)
    collection = collected(state, options, models, on_part and part, watch)
    return naming(models, evaluate(collection, options, known, watch))


def collected(
    state: State,
    options: Options,
    models: SemanticMatches | None = None,
    on_part: Callable[[Collection], None] | None = None,
    watch: Watch = UNWATCHED,
) -> Collection:
    """Return what an evaluation needs.

    `models` are looked for when they are not handed in and the options ask for some. `on_part` is handed the
    systems read so far, where grades alone count.
    """
    if state.items:
        instead = (
            "“annotator preferences” and the Compare page, tab Preferences, say what it tells of systems."
            if state.judged_by == PREFERENCE.name
            else "leave it out, and ask for a measure of it."
        )
        raise UserError(
            f"{state.judged_by} is not said of a candidate alone, so nothing is ranked by it; {instead}"
        )
    models = models_for(options) if models is None else models
    ties = TieCounter(state.store.tied, options, watch)
    with state.rows() as db:
        collection = _collection(state, db, options, models, ties, on_part)
    match = options.relevance
    if match is None:
        return collection
    systems = (
        replace(one, ranked=ranked_by_gold(one.answers, match)) for one in collection.systems if one.answers
    )
    return replace(collection, systems=tuple(systems))


def ranked_of(db: sqlite3.Connection, run: holdings.StoredRun, qrels: Qrels, queries: Ints) -> Ranked:
    """Return one run's judged hits over some queries (keys, ascending), looked up by primary key."""
    rank = arrays.ranks(db, run.key, qrels.pairs)
    hit = np.flatnonzero(rank)
    return Ranked.build(
        np.searchsorted(queries, qrels.pairs.query[hit]),
        rank[hit],
        qrels.grade[hit],
        lengths(db, run.key, queries),
        np.searchsorted(queries, qrels.pairs.query),
        qrels.grade,
    )


def answers_of(
    db: sqlite3.Connection,
    run: holdings.StoredRun,
    queries: Ints,
    gold: Mapping[int, GoldList],
    normaliser: str,
    language: str | None,
    asked: Mapping[int, Query] | None = None,
) -> AnswerTable | None:
    """Put a run's predicted answers beside the gold answers; None for a run of documents.

    `language` is that of the stems, None without; `asked` are the questions where their passages are wanted.
    """
    of_query, rank, candidate = [], [], []
    chosen = frozenset(queries.tolist())
    for query, candidates, ranks, _ in arrays.rankings(db, run.key):
        if query in chosen:
            of_query.append(np.full(len(ranks), np.searchsorted(queries, query)))
            rank.append(ranks)
            candidate.append(candidates)
    if not candidate:
        return None
    keys = np.concatenate(candidate)
    said = {one.key: one for one in lookup.contents(db, np.unique(keys), ANSWER_LENGTH).values() if one.query}
    if not said:
        return None
    places, at_rank = np.concatenate(of_query), np.concatenate(rank).astype(np.int32)
    table = AnswerTable.build(
        places,
        at_rank,
        [said[key].text if key in said else "" for key in keys.tolist()],
        [[one.wordings for one in gold[key].answers] if key in gold else [] for key in queries.tolist()],
        [key in gold and gold[key].unanswerable for key in queries.tolist()],
        normaliser=normaliser,
        stemming=language,
    )
    if asked is None:
        return table
    text_of = cache(partial(lookup.document_text, db))
    top = at_rank == 1
    first = zip(places[top].tolist(), keys[top].tolist(), strict=True)
    own = {at: said[key].passage for at, key in first if key in said}
    return table.with_passages(
        [
            own.get(at) or passage_of(asked[key], gold.get(key, GoldList("")), text_of)
            for at, key in enumerate(queries.tolist())
        ]
    )


READ_PARTS: dict[
    Needs, Callable[[State, sqlite3.Connection, Options], NuggetMatches | CitationSupport | None]
] = {"nuggets": nugget_matches, "citations": citation_support}
"""What answers at rank 1 are judged by part by part, by what a measure needs; None where there is nothing."""


def _collection(
    state: State,
    db: sqlite3.Connection,
    options: Options,
    models: SemanticMatches | None,
    ties: TieCounter,
    on_part: Callable[[Collection], None] | None = None,
) -> Collection:
    texts = state.queries
    needs = {one.needs for one in parsed(options)}
    needs_answers = options.relevance is not None or bool(needs - {"grades", *OF_PARTS})
    qrels = qrels_of(state, options)
    stored = state.gold if needs_answers else {}
    gold = {key: gold_list(texts[key].id, value) for key, value in stored.items()}
    graded = np.unique(qrels.pairs.query)
    parts = {
        name: found
        for name, read in READ_PARTS.items()
        if name in needs and (found := read(state, db, options)) is not None
    }
    asked_by = sorted({*gold, *(key for one in parts.values() for key in one.queries)})
    queries = np.array(sorted(gold), np.int64) if options.relevance else np.union1d(graded, asked_by)
    queries = queries.astype(np.int64)
    missing = NO_GOLD if options.relevance else NO_JUDGMENTS
    chosen = [texts[key] for key in queries.tolist()]
    collection = Collection(
        query_ids=tuple(one.id for one in chosen),
        systems=(),
        query_texts=tuple(one.text for one in chosen),
        tags=with_answerability(
            [one.tags for one in chosen],
            [gold[key].unanswerable if key in gold else None for key in queries.tolist()],
        ),
        left_out=tuple((texts[key].id, missing) for key in sorted(texts.keys() - set(queries.tolist()))),
        graded=None if options.relevance else np.isin(queries, graded),
        names=None if options.relevance else partial(_names, state, qrels),
    )
    language = stems_of(state, options)
    asked = texts if any(one.needs == "passages" for one in parsed(options)) else None
    systems: list[SystemRows] = []
    runs = _chosen_runs(state.runs, options)
    for done, run in enumerate(runs):
        ties.watch.step(done, len(runs), f"Reading {run.name}")
        if on_part is not None and not needs_answers:
            on_part(replace(collection, systems=tuple(systems)))
        table = (
            answers_of(db, run, queries, gold, options.normaliser, language, asked) if needs_answers else None
        )
        if table is not None:
            table = with_models(table, models)
        if options.relevance is None:
            ranked = ranked_of(db, run, qrels, queries)
            said = {name: one.table(db, run.key, queries) for name, one in parts.items()}
            systems.append(SystemRows(run.name, ranked, table, said, *ties.of(db, run, ranked, queries)))
        elif table is not None:
            nothing = Ranked.build([], [], [], np.zeros(len(queries), np.int64), [], [])
            systems.append(SystemRows(run.name, nothing, table))
    if options.relevance is not None and state.runs and not systems:
        raise MeasureError(
            "Relevance from gold answers asks for predicted answers, and the systems here rank documents: "
            f"{', '.join(run.name for run in state.runs)}."
        )
    notes = (*(() if options.relevance else (*qrels.notes, *ties.uncounted(systems))), *_as_of(state))
    notes += without_text(table for one in systems for table in one.parts.values())
    return replace(collection, systems=tuple(systems), notes=notes)


def _chosen_runs(runs: Sequence[holdings.StoredRun], options: Options) -> Sequence[holdings.StoredRun]:
    """Return the runs to read: all where one that is asked for is missing, to be named beside it."""
    chosen = [run for run in runs if run.name in options.systems]
    return chosen if len(chosen) == len(set(options.systems)) > 0 else runs


def lengths(db: sqlite3.Connection, run: int, queries: Ints) -> Ints:
    """Return how many candidates a run returned for each query (keys, ascending), 0 where none."""
    answered, length = arrays.lengths(db, run)
    known = np.isin(answered, queries)
    retrieved = np.zeros(len(queries), dtype=np.int64)
    retrieved[np.searchsorted(queries, answered[known])] = length[known]
    return retrieved


def _names(state: State, qrels: Qrels, system: str, query: str) -> tuple[list[str], dict[str, int]]:
    """Return what one ranking's candidates are called, best first, and the grade of each judged one."""
    (run,) = runs_of(state, [system])
    (key,) = keys_of(state, [query])
    mine = qrels.pairs.query == key
    candidates = qrels.pairs.candidate[mine].tolist()
    with state.rows() as db:
        names = [name for _, name in lookup.ranking(db, run.key, key, DEEPEST)]
        called = lookup.names(db, candidates)
        judged = zip(map(called.__getitem__, candidates), qrels.grade[mine].tolist(), strict=True)
        return names, dict(judged)


def _as_of(state: State) -> tuple[str, ...]:
    if not state.as_of:
        return ()
    return f"Judgments, gold answers and runs as of {in_words(state.as_of)}.", *backwards(state)
