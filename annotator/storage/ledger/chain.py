"""Writing to the ledger: one event behind the other, and the current value with it."""

import secrets
import sqlite3
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from annotator.errors import ProjectError
from annotator.records import AnnotatorKind, text_problem
from annotator.storage.ledger import current_values
from annotator.storage.ledger.events import NO_HASH, Event, digest, insert, project, stated, tips


@dataclass(slots=True)
class Ledger:
    """The end of this session's events, so that appending reads nothing; nobody else appends meanwhile."""

    session: int | None = None
    identity: str = ""
    sequence: int = 0
    hash: str = NO_HASH
    clock: int = 0


class End(NamedTuple):
    """The last event of a file: its key and its hash; nothing where there is none."""

    key: int = 0
    hash: bytes = b""


def last(db: sqlite3.Connection) -> End:
    """Return the last event."""
    row = db.execute("SELECT id, hash FROM event ORDER BY id DESC LIMIT 1").fetchone()
    return End(*row) if row else End()


def at(db: sqlite3.Connection, key: int) -> End:
    """Return the event with this key."""
    row = db.execute("SELECT id, hash FROM event WHERE id = ?", (key,)).fetchone()
    return End(*row) if row else End()


def read_again(db: sqlite3.Connection, ledger: Ledger) -> Ledger:
    """Return the end of a session as it stands in the file; a session that is not there begins anew."""
    row = db.execute(
        "SELECT session, sequence, hash FROM event JOIN session ON session.id = session "
        "WHERE identity = ? ORDER BY sequence DESC LIMIT 1",
        (ledger.identity,),
    ).fetchone()
    if row is None:
        return Ledger()
    session, sequence, hashed = row
    return Ledger(session, ledger.identity, sequence, hashed.hex(), tips(db)[1])


def annotator_key(db: sqlite3.Connection, name: str, kind: AnnotatorKind = "person") -> int:
    """Return an annotator's key, adding the annotator when new; needs a transaction then."""
    row = db.execute("SELECT id, kind FROM annotator WHERE name = ?", (name,)).fetchone()
    if row is None:
        wrong = text_problem(name, "annotator's name", lines=False) if name else "the name is empty"
        if wrong:
            raise ProjectError(f"This cannot be an annotator's name: {wrong}.")
        done = db.execute("INSERT INTO annotator(name, kind) VALUES (?, ?)", (name, kind))
        assert done.lastrowid is not None
        return done.lastrowid
    if row[1] != kind:
        raise ProjectError(f"{name!r} is already the name of an annotator of another kind ({row[1]}).")
    return int(row[0])


def stamped(
    before: Any, after: dict[str, Any], moment: int, milliseconds: int | None
) -> dict[str, Any] | None:
    """Return a judgment's value with the time of its grade: now when the grade or state was given anew."""
    old = before or {}
    value = {name: item for name, item in after.items() if name not in ("time", "milliseconds")}
    if any(old.get(name) != value.get(name) for name in ("state", "grade", "how")):
        stamp = {"time": moment, "milliseconds": milliseconds} if value.get("state") else {}
    else:
        stamp = {name: old[name] for name in ("time", "milliseconds") if name in old}
    return current_values.without_nothing(value | stamp)


def append(db: sqlite3.Connection, ledger: Ledger, who: int, event: Event) -> Event:
    """Write one event behind the last of this session and return it with its hash."""
    assert ledger.session is not None
    columns = event.columns
    hashed = digest(ledger.hash, *columns)
    insert(db, columns, ledger.session, who, hashed)
    ledger.sequence, ledger.clock, ledger.hash = event.sequence, event.clock, hashed
    return replace(event, hash=hashed)


def open_session(
    db: sqlite3.Connection, ledger: Ledger, annotator: str, kind: AnnotatorKind, who: int, moment: int
) -> None:
    """Open a session with its first event when there is none yet."""
    if ledger.session is not None:
        return
    heads, clock = tips(db)
    ledger.identity = secrets.token_hex(16)
    done = db.execute("INSERT INTO session(identity) VALUES (?)", (ledger.identity,))
    ledger.session, ledger.sequence, ledger.hash = done.lastrowid, -1, NO_HASH
    after = {"heads": heads, "project": project(db), **stated(db)}
    append(
        db,
        ledger,
        who,
        Event(
            ledger.identity, 0, clock + 1, moment, annotator, kind, "session", (), None, after, None,
            False, "opening", None, "",
        ),
    )  # fmt: skip
