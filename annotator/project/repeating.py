"""Asking an annotator again: a share of their own earlier grades, to see how far they agree with themselves.

What is said the second time is an event of its own and changes no grade.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator import grades
from annotator.errors import UserError
from annotator.evaluation.agreement import PairAgreement, between
from annotator.project import asking as project_asking
from annotator.project.settings import setting
from annotator.project.views import Change
from annotator.storage import arrays, asking, current, events
from annotator.storage.store import Store

SHARE = 0.05
"""What is asked again unless the project says otherwise (`repeat_share`)."""

FRESH = 20
"""So many of the newest grades are still remembered, so they are not asked again."""


@dataclass(frozen=True, slots=True)
class Again:
    """A candidate that is asked again; the earlier grade is not told."""

    query: int
    candidate: int
    query_id: str
    candidate_id: str


def due(store: Store, annotator: str) -> list[Again]:
    """Return what the annotator is still asked again, in an order of its own.

    The share of their grades is drawn by the pairs' names, so it is the same whenever it is asked for, and
    grows with the work. Candidates that they have been asked again are left out.
    """
    with store.reading() as db:
        share = setting(db, "repeat_share") or SHARE
        mine = arrays.judgments(db, asking.annotator_key(db, annotator))
        mine = mine.where(mine.grade >= 0)
        older = mine.where(np.argsort(np.argsort(mine.time, kind="stable")) < len(mine.time) - FRESH)
        known = [arrays.external_ids(db, name) for name in ("query", "candidate")]
        done = {subject for subject, _, _ in _repeats(store, annotator)}
    query_ids, candidate_ids = (dict(zip(keys.tolist(), ids, strict=True)) for keys, ids in known)
    drawn = []
    for query, candidate in zip(older.query.tolist(), older.candidate.tolist(), strict=True):
        pair = query_ids[query], candidate_ids[candidate]
        lot = int.from_bytes(hashlib.sha256("\0".join((annotator, *pair)).encode()).digest()[:8])
        if lot < share * 2**64 and pair not in done:
            drawn.append((lot, Again(query, candidate, *pair)))
    return [one for _, one in sorted(drawn, key=lambda pair: pair[0])]


def grade_again(
    store: Store, annotator: str, query: int, candidate: int, grade: int, milliseconds: int | None = None
) -> Change:
    """Store what the annotator says this time. Raises UserError for what is no grade or was not graded."""
    if not grades.is_grade(grade):
        raise UserError(f"{grade!r} is not a grade; grades go from {grades.LOWEST} to {grades.HIGHEST}.")
    with store.writing() as db:
        subject = asking.pair_ids(db, query, candidate)
        first = (store.value(annotator, "judgment", subject) or {}).get("grade")
        if first is None:
            raise UserError("This candidate has no grade of yours, so there is nothing to ask again.")
        blind = not project_asking.revealed(db, annotator, query)
        value = {"first": first, "grade": grade}
        store.record(annotator, "repeat", subject, value, milliseconds=milliseconds, blind=blind, how="again")
    return Change("repeat", query, candidate, first, grade, said="Asked again: stored.")


def self_agreement(store: Store, annotator: str) -> PairAgreement:
    """Return the agreement of the annotator's first grades with what they said when asked again."""
    said = [(first, again) for _, first, again in _repeats(store, annotator)]
    pairs: NDArray[np.int64] = np.array(said, np.int64).reshape(-1, 2)
    return between(pairs[:, 0], pairs[:, 1])


def _repeats(store: Store, annotator: str) -> list[tuple[current.Subject, int, int]]:
    """Return (query and candidate, first grade, grade again) of everything asked again, newest first."""
    with store.reading() as db:
        found = events.history(db, annotator=annotator, kinds=("repeat",), limit=1_000_000)
    return [(event.subject, event.after["first"], event.after["grade"]) for _, event in found]
