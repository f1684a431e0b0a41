"""Practice queries: which they are, who practises on them, and what was said of them before."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.storage.ledger.current_values import canonical
from annotator.storage.reads.query_list import SOME, Condition, keys_text

Said = tuple[int, int | None, int, dict[str, Any]]
"""What somebody said of one candidate: its key, the grade, the time and what stands beside."""


def queries(db: sqlite3.Connection) -> NDArray[np.int64]:
    """Return the keys of the practice queries, ascending."""
    rows = db.execute("SELECT query FROM value WHERE task = 'practice' ORDER BY query").fetchall()
    return np.array(rows, np.int64).reshape(-1)


def only(on: bool = True) -> Condition:
    """Return the condition that a query is for practice, or that it is not."""
    marked = "EXISTS (SELECT 1 FROM value WHERE value.query = query.id AND task = 'practice')"
    return (marked if on else f"NOT {marked}"), ()


def judges(db: sqlite3.Connection, query: int) -> set[int]:
    """Return the keys of those who judged a query before it became one for practice; models do not count.

    Who judged it only since then practised.
    """
    (name,) = db.execute("SELECT external FROM query WHERE id = ?", (query,)).fetchone()
    of, first = "SELECT min(id) FROM event WHERE task = 'practice' AND subject = ?", canonical([name])
    (marked,) = db.execute(of, (first,)).fetchone()
    people = db.execute(
        "SELECT id FROM annotator WHERE kind <> 'model' AND EXISTS (SELECT 1 FROM judgment "
        "WHERE annotator = annotator.id AND query = ? AND state IS NOT NULL)",
        (query,),
    ).fetchall()
    since = db.execute(
        "SELECT annotator FROM event WHERE subject > ? AND subject < ? AND task = 'grade' "
        "GROUP BY annotator HAVING min(id) > ?",
        (first[:-1] + ",", first[:-1] + "-", marked),
    ).fetchall()
    return {key for (key,) in people} - {key for (key,) in since}


def due(db: sqlite3.Connection, annotator: int) -> list[int]:
    """Return the keys of the queries that an annotator practises on before the real work; none when ready.

    Practice is for who has decided on nothing else yet, and not for a lead, who says what it is.
    """
    marked = queries(db).tolist()
    ready = "SELECT 1 FROM value WHERE task IN ('ready', 'lead') AND annotator = ?"
    if not marked or db.execute(ready, (annotator,)).fetchone():
        return []
    elsewhere = "SELECT 1 FROM judgment WHERE annotator = ? AND state IS NOT NULL"
    if db.execute(f"{elsewhere} AND query NOT IN {SOME} LIMIT 1", (annotator, keys_text(marked))).fetchone():
        return []
    return [key for key in marked if annotator not in judges(db, key)]


def said_of(db: sqlite3.Connection, query: int, annotators: Iterable[int]) -> list[Said]:
    """Return what some annotators say of a query's candidates."""
    rows = db.execute(
        "SELECT candidate, grade, coalesce(time, -1), beside FROM annotator CROSS JOIN judgment "
        f"ON annotator = annotator.id AND query = ? WHERE annotator.id IN {SOME} ORDER BY annotator.id",
        (query, keys_text(sorted(annotators))),
    ).fetchall()
    return [(candidate, grade, time, json.loads(beside)) for candidate, grade, time, beside in rows]


def settled_of(db: sqlite3.Connection, query: int) -> list[tuple[int, dict[str, Any]]]:
    """Return what settles disagreements about a query's candidates."""
    sql = "SELECT candidate, value FROM value WHERE query = ? AND task = 'adjudication' ORDER BY candidate"
    return [(candidate, json.loads(value)) for candidate, value in db.execute(sql, (query,)).fetchall()]
