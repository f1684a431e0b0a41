"""Handing over what was done here: the sessions of this copy, and what their imports brought."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from annotator.carriers.carrier import Carrier, Shelf, TakenError
from annotator.project import segments
from annotator.project.segments import MANIFEST, MOST_EVENTS, PART_SIZE, Named
from annotator.project.share_record import ShareRecord
from annotator.project.whole_steps import goes_on
from annotator.storage.care import taking_in
from annotator.storage.care.taking_in import Part
from annotator.storage.content import plain_rows, standing
from annotator.storage.ledger import arrivals
from annotator.storage.ledger.current_values import TEXTS, canonical
from annotator.storage.ledger.events import NO_HASH, Event
from annotator.watch import Watch

Stretch = tuple[str, int, int]
"""A session, and the first and last sequence of some of its events."""


def behind(db: sqlite3.Connection, record: ShareRecord, names: Mapping[str, str]) -> list[Stretch]:
    """Return which events of this copy's own sessions the carrier does not hold as they are."""
    own = {session: last for session, (last, _) in arrivals.held(db).items() if session not in record.came}
    there: dict[str, list[Named]] = {}
    for name, mark in names.items():
        if name[:32] in own and record.seen.get(name) == mark and (one := segments.named(name)):
            there.setdefault(one.session, []).append(one)
    return [
        (session, first, end)
        for session, last in own.items()
        for first, end in gaps(there.get(session, []), last)
    ]


def gaps(there: list[Named], last: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of the events up to the last one that no segment holds."""
    reach = 0
    for one in sorted(there, key=lambda one: one.first):
        if one.first > reach:
            yield reach, min(one.first - 1, last)
        reach = max(reach, one.last + 1)
    if reach <= last:
        yield reach, last


def hand_over(
    db: sqlite3.Connection, carrier: Carrier, record: ShareRecord, names: dict[str, str], watch: Watch
) -> int:
    """Write what the carrier lacks of this copy's sessions, contents first; return how many events.

    `names` are the segments that it has; what is written is added, without a mark until it is looked at.
    Raises CarrierError and Stopped; what was written until then stays, and is not written again.
    """
    stretches = behind(db, record, names)
    contents, events = watch.parts([3, 1])
    hand_over_contents(db, carrier, record, contents)
    total, went = sum(last - first + 1 for _, first, last in stretches), 0
    for session, first, last in stretches:
        while first <= last:
            events.step(went, total, "events")
            previous = arrivals.of_session(db, session, first - 1, first - 1) if first else []
            some = piece(db, session, first, last)
            name, data = segments.segment(some, previous[0].hash if previous else NO_HASH)
            written = append(carrier, "segments", name, data)
            record.seen[written] = names[written] = ""
            first += len(some)
            went += len(some)
    return went


def piece(db: sqlite3.Connection, session: str, first: int, last: int) -> list[Event]:
    """Return the events for a segment: `MOST_EVENTS`, or more where these are not to be taken in without."""
    some = arrivals.of_session(db, session, first, min(first + MOST_EVENTS - 1, last))
    while (end := some[-1].sequence) < last:
        (then,) = arrivals.of_session(db, session, end + 1, end + 1)
        if not goes_on(some[-1], then):
            break
        some.append(then)
    return some


def append(carrier: Carrier, shelf: Shelf, name: str, data: bytes) -> str:
    """Write bytes under a name, or one that says the same where that holds something else; return it."""
    for again in range(100):
        written = name if not again else f"{name}.{again}"
        try:
            carrier.append(shelf, written, data)
            return written
        except TakenError:
            continue
    raise TakenError(f"{name} cannot be written: something else is in its place, whatever is done.")


def hand_over_contents(db: sqlite3.Connection, carrier: Carrier, record: ShareRecord, watch: Watch) -> None:
    """Write what this copy's own imports brought, where the carrier lacks a list or a part of it."""
    look_for_imports(db, record)
    own = [identity for identity, session in record.imports.items() if session not in record.came]
    there = complete(carrier, record) if own else set()
    lacking = {identity: list[str]() for identity in own if identity not in there}
    for done, (identity, part) in enumerate(parts(db, lacking, record.came)):
        watch.step(done, 0, part.kind)
        name, data = segments.part_bytes(part)
        append(carrier, "contents", f"{name}.jsonl.gz", data)
        lacking[identity].append(name)
    for identity, names in lacking.items():
        append(carrier, "contents", *segments.manifest(identity, names))


def look_for_imports(db: sqlite3.Connection, record: ShareRecord) -> None:
    """Add to a record the imports behind the event up to which it has them, in short reads."""
    piece = "SELECT max(id) FROM (SELECT id FROM event WHERE id > ? ORDER BY id LIMIT 10000)"
    while (end := db.execute(piece, (record.reach,)).fetchone()[0]) is not None:
        rows = db.execute(
            "SELECT identity, sequence FROM event JOIN session ON session.id = session "
            "WHERE event.id > ? AND event.id <= ? AND task = 'import' AND undoes IS NULL",
            (record.reach, end),
        ).fetchall()
        record.imports |= {f"{session}:{sequence}": session for session, sequence in rows}
        record.reach = end


def complete(carrier: Carrier, record: ShareRecord) -> set[str]:
    """Return the imports of which a carrier has a list, and each part that this names."""
    names = carrier.names("contents")
    parts_there = {name[:64] for name in names}
    found = set()
    for name, mark in names.items():
        if (one := MANIFEST.match(name)) is None:
            continue
        try:
            listed = record.lists.get((name, mark))
            if listed is None:
                listed = segments.parts_named(name, carrier.read("contents", name) or b"")
                record.lists[name, mark] = listed
        except segments.Broken:
            continue
        if parts_there.issuperset(listed):
            found.add(f"{one[1]}:{one[2]}")
    return found


Replaced = dict[tuple[str, str], list[tuple[int, Mapping[str, Any]]]]
"""Kind and id of a text -> key of each event that replaced it, and what stood there before."""


def replaced_later(db: sqlite3.Connection, came: Collection[str]) -> Replaced:
    """Return the texts that this copy's own sessions replaced, in fold order."""
    found: Replaced = {}
    rows = db.execute(
        "SELECT event.id, subject, before FROM event JOIN session ON session.id = session "
        "WHERE task = 'text' AND identity NOT IN (SELECT value FROM json_each(?)) ORDER BY event.id",
        (canonical([*came]),),
    )
    for key, subject, before in rows.fetchall():
        kind, name = json.loads(subject)
        found.setdefault((kind, name), []).append((key, json.loads(before or "null") or {}))
    return found


def as_brought(kind: str, row: Mapping[str, Any], key: int, later: Replaced) -> Mapping[str, Any]:
    """Return a row as the import with a key brought it: what later ones replaced are events of their own."""
    if kind not in TEXTS or not later:
        return row
    for replaced, before in later.get((kind, plain_rows.row_id(row)), ()):
        if replaced > key:
            return {**{name: value for name, value in row.items() if name not in TEXTS[kind]}, **before}
    return row


def parts(
    db: sqlite3.Connection, imports: Mapping[str, object], came: Collection[str]
) -> Iterator[tuple[str, Part]]:
    """Yield (identity, part) of what imports brought, in parts of `PART_SIZE` characters or some more.

    Sessions that `came` from others hold nothing of this copy's own.
    """
    if not imports:
        return
    waiting: dict[str, tuple[Part, int]] = {}
    keys = {identity: standing.key_of(db, identity) for identity in imports}
    later = replaced_later(db, came)
    for identity, kind, head, row in taking_in.rows_of(db, keys):
        row = as_brought(kind, row, keys[identity], later)
        part, size = waiting.get(identity, (None, 0))
        if part is not None and (part.kind != kind or part.head != head or size > PART_SIZE):
            yield identity, part
            part, size = None, 0
        part = part or Part(kind, head, [])
        part.rows.append(row)
        waiting[identity] = part, size + len(str(row))
    yield from ((identity, part) for identity, (part, _) in waiting.items())
