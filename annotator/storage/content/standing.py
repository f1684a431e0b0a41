"""Which texts stand: what all events and all that imports brought come to, in whatever order they arrived.

A text counts as said where an import brought it or an event replaced it, and the last one in fold order
stands. Who takes an import back states which texts go with it (`gone`); they go in every copy, with all that
was brought under the same id before that import. What was imported behind it stays. A query that somebody
names stays without its text; one that only runs, judgments or gold answers name has no import of its own,
and stays as long as they do.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from annotator.storage.content import contents, digests, plain_rows
from annotator.storage.content.contents import WHATEVER, Counts
from annotator.storage.ledger import current_values
from annotator.storage.ledger.arrivals import Arrived
from annotator.storage.ledger.current_values import canonical
from annotator.storage.ledger.events import Event
from annotator.tasks import about
from annotator.watch import UNWATCHED, Watch

Gone = dict[str, dict[str, list[str]]]
"""Name of an import -> kind of content -> ids of what goes of it."""

NAMED = "external IN (SELECT value FROM json_each(:texts))"

WITH_IMPORTS = ("import", "withdraw")
"""How events are recorded that belong to an import, or to taking it back."""


def key_of(db: sqlite3.Connection, identity: str) -> int:
    """Return the key of an event that is there."""
    session, _, sequence = identity.partition(":")
    row = db.execute(
        "SELECT event.id FROM event JOIN session ON session.id = session WHERE identity = ? AND sequence = ?",
        (session, int(sequence)),
    ).fetchone()
    return int(row[0])


def withdrawn(db: sqlite3.Connection) -> list[str]:
    """Return the names of the imports that were taken back."""
    rows = db.execute("SELECT undoes FROM event WHERE task = 'import' AND undoes NOT NULL").fetchall()
    return [name for (name,) in rows]


def withdrawn_unstated(db: sqlite3.Connection) -> list[str]:
    """Return the names of the imports of which an earlier version did not state what goes with them."""
    rows = db.execute(
        "SELECT undoes FROM event WHERE task = 'import' AND undoes NOT NULL "
        "AND after ->> '$.gone' IS NULL AND after ->> '$.with' IS NULL"
    ).fetchall()
    return [name for (name,) in rows]


def brought(db: sqlite3.Connection, identity: str) -> Iterator[str]:
    """Yield the names of the events behind an import's own: of its gold answers and of texts it replaced."""
    session, _, sequence = identity.partition(":")
    rows = db.execute(
        "SELECT sequence, task FROM event JOIN session ON session.id = session "
        "WHERE identity = ? AND sequence > ? AND how = 'import' ORDER BY sequence",
        (session, int(sequence)),
    ).fetchall()
    return (f"{session}:{one}" for one, _ in takewhile(lambda row: row[1] != "import", rows))


def gone(db: sqlite3.Connection) -> dict[tuple[str, str], int]:
    """Return (kind, id) of the texts that went with imports -> the key of the last of these."""
    found: dict[tuple[str, str], int] = {}
    rows = db.execute("SELECT after ->> '$.gone' FROM event WHERE task = 'import' AND undoes NOT NULL")
    for (stated,) in rows.fetchall():
        for identity, kinds in json.loads(stated or "{}").items():
            key = key_of(db, identity)
            for kind, ids in kinds.items():
                found |= {(kind, one): max(key, found.get((kind, one), 0)) for one in ids}
    return found


def said_of(db: sqlite3.Connection, subjects: Iterable[str]) -> set[str]:
    """Return the subjects of the texts that some event states, of these."""
    rows = db.execute(
        "SELECT subject FROM event WHERE task = 'text' AND subject IN (SELECT value FROM json_each(?))",
        (canonical([*subjects]),),
    )
    return {subject for (subject,) in rows.fetchall()}


def replaced_in_force(db: sqlite3.Connection, back: Iterable[str]) -> list[tuple[int, str, str]]:
    """Return (key, kind, id) of the texts that imports replaced, but those that were taken `back`."""
    names = {one for name in back for one in brought(db, name)}
    return [
        (key, *json.loads(subject))
        for key, name, subject in db.execute(
            "SELECT event.id, identity || ':' || sequence, subject FROM event "
            "JOIN session ON session.id = session WHERE task = 'text' AND how = 'import'"
        ).fetchall()
        if name not in names
    ]


def replaced(
    db: sqlite3.Connection, back: Sequence[str], subjects: Iterable[str] | None = None
) -> Iterator[tuple[str, str, Any]]:
    """Yield (kind, id, value) of the texts that events state, of some `subjects` or of all that are there.

    `back` are the imports that were taken back.
    """
    if subjects is None:
        rows = db.execute("SELECT DISTINCT subject FROM event WHERE task = 'text'").fetchall()
        subjects = [subject for (subject,) in rows]
    in_force: set[int] | None = None
    for subject in subjects:
        kind, name = json.loads(subject)
        column, table = ("event", "query") if kind == "queries" else (
            "content.event", "content JOIN candidate ON id = candidate"
        )  # fmt: skip
        row = db.execute(f"SELECT {column} FROM {table} WHERE external = ?", (name,)).fetchone()
        if row is None:
            continue
        said = db.execute(
            "SELECT id, after FROM event WHERE subject = ? AND task = 'text' AND id > ? ORDER BY id DESC",
            (subject, row[0] or 0),
        ).fetchall()
        if row[0] is None:  # nobody brought it with a text: imports in force gave it one, or it has none
            if in_force is None:
                in_force = {key for key, *_ in replaced_in_force(db, back)}
            said = [*(one for one in said if one[0] in in_force), (0, None)]
        if said:
            yield kind, name, json.loads(said[0][1]) if said[0][1] else None


def write_texts(db: sqlite3.Connection, back: Sequence[str], subjects: Iterable[str] | None = None) -> None:
    """Give texts the values that events state, of some `subjects` or of all; digests are the caller's."""
    for kind, name, value in [*replaced(db, back, subjects)]:
        current_values.write_text(db, kind, name, value or {})


def named_by_events(table: str) -> str:
    """Return the SELECT of the keys of what events on candidates name after the one with the key `:after`."""
    places = about(table)
    return " UNION ".join(
        f"SELECT {table}.id FROM event JOIN {table} ON external = json_extract(subject, '$[{at}]') "
        f"WHERE event.id > :after AND task = '{task}'"
        for task in about("candidate")
        for at in places.get(task, ())
    )


def used_queries() -> str:
    """Return the SELECT of the queries that something in the project names, or that `:texts` are."""
    tasks = sorted(about("query").keys() - about("candidate").keys())
    return (
        "SELECT query FROM ranking_length UNION SELECT query FROM imported "
        "UNION SELECT query FROM value WHERE query IS NOT NULL "
        "UNION SELECT query FROM candidate WHERE query IS NOT NULL "
        "UNION SELECT query.id FROM event JOIN query ON external = json_extract(subject, '$[0]') "
        f"WHERE task IN {(*tasks,)} AND how NOT IN {WITH_IMPORTS} "
        f"UNION {named_by_events('query')} UNION SELECT id FROM query WHERE {NAMED}"
    )


def take_away(db: sqlite3.Connection, stated: Mapping[str, Mapping[str, Sequence[str]]]) -> set[str]:
    """Take away what goes with imports; return the subjects of the queries that have no text any more."""
    blank: set[str] = set()
    for identity, kinds in stated.items():
        key = key_of(db, identity)
        for kind, ids in kinds.items():
            of = "event <= ? AND {} IN (SELECT value FROM json_each(?))", (key, canonical([*ids]))
            if kind == "queries":
                rows = db.execute(
                    "UPDATE query SET text = '', tags = '[]', guidelines = '', fields = '{}', event = NULL "
                    f"WHERE {of[0].format('external')} RETURNING external",
                    of[1],
                ).fetchall()
                blank |= {canonical([kind, name]) for (name,) in rows}
            else:
                external = "(SELECT external FROM candidate c WHERE c.id = candidate)"
                db.execute(f"DELETE FROM content WHERE {of[0].format(external)}", of[1])
    return blank


def delete_candidates(db: sqlite3.Connection) -> None:
    """Delete the candidates that nothing names and of which nothing is known."""
    db.execute(
        "DELETE FROM candidate WHERE id NOT IN (SELECT candidate FROM content UNION SELECT candidate "
        f"FROM ranking UNION SELECT candidate FROM imported UNION {named_by_events('candidate')})",
        {"after": 0},
    )


def delete_unnamed(db: sqlite3.Connection, back: Sequence[str], watch: Watch = UNWATCHED) -> None:
    """Delete candidates and queries that are there for others only, and these are gone; mend the digests.

    `back` are the imports that were taken back.
    """
    delete_candidates(db)
    texts = [name for _, kind, name in replaced_in_force(db, back) if kind == "queries"]
    db.execute(
        f"DELETE FROM query WHERE event IS NULL AND id NOT IN ({used_queries()})",
        {"after": 0, "texts": canonical([*texts])},
    )
    digests.recount(db, watch)


def put_texts(
    db: sqlite3.Connection,
    kind: str,
    key: int,
    rows: Sequence[Mapping[str, Any]],
    gone: Mapping[tuple[str, str], int],
) -> set[str]:
    """Put queries, documents, answers, where no later import brought them and they did not go with one.

    Returned are the subjects of those that events may state otherwise.
    """
    made = {plain_rows.row_id(row): row for row in rows}
    made = {name: row for name, row in made.items() if gone.get((kind, name), 0) < key}
    table, column = ("query", "id") if kind == "queries" else ("content", "candidate")
    source = "query" if kind == "queries" else "content JOIN candidate ON id = candidate"
    there = {
        name: (at, by or 0)
        for name, at, by in db.execute(
            f"SELECT external, {column}, event FROM {source} "
            "WHERE external IN (SELECT value FROM json_each(?))",
            (canonical(list(made)),),
        )
    }
    new = [row for name, row in made.items() if name not in there]
    how, counts, defaults = WHATEVER, Counts(), current_values.TEXTS[kind]
    if kind == "queries":
        contents.add_queries(db, list(map(plain_rows.query_of, new)), key, how, counts)
    elif kind == "documents":
        contents.add_documents(db, list(map(plain_rows.document_of, new)), key, how, counts)
    else:
        contents.add_answers(db, list(map(plain_rows.answer_of, new)), key, how, counts)
    earlier = {name: at for name, (at, by) in there.items() if by < key}
    over = {canonical([kind, name]) for name in earlier}
    with digests.following(db, over):
        for name, at in earlier.items():
            row = {part: made[name].get(part, default) for part, default in defaults.items()}
            current_values.write_text(db, kind, name, row)
            db.execute(f"UPDATE {table} SET event = ? WHERE {column} = ?", (key, at))
    return over | said_of(db, {canonical([kind, name]) for name in made})


def missing_queries(db: sqlite3.Connection, arrived: Iterable[Event | Arrived]) -> tuple[set[str], set[str]]:
    """Return the queries that events name and that are not there: those of imports, and the others."""
    places = about("query")
    imported: set[str] = set()
    named: set[str] = set()
    for one in arrived:
        if one.task == "text":
            imported |= {one.subject[1]} if one.how == "import" and one.subject[0] == "queries" else set()
        elif one.how != "withdraw":
            into = imported if one.how == "import" else named
            into |= {one.subject[at] for at in places.get(one.task, ())}
    there = current_values.known_keys(db, "query", imported | named).keys()
    return imported - there, named - imported - there
