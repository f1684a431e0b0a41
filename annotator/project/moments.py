"""The project at an earlier moment: a named snapshot, or a date."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

import numpy as np

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project.judging import checked
from annotator.project.views import Change
from annotator.storage import past, reading
from annotator.storage.past import State
from annotator.storage.store import Store


@dataclass(frozen=True, slots=True)
class SnapshotView:
    """A named state of the project: when it was taken, by whom, the ledger head then, and what it held."""

    name: str
    time: int
    annotator: str
    head: str
    judgments: int
    systems: tuple[str, ...]


def take_snapshot(store: Store, annotator: str, name: str) -> Change:
    """Name the state of judgments, gold answers and runs, so that scores can be compared with it later.

    Raises UserError for a name that a snapshot has already: it stands for one state.
    """
    checked(name, "name")
    if not name.strip():
        raise UserError("A snapshot needs a name.")
    with store.writing() as db:
        if name in reading.snapshots(db):
            raise UserError(f"There is a snapshot {name!r} already; choose another name.")
        state = past.present(db)
        value: dict[str, Any] = {
            "head": store.head(),
            "judgments": int(np.count_nonzero(state.judged.grade >= 0)),
            "runs": {run.name: run.digest for run in state.runs},
        }
        event = store.record(annotator, "snapshot", (name,), value, how="snapshot")
        assert event is not None
        after = {**value, "time": event.time, "annotator": annotator}
    return Change("snapshot", after=after, said=f"Snapshot {name}")


def snapshots(store: Store) -> list[SnapshotView]:
    """Return the snapshots, oldest first."""
    with store.reading() as db:
        return [
            SnapshotView(name, when, who, value["head"], value["judgments"], tuple(sorted(value["runs"])))
            for name, value, when, who in past.snapshots(db)
        ]


def state_of(db: sqlite3.Connection, options: Options) -> State:
    """Return what the options evaluate: the present, or the state at the moment that they name.

    Raises UserError for a moment that is neither a snapshot nor a date.
    """
    if not options.as_of:
        return past.present(db)
    event = past.snapshot_event(db, options.as_of)
    return past.after(db, past.last_before(db, milliseconds(options.as_of)) if event is None else event)


def milliseconds(text: str) -> int:
    """Return a date or time as UTC ms; without a zone it is this computer's, a date alone is its end.

    >>> milliseconds("1970-01-01T00:00:01+00:00")
    1000
    """
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(
            f"{text!r} is neither a snapshot nor a date; write 2026-11-20 or 2026-11-20T17:30."
        ) from None
    if len(text) == len("2026-11-20"):
        when = datetime.combine(when.date(), time.max)
    return int(when.timestamp() * 1000)
