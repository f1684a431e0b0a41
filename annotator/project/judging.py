"""What an annotator says of a candidate: grade, skip, can't tell, flag, note, rationale."""

from typing import Any

from annotator import grades
from annotator.errors import UserError
from annotator.project import asking
from annotator.project.stored import judgment_view
from annotator.project.views import Change
from annotator.records import text_problem
from annotator.storage.asking import pair_ids
from annotator.storage.store import Store

DECISION = ("state", "grade", "reason")
"""What a new decision replaces; the flag, the note and the rationale stay."""


def set_part(
    store: Store, annotator: str, query: int, candidate: int, part: dict[str, Any], how: str
) -> Change:
    """Store `flagged`, `note` or `rationale` beside the decision."""
    for name, value in part.items():
        if isinstance(value, str):
            checked(value, name)
    with store.writing():
        subject = pair_ids(store.db, query, candidate)
        before = store.value(annotator, "judgment", subject) or {}
        return _record(store, annotator, (query, candidate), subject, before, {**before, **part}, None, how)


def checked_grade(grade: int) -> int:
    """Return a grade; raises UserError for a number that is not on the scale."""
    if not grades.is_grade(grade):
        raise UserError(f"{grade!r} is not a grade; grades go from {grades.LOWEST} to {grades.HIGHEST}.")
    return grade


def checked(text: str, what: str) -> str:
    """Return a text that can be stored; raises UserError that says what is wrong with it."""
    wrong = text_problem(text, what)
    if wrong:
        raise UserError(f"This cannot be saved: {wrong}.")
    return text


def decide(
    store: Store,
    annotator: str,
    query: int,
    candidate: int,
    decision: dict[str, Any],
    milliseconds: int | None,
    how: str,
) -> Change:
    """Store a decision, `state` with `grade` or `reason`, in place of the one before; none takes it away."""
    with store.writing():
        subject = pair_ids(store.db, query, candidate)
        before = store.value(annotator, "judgment", subject) or {}
        kept = {name: value for name, value in before.items() if name not in DECISION}
        return _record(
            store, annotator, (query, candidate), subject, before, {**kept, **decision}, milliseconds, how
        )


def _record(
    store: Store,
    annotator: str,
    pair: tuple[int, int],
    subject: tuple[str, str],
    before: dict[str, Any],
    after: dict[str, Any],
    milliseconds: int | None,
    how: str,
) -> Change:
    blind = not asking.revealed(store.db, annotator, pair[0])
    event = store.record(
        annotator, "judgment", subject, after, milliseconds=milliseconds, blind=blind, how=how
    )
    return Change(
        kind="judgment",
        query=int(pair[0]),
        candidate=int(pair[1]),
        before=judgment_view(before),
        after=judgment_view(event.after if event else before),
    )
