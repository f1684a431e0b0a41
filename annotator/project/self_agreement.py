"""Asking an annotator again: a share of their own earlier grades, to see how far they agree with themselves.

What is said the second time is an event of its own and changes no grade.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.agreement import PairAgreement, between
from annotator.project import browse, finished
from annotator.project.project import Project
from annotator.project.settings import setting
from annotator.project.views import UNJUDGED, Change, QueryView
from annotator.storage.ledger import current_values, events
from annotator.storage.reads import lookup
from annotator.storage.reads import practice as practice_queries
from annotator.storage.reads.states import State
from annotator.tasks import GRADE, checked_level

FRESH = 20
"""So many of the newest grades are still remembered, so they are not asked again."""

PIECE = 2_000
"""So many queries are looked through in one read."""


def due(project: Project, query: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield (query, candidate) of what the annotator is still asked again, of one query or of all in order.

    It is the share `repeat_share` of their grades, none when that is 0. The reads are short: a grade that is
    stored meanwhile does not wait.
    """
    with project.store.reading() as db:
        share = setting(db, "repeat_share")
        if not share:
            return
        me, last = lookup.annotator_key(db, project.annotator), lookup.last_query(db)
        practice = set(practice_queries.queries(db).tolist())
        newest = events.history(db, annotator=project.annotator, tasks=(GRADE.name,), limit=FRESH)
        left_out = {event.subject for _, event in newest}
        left_out |= {subject for subject, _, _ in _repeats(db, project.annotator)}
    for first in range(0, last + 1, PIECE) if query is None else (query,):
        with project.store.reading() as db:
            pairs = lookup.drawn(db, me, share, first, query or first + PIECE - 1)
        yield from (
            (of, candidate)
            for of, candidate, *ids in pairs
            if of not in practice and tuple(ids) not in left_out
        )


def next_again(project: Project, query: int | None = None) -> QueryView | None:
    """Return a query with only those candidates that are asked again, as if nobody had judged them.

    It is the first one of which any is due, or the one named; None when nothing is due.
    """
    for one, pairs in groupby(due(project, query), itemgetter(0)):
        due_again = {candidate for _, candidate in pairs}
        view = browse.query(project, one, blind=True)
        asked = tuple(
            replace(shown, judgment=UNJUDGED) for shown in view.candidates if shown.key in due_again
        )
        if asked:
            return replace(view, candidates=asked, again=True)
    return None


def grade_again(
    project: Project,
    query: int,
    candidate: int,
    grade: int,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Store what the annotator says this time. Raises UserError for what is no grade or was not graded."""
    with project.store.writing() as db:
        subject = lookup.pair_ids(db, query, candidate)
        first = (project.store.value(project.annotator, GRADE.name, subject) or {}).get("grade")
        if first is None:
            raise UserError("This candidate has no grade of yours, so there is nothing to ask again.")
        blind = finished.blind(db, project.annotator, query)
        value = {"first": first, "grade": checked_level("repeat", grade)}
        project.store.record(
            project.annotator, "repeat", subject, value, milliseconds=milliseconds, blind=blind, how=how
        )
    return Change(
        "repeat", query, candidate, first, grade, said="Asked again: stored beside the first grade."
    )


def self_agreement(state: State, annotator: str) -> PairAgreement:
    """Return the agreement of the annotator's first grades with what they said when asked again."""
    with state.rows() as db:
        practice = {one.id for one in state.practice.values()}
        repeats = _repeats(db, annotator, state.until)
        both_times = [(first, again) for subject, first, again in repeats if subject[0] not in practice]
    pairs: NDArray[np.int64] = np.array(both_times, np.int64).reshape(-1, 2)
    return between(pairs[:, 0], pairs[:, 1])


def _repeats(
    db: sqlite3.Connection, annotator: str, until: events.Until = events.ALL
) -> Iterator[tuple[current_values.Subject, int, int]]:
    """Yield (query and candidate, first grade, grade again) of what was asked again and not undone."""
    undone: set[str] = set()
    asked = events.history(db, annotator=annotator, tasks=("repeat",), limit=1_000_000, until=until)
    for _, event in asked:
        if event.identity in undone:
            continue
        if event.undoes is not None:
            undone.add(event.undoes)
        else:
            yield event.subject, event.after["first"], event.after["grade"]
