"""One state of the project: read once, and handed down to everything that is computed from it.

It is values, never an open read transaction: nobody who grades waits while something is computed.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.agreement_words import together_in_words
from annotator.evaluation.grade_combination import combine
from annotator.evaluation.options import Options, with_stems
from annotator.grades import GRADES
from annotator.project.judged_by import by
from annotator.project.project import Project
from annotator.project.settings import DEFAULTS
from annotator.project.snapshots import milliseconds, written_out
from annotator.project.views import EMPTY_ANSWER, Pair
from annotator.storage.ledger import events
from annotator.storage.reads import arrays, holdings, lookup, states
from annotator.storage.reads.holdings import StoredRun
from annotator.storage.reads.states import State
from annotator.storage.store import Store
from annotator.watch import UNWATCHED, Watch

__all__ = ["State"]
"""What is read, and by the functions below."""

Ints = NDArray[np.int64]
OfPair = TypeVar("OfPair", bound=Pair)
TRIES = 3
GRADES_ALONE: dict[str, Any] = {"judged_by": "", "levels": len(GRADES), "items": ()}


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """The judgments as the evaluator sees them: one grade per pair, pairs as keys in ascending order."""

    pairs: arrays.Pairs
    grade: Ints
    notes: tuple[str, ...] = ()


def state_of(project: Project, options: Options = Options(), watch: Watch = UNWATCHED) -> State:
    """Return the present state, or the one at the moment that the options name.

    This is the gate that every number passes: raises DamagedError for a file that is not what was recorded.
    What is judged by is what the options name. Raises UserError for a moment that is neither a snapshot nor
    one in time, for a name that nothing is judged by, and Stopped.
    """
    project.store.prove(watch=watch)
    state = _present(project.store)
    return by(earlier(state, options.as_of) if options.as_of else state, options.judged_by)


def earlier(state: State, moment: str) -> State:
    """Return a state as it was at a moment, which is `written_out`: it means the same tomorrow.

    At a time, what was recorded by then counts, in whatever order; at a snapshot, what stood before it.
    """
    with state.rows() as db:
        as_of = written_out(moment, holdings.snapshots(db))
        event = states.snapshot_event(db, as_of)
        time = events.LAST if event is not None else milliseconds(as_of)
        until = events.Until(min(event or events.LAST, state.end), time)
        then = states.after(replace(state, **GRADES_ALONE), db, until, as_of)
    return by(then, state.judged_by)


def _present(store: Store) -> State:
    """Read in short pieces, again when somebody graded meanwhile, and at last in one transaction.

    A grade waits for that one as long as fetching the judgments takes, a second for a million.
    """
    with store.reading() as db:
        for _ in range(TRIES):
            state = states.present(store, db)
            if events.head(db) == state.head:
                break
        else:
            db.execute("BEGIN")
            try:
                state = states.present(store, db)
            finally:
                db.execute("COMMIT")
    return replace(state, settings={**DEFAULTS, **state.settings})


def qrels_of(state: State, options: Options) -> Qrels:
    """Combine the judgments of one annotator, or of all but models, into one grade per pair."""
    people, kept = state.annotators, counted_of(state, options)
    others = [name for key, name, _, graded, _ in people if graded and key not in kept]
    models = others if options.annotator is None else []
    graded = state.judged.where(np.isin(state.judged.annotator, kept) & (state.judged.grade >= 0))
    codes, grade = combine(
        (graded.query << 32) | graded.candidate, graded.grade, graded.time, options.combine
    )
    if options.annotator is None:
        codes, grade = _adjudicated(state, codes, grade)
    notes = (f"Judgments by models are left out: {', '.join(models)}.",) if models else ()
    if any(kind == "model" for key, _, kind, *_ in people if key in kept):
        notes = (f"{options.annotator} is a model: its grades alone, not corrected by people's.",)
    return Qrels(arrays.Pairs(codes >> 32, codes & 0xFFFFFFFF), grade, notes)


def counted_of(state: State, options: Options) -> list[int]:
    """Return the keys of those whose judgments count: the annotator that the options name, or all but models.

    Raises UserError for a name that nobody has.
    """
    people = state.annotators
    if options.annotator is None:
        return [key for key, _, kind, *_ in people if kind != "model"]
    kept = [key for key, name, *_ in people if name == options.annotator]
    if not kept:
        raise UserError(
            f"Nobody called {options.annotator!r} has judged here; there are: "
            f"{', '.join(name for _, name, *_ in people)}."
        )
    return kept


def _adjudicated(state: State, codes: Ints, grade: Ints) -> tuple[Ints, Ints]:
    """Let adjudicated grades win."""
    settled, settled_grade = state.settled
    keep = ~np.isin(codes, settled.codes)
    codes = np.concatenate((codes[keep], settled.codes))
    order = np.argsort(codes)
    return codes[order], np.concatenate((grade[keep], settled_grade))[order]


def judged_of(state: State, only: Container[str] | None) -> arrays.Judgments:
    """Return the judgments of the queries whose ids are among `only`; None is all."""
    if only is None:
        return state.judged
    return state.judged.where(np.isin(state.judged.query, [*keys_of(state, only)]))


def decided_alone(
    state: State, together: bool = False, only: Container[str] | None = None
) -> tuple[State, str]:
    """Return the state by which people are held against each other or a match, and what is said of it.

    Grades that nobody decided on one by one (`WITH_OTHERS`) count in scores, but are left out here unless
    `together`. What is said tells how many of them the queries `only` have; it is "" without any.
    """
    judged = judged_of(state, only)
    number = int(((judged.grade >= 0) & (judged.how > 0)).sum())
    alone = (state.judged.grade < 0) | (state.judged.how == 0)
    held = state if together else replace(state, judged=state.judged.where(alone))
    return held, together_in_words(number, together)


def of_state(state: State, options: Options) -> Options:
    """Return options as a state was read by them: its moment, what it is judged by, the stems' language."""
    return replace(
        options, as_of=state.as_of, judged_by=state.judged_by, language=stems_of(state, options) or ""
    )


def stems_of(state: State, options: Options) -> str | None:
    """Return the language of the stems that answers are compared by; None where words are compared.

    Raises UserError for a language without stems, which a project that others wrote may be set to.
    """
    return with_stems(options.language or state.settings["language"]) if options.stemming else None


def keys_of(state: State, only: Container[str]) -> dict[int, str]:
    """Return the keys of the queries whose ids are among `only`, with these."""
    return {key: query.id for key, query in state.queries.items() if query.id in only}


def named_pairs(
    state: State, pairs: arrays.Pairs, rows: Ints | Sequence[int]
) -> list[tuple[int, int, str, str]]:
    """Return the keys and the external ids of query and candidate of some rows of pairs."""
    queries, candidates = pairs.query[rows].tolist(), pairs.candidate[rows].tolist()
    if state.items:
        ids = [" · ".join(state.items[one][1:]) for one in candidates]
        return list(zip(queries, candidates, (state.queries[key].id for key in queries), ids, strict=True))
    with state.rows() as db:
        ids = lookup.candidate_ids(db, candidates)
    return list(zip(queries, candidates, (state.queries[key].id for key in queries), ids, strict=True))


def as_called(state: State, pairs: Sequence[OfPair]) -> list[OfPair]:
    """Return pairs with their candidates called as people read them: a predicted answer by its text."""
    if state.items:
        return list(pairs)
    with state.rows() as db:
        names = lookup.names(db, {one.candidate for one in pairs})
    return [replace(one, candidate_id=names[one.candidate] or EMPTY_ANSWER) for one in pairs]


def runs_of(state: State, systems: Sequence[str]) -> list[StoredRun]:
    """Return the runs of some systems; raises UserError for one that is not there."""
    runs = {run.name: run for run in state.runs}
    for name in systems:
        if name not in runs:
            raise UserError(f"There is no system {name!r} here; there are: {', '.join(runs)}.")
    return [runs[name] for name in systems]
