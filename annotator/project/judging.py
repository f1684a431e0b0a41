"""What an annotator says: of a candidate (grade, skip, can't tell, flag, note, rationale), and of a query."""

from collections.abc import Mapping
from typing import Any

from annotator.errors import UserError
from annotator.project import asking
from annotator.project.stored import gold_list, judgment_view
from annotator.project.views import Change
from annotator.records import GoldList, text_problem
from annotator.storage.asking import pair_ids, query_id
from annotator.storage.current import of_gold
from annotator.storage.store import Store
from annotator.tasks import GRADE

NOTHING_THERE = "There is no grade here to take away."


def judge(
    store: Store,
    annotator: str,
    query: int,
    candidate: int,
    parts: Mapping[str, Any],
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Store parts of a judgment: a `state` with `grade` or `reason`, or what stands beside it, as a `note`.

    A decision takes the place of the one before; no parts at all take it away.
    """
    for name, value in parts.items():
        if isinstance(value, str):
            checked(value, name)
    replaced = GRADE.decision if not parts or "state" in parts else ()
    with store.writing() as db:
        subject = pair_ids(db, query, candidate)
        before = store.value(annotator, GRADE.name, subject) or {}
        kept = {name: value for name, value in before.items() if name not in replaced}
        blind = not asking.revealed(db, annotator, query)
        event = store.record(
            annotator, GRADE.name, subject, {**kept, **parts}, milliseconds=milliseconds, blind=blind, how=how
        )
    stored = event.after if event else before
    said = "" if event or parts else NOTHING_THERE
    views = judgment_view(before), judgment_view(stored)
    return Change(GRADE.name, int(query), int(candidate), *views, said=said)


def set_mark(
    store: Store, annotator: str, query: int, candidate: int, mark: str, value: bool | str
) -> Change:
    """Put a mark beside the decision on a candidate, or take it away."""
    given = {one.name: one.given for one in GRADE.marks}[mark]
    return judge(store, annotator, query, candidate, {mark: value}, None, HOW[given])


HOW = {"switch": "key", "text": "editor", "selection": "selection"}
"""How a mark is given, as events record it."""


def set_gold(store: Store, annotator: str, query: int, gold: GoldList) -> Change:
    """Replace the gold answers of a query, or mark it unanswerable; not both."""
    if gold.unanswerable and gold.answers:
        raise UserError("A question marked unanswerable has no gold answers; remove them or the mark.")
    for answer in gold.answers:
        for text in answer.wordings:
            checked(text, "answer")
            if not text.strip():
                raise UserError("A gold answer is empty; write it or remove it.")
    with store.writing() as db:
        external = query_id(db, query)
        before = gold_list(external, store.value(annotator, "gold", (external,)))
        store.record(annotator, "gold", (external,), of_gold(gold), how="editor")
        after = gold_list(external, store.value(annotator, "gold", (external,)))
    return Change("gold", int(query), before=before, after=after)


def set_query_part(store: Store, annotator: str, query: int, part: dict[str, str]) -> Change:
    """Store `note` or `difficulty` of a query."""
    for name, text in part.items():
        checked(text, name)
    with store.writing() as db:
        subject = (query_id(db, query),)
        before = store.value(annotator, "query", subject) or {}
        after = {name: text for name, text in {**before, **part}.items() if text} or None
        store.record(annotator, "query", subject, after, how="editor")
    return Change("query", int(query), before=before, after=after or {})


def checked(text: str, what: str) -> str:
    """Return a text that can be stored; raises UserError that says what is wrong with it."""
    wrong = text_problem(text, what)
    if wrong:
        raise UserError(f"This cannot be saved: {wrong}.")
    return text
