"""What the events fold to: for each subject the value that its last event left behind.

Checking compares the current tables with this, loading and merging write them from it. Judgments are folded
as arrays of keys, so that a million of them take little memory; an import's judgments count at the place of
its event, or of the one whose judgments it repeats, and not at all once it is withdrawn.
"""

import json
import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.storage.ledger import current_values, events
from annotator.storage.reads import arrays
from annotator.storage.reads.arrays import Ints
from annotator.tasks import GRADE, declared
from annotator.watch import UNWATCHED, Watch

PIECE = 5_000

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """The events in short: what every subject came to, by keys where there are keys.

    `values` maps (task, annotator key or 0, subject as JSON) to the value's JSON text, but for texts, which
    stand with the content. `winners` has the rows
    annotator, query, candidate, event and grade, sorted by the first three; grade is -1 where the event
    itself holds the value, else what the event imported. `unknown` are subjects of judgments that are not
    there, `withdrawn` the keys of imports that were taken back.
    """

    values: dict[tuple[str, int, str], str]
    winners: Ints
    unknown: tuple[str, ...]
    withdrawn: frozenset[int]


def fold(
    db: sqlite3.Connection,
    until: events.Until = events.ALL,
    whose: int | None = None,
    watch: Watch = UNWATCHED,
) -> Folded:
    """Fold all events in their order, or those `until`, in short reads; or what one annotator said alone."""
    values: dict[tuple[str, int, str], str] = {}
    parts: list[Ints] = []
    unknown: list[str] = []
    imports: dict[str, tuple[int, int]] = {}
    withdrawn: set[int] = set()
    end = db.execute("SELECT max(id) FROM event").fetchone()[0]
    for rows in event_rows(db, until, whose):
        watch.step(rows[0][0], end, "events")
        judgments = []
        for event, annotator, task, subject, after, undoes, identity in rows:
            if task == GRADE.name:
                judgments.append((annotator, subject, event, after))
            elif task == "import":
                if undoes is None:
                    imports[identity] = (event, annotator)
                elif undoes in imports:
                    withdrawn.add(imports[undoes][0])
            elif task != "text" and declared(task).kept:
                of = task, current_values.owner(task, annotator), subject
                values.pop(of, None)
                if after is not None:
                    values[of] = after
        parts.append(by_keys(db, judgments, unknown))
    for event, annotator in imports.values():
        if event not in withdrawn and whose in (None, annotator):
            parts.append(imported_rows(db, event, annotator))
    rows_of_all = arrays.joined(parts, 5)
    rows_of_all = rows_of_all[:, in_order(rows_of_all, places(db))]
    last = np.any(np.diff(rows_of_all[:3], append=-1), axis=0)
    return Folded(values, rows_of_all[:, last], tuple(unknown), frozenset(withdrawn))


def places(db: sqlite3.Connection) -> dict[int, int]:
    """Return the places of imports that repeat what another gave: the key of the one -> that of the other."""
    rows = db.execute(
        "SELECT event.id, identity || ':' || sequence, after ->> '$.again' FROM event "
        "JOIN session ON session.id = session WHERE task = 'import' AND undoes IS NULL"
    ).fetchall()
    keys = {identity: key for key, identity, _ in rows}
    return {key: keys[again] for key, _, again in rows if again in keys}


def in_order(rows: Ints, places: Mapping[int, int]) -> Ints:
    """Return the order of rows of keys by annotator, query, candidate and place in the ledger.

    Of those at one place, which say the same, the one that was said first comes last.
    """
    place = rows[3].copy()
    for event, other in places.items():
        place[rows[3] == event] = other
    return np.lexsort((-rows[3], place, *rows[2::-1]))


def event_rows(
    db: sqlite3.Connection, until: events.Until = events.ALL, whose: int | None = None
) -> Iterator[list[Row]]:
    """Yield (key, annotator, task, subject, after, undoes, identity) of all events, in pieces.

    With `whose` these are the imports, and what that annotator said.
    """
    last = 0
    while rows := db.execute(
        "SELECT event.id, annotator, task, subject, after, undoes, identity || ':' || sequence FROM event "
        "JOIN session ON session.id = session "
        "WHERE event.id > ? AND event.id <= ? AND event.time <= ? "
        "AND (? IS NULL OR annotator = ? OR task = 'import') ORDER BY event.id LIMIT ?",
        (last, *until, whose, whose, PIECE),
    ).fetchall():
        yield rows
        last = rows[-1][0]


def by_keys(db: sqlite3.Connection, judgments: Sequence[Row], unknown: list[str]) -> Ints:
    """Return judgment events (annotator, subject, event, after) as rows of keys, noting unknown ones."""
    pairs = [json.loads(subject) for _, subject, _, _ in judgments]
    queries = current_values.known_keys(db, "query", {pair[0] for pair in pairs})
    candidates = current_values.known_keys(db, "candidate", {pair[1] for pair in pairs})
    rows = []
    for (annotator, subject, event, after), (query, candidate) in zip(judgments, pairs, strict=True):
        if query in queries and candidate in candidates:
            rows.append((annotator, queries[query], candidates[candidate], event, -1))
        elif after is not None:
            unknown.append(subject)
    return arrays.table(rows, 5)


def imported_rows(db: sqlite3.Connection, event: int, annotator: int) -> Ints:
    """Return what an import event brought as rows of keys."""
    parts = []
    last = (-1, -1)
    while rows := db.execute(
        "SELECT query, candidate, grade FROM imported WHERE event = ? AND (query, candidate) > (?, ?) "
        "ORDER BY query, candidate LIMIT ?",
        (event, *last, arrays.PIECE),
    ).fetchall():
        query, candidate, grade = arrays.table(rows, 3)
        parts.append(
            np.stack([np.full_like(query, annotator), query, candidate, np.full_like(query, event), grade])
        )
        last = rows[-1][:2]
    return arrays.joined(parts, 5)


def judgment_rows(db: sqlite3.Connection, winners: Ints) -> Iterator[Row]:
    """Yield the rows of the judgment table that `Folded.winners` come to, in the order of their keys."""
    for start in range(0, winners.shape[1], PIECE):
        piece = winners[:, start : start + PIECE].T.tolist()
        some = current_values.canonical(sorted({row[3] for row in piece}))
        events = {
            key: (after, time)
            for key, after, time in db.execute(
                "SELECT id, after, time FROM event WHERE id IN (SELECT value FROM json_each(?))", (some,)
            )
        }
        for annotator, query, candidate, event, grade in piece:
            after, time = events[event]
            if grade >= 0:
                value: Any = {"state": "graded", "grade": grade, "time": time}
            else:
                value = None if after is None else json.loads(after)
            if value:
                yield (annotator, query, candidate, *current_values.judgment_columns(value))


def write_judgments(db: sqlite3.Connection, folded: Folded, watch: Watch = UNWATCHED) -> None:
    """Replace the judgment table by what the events fold to, within a transaction of the caller."""
    rows = watch.each(judgment_rows(db, folded.winners), folded.winners.shape[1], "judgments")
    db.execute("DELETE FROM judgment")
    db.executemany("INSERT INTO judgment VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def write_current(db: sqlite3.Connection, watch: Watch = UNWATCHED) -> Folded:
    """Write the current tables, which are empty or wrong, from the events; needs a transaction."""
    folds, writes = watch.parts([1, 2])
    folded = fold(db, watch=folds)
    db.execute("DELETE FROM value")
    for (task, annotator, subject), after in folded.values.items():
        current_values.write(db, task, annotator, tuple(json.loads(subject)), json.loads(after))
    write_judgments(db, folded, writes)
    write_current_runs(db, folded.withdrawn)
    return folded


def write_current_runs(db: sqlite3.Connection, withdrawn: Container[int]) -> None:
    """Mark of each system the run of its newest import that was not withdrawn as the current one."""
    newest: dict[int, int] = {}
    for key, system, event in db.execute("SELECT id, system, event FROM run ORDER BY event, id").fetchall():
        if event not in withdrawn:
            newest[system] = key
    db.execute("UPDATE run SET current = 0")
    db.executemany("UPDATE run SET current = 1 WHERE id = ?", [(key,) for key in newest.values()])
