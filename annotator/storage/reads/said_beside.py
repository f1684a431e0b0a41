"""What somebody says, or once said, of a query's candidates, and whether they were blind then."""

import json
import sqlite3

from annotator.storage.ledger.current_values import canonical
from annotator.storage.reads import lookup
from annotator.tasks import JUDGED


def _about(db: sqlite3.Connection, query: int) -> tuple[str, str]:
    """Return what the subjects that name a query and something of it stand between, in their order."""
    start = canonical([lookup.query_id(db, query)])[:-1]
    return f"{start},", f"{start}-"


def said_of(
    db: sqlite3.Connection, query: int, annotator: int, before: int | None = None
) -> dict[int, dict[tuple[str, ...], int]]:
    """Return what an annotator says of a query's candidates beside their grades, by candidate.

    Levels stand by task and what the subject ends in. With `before`, what they said before that event.
    """
    said: dict[int, dict[tuple[str, ...], int]] = {}
    tasks = json.dumps([one.name for one in JUDGED])
    now = (
        "SELECT candidate, task, subject, value ->> '$.grade' FROM value "
        "WHERE query = ? AND task IN (SELECT value FROM json_each(?)) AND annotator = ?"
    )
    then = (
        "SELECT candidate.id, task, subject, level FROM (SELECT task, subject, after ->> '$.grade' AS level, "
        "max(id) FROM event WHERE subject > ? AND subject < ? AND task IN (SELECT value FROM json_each(?)) "
        "AND annotator = ? AND id < ? GROUP BY task, subject) "
        "JOIN candidate ON external = subject ->> '$[1]' WHERE level IS NOT NULL"
    )
    if before is None:
        rows = db.execute(now, (query, tasks, annotator))
    else:
        rows = db.execute(then, (*_about(db, query), tasks, annotator, before))
    for candidate, task, subject, level in rows:
        said.setdefault(candidate, {})[task, *json.loads(subject)[2:]] = level
    return said


def said_unblinded(db: sqlite3.Connection, query: int, annotator: int) -> bool:
    """Say whether an annotator ever said something of a query's candidates when they were not blind."""
    sql = "SELECT 1 FROM event WHERE subject > ? AND subject < ? AND annotator = ? AND NOT blind LIMIT 1"
    return db.execute(sql, (*_about(db, query), annotator)).fetchone() is not None


def first_decision(db: sqlite3.Connection, annotator: int) -> int | None:
    """Return the event with which an annotator first graded, skipped or could not tell, practice aside."""
    row = db.execute(
        "SELECT id FROM event WHERE annotator = ? AND task = 'grade' AND after ->> '$.state' IS NOT NULL "
        "AND subject ->> '$[0]' NOT IN (SELECT external FROM value JOIN query ON query.id = value.query "
        "WHERE task = 'practice') ORDER BY id LIMIT 1",
        (annotator,),
    ).fetchone()
    return None if row is None else int(row[0])
