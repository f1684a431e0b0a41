"""What undo and redo would take back: an annotator's own newest event that is still in force.

Undo adds an event that names the one it takes back; redo adds one that names the undo. Any other event of the
annotator ends the redo chain. What stands in the ledger is all there is, so both work after a restart.
"""

import sqlite3
from collections.abc import Iterator

from annotator.storage import events
from annotator.storage.events import Event
from annotator.tasks import TASKS


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
