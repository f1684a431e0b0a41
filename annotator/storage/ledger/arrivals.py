"""Events of other copies on their way into an open ledger, each at its place in the fold order.

Rows stand in fold order by their keys, so what arrives late needs a key between two others. Where there is
none free, the rows behind are moved apart, as few as have room between them for what arrives later.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from annotator.records import AnnotatorKind
from annotator.storage.ledger import chain, events
from annotator.storage.ledger.current_values import Subject
from annotator.storage.ledger.events import Event

GAP = 1 << 20
"""How far apart rows stand that were moved, or that came behind all others."""

ROOM = 16
"""So many times the room that what arrives needs between two rows is made between all that are moved."""

COLUMNS = 15
"""So many columns has a row of the ledger."""

NAMED_BY = ("query", "content", "run", "imported")
"""Tables whose column `event` is the key of an import."""

NEWEST = "SELECT id, hash FROM event WHERE id < ? ORDER BY id DESC LIMIT 2000"
"""A short read, for while the file is read no grade is stored."""

Place = tuple[int, str, int]


class Arrived(NamedTuple):
    """An event that was proved, as its columns and its hash; values are canonical texts."""

    session: str
    sequence: int
    clock: int
    time: int
    annotator: str
    annotator_kind: AnnotatorKind
    task: str
    about: str
    before: str | None
    left: str | None
    milliseconds: int | None
    blind: int
    how: str
    undoes: str | None
    hash: str

    @property
    def identity(self) -> str:
        """The event's name, the same in every copy of the project."""
        return f"{self.session}:{self.sequence}"

    @property
    def subject(self) -> Subject:
        """What the event is about."""
        return tuple(json.loads(self.about))

    @property
    def after(self) -> Any:
        """The value that the event left behind."""
        return None if self.left is None else json.loads(self.left)


def place_of(event: Arrived) -> Place:
    """Return where an event stands in the fold order."""
    return event.clock, event.session, event.sequence


def insert(db: sqlite3.Connection, arrived: Sequence[Arrived]) -> dict[str, int]:
    """Insert events that are not there yet, sorted by their places; return the keys of imports by identity.

    The last row gets another key in any case, which tells every reader that the ledger is another. Needs a
    transaction without checked foreign keys.
    """
    groups = list(gaps(db, arrived))
    tight = [before for before, behind, some in groups if behind and len(some) >= behind - before]
    if tight:
        spread(db, tight[0], tight[-1], ROOM * max(len(some) for *_, some in groups))
        groups = list(gaps(db, arrived))
    last = chain.last(db)
    people = {one[4:6]: 0 for one in arrived}
    people = {one: chain.annotator_key(db, *one) for one in people}
    sessions = {one: session_key(db, one) for one in {one.session for one in arrived}}
    keys: dict[str, int] = {}

    def rows() -> Iterator[tuple[object, ...]]:
        for before, behind, some in groups:
            step = (behind - before) // (len(some) + 1) if behind else GAP
            for at, one in enumerate(some, 1):
                key = before + at * step
                if one.task == "import":
                    keys[one.identity] = key
                hashed = bytes.fromhex(one.hash)
                yield (key, sessions[one.session], *one[1:4], people[one[4:6]], *one[6:14], hashed)

    db.executemany(f"INSERT INTO event VALUES ({', '.join('?' * COLUMNS)})", rows())
    if chain.last(db) == last:
        move(db, [(last.key + 1, last.key)])
    return keys


def session_key(db: sqlite3.Connection, identity: str) -> int:
    """Return the key of a session, which is added when it is new."""
    db.execute("INSERT OR IGNORE INTO session(identity) VALUES (?)", (identity,))
    return int(db.execute("SELECT id FROM session WHERE identity = ?", (identity,)).fetchone()[0])


def gaps(
    db: sqlite3.Connection, arrived: Sequence[Arrived]
) -> Iterator[tuple[int, int | None, list[Arrived]]]:
    """Yield (key before, key behind, events that belong between); the key behind the last row is None."""
    before = last_before(db, place_of(arrived[0]))
    rows = db.execute(
        "SELECT event.id, clock, identity, sequence FROM event JOIN session ON session.id = session "
        "WHERE event.id > ? ORDER BY event.id",
        (before,),
    )
    row = rows.fetchone()
    some: list[Arrived] = []
    for event in arrived:
        while row is not None and tuple(row[1:]) < place_of(event):
            if some:
                yield before, row[0], some
                some = []
            before, row = row[0], rows.fetchone()
        some.append(event)
    yield before, None if row is None else row[0], some


def last_before(db: sqlite3.Connection, place: Place) -> int:
    """Return the key of the last row that stands before a place, 0 when none does."""
    low, high = 0, chain.last(db).key + 1
    while low < high:  # all rows up to `low` stand before it, none from `high` on
        row = db.execute(
            "SELECT event.id, clock, identity, sequence FROM event JOIN session ON session.id = session "
            "WHERE event.id > ? AND event.id <= ? ORDER BY event.id DESC LIMIT 1",
            (low, (low + high) // 2),
        ).fetchone()
        if row is None:
            row = db.execute(
                "SELECT event.id, clock, identity, sequence FROM event JOIN session ON session.id = session "
                "WHERE event.id > ? AND event.id < ? ORDER BY event.id LIMIT 1",
                (low, high),
            ).fetchone()
            if row is None:
                break
        if tuple(row[1:]) < place:
            low = row[0]
        else:
            high = row[0]
    return low


def spread(db: sqlite3.Connection, before: int, last: int, room: int) -> None:
    """Move rows behind one apart, through another at least, until there is so much room between them.

    They are up to the last row where there is too little room before, for behind that is all.
    """
    rows: list[int] = []
    step = 0
    for (key,) in db.execute("SELECT id FROM event WHERE id > ? ORDER BY id", (before,)):
        step = (key - before) // (len(rows) + 1)
        if key > last and step >= room:
            break
        rows.append(key)
    else:
        step = max(GAP, room)
    pairs = [(before + at * step, old) for at, old in enumerate(rows, 1)]
    move(db, [pair for pair in pairs[::-1] if pair[0] > pair[1]])
    move(db, [pair for pair in pairs if pair[0] < pair[1]])


def move(db: sqlite3.Connection, pairs: Sequence[tuple[int, int]]) -> None:
    """Give rows other keys, as pairs of the new and the old one; none may be another row's at that time."""
    db.executemany("UPDATE event SET id = ? WHERE id = ?", pairs)
    moved = "SELECT id FROM event WHERE id IN (SELECT value FROM json_each(?)) AND task = 'import'"
    imports = {key for (key,) in db.execute(moved, (json.dumps([new for new, _ in pairs]),)).fetchall()}
    named = [pair for pair in pairs if pair[0] in imports]
    for table in NAMED_BY if named else ():
        db.executemany(f"UPDATE {table} SET event = ? WHERE event = ?", named)


def held(db: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """Return of each session the sequence and the hash of its last event."""
    rows = db.execute(
        "SELECT identity, sequence, hash FROM session CROSS JOIN event ON session = session.id "
        "AND sequence = (SELECT max(sequence) FROM event e WHERE e.session = session.id)"
    ).fetchall()
    return {identity: (sequence, hashed.hex()) for identity, sequence, hashed in rows}


def end_of(db: sqlite3.Connection, identity: str) -> int:
    """Return the sequence of the last event of a session, -1 where it is not there."""
    sql = "SELECT max(sequence) FROM event JOIN session ON session.id = session WHERE identity = ?"
    (last,) = db.execute(sql, (identity,)).fetchone()
    return -1 if last is None else int(last)


def of_session(db: sqlite3.Connection, identity: str, first: int, last: int) -> list[Event]:
    """Return the events of a session from one sequence to another."""
    rows = db.execute(
        events.SELECT + "WHERE session.identity = ? AND sequence BETWEEN ? AND ? ORDER BY sequence",
        (identity, first, last),
    )
    return [events.of_row(row) for row in rows.fetchall()]


def known(db: sqlite3.Connection, hashes: Iterable[str]) -> set[str]:
    """Return which of some hashes are those of events that are there; looks at the newest first."""
    left, found = {bytes.fromhex(one) for one in hashes}, set[str]()
    behind = events.LAST
    while left and (rows := db.execute(NEWEST, (behind,)).fetchall()):
        there = left.intersection(hashed for _, hashed in rows)
        left -= there
        found |= {one.hex() for one in there}
        behind = rows[-1][0]
    return found
