"""A project row by row as plain values, sorted by external ids: what its text twin is written from.

Internal keys do not appear. Reads are short and in the order of an index, so that a grade can be stored
meanwhile.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from annotator.records import Answer, Document, Query, RunTable
from annotator.storage.ledger import events
from annotator.storage.reads import holdings
from annotator.storage.reads.holdings import StoredRun

BLOCK = 1_000
Row = tuple[Any, ...]
Value = dict[str, Any]


def pages(db: sqlite3.Connection, sql: str, first: Row = ("",)) -> Iterator[Row]:
    """Yield the rows of a SELECT whose first column is its order, page by page.

    `sql` ends in a WHERE that compares this column with the first `?`; ORDER BY and LIMIT are added.
    """
    last = first
    while rows := db.execute(f"{sql} ORDER BY 1 LIMIT {BLOCK}", last[:1]).fetchall():
        yield from rows
        last = rows[-1]


def filled(**values: Any) -> Value:
    """Return the values that are not empty, in their order."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def import_names(db: sqlite3.Connection) -> dict[int | None, str]:
    """Return the identity of every import event by its key."""
    rows = db.execute(
        "SELECT event.id, identity || ':' || sequence FROM event JOIN session ON session.id = session "
        "WHERE task = 'import'"
    )
    return dict(rows.fetchall())


def queries(db: sqlite3.Connection) -> Iterator[Value]:
    """Yield every query; `import` names the event that brought it."""
    names = import_names(db)
    sql = "SELECT external, text, tags, guidelines, fields, event FROM query WHERE external > ?"
    for external, text, tags, guidelines, fields, event in pages(db, sql):
        yield {"id": external} | filled(
            text=text,
            tags=json.loads(tags),
            guidelines=guidelines,
            fields=json.loads(fields),
            **{"import": names.get(event)},
        )


def documents(db: sqlite3.Connection) -> Iterator[Value]:
    """Yield every document whose content is known."""
    names = import_names(db)
    sql = (
        "SELECT external, title, text, fields, content.event FROM candidate JOIN content ON candidate = id "
        "WHERE query IS NULL AND external > ?"
    )
    for external, title, text, fields, event in pages(db, sql):
        yield {"id": external} | filled(
            title=title, text=text, fields=json.loads(fields), **{"import": names.get(event)}
        )


def answers(db: sqlite3.Connection) -> Iterator[Value]:
    """Yield every predicted answer, in the order of the ids that follow from query and text."""
    names = import_names(db)
    ids = dict(db.execute("SELECT id, external FROM query").fetchall())
    sql = (
        'SELECT external, query, text, passage, start, "end", fields, event FROM candidate '
        "JOIN content ON candidate = id WHERE query IS NOT NULL AND external > ?"
    )
    for _, query, text, passage, start, end, fields, event in pages(db, sql):
        place = filled(passage=passage, start=start, end=end, fields=json.loads(fields))
        yield {"query": ids[query], "text": text} | place | filled(**{"import": names.get(event)})


def row_id(row: Mapping[str, Any]) -> str:
    """Return the id of a query, document or answer, in the order of which they come."""
    return str(row["id"]) if "id" in row else Answer(row["query"], row["text"]).id


def run_head(run: StoredRun) -> Value:
    """Return what the twin says of a run before its rankings."""
    return {
        "system": run.name,
        "import": run.event,
        "source": run.source,
        "sha256": run.sha256,
        "order": run.order_rule,
        "digest": run.digest,
    }


def rankings(db: sqlite3.Connection, run: int) -> Iterator[Value]:
    """Yield each query's ranking as `[candidate, rank, score]` (no score where there is none)."""
    ids = db.execute(
        "SELECT external, id FROM ranking_length JOIN query ON id = query WHERE run = ? ORDER BY 1",
        (run,),
    ).fetchall()
    for external, query in ids:
        rows = db.execute(
            "SELECT external, rank, score FROM ranking JOIN candidate ON candidate.id = candidate "
            "WHERE run = ? AND ranking.query = ? ORDER BY rank, external",
            (run, query),
        ).fetchall()
        yield {"query": external, "ranking": [row[: 2 + (row[2] is not None)] for row in rows]}


def imports_with_judgments(db: sqlite3.Connection) -> list[tuple[int, str]]:
    """Return (key, identity) of the imports that brought judgments, in their order."""
    names = import_names(db)
    rows = db.execute("SELECT DISTINCT event FROM imported ORDER BY event").fetchall()
    return [(event, names[event]) for (event,) in rows]


def imported(db: sqlite3.Connection, event: int) -> Iterator[Value]:
    """Yield the judgments of one import, one value per query: grades by candidate, sorted."""
    ids = db.execute(
        "SELECT external, id FROM query WHERE id IN (SELECT query FROM imported WHERE event = ?) ORDER BY 1",
        (event,),
    ).fetchall()
    for external, query in ids:
        grades = db.execute(
            "SELECT external, grade FROM imported JOIN candidate ON candidate.id = candidate "
            "WHERE imported.event = ? AND imported.query = ? ORDER BY 1",
            (event, query),
        ).fetchall()
        yield {"query": external, "grades": dict(grades)}


def gold(db: sqlite3.Connection) -> Iterator[Value]:
    """Yield the current gold answers of each query that has some, or the mark."""
    ids = dict(db.execute("SELECT id, external FROM query").fetchall())
    for external, value in sorted((ids[key], value) for key, value in holdings.gold(db).items()):
        yield {"query": external, **value}


def ledger(db: sqlite3.Connection, named: bool = True) -> Iterator[Value]:
    """Yield every event, in fold order; unless `named`, people are called annotator 1, 2 and so on."""
    each = events.all_events(db)
    if not named:
        people = db.execute("SELECT name FROM annotator WHERE kind = 'person' ORDER BY name").fetchall()
        each = events.under_names(each, {name: f"annotator {at}" for at, (name,) in enumerate(people, 1)})
    return map(event_value, each)


EVENT = events.Event.__slots__


def event_value(event: events.Event) -> Value:
    """Return an event as a value; what is None is left out."""
    parts = {name: getattr(event, name) for name in EVENT} | {"subject": list(event.subject)}
    return {name: part for name, part in parts.items() if part is not None}


def event_of(value: Value) -> events.Event:
    """Return the event of a value; raises KeyError or TypeError for one that lacks a part."""
    spare = dict.fromkeys(("before", "after", "milliseconds", "undoes"))
    parts = {**spare, **value, "subject": tuple(value["subject"])}
    return events.Event(**parts)


def query_of(value: Mapping[str, Any]) -> Query:
    """Return the query of a value."""
    tags, guidelines = tuple(value.get("tags", ())), value.get("guidelines", "")
    return Query(value["id"], value.get("text", ""), tags, guidelines, value.get("fields", {}))


def document_of(value: Mapping[str, Any]) -> Document:
    """Return the document of a value."""
    return Document(value["id"], value.get("title", ""), value.get("text", ""), value.get("fields", {}))


def answer_of(value: Mapping[str, Any]) -> Answer:
    """Return the predicted answer of a value."""
    place = value.get("start"), value.get("end")
    return Answer(value["query"], value["text"], value.get("passage", ""), *place, value.get("fields", {}))


def run_of(head: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> RunTable:
    """Return the run of what is said of it before its rankings, and of these."""
    sizes = [len(row["ranking"]) for row in rows]
    placed = [one for row in rows for one in row["ranking"]]
    codes: dict[str, int] = {}
    candidate = [codes.setdefault(one[0], len(codes)) for one in placed]
    scored = bool(placed) and len(placed[0]) > 2
    return RunTable(
        system=head["system"],
        query_ids=[row["query"] for row in rows],
        candidate_ids=list(codes),
        query=np.repeat(np.arange(len(rows), dtype=np.int32), sizes),
        candidate=np.array(candidate, dtype=np.int32),
        rank=np.array([one[1] for one in placed], dtype=np.int32),
        score=np.array([one[2] for one in placed], dtype=np.float64) if scored else None,
        source=head["source"],
        order_rule=head["order"],
    )
