"""The ledger: an append-only list of events, chained by hashes within each session.

An event's hash covers the hash before it in its session; the first event of a session names the heads it
saw. `clock` is one more than the largest clock seen, so (clock, session, sequence) is an order in which every
event follows what its author knew: the fold order, everywhere. Rows stand in that order in the table.
"""

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from annotator.errors import DamagedError
from annotator.records import AnnotatorKind, Json
from annotator.storage.ledger.current_values import Subject, canonical
from annotator.tasks import GRADE, WITH_OTHERS

LAST = (1 << 63) - 1
"""No event has a higher key."""


class Until(NamedTuple):
    """Which events count: those up to the one with this key that were recorded by this time (UTC ms).

    Recorded times may run backwards from event to event: a clock was changed, or copies were merged.
    """

    event: int = LAST
    time: int = LAST


ALL = Until()

NO_HASH = "0" * 64
"""What the first event of a session names as the hash before it, and the head of an empty ledger."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event as it stands in the ledger; `before` and `after` are JSON values."""

    session: str
    sequence: int
    clock: int
    time: int
    annotator: str
    annotator_kind: AnnotatorKind
    task: str
    subject: Subject
    before: Any
    after: Any
    milliseconds: int | None
    blind: bool
    how: str
    undoes: str | None
    hash: str

    @property
    def identity(self) -> str:
        """The event's name, the same in every copy of the project."""
        return f"{self.session}:{self.sequence}"

    @property
    def columns(self) -> tuple[str | int | None, ...]:
        """The columns of `SELECT` from the session to `undoes`, as the hash takes them."""
        return (
            self.session,
            self.sequence,
            self.clock,
            self.time,
            self.annotator,
            self.annotator_kind,
            self.task,
            canonical(list(self.subject)),
            text(self.before),
            text(self.after),
            self.milliseconds,
            int(self.blind),
            self.how,
            self.undoes,
        )


def now() -> int:
    """Return the time in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def digest(previous: str, *columns: str | int | None) -> str:
    """Return the hash of an event that follows the event with the hash `previous` in its session.

    `columns` are `Event.columns`. They are joined by NUL, which stands in none of them; None counts as
    nothing.
    """
    body = "\0".join(["" if one is None else str(one) for one in (previous, *columns)])
    return hashlib.sha256(body.encode()).hexdigest()


def text(value: Json) -> str | None:
    """Return the JSON text of a value, None for None."""
    return None if value is None else canonical(value)


def stated(db: sqlite3.Connection) -> dict[str, str]:
    """Return the digests of the content, to be stated in an event."""
    return dict(db.execute("SELECT name, digest FROM digest ORDER BY name").fetchall())


def project(db: sqlite3.Connection) -> list[str | int]:
    """Return the project's identity and time, as the first event of a session states them."""
    return list(db.execute("SELECT identity, created FROM project").fetchone())


def tips(db: sqlite3.Connection, until: Until = ALL) -> tuple[list[str], int]:
    """Return the sorted hashes of the last events that no later session names, and the largest clock.

    Only the events `until` count.
    """
    last: set[str] = set()
    named: set[str] = set()
    clock = 0
    for (session,) in db.execute("SELECT id FROM session").fetchall():
        row = db.execute(
            "SELECT hash, clock FROM event WHERE session = ? AND id <= ? AND time <= ? "
            "ORDER BY sequence DESC LIMIT 1",
            (session, *until),
        ).fetchone()
        first = db.execute(
            "SELECT after FROM event WHERE session = ? AND sequence = 0 AND id <= ?", (session, until.event)
        ).fetchone()
        if row is None or first is None:
            continue
        last.add(row[0].hex())
        clock = max(clock, row[1])
        try:
            named.update(json.loads(first[0])["heads"])
        except (LookupError, TypeError) as error:
            raise DamagedError("The ledger is damaged where a session begins. Restore a backup.") from error
    return sorted(last - named), clock


def head(db: sqlite3.Connection, until: Until = ALL) -> str:
    """Return the hash that stands for the whole ledger: one with another event has another head.

    With one tip it is that event's hash; with several, as after a merge, the hashes of them all.
    """
    hashes, _ = tips(db, until)
    return joined(hashes)


def joined(hashes: Sequence[str]) -> str:
    """Return the head of a ledger with these ends, which are sorted: whoever notes it has them all."""
    return "+".join(hashes) or NO_HASH


def short(head: str) -> str:
    """Return 12 digits that tell a head from others."""
    return (hashlib.sha256(head.encode()).hexdigest() if "+" in head else head)[:12]


SELECT = (
    "SELECT session.identity, sequence, clock, event.time, annotator.name, annotator.kind, task, "
    "subject, before, after, event.milliseconds, blind, how, undoes, hash, event.id FROM event "
    "JOIN session ON session.id = event.session JOIN annotator ON annotator.id = event.annotator "
)


PART_OF = "iif(task = 'import', after ->> '$.with', NULL)"
"""The name of the import that an event is a part of: it holds what that one repeats of an earlier one."""

INSERT = (
    "INSERT INTO event(session, sequence, clock, time, annotator, task, subject, before, after, "
    "milliseconds, blind, how, undoes, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def insert(
    db: sqlite3.Connection, columns: Sequence[str | int | None], session: int, annotator: int, hashed: str
) -> int | None:
    """Insert an event, given as `Event.columns` and its hash, and return its key."""
    row = (session, *columns[1:4], annotator, *columns[6:], bytes.fromhex(hashed))
    return db.execute(INSERT, row).lastrowid


def of_row(row: tuple[Any, ...]) -> Event:
    """Return the event of a row of `SELECT`."""
    session, sequence, clock, moment, annotator, annotator_kind, task, subject, before, after, *rest = row
    milliseconds, blind, how, undoes, hashed, _ = rest
    return Event(
        session,
        sequence,
        clock,
        moment,
        annotator,
        annotator_kind,
        task,
        tuple(json.loads(subject)),
        None if before is None else json.loads(before),
        None if after is None else json.loads(after),
        milliseconds,
        bool(blind),
        how,
        undoes,
        hashed.hex(),
    )


def all_events(db: sqlite3.Connection, block: int = 5_000) -> Iterator[Event]:
    """Yield every event in fold order, in short reads."""
    last = 0
    while rows := db.execute(
        SELECT + "WHERE event.id > ? ORDER BY event.id LIMIT ?", (last, block)
    ).fetchall():
        yield from map(of_row, rows)
        last = rows[-1][15]


def under_names(ledger: Iterable[Event], names: Mapping[str, str]) -> Iterator[Event]:
    """Yield events, given in fold order, under other names of annotators, and chained anew for that.

    Ledger heads that events state are those of the new chain.
    """
    new: dict[str, str] = {}
    last: dict[str, str] = {}
    for event in ledger:
        after = event.after
        if event.task == "session":
            after = {**after, "heads": sorted(new[one] for one in after["heads"])}
        elif event.task == "snapshot" and after:
            after = {**after, "head": new.get(after.get("head"), "")}
        named = replace(event, annotator=names.get(event.annotator, event.annotator), after=after)
        last[event.session] = digest(last.get(event.session, NO_HASH), *named.columns)
        new[event.hash] = last[event.session]
        yield replace(named, hash=last[event.session])


def find(db: sqlite3.Connection, identity: str) -> Event | None:
    """Return the event with this identity (`session:sequence`), None when there is none."""
    session, _, sequence = identity.partition(":")
    row = db.execute(
        SELECT + "WHERE session.identity = ? AND sequence = ?", (session, int(sequence or -1))
    ).fetchone()
    return of_row(row) if row else None


def given_with(db: sqlite3.Connection, action: Event) -> Iterator[Event]:
    """Yield the grades that were given (or taken back) by an action of the task `together`, in its order."""
    sql = (
        SELECT + "WHERE subject = ? AND task = ? AND how = ? AND session.identity = ? AND sequence > ? "
        "ORDER BY sequence LIMIT 1"
    )
    query, behind = action.subject[0], (action.session, action.sequence)
    for one in action.after["candidates"]:
        of = canonical([query, one]), GRADE.name, action.after["how"], *behind
        if (row := db.execute(sql, of).fetchone()) is not None:
            yield of_row(row)


def altered(db: sqlite3.Connection, event: Event) -> bool:
    """Tell whether an event is not what was recorded: its hash covers it and the one before it."""
    row = db.execute(
        "SELECT hash FROM event JOIN session ON session.id = session WHERE identity = ? AND sequence = ?",
        (event.session, event.sequence - 1),
    ).fetchone()
    before = row[0].hex() if row else NO_HASH
    return (row is None) != (event.sequence == 0) or digest(before, *event.columns) != event.hash


def history(
    db: sqlite3.Connection,
    *,
    query_id: str | None = None,
    candidate_id: str | None = None,
    annotator: str | None = None,
    tasks: Sequence[str] = (),
    limit: int = 200,
    before: int | None = None,
    until: Until = ALL,
) -> list[tuple[int, Event]]:
    """Return the newest events first, each with its key, which as `before` asks for the next page.

    Session events are left out, parts of imports, and those that do not count `until`. `query_id` alone takes
    in every candidate of the query. Grades that were given together are told by the one event of it, unless
    it is a pair's events that are asked for.
    """
    where, values = ["task <> 'session'", f"{PART_OF} IS NULL"], list[object]()
    if until != ALL:
        where.append("event.id <= ? AND event.time <= ?")
        values += until
    of: list[Json] = [one for one in (query_id, candidate_id) if one is not None]
    if len(of) < 2:
        where.append(f"NOT (task = '{GRADE.name}' AND how IN ({', '.join('?' * len(WITH_OTHERS))}))")
        values += WITH_OTHERS
    if of:
        stem = canonical(of)[:-1]  # of the subject itself and of those that say more
        where.append("subject >= ? AND subject < ?")
        values += [stem + ",", stem + "^"]
    if annotator is not None:
        where.append("annotator.name = ?")
        values.append(annotator)
    if tasks:
        where.append(f"task IN ({', '.join('?' * len(tasks))})")
        values += tasks
    if before is not None:
        where.append("event.id < ?")
        values.append(before)
    rows = db.execute(
        SELECT + f"WHERE {' AND '.join(where)} ORDER BY event.id DESC LIMIT ?", (*values, limit)
    ).fetchall()
    return [(row[15], of_row(row)) for row in rows]
