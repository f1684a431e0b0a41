"""Checking a project: structure, pages, keys, the chain of events, the fold, and all digests.

Nothing is changed and nothing is taken on trust: SQLite's own checks pass half of all single flipped bits.
The parts are read in short pieces, so a check runs beside grading; when the ledger moved on meanwhile and
something seems wrong, it is looked at again.
"""

import heapq
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby, zip_longest
from typing import Any

from annotator.errors import DamagedError, NewerError
from annotator.storage.content import digests, standing
from annotator.storage.file import layout
from annotator.storage.ledger import current_values, event_fold, events
from annotator.storage.reads import holdings
from annotator.tasks import GRADE, declared, parts
from annotator.watch import UNWATCHED, Watch

Judged = tuple[int, int, int]
"""The keys of a judgment: annotator, query, candidate."""

MOST = 100
"""So many findings are listed; a damaged file has thousands."""

UNREADABLE = (sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, DamagedError, NewerError)
"""What reading damaged content may raise; an event that was changed may name a task that is none."""


UNREAD = "what stands there cannot be read"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: in which part, and a sentence."""

    part: str
    message: str

    def __str__(self) -> str:
        return f"{self.part}: {self.message}"


def check(db: sqlite3.Connection, watch: Watch = UNWATCHED) -> list[Finding]:
    """Return what is wrong with a project, nothing when all of it is sound; raises Stopped."""
    findings = [Finding("current values", "they changed all the time through imports; check once more")]
    for _ in range(3):
        start = head(db)
        with suppress(Moved):
            findings = list(found(db, watch))
            if not findings or head(db) == start:
                break
    return findings


def refusal(name: str, findings: Sequence[str]) -> str:
    """Return the sentence with which a damaged file is refused."""
    more = f", and {len(findings) - 1:,} more" if findings[1:] else ""
    doubt = ", or its disk fails" if all(one.endswith(UNREAD) for one in findings) else ""
    first = findings[0].removesuffix(".")
    return (
        f"{name} is damaged{doubt}: {first}{more}. So no score is computed from it, and nothing is written. "
        "“annotator check” lists what is wrong; restore a backup, or recover what is sound."
    )


def head(db: sqlite3.Connection) -> str | None:
    """Return the ledger's head, None when it cannot be read."""
    try:
        return events.head(db)
    except UNREADABLE:
        return None


def found(db: sqlite3.Connection, watch: Watch) -> Iterator[Finding]:
    """Yield what is wrong, part by part, up to `MOST` findings a part."""
    for done, (part, look) in enumerate(PARTS.items()):
        watch.step(done, len(PARTS), f"Checking {part}")
        count = 0
        try:
            for message in look(db):
                count += 1
                if count <= MOST:
                    yield Finding(part, message)
        except UNREADABLE:
            watch.look()  # a statement that was stopped is no damage
            yield Finding(part, UNREAD)
        if count > MOST:
            yield Finding(part, f"and {count - MOST:,} more of the kind")


def structure(db: sqlite3.Connection) -> Iterator[str]:
    """Yield differences from the expected tables."""
    yield from layout.differences(db)


def pages(db: sqlite3.Connection) -> Iterator[str]:
    """Yield what SQLite itself finds wrong in each table's pages and indexes."""
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for (message,) in db.execute("SELECT * FROM pragma_integrity_check(?, 'main')", (table,)).fetchall():
            if message != "ok":
                yield f"{table}: {' '.join(message.split())}"


def foreign_keys(db: sqlite3.Connection) -> Iterator[str]:
    """Yield rows that name others that are not there; the digests of runs cover the rankings' own."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'ranking'"
    for (table,) in db.execute(tables).fetchall():
        rows = db.execute("SELECT * FROM pragma_foreign_key_check(?, 'main')", (table,)).fetchall()
        for _, row, parent, _ in rows:
            yield f"a row of {table} ({row}) names a row of {parent} that is not there"


def ledger(db: sqlite3.Connection) -> Iterator[str]:
    """Yield breaks of the chain: an event changed, missing, out of order, or a head that nobody has."""
    sessions = {row[0] for row in db.execute("SELECT identity FROM session").fetchall()}
    ends: dict[str, tuple[int, str]] = {}
    hashes: set[str] = set()
    before: tuple[Any, ...] = (0, "", 0)
    last = 0
    while rows := db.execute(
        events.SELECT + "WHERE event.id > ? ORDER BY event.id LIMIT ?", (last, event_fold.PIECE)
    ).fetchall():
        for row in rows:
            session, sequence, clock, *_, task = row[:7]
            name = f"event {session}:{sequence}"
            expected, previous = ends.get(session, (0, events.NO_HASH))
            if sequence != expected:
                yield f"{name}: event {expected} of the session is missing"
            if (sequence == 0) != (task == "session"):
                yield f"{name}: a session does not begin as it should"
            if events.digest(previous, *row[:14]) != row[14].hex():
                yield f"{name} was changed, or the one before it"
            if (clock, session, sequence) <= before:
                yield f"{name} stands out of order"
            if task == "session" and not hashes.issuperset(json.loads(row[9])["heads"]):
                yield f"{name} names events that are not there"
            before = (clock, session, sequence)
            ends[session] = (sequence + 1, row[14].hex())
            hashes.add(row[14].hex())
        last = rows[-1][15]
    yield from (f"session {one} has no events" for one in sorted(sessions - ends.keys()))


def fold(db: sqlite3.Connection) -> Iterator[str]:
    """Yield current values that are not what the events fold to; what was said meanwhile is left out.

    Raises Moved when something was imported meanwhile.
    """
    end = db.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()[0]
    folded = event_fold.fold(db, events.Until(end))
    yield from (f"a judgment names {subject}, which is not there" for subject in folded.unknown)
    expected, stored = dict(folded.values), dict(holdings.current_values(db))
    values = {of for of in expected.keys() | stored.keys() if expected.get(of) != stored.get(of)}
    for kind, name, value in standing.replaced(db, standing.withdrawn(db)):
        if current_values.read_text(db, kind, name) != value:
            values.add(("text", 0, current_values.canonical([kind, name])))
    judged = list(changed_judgments(db, folded))
    since = said_since(db, end) if values or judged else set()
    for number, keys in enumerate(one for one in judged if one not in since):
        yield judgment_said(db, keys) if number < MOST else ""
    for task, _, subject in sorted(values - since):
        of = " and ".join(json.loads(subject))
        yield f"the {declared(task).title} of {of} differs from what was recorded"
    yield from misplaced(db)
    for key, system, event, marked in db.execute("SELECT id, system, event, current FROM run").fetchall():
        newest = db.execute("SELECT max(event) FROM run WHERE system = ?", (system,)).fetchone()[0]
        if bool(marked) != (event == newest) and event not in folded.withdrawn:
            yield f"the mark of run {key} as current is not what was recorded"


class Moved(Exception):
    """Something was imported or taken back while the project was checked: it is to be checked anew."""


def said_since(db: sqlite3.Connection, end: int) -> set[object]:
    """Return what events after the one with this key are about: keys of judgments, (task, owner, subject)."""
    subjects: set[object] = set()
    rows = db.execute("SELECT annotator, task, subject FROM event WHERE id > ?", (end,)).fetchall()
    for annotator, task, subject in rows:
        if task in ("import", "text"):
            raise Moved
        if task == GRADE.name:
            subjects.add((annotator, *current_values.keys(db, task, tuple(json.loads(subject)))))
        elif task != "session":
            subjects.add((task, current_values.owner(task, annotator), subject))
    return subjects


def misplaced(db: sqlite3.Connection) -> Iterator[str]:
    """Yield values whose keys are not those of the query and candidate that their subject names."""
    rows = db.execute(
        "SELECT task, subject, query.external, candidate.external FROM value "
        "LEFT JOIN query ON query.id = value.query LEFT JOIN candidate ON candidate.id = value.candidate"
    ).fetchall()
    for task, subject, *at in rows:
        named = parts(task, json.loads(subject))
        if [named.get("query"), named.get("candidate")] != at:
            yield f"the {declared(task).title} of {subject} stands at another query or candidate"


def changed_judgments(db: sqlite3.Connection, folded: event_fold.Folded) -> Iterator[Judged]:
    """Yield the keys of judgments that are not what the events fold to, or are there on one side alone."""
    stored, expected = judgments(db), event_fold.judgment_rows(db, folded.winners)
    for ends in zip_longest(stored, expected):
        if ends[0] != ends[1]:
            break
    else:
        return
    rest = heapq.merge(
        *(chain(filter(None, [end]), rows) for end, rows in zip(ends, (stored, expected), strict=True)),
        key=keys_of,
    )
    for keys, rows in groupby(rest, key=keys_of):
        first, *others = rows
        if others != [first]:
            yield keys


def keys_of(row: event_fold.Row) -> tuple[int, int, int]:
    """Return what a row of the judgment table is known by."""
    return row[0], row[1], row[2]


def judgment_said(db: sqlite3.Connection, keys: Judged) -> str:
    """Return the sentence about a judgment that is not what was recorded."""
    who, query, candidate = db.execute(
        "SELECT (SELECT name FROM annotator WHERE id = ?), (SELECT external FROM query WHERE id = ?), "
        "(SELECT external FROM candidate WHERE id = ?)",
        keys,
    ).fetchone()
    return f"{who}'s judgment of {candidate} for the query {query} is not what was recorded"


def judgments(db: sqlite3.Connection) -> Iterator[event_fold.Row]:
    """Yield the rows of the judgment table in the order of their keys."""
    last = (-1, -1, -1)
    while rows := db.execute(
        "SELECT * FROM judgment WHERE (annotator, query, candidate) > (?, ?, ?) "
        "ORDER BY annotator, query, candidate LIMIT ?",
        (*last, event_fold.PIECE),
    ).fetchall():
        yield from rows
        last = rows[-1][:3]


def contents(db: sqlite3.Connection) -> Iterator[str]:
    """Yield sets of queries, documents and answers that differ from their digests, or from the ledger's."""
    stored = {name: (rows, digest) for name, rows, digest in db.execute("SELECT * FROM digest").fetchall()}
    for name, rows in digests.SETS.items():
        hashes = list(rows(db))
        count, digest = stored.get(name, (0, digests.of_rows(())))
        if (len(hashes), digests.of_rows(hashes)) != (count, digest):
            yield f"the {name} are not those that were imported"
    for name in stated_otherwise(db):
        yield f"the {name} are not those that the ledger states"


def stated_otherwise(db: sqlite3.Connection) -> list[str]:
    """Return which sets of content are not what the last statement says, where it saw all other events."""
    tips, _ = events.tips(db)
    row = db.execute(
        "SELECT after FROM event WHERE task IN ('session', 'import') ORDER BY id DESC LIMIT 1"
    ).fetchone()
    stated = json.loads(row[0]) if len(tips) == 1 and row else None
    stored = events.stated(db)
    return [name for name in stored if stated is not None and stated.get(name) != stored[name]]


def imported(db: sqlite3.Connection) -> Iterator[str]:
    """Yield runs and imported judgments that differ from the digests that their import states."""
    rows = {
        key: (f"{session}:{sequence}", json.loads(after))
        for key, session, sequence, after in db.execute(
            "SELECT event.id, identity, sequence, after FROM event JOIN session ON session.id = session "
            "WHERE task = 'import' AND undoes IS NULL"
        ).fetchall()
    }
    gone = {
        row[0]
        for row in db.execute("SELECT undoes FROM event WHERE task = 'import' AND undoes NOT NULL").fetchall()
    }
    stored: dict[tuple[str, str], list[holdings.StoredRun]] = {}
    for run in holdings.runs(db, current_only=False):
        stored.setdefault((run.event, run.name), []).append(run)
    for event, (identity, after) in rows.items():
        if identity in gone:
            continue
        for stated in after.get("runs", ()):
            same = stored.pop((identity, stated["system"]), [])
            if len(same) != 1 or not stated.items() <= stated_of(db, same[0]).items():
                yield f"the run of {stated['system']!r} is not the one that was imported"
        brought = after.get("judgments")
        if brought and digests.stored_imported(db, event) != brought["digest"]:
            yield f"the judgments of {after['source']!r} are not those that were imported"
    for _, system in sorted(stored):
        yield f"a run of {system!r} was never imported"


def stated_of(db: sqlite3.Connection, run: holdings.StoredRun) -> dict[str, Any]:
    """Return what an import would state of a run as it now stands in the file."""
    return {
        "system": run.name,
        "source": run.source,
        "sha256": run.sha256,
        "order": run.order_rule,
        "queries": run.queries,
        "rows": run.rows,
        "digest": run.digest if digests.stored_run(db, run.key) == run.digest else "",
    }


def identity(db: sqlite3.Connection) -> Iterator[str]:
    """Yield that the project's identity or time is none that a session of the ledger names."""
    *row, text = db.execute("SELECT identity, created, format FROM project").fetchone()
    if not layout.is_description(str(text)):
        yield "the text that says how the file is read is none of Annotator's"
    named = [
        json.loads(after).get("project", row)
        for (after,) in db.execute("SELECT after FROM event WHERE sequence = 0").fetchall()
    ]
    if named and row not in named:
        yield "the project's identity is not the one that the ledger names"


PARTS: dict[str, Callable[[sqlite3.Connection], Iterator[str]]] = {
    "structure": structure,
    "identity": identity,
    "ledger": ledger,
    "current values": fold,
    "contents": contents,
    "runs and imported judgments": imported,
    "pages": pages,
    "keys": foreign_keys,
}
"""What is checked, in this order: what grades depend on first."""
