"""A project's judgments and rankings as a collection, and its evaluation.

Only what is judged is read from the rankings. What is read is one state of the project: when somebody grades
meanwhile, it is read again.
"""

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError, UserError
from annotator.evaluation.combining import combine
from annotator.evaluation.evaluating import (
    Collection,
    OnProgress,
    ShouldStop,
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
from annotator.project.models import evaluated_with_models, models_for, with_models
from annotator.project.moments import in_words, settled, state_of
from annotator.project.provenance import provenance
from annotator.project.settings import setting
from annotator.project.stored import gold_list
from annotator.project.ties import TieCounter
from annotator.records import GoldList
from annotator.semantics.scoring import SemanticMatches
from annotator.storage import arrays, asking, reading
from annotator.storage.past import State
from annotator.storage.store import Store
from annotator.storage.watching import Watch

Ints = NDArray[np.int64]
OnPart = Callable[[EvaluationResult], None]
TRIES = 3
PART_SECONDS = 1.0
"""So much time is between two parts of a long evaluation, and more the longer it takes."""

ANSWER_LENGTH = 1_000_000
NO_JUDGMENTS = "it has no judgments"
NO_GOLD = "it has no gold answer and is not marked unanswerable"


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """The judgments as the evaluator sees them: one grade per pair, pairs as keys in ascending order."""

    pairs: arrays.Pairs
    grade: Ints
    notes: tuple[str, ...] = ()


def evaluated(
    store: Store,
    options: Options,
    on_progress: OnProgress | None,
    should_stop: ShouldStop | None,
    on_part: OnPart | None = None,
) -> EvaluationResult:
    """Evaluate the project's systems; `on_part` is handed what is known of a long one from time to time."""
    options = settled(store, options)
    known = provenance(store, options)
    start = told = time.monotonic()

    def part(collection: Collection) -> None:
        nonlocal told
        systems = collection.systems
        if on_part is None or not systems or time.monotonic() - told < max(PART_SECONDS, (told - start) / 2):
            return
        on_part(replace(evaluate(collection, replace(options, systems=()), known), options=options))
        told = time.monotonic()

    return evaluated_with_models(
        lambda models: collected(store, options, models, on_progress, should_stop, on_part and part),
        options,
        known,
        on_progress,
        should_stop,
    )


def collected(
    store: Store,
    options: Options,
    models: SemanticMatches | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    on_part: Callable[[Collection], None] | None = None,
) -> Collection:
    """Read what an evaluation needs as one consistent state.

    Answers are compared with gold answers only after reading, so that nobody who grades has to wait.
    `models` are looked for when they are not handed in and the options ask for some. `on_part` is handed the
    systems read so far, where grades alone count.
    """
    models = models_for(options) if models is None else models
    watch = Watch("The evaluation was cancelled; nothing was changed.", on_progress, should_stop)
    for _ in range(TRIES):
        head = store.head()
        with store.reading() as db:
            collection = _collection(db, options, models, TieCounter(store.tied, options, watch), on_part)
        if store.head() == head:
            break
    match = options.relevance
    if match is None:
        return collection
    systems = (
        replace(one, ranked=ranked_by_gold(one.answers, match)) for one in collection.systems if one.answers
    )
    return replace(collection, systems=tuple(systems))


def qrels_of(db: sqlite3.Connection, options: Options, state: State | None = None) -> Qrels:
    """Combine the judgments of one annotator, or of all but models, into one grade per pair."""
    state = state or state_of(db, options)
    people = asking.annotators(db)
    if options.annotator is not None:
        kept = [key for key, name, *_ in people if name == options.annotator]
        if not kept:
            raise UserError(
                f"Nobody called {options.annotator!r} has judged here; there are: "
                f"{', '.join(name for _, name, *_ in people)}."
            )
    else:
        kept = [key for key, _, kind, *_ in people if kind != "model"]
    others = [name for key, name, _, graded, _ in people if graded and key not in kept]
    models = others if options.annotator is None else []
    judged = state.judged.where(np.isin(state.judged.annotator, kept))
    graded = judged.where(judged.grade >= 0)
    codes, grade = combine(
        (graded.query << 32) | graded.candidate, graded.grade, graded.time, options.combine
    )
    if options.annotator is None:
        codes, grade = _adjudicated(state, codes, grade)
    notes = (f"Judgments by models are left out: {', '.join(models)}.",) if models else ()
    return Qrels(arrays.Pairs(codes >> 32, codes & 0xFFFFFFFF), grade, notes)


def _adjudicated(state: State, codes: Ints, grade: Ints) -> tuple[Ints, Ints]:
    """Let adjudicated grades win."""
    settled, settled_grade = state.settled
    keep = ~np.isin(codes, settled.codes)
    codes = np.concatenate((codes[keep], settled.codes))
    order = np.argsort(codes)
    return codes[order], np.concatenate((grade[keep], settled_grade))[order]


def ranked_of(db: sqlite3.Connection, run: reading.StoredRun, qrels: Qrels, queries: Ints) -> Ranked:
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
    run: reading.StoredRun,
    queries: Ints,
    gold: Mapping[int, GoldList],
    options: Options,
) -> AnswerTable | None:
    """Put a run's predicted answers beside the gold answers; None for a run of documents."""
    of_query, rank, candidate = [], [], []
    wanted = frozenset(queries.tolist())
    for query, candidates, ranks, _ in arrays.rankings(db, run.key):
        if query in wanted:
            of_query.append(np.full(len(ranks), np.searchsorted(queries, query)))
            rank.append(ranks)
            candidate.append(candidates)
    if not candidate:
        return None
    keys = np.concatenate(candidate)
    texts = {
        one.key: one.text for one in asking.contents(db, np.unique(keys), ANSWER_LENGTH).values() if one.query
    }
    if not texts:
        return None
    return AnswerTable.build(
        np.concatenate(of_query),
        np.concatenate(rank),
        [texts.get(key, "") for key in keys.tolist()],
        [[one.wordings for one in gold[key].answers] if key in gold else [] for key in queries.tolist()],
        [key in gold and gold[key].unanswerable for key in queries.tolist()],
        normaliser=options.normaliser,
        stemming=setting(db, "language") if options.stemming else None,
    )


def _collection(
    db: sqlite3.Connection,
    options: Options,
    models: SemanticMatches | None,
    ties: TieCounter,
    on_part: Callable[[Collection], None] | None = None,
) -> Collection:
    state = state_of(db, options)
    texts = dict(reading.queries(db))
    needs_answers = options.relevance is not None or any(one.needs != "grades" for one in parsed(options))
    qrels = qrels_of(db, options, state)
    stored = state.gold if needs_answers else {}
    gold = {key: gold_list(texts[key].id, value) for key, value in stored.items()}
    graded = np.unique(qrels.pairs.query)
    queries = np.array(sorted(gold), np.int64) if options.relevance else np.union1d(graded, sorted(gold))
    queries = queries.astype(np.int64)
    missing = NO_GOLD if options.relevance else NO_JUDGMENTS
    chosen = [texts[key] for key in queries.tolist()]
    found = Collection(
        query_ids=tuple(one.id for one in chosen),
        systems=(),
        query_texts=tuple(one.text for one in chosen),
        tags=with_answerability(
            [one.tags for one in chosen],
            [gold[key].unanswerable if key in gold else None for key in queries.tolist()],
        ),
        left_out=tuple((texts[key].id, missing) for key in sorted(texts.keys() - set(queries.tolist()))),
        graded=None if options.relevance else np.isin(queries, graded),
    )
    systems: list[SystemRows] = []
    runs = _chosen_runs(state.runs, options)
    for done, run in enumerate(runs):
        ties.watch.step(done, len(runs), f"Reading {run.name}")
        if on_part is not None and not needs_answers:
            on_part(replace(found, systems=tuple(systems)))
        table = answers_of(db, run, queries, gold, options) if needs_answers else None
        if table is not None:
            table = with_models(table, models)
        if options.relevance is None:
            ranked = ranked_of(db, run, qrels, queries)
            systems.append(SystemRows(run.name, ranked, table, *ties.of(db, run, ranked, queries)))
        elif table is not None:
            nothing = Ranked.build([], [], [], np.zeros(len(queries), np.int64), [], [])
            systems.append(SystemRows(run.name, nothing, table))
    if options.relevance is not None and state.runs and not systems:
        raise MeasureError(
            "Relevance from gold answers asks for predicted answers, and the systems here rank documents: "
            f"{', '.join(run.name for run in state.runs)}."
        )
    notes = (*(() if options.relevance else (*qrels.notes, *ties.uncounted(systems))), *_as_of(options))
    return replace(found, systems=tuple(systems), notes=notes)


def _chosen_runs(runs: Sequence[reading.StoredRun], options: Options) -> Sequence[reading.StoredRun]:
    """Return the runs to read: all where one that is asked for is missing, to be named beside it."""
    chosen = [run for run in runs if run.name in options.systems]
    return chosen if len(chosen) == len(set(options.systems)) > 0 else runs


def named_pairs(
    db: sqlite3.Connection, pairs: arrays.Pairs, rows: Ints | Sequence[int]
) -> list[tuple[int, int, str, str]]:
    """Return the keys and the external ids of query and candidate of some rows of pairs."""
    queries, candidates = pairs.query[rows].tolist(), pairs.candidate[rows].tolist()
    ids = {key: one.id for key, one in reading.queries(db, set(queries))}
    names = (ids[query] for query in queries)
    return list(zip(queries, candidates, names, asking.candidate_ids(db, candidates), strict=True))


def run_keys(db: sqlite3.Connection, systems: Sequence[str]) -> list[int]:
    """Return the keys of the current runs of some systems; raises UserError for one that is not there."""
    runs = {run.name: run.key for run in reading.runs(db)}
    for name in systems:
        if name not in runs:
            raise UserError(f"There is no system {name!r} here; there are: {', '.join(runs)}.")
    return [runs[name] for name in systems]


def lengths(db: sqlite3.Connection, run: int, queries: Ints) -> Ints:
    """Return how many candidates a run returned for each query (keys, ascending), 0 where none."""
    answered, length = arrays.lengths(db, run)
    known = np.isin(answered, queries)
    retrieved = np.zeros(len(queries), dtype=np.int64)
    retrieved[np.searchsorted(queries, answered[known])] = length[known]
    return retrieved


def _as_of(options: Options) -> tuple[str, ...]:
    return (f"Judgments, gold answers and runs as of {in_words(options.as_of)}.",) if options.as_of else ()
