"""What the project holds, read as plain values: runs, queries, contents, gold answers, settings.

Long reads go in short pieces in key order, so that a grade can be stored meanwhile.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any, Literal

from annotator.records import Answer, Document, Query
from annotator.storage.ledger import current_values as current

PIECE = 5_000
"""Values per read: about 20 ms."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One run of a system; `event` is the identity of the import that brought it."""

    key: int
    system: int
    name: str
    source: str
    sha256: str
    order_rule: Literal["score", "given"]
    queries: int
    rows: int
    digest: str
    current: int
    event: str
    time: int


@dataclass(frozen=True, slots=True)
class StoredContent:
    """What a candidate says; `known` is False for a document that only a run or a judgment names."""

    key: int
    id: str
    query: int | None
    title: str
    text: str
    fields: dict[str, Any]
    passage: str
    start: int | None
    end: int | None
    length: int
    known: bool


def runs(db: sqlite3.Connection, *, current_only: bool = True) -> list[StoredRun]:
    """Return the runs, those of one system in the order of their imports; systems in order of arrival."""
    rows = db.execute(
        "SELECT run.id, system, system.name, source, sha256, order_rule, queries, rows, digest, current, "
        "session.identity || ':' || event.sequence, event.time "
        "FROM run JOIN system ON system.id = run.system JOIN event ON event.id = run.event "
        "JOIN session ON session.id = event.session ORDER BY system, event.id, run.id"
    ).fetchall()
    runs_there = list(starmap(StoredRun, rows))
    return [run for run in runs_there if run.current or not current_only]


def settings(db: sqlite3.Connection) -> dict[str, Any]:
    """Return all settings that were made."""
    return {subject[0]: value for subject, value in values(db, "setting")}


def snapshots(db: sqlite3.Connection) -> dict[str, Any]:
    """Return all snapshots by name."""
    return {subject[0]: value for subject, value in values(db, "snapshot")}


def queries(db: sqlite3.Connection, keys: Iterable[int] | None = None) -> list[tuple[int, Query]]:
    """Return queries with their keys: the named ones in their order, or all in order of arrival."""
    columns = "SELECT id, external, text, tags, guidelines, fields FROM query"
    if keys is None:
        rows = db.execute(f"{columns} ORDER BY id").fetchall()
    else:
        chosen = [int(key) for key in keys]
        some = db.execute(f"{columns} WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(chosen),))
        by_key = {row[0]: row for row in some}
        rows = [by_key[key] for key in chosen if key in by_key]
    return [
        (key, Query(external, text, tuple(json.loads(tags)), guidelines, json.loads(fields)))
        for key, external, text, tags, guidelines, fields in rows
    ]


CONTENT = (
    "SELECT candidate.id, external, candidate.query, coalesce(title, ''), {text}, coalesce(fields, '{{}}'), "
    "coalesce(passage, ''), start, \"end\", length(coalesce(text, '')), content.candidate IS NOT NULL "
    "FROM candidate LEFT JOIN content ON content.candidate = candidate.id "
)


def stored_content(row: Sequence[Any]) -> StoredContent:
    """Return the value of a row of `CONTENT`."""
    key, external, query, title, text, fields, passage, start, end, length, known = row
    return StoredContent(
        key, external, query, title, text, json.loads(fields), passage, start, end, length, bool(known)
    )


def all_contents(db: sqlite3.Connection, *, answers: bool, block: int = 500) -> Iterator[StoredContent]:
    """Yield the documents (or the predicted answers) with what they say, in order of arrival."""
    last = 0
    which = "IS NOT NULL" if answers else "IS NULL"
    sql = CONTENT.format(text="coalesce(text, '')") + (
        f"WHERE candidate.id > ? AND candidate.query {which} ORDER BY candidate.id LIMIT ?"
    )
    while rows := db.execute(sql, (last, block)).fetchall():
        yield from map(stored_content, rows)
        last = rows[-1][0]


def documents(db: sqlite3.Connection) -> Iterator[Document]:
    """Yield every document whose content is known."""
    for one in all_contents(db, answers=False):
        if one.known:
            yield Document(one.id, one.title, one.text, one.fields)


def has_documents(db: sqlite3.Connection) -> bool:
    """Say whether the content of any document is known, without reading those that a run only names."""
    sql = "SELECT 1 FROM content JOIN candidate ON candidate.id = candidate WHERE query IS NULL LIMIT 1"
    return db.execute(sql).fetchone() is not None


def answers(db: sqlite3.Connection) -> Iterator[Answer]:
    """Yield every predicted answer."""
    ids = dict(db.execute("SELECT id, external FROM query").fetchall())
    for one in all_contents(db, answers=True):
        assert one.query is not None
        yield Answer(ids[one.query], one.text, one.passage, one.start, one.end, one.fields)


def gold(db: sqlite3.Connection) -> dict[int, dict[str, Any]]:
    """Return the gold values (see `current`) of all queries that have one, by query key, in key order."""
    rows = db.execute("SELECT query, value FROM value WHERE task = 'gold' ORDER BY query").fetchall()
    return {query: json.loads(value) for query, value in rows}


def tasks(db: sqlite3.Connection) -> Iterator[str]:
    """Yield the tasks under which anything is said now, but grades; each is looked up, none is counted."""
    task = ""
    while (
        task := db.execute("SELECT min(task) FROM value WHERE task > ?", (task,)).fetchone()[0]
    ) is not None:
        yield task


def values(db: sqlite3.Connection, task: str) -> list[tuple[current.Subject, Any]]:
    """Return (subject, value) of all current values of a task, in the order of their subjects."""
    rows = db.execute("SELECT subject, value FROM value WHERE task = ? ORDER BY annotator, subject", (task,))
    return [(tuple(json.loads(subject)), json.loads(value)) for subject, value in rows.fetchall()]


def values_of(db: sqlite3.Connection, tasks: Iterable[str]) -> Iterator[tuple[tuple[str, int, str], str]]:
    """Yield ((task, annotator key or 0, subject), JSON text) of the current values of tasks, in pieces."""
    for task in tasks:
        last = (-1, "")
        while rows := db.execute(
            "SELECT annotator, subject, value FROM value WHERE task = ? AND (annotator, subject) > (?, ?) "
            "ORDER BY annotator, subject LIMIT ?",
            (task, *last, PIECE),
        ).fetchall():
            yield from (((task, who, subject), value) for who, subject, value in rows)
            last = rows[-1][:2]


def current_values(db: sqlite3.Connection) -> Iterator[tuple[tuple[str, int, str], str]]:
    """Yield ((task, annotator key or 0, subject), JSON text) of all current values but grades and texts."""
    for *of, value in db.execute("SELECT task, annotator, subject, value FROM value").fetchall():
        yield tuple(of), value
