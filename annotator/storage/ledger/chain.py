"""Writing to the ledger: one event behind the other, and the current value with it."""

import secrets
import sqlite3
from dataclasses import dataclass, replace
from typing import Any

from annotator.errors import ProjectError
from annotator.records import AnnotatorKind, text_problem
from annotator.storage.ledger import current_values
from annotator.storage.ledger.events import NO_HASH, Event, digest, insert, project, stated, tips


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
    ledger.clock = max(ledger.clock, clock)
    ledger.seen = version
