"""Events of other copies on their way into an open ledger, each at its place in the fold order.

Rows stand in fold order by their keys, so what arrives late needs a key between two others. Where there is
none free, the rows behind are moved apart once, so far that what arrives later finds room.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from annotator.storage.ledger import chain, events
from annotator.storage.ledger.events import Event

GAP = 1 << 20
"""How far apart rows stand that were moved, or that came behind all others."""

NAMED_BY = ("query", "content", "run", "imported")
"""Tables whose column `event` is the key of an import."""

Place = tuple[int, str, int]


def place_of(event: Event) -> Place:
    """Return where an event stands in the fold order."""
    return event.clock, event.session, event.sequence


def insert(db: sqlite3.Connection, arrived: Sequence[Event]) -> dict[str, int]:
    """Insert events that are not there yet, sorted by their places, and return their keys by identity.

    The last row gets another key in any case, which tells every reader that the ledger is another. Needs a
    transaction without checked foreign keys.
    """
    groups = list(gaps(db, arrived))
    if any(behind and len(some) >= behind - before for before, behind, some in groups):
        spread(db, groups[0][0])
        groups = list(gaps(db, arrived))
    last = chain.last(db)
    keys: dict[str, int] = {}
    for before, behind, some in groups:
        step = (behind - before) // (len(some) + 1) if behind else GAP
        for at, event in enumerate(some, 1):
            who = chain.annotator_key(db, event.annotator, event.annotator_kind)
            row = (before + at * step, session_key(db, event.session), who)
            insert_at(db, *row, event)
            keys[event.identity] = row[0]
    if keys and chain.last(db) == last:
        move(db, [(last.key + 1, last.key)])
    return keys


def insert_at(db: sqlite3.Connection, key: int, session: int, who: int, event: Event) -> None:
    """Insert an event as the row with this key."""
    columns = event.columns
    row = (key, session, *columns[1:4], who, *columns[6:], bytes.fromhex(event.hash))
    db.execute(f"INSERT INTO event VALUES ({', '.join('?' * len(row))})", row)


def session_key(db: sqlite3.Connection, identity: str) -> int:
    """Return the key of a session, which is added when it is new."""
    db.execute("INSERT OR IGNORE INTO session(identity) VALUES (?)", (identity,))
    return int(db.execute("SELECT id FROM session WHERE identity = ?", (identity,)).fetchone()[0])


def gaps(db: sqlite3.Connection, arrived: Sequence[Event]) -> Iterator[tuple[int, int | None, list[Event]]]:
    """Yield (key before, key behind, events that belong between); the key behind the last row is None."""
    before = last_before(db, place_of(arrived[0]))
    rows = db.execute(
        "SELECT event.id, clock, identity, sequence FROM event JOIN session ON session.id = session "
        "WHERE event.id > ? ORDER BY event.id",
        (before,),
    )
    row = rows.fetchone()
    some: list[Event] = []
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


def spread(db: sqlite3.Connection, before: int) -> None:
    """Move all rows behind one apart."""
    rows = db.execute("SELECT id FROM event WHERE id > ? ORDER BY id", (before,)).fetchall()
    move(db, [(before + at * GAP, old) for at, (old,) in enumerate(rows, 1)][::-1])


def move(db: sqlite3.Connection, keys: Iterable[tuple[int, int]]) -> None:
    """Give rows other keys, as pairs of the new and the old one, the last row first."""
    pairs = list(keys)
    db.executemany("UPDATE event SET id = ? WHERE id = ?", pairs)
    imports = {key for (key,) in db.execute("SELECT id FROM event WHERE task = 'import'").fetchall()}
    named = [pair for pair in pairs if pair[0] in imports]
    for table in NAMED_BY if named else ():
        db.executemany(f"UPDATE {table} SET event = ? WHERE event = ?", named)


def held(db: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """Return of each session the sequence and the hash of its last event."""
    rows = db.execute(
        "SELECT identity, max(sequence), hash FROM event JOIN session ON session.id = session "
        "GROUP BY session"
    ).fetchall()
    return {identity: (sequence, hashed.hex()) for identity, sequence, hashed in rows}


def of_session(db: sqlite3.Connection, identity: str, first: int, last: int) -> list[Event]:
    """Return the events of a session from one sequence to another."""
    rows = db.execute(
        events.SELECT + "WHERE session.identity = ? AND sequence BETWEEN ? AND ? ORDER BY sequence",
        (identity, first, last),
    )
    return [events.of_row(row) for row in rows.fetchall()]


def known(db: sqlite3.Connection, hashes: Iterable[str]) -> set[str]:
    """Return which of some hashes are those of events that are there."""
    looked_for = {bytes.fromhex(one) for one in hashes}
    if not looked_for:
        return set()
    return {one.hex() for (one,) in db.execute("SELECT hash FROM event") if one in looked_for}
