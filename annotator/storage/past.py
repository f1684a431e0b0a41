"""The project as it was after an earlier event: judgments, gold answers and runs, folded from the ledger."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotator.storage import arrays, folding, reading
from annotator.storage.arrays import Ints, Judgments, Pairs
from annotator.storage.current import canonical
from annotator.storage.reading import StoredRun


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What an evaluation depends on at one moment.

    `gold` are the values of gold answers (see `current`) by query key, `settled` the adjudicated pairs and
    their grades.
    """

    judged: Judgments
    settled: tuple[Pairs, Ints]
    gold: Mapping[int, dict[str, Any]]
    runs: tuple[StoredRun, ...]


def present(db: sqlite3.Connection) -> State:
    """Return the state as it is."""
    return State(arrays.judgments(db), arrays.adjudications(db), reading.gold(db), tuple(reading.runs(db)))


def after(db: sqlite3.Connection, event: int) -> State:
    """Return the state after the event with this key, in fold order."""
    folded = folding.fold(db, until=event)
    ids = dict(db.execute("SELECT external, id FROM query").fetchall())
    candidates = dict(db.execute("SELECT external, id FROM candidate").fetchall())
    gold, settled = {}, []
    for (task, _, subject), value in folded.values.items():
        query, *rest = json.loads(subject) or [""]
        if task == "gold" and query in ids:
            gold[ids[query]] = json.loads(value)
        elif task == "adjudication" and query in ids and rest[0] in candidates:
            settled.append((ids[query], candidates[rest[0]], json.loads(value)["grade"]))
    query_keys, candidate_keys, grades = arrays.table(sorted(settled), 3)
    order = {run.key: run for run in reading.runs(db, current_only=False)}
    current = {}
    for key, system, when in db.execute("SELECT id, system, event FROM run ORDER BY event, id").fetchall():
        if when <= event and when not in folded.withdrawn:
            current[system] = order[key]
    return State(
        _judgments(db, folded),
        (Pairs(query_keys, candidate_keys), grades),
        gold,
        tuple(current[system] for system in sorted(current)),
    )


def last_before(db: sqlite3.Connection, time: int) -> int:
    """Return the key of the last event at or before a time (UTC ms), 0 when there is none."""
    row = db.execute("SELECT max(id) FROM event WHERE time <= ?", (time,)).fetchone()
    return int(row[0] or 0)


def snapshot_event(db: sqlite3.Connection, name: str) -> int | None:
    """Return the key of the event that took a snapshot, None when no snapshot has this name."""
    row = db.execute(
        "SELECT max(id) FROM event WHERE subject = ? AND task = 'snapshot'", (canonical([name]),)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def snapshots(db: sqlite3.Connection) -> list[tuple[str, dict[str, Any], int, str]]:
    """Return (name, value, time, annotator) of the snapshots, oldest first."""
    found = []
    for name, value in reading.snapshots(db).items():
        key = snapshot_event(db, name)
        row = db.execute(
            "SELECT time, name FROM event JOIN annotator ON annotator.id = annotator WHERE event.id = ?",
            (key,),
        ).fetchone()
        found.append((key, name, value, *row))
    return [tuple(one[1:]) for one in sorted(found)]


def _judgments(db: sqlite3.Connection, folded: folding.Folded) -> Judgments:
    states = {state: code for code, state in enumerate(arrays.STATES)}
    rows = [
        (who, query, candidate, states[state], -1 if grade is None else grade, time or -1)
        for who, query, candidate, state, grade, time, _ in folding.judgment_rows(db, folded.winners)
    ]
    return Judgments(*arrays.table(rows, 6))
