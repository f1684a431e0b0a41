"""Undo and redo, and what they would take back: an annotator's own newest event that is still in force.

Undo adds an event that names the one it takes back; redo adds one that names the undo. Any other event of the
annotator ends the redo chain. What stands in the ledger is all there is, so both work after a restart.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from annotator.errors import UserError
from annotator.storage.ledger import events
from annotator.storage.ledger.current_values import Subject
from annotator.storage.ledger.events import Event
from annotator.storage.store import Store
from annotator.tasks import TASKS, TOGETHER, declared

CHANGED = "This was changed by somebody else since, so it stays as it is."


def own(db: sqlite3.Connection, annotator: str, block: int = 50) -> Iterator[Event]:
    """Yield an annotator's own undoable events, newest first; imports are not among them."""
    last: int | None = None
    tasks = [one.name for one in TASKS.values() if one.undone]
    while page := events.history(db, annotator=annotator, tasks=tasks, limit=block, before=last):
        yield from (event for _, event in page if event.how not in ("import", "withdraw", "new"))
        last = page[-1][0]


def undoable(db: sqlite3.Connection, annotator: str) -> Iterator[Event]:
    """Yield the events that undo may take back, newest first."""
    annulled: set[str] = set()
    for event in own(db, annotator):
        if event.identity in annulled:
            continue
        if event.undoes is None:
            yield event
        else:
            annulled.add(event.undoes)


def next_redo(db: sqlite3.Connection, annotator: str) -> Event | None:
    """Return the undo that redo takes back, None when the newest action was not an undo."""
    annulled: set[str] = set()
    for event in own(db, annotator):
        if event.undoes is None:
            return None
        if event.how == "redo":
            annulled.add(event.undoes)
        elif event.identity not in annulled:
            return event
    return None


def undo(store: Store, annotator: str) -> Event | None:
    """Take back the annotator's newest action that still stands; None when there is nothing to take back.

    What somebody else changed since is passed over. Raises UserError when nothing else is left.
    """
    changed: set[tuple[str, Subject]] = set()
    for event in undoable(store.db, annotator):
        what = event.task, event.subject
        if what not in changed and _stands(store, annotator, event):
            return _take_back(store, annotator, event, "undo")
        changed.add(what)
    if changed:
        raise UserError(CHANGED)
    return None


def redo(store: Store, annotator: str) -> Event | None:
    """Do again what the annotator's newest undo took back; None when there is nothing to redo."""
    event = next_redo(store.db, annotator)
    return _take_back(store, annotator, event, "redo") if event is not None else None


def _stands(store: Store, annotator: str, event: Event) -> bool:
    if event.task == TOGETHER.name:
        return any(_stands(store, annotator, one) for one in events.given_with(store.db, event))
    value = store.value(annotator, event.task, event.subject)
    return not declared(event.task).kept or value == event.after


def _take_back(store: Store, annotator: str, event: Event, how: str) -> Event | None:
    with store.writing():
        if not _stands(store, annotator, event):
            raise UserError(CHANGED)
        if event.task == TOGETHER.name:
            return _take_all_back(store, annotator, event, how)
        return _record(store, annotator, event, event.before, how)


def _take_all_back(store: Store, annotator: str, action: Event, how: str) -> Event | None:
    """Take back the grades of one action that still stand; the event of it names these alone."""
    given = [one for one in events.given_with(store.db, action) if _stands(store, annotator, one)]
    names = {**action.after, "candidates": [one.subject[-1] for one in given]}
    event = _record(store, annotator, action, names, how)
    for one in given:
        _record(store, annotator, one, one.before, one.how)
    return event


def _record(store: Store, annotator: str, event: Event, after: Any, how: str) -> Event | None:
    return store.record(
        annotator, event.task, event.subject, after, blind=event.blind, how=how, undoes=event.identity
    )
