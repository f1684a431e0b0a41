"""The ledger: an append-only list of events, chained by hashes within each session.

An event's hash covers the hash before it in its session; the first event of a session names the heads it
saw. `clock` is one more than the largest clock seen, so (clock, session, sequence) is an order in which every
event follows what its author knew: the fold order, everywhere. Rows stand in that order in the table.
"""

import hashlib
import json
import secrets
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from annotator.errors import ProjectError
from annotator.records import AnnotatorKind, Json
from annotator.storage import current
from annotator.storage.current import Subject, canonical

UNDOABLE = ("judgment", "gold", "query", "setting", "adjudication")
"""Kinds that undo takes back; imports are withdrawn from the history, the rest stays recorded."""

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
    kind: str
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


def now() -> int:
    """Return the time in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def digest(previous: str, event: Event) -> str:
    """Return the hash of an event that follows the event with the hash `previous` in its session."""
    body = [
        previous,
        event.session,
        event.sequence,
        event.clock,
        event.time,
        event.annotator,
        event.annotator_kind,
        event.kind,
        list(event.subject),
        event.before,
        event.after,
        event.milliseconds,
        event.blind,
        event.how,
        event.undoes,
    ]
    return hashlib.sha256(canonical(body).encode()).hexdigest()


@dataclass(slots=True)
class Ledger:
    """The end of the ledger as one connection knows it, so that appending reads nothing.

    It is forgotten when a transaction fails and when another connection has written.
    """

    session: int | None = None
    identity: str = ""
    sequence: int = 0
    hash: str = NO_HASH
    clock: int = 0
    seen: int = -1
    """The connection's `data_version` when this was true; it changes when another connection writes."""


def annotator_key(db: sqlite3.Connection, name: str, kind: AnnotatorKind = "person") -> int:
    """Return an annotator's key, adding the annotator when new; needs a transaction then."""
    row = db.execute("SELECT id, kind FROM annotator WHERE name = ?", (name,)).fetchone()
    if row is None:
        done = db.execute("INSERT INTO annotator(name, kind) VALUES (?, ?)", (name, kind))
        assert done.lastrowid is not None
        return done.lastrowid
    if row[1] != kind:
        raise ProjectError(f"{name!r} is already the name of an annotator of another kind ({row[1]}).")
    return int(row[0])


def record(
    db: sqlite3.Connection,
    ledger: Ledger,
    *,
    annotator: str,
    kind: str,
    subject: Subject,
    after: Any,
    milliseconds: int | None = None,
    blind: bool = True,
    how: str = "key",
    undoes: str | None = None,
    annotator_kind: AnnotatorKind = "person",
) -> Event | None:
    """Append an event and make `after` the current value, within a transaction of the caller.

    A judgment whose grade or state changes is stamped with the time and the milliseconds, unless it takes
    something back. Returns None, and appends nothing, when the value is the current one already.
    """
    moment = now()
    who = annotator_key(db, annotator, annotator_kind)
    before = current.read(db, kind, who, subject)
    if kind == "judgment" and after and undoes is None:
        after = stamped(before, after, moment, milliseconds)
    if after == before and kind not in ("import", "session"):
        return None
    follow(db, ledger, annotator, annotator_kind, who, moment)
    event = append(
        db,
        ledger,
        who,
        Event(
            ledger.identity,
            ledger.sequence + 1,
            ledger.clock + 1,
            moment,
            annotator,
            annotator_kind,
            kind,
            subject,
            before,
            after,
            milliseconds,
            blind,
            how,
            undoes,
            "",
        ),
    )
    current.write(db, kind, who, subject, after)
    return event


def stamped(
    before: Any, after: dict[str, Any], moment: int, milliseconds: int | None
) -> dict[str, Any] | None:
    """Return a judgment's value with the time of its grade: now when the grade or state is new."""
    old = before or {}
    value = {name: item for name, item in after.items() if name not in ("time", "milliseconds")}
    if any(old.get(name) != value.get(name) for name in ("state", "grade")):
        stamp = {"time": moment, "milliseconds": milliseconds} if value.get("state") else {}
    else:
        stamp = {name: old[name] for name in ("time", "milliseconds") if name in old}
    return current.without_defaults(value | stamp, current.JUDGMENT_DEFAULTS)


def append(db: sqlite3.Connection, ledger: Ledger, who: int, event: Event) -> Event:
    """Write one event behind the last of this session and return it with its hash."""
    found = digest(ledger.hash, event)
    db.execute(
        "INSERT INTO event(session, sequence, clock, time, annotator, kind, subject, before, after, "
        "milliseconds, blind, how, undoes, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            ledger.session,
            event.sequence,
            event.clock,
            event.time,
            who,
            event.kind,
            canonical(list(event.subject)),
            text(event.before),
            text(event.after),
            event.milliseconds,
            event.blind,
            event.how,
            event.undoes,
            bytes.fromhex(found),
        ),
    )
    ledger.sequence, ledger.clock, ledger.hash = event.sequence, event.clock, found
    return replace(event, hash=found)


def text(value: Json) -> str | None:
    """Return the JSON text of a value, None for None."""
    return None if value is None else canonical(value)


def follow(
    db: sqlite3.Connection, ledger: Ledger, annotator: str, kind: AnnotatorKind, who: int, moment: int
) -> None:
    """Bring the ledger's end up to date, and open a session with its first event when there is none yet."""
    version = db.execute("PRAGMA data_version").fetchone()[0]
    if ledger.session is not None and ledger.seen == version:
        return
    heads, clock = tips(db)
    if ledger.session is None:
        ledger.identity = secrets.token_hex(16)
        done = db.execute("INSERT INTO session(identity) VALUES (?)", (ledger.identity,))
        ledger.session, ledger.sequence, ledger.clock, ledger.hash = done.lastrowid, -1, clock, NO_HASH
        after = {"heads": heads, **stated(db)}
        append(
            db,
            ledger,
            who,
            Event(
                ledger.identity, 0, clock + 1, moment, annotator, kind, "session", (), None, after, None,
                False, "opening", None, "",
            ),
        )  # fmt: skip
    ledger.clock = max(ledger.clock, clock)
    ledger.seen = version


def stated(db: sqlite3.Connection) -> dict[str, str]:
    """Return the digests of the content, to be stated in an event."""
    return dict(db.execute("SELECT name, digest FROM digest ORDER BY name").fetchall())


def tips(db: sqlite3.Connection) -> tuple[list[str], int]:
    """Return the sorted hashes of the last events that no later session names, and the largest clock."""
    last: set[str] = set()
    named: set[str] = set()
    clock = 0
    for (session,) in db.execute("SELECT id FROM session").fetchall():
        row = db.execute(
            "SELECT hash, clock FROM event WHERE session = ? ORDER BY sequence DESC LIMIT 1", (session,)
        ).fetchone()
        first = db.execute(
            "SELECT after FROM event WHERE session = ? AND sequence = 0", (session,)
        ).fetchone()
        if row is None or first is None:
            continue
        last.add(row[0].hex())
        clock = max(clock, row[1])
        named.update(json.loads(first[0])["heads"])
    return sorted(last - named), clock


def head(db: sqlite3.Connection) -> str:
    """Return the hash that stands for the whole ledger: any altered event changes it.

    With one tip it is that event's hash; after a merge with several, the hash of them all.
    """
    found, _ = tips(db)
    if len(found) == 1:
        return found[0]
    return hashlib.sha256("\n".join(found).encode()).hexdigest() if found else NO_HASH


SELECT = (
    "SELECT session.identity, sequence, clock, event.time, annotator.name, annotator.kind, event.kind, "
    "subject, before, after, event.milliseconds, blind, how, undoes, hash, event.id FROM event "
    "JOIN session ON session.id = event.session JOIN annotator ON annotator.id = event.annotator "
)


def of_row(row: tuple[Any, ...]) -> Event:
    """Return the event of a row of `SELECT`."""
    session, sequence, clock, moment, annotator, annotator_kind, kind, subject, before, after, *rest = row
    milliseconds, blind, how, undoes, found, _ = rest
    return Event(
        session,
        sequence,
        clock,
        moment,
        annotator,
        annotator_kind,
        kind,
        tuple(json.loads(subject)),
        None if before is None else json.loads(before),
        None if after is None else json.loads(after),
        milliseconds,
        bool(blind),
        how,
        undoes,
        found.hex(),
    )


def all_events(db: sqlite3.Connection, block: int = 5_000) -> Iterator[Event]:
    """Yield every event in fold order, in short reads."""
    last = 0
    while rows := db.execute(
        SELECT + "WHERE event.id > ? ORDER BY event.id LIMIT ?", (last, block)
    ).fetchall():
        yield from map(of_row, rows)
        last = rows[-1][15]


def find(db: sqlite3.Connection, identity: str) -> Event | None:
    """Return the event with this identity (`session:sequence`), None when there is none."""
    session, _, sequence = identity.partition(":")
    row = db.execute(
        SELECT + "WHERE session.identity = ? AND sequence = ?", (session, int(sequence or -1))
    ).fetchone()
    return of_row(row) if row else None


def history(
    db: sqlite3.Connection,
    *,
    query_id: str | None = None,
    candidate_id: str | None = None,
    annotator: str | None = None,
    kinds: tuple[str, ...] = (),
    limit: int = 200,
    before: int | None = None,
) -> list[tuple[int, Event]]:
    """Return the newest events first, each with its key, which as `before` asks for the next page.

    Session events are left out. `query_id` alone takes in every candidate of the query.
    """
    where, values = ["event.kind <> 'session'"], list[object]()
    if query_id is not None and candidate_id is not None:
        where.append("subject = ?")
        values.append(canonical([query_id, candidate_id]))
    elif query_id is not None:
        stem = canonical([query_id])[:-1]
        where.append("subject >= ? AND subject < ?")
        values += [stem + ",", stem + "^"]
    if annotator is not None:
        where.append("annotator.name = ?")
        values.append(annotator)
    if kinds:
        where.append(f"event.kind IN ({', '.join('?' * len(kinds))})")
        values += kinds
    if before is not None:
        where.append("event.id < ?")
        values.append(before)
    rows = db.execute(
        SELECT + f"WHERE {' AND '.join(where)} ORDER BY event.id DESC LIMIT ?", (*values, limit)
    ).fetchall()
    return [(row[15], of_row(row)) for row in rows]
