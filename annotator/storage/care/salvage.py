"""Reading a damaged project file row by row: what can be read, and what of it is lost."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

from annotator.errors import UserError
from annotator.records import Answer, Document, Query
from annotator.watch import UNWATCHED, Watch

STEP = 256
"""So many rows are read at once."""

UNREADABLE = (sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, UserError)
"""What reading damaged content may raise."""

Found = TypeVar("Found")
Given = ParamSpec("Given")
Row = tuple[Any, ...]


def attempt(read: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found | None:
    """Return what can be read, None when it cannot."""
    try:
        return read(*given, **named)
    except UNREADABLE:
        return None


def one_row(db: sqlite3.Connection, what: str) -> Row:
    """Return the one row of a SELECT."""
    row: Row = db.execute(f"SELECT {what}").fetchone()
    return row


def readable(
    db: sqlite3.Connection, select: str, table: str, lost: list[str], watch: Watch = UNWATCHED
) -> Iterator[Row]:
    """Yield the rows of a SELECT in the order of `table.id`, passing over those that cannot be read.

    `select` ends in `WHERE` or `AND`: the range of ids is added. Raises Stopped.
    """
    sql = f"{select} {table}.id BETWEEN ? AND ? ORDER BY {table}.id"

    def rows(low: int, high: int) -> list[Row]:
        return db.execute(sql, (low, high)).fetchall()

    (pages,) = attempt(one_row, db, "page_count FROM pragma_page_count") or (0,)
    (last,) = attempt(one_row, db, f"max(id) FROM {table}") or (200 * pages,)
    gone = 0
    for low in range(1, (last or 0) + 1, STEP):
        watch.look()
        try:
            yield from rows(low, low + STEP - 1)
        except UNREADABLE:
            for key in range(low, low + STEP):
                try:
                    yield from rows(key, key)
                except UNREADABLE:
                    gone += 1
    if gone:
        lost.append(f"up to {gone} rows of {table} cannot be read")


Saved = Iterator[tuple[int | None, Found]]
"""Rows with the key of the import that brought them."""


def saved_queries(db: sqlite3.Connection, lost: list[str]) -> Iterator[tuple[int, int | None, Query]]:
    """Yield (key, key of the import, query) of all queries that can be read."""
    select = "SELECT id, event, external, text, tags, guidelines, fields FROM query WHERE"
    for key, event, external, text, tags, guidelines, fields in readable(db, select, "query", lost):
        given = attempt(json.loads, tags) or (), attempt(json.loads, fields) or {}
        yield key, event, Query(external, text, tuple(given[0]), guidelines, given[1])


def saved_documents(db: sqlite3.Connection, lost: list[str], watch: Watch) -> Saved[Document]:
    """Yield the documents whose content can be read."""
    select = (
        "SELECT event, external, title, text, fields FROM candidate "
        "JOIN content ON content.candidate = candidate.id WHERE query IS NULL AND"
    )
    for event, external, title, text, fields in readable(db, select, "candidate", lost, watch):
        yield event, Document(external, title, text, attempt(json.loads, fields) or {})


def saved_answers(
    db: sqlite3.Connection, queries: dict[int, str], lost: list[str], watch: Watch
) -> Saved[Answer]:
    """Yield the predicted answers that can be read and whose id still follows from their text."""
    select = (
        'SELECT event, external, query, text, passage, start, "end", fields FROM candidate '
        "JOIN content ON content.candidate = candidate.id WHERE query NOT NULL AND"
    )
    for event, external, query, text, *place, fields in readable(db, select, "candidate", lost, watch):
        passage, start, end = place
        cited = attempt(json.loads, fields) or {}
        answer = Answer(queries.get(query, ""), text, passage, start, end, cited)
        if answer.id == external:
            yield event, answer
        else:
            lost.append(f"the answer {external} was changed and is left out")
