"""What is not what was recorded: what a finding makes doubtful, and reading without it."""

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import suppress

from annotator.errors import DamagedError

Doubtful = tuple[int, int, int] | str
"""What is not what was recorded. Of a judgment the keys: annotator (0 for an adjudicated grade), query,
candidate (0 for what is said of the query itself: its gold answers, its note). Else a name: of a set of
content (`documents`), `run 7` with the run's key, `setting pool_depth`."""

UNREADABLE = (sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, DamagedError)
"""What reading damaged content may raise."""

JUDGED = (
    "SELECT annotator, query, candidate FROM judgment",
    "SELECT annotator, query, coalesce(candidate, 0) FROM value WHERE annotator = 0 AND query NOT NULL",
)
ALL = {
    "ledger": JUDGED,
    "current values": (
        *JUDGED,
        "SELECT 'setting ' || (subject ->> '$[0]') FROM value WHERE task = 'setting'",
    ),
    "contents": ("SELECT name FROM digest", "SELECT 'documents'"),
    "runs and imported judgments": (*JUDGED, "SELECT 'run ' || id FROM run"),
}
"""What is not proved without a part of the check."""

DOUBTED = {
    "judgment": "annotator, query, candidate",
    "value": "annotator, coalesce(query, 0), coalesce(candidate, 0)",
}
"""The tables that are read without what is doubtful, and the keys by which that is known."""


def leave_out(connection: sqlite3.Connection, doubtful: Collection[Doubtful]) -> None:
    """Let a connection that only reads see nothing that is not what was recorded: views stand in the way."""
    judgments = [one for one in doubtful if isinstance(one, tuple)]
    if not judgments:
        return
    connection.execute("PRAGMA query_only = OFF")
    connection.execute(
        "CREATE TEMP TABLE doubtful(annotator, query, candidate, PRIMARY KEY (annotator, query, candidate))"
    )
    connection.executemany("INSERT INTO doubtful VALUES (?, ?, ?)", judgments)
    for table, keys in DOUBTED.items():
        connection.execute(
            f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} AS said "
            f"WHERE ({keys}) NOT IN (SELECT annotator, query, candidate FROM doubtful)"
        )
    connection.execute("PRAGMA query_only = ON")


def of_event(db: sqlite3.Connection, task: str, subject: str, annotator: str = "") -> list[Doubtful]:
    """Return what an event was about, as far as that can be told when it is shown."""
    if task in ("setting", "text"):
        return [f"setting {json.loads(subject)[0]}" if task == "setting" else json.loads(subject)[0]]
    if task in ("gold", "query"):
        return db.execute("SELECT 0, id, 0 FROM query WHERE external = ?", json.loads(subject)).fetchall()
    if task not in ("grade", "adjudication"):
        return []
    return db.execute(
        "SELECT coalesce((SELECT id FROM annotator WHERE name = ?), 0), query.id, candidate.id FROM query "
        "JOIN candidate ON candidate.external = ? WHERE query.external = ?",
        (annotator if task == "grade" else "", *reversed(json.loads(subject))),
    ).fetchall()


def everything(db: sqlite3.Connection, part: str) -> Iterator[Doubtful]:
    """Yield all that is doubtful when a part of the check cannot be read, as far as it can be read itself."""
    for sql in ALL.get(part, ()):
        with suppress(*UNREADABLE):
            yield from (row if row[1:] else row[0] for row in db.execute(sql))
