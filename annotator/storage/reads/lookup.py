"""One query and the people: what the Grade page asks for by key, each answered at once."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.errors import DamagedError, ProjectError
from annotator.storage.ledger import current_values
from annotator.storage.ledger.events import Until
from annotator.storage.reads.arrays import PIECE, TOGETHER, table
from annotator.storage.reads.holdings import CONTENT, StoredContent, stored_content
from annotator.storage.reads.query_list import SOME, has_runs, keys_text, pool_select

CALLED = "CASE WHEN candidate.query IS NULL THEN external ELSE coalesce(text, external) END"
"""What people call a candidate: a document's id, a predicted answer's text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the current run of a system put a candidate."""

    system: int
    name: str
    candidate: int
    rank: int
    score: float | None


def pair_ids(db: sqlite3.Connection, query: int, candidate: int) -> tuple[str, str]:
    """Return the external ids of a query and a candidate: the subject of a judgment."""
    return query_id(db, query), candidate_id(db, candidate)


def query_id(db: sqlite3.Connection, key: int) -> str:
    """Return the external id of a query; raises ProjectError when there is none with this key."""
    row = db.execute("SELECT external FROM query WHERE id = ?", (int(key),)).fetchone()
    if row is None:
        raise ProjectError("This query is not in the project any more; open the project again.")
    return str(row[0])


def text_of_query(db: sqlite3.Connection, external: str) -> str:
    """Return the words of the query with an external id, none where it has none or there is no such query."""
    row = db.execute("SELECT text FROM query WHERE external = ?", (external,)).fetchone()
    return str(row[0]) if row else ""


def candidate_id(db: sqlite3.Connection, key: int) -> str:
    """Return the external id of a candidate; raises ProjectError when there is none with this key."""
    row = db.execute("SELECT external FROM candidate WHERE id = ?", (int(key),)).fetchone()
    if row is None:
        raise ProjectError("This candidate is not in the project any more; open the project again.")
    return str(row[0])


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """Return how many queries, documents, answers and queries with gold answers (or the mark) there are.

    Candidates are counted in pieces: nothing can be stored while one statement reads.
    """
    piece = "SELECT id, query FROM candidate WHERE id > ? ORDER BY id LIMIT ?"
    candidates = answers = 0
    last: int | None = 0
    while last is not None:
        counted, answered, last = db.execute(
            f"SELECT count(*), count(query), max(id) FROM ({piece})", (last, PIECE)
        ).fetchone()
        candidates, answers = candidates + counted, answers + answered
    queries, golden = (
        int(db.execute(f"SELECT count(*) FROM {rows}").fetchone()[0])
        for rows in ("query", "value WHERE task = 'gold'")
    )
    return {"queries": queries, "documents": candidates - answers, "answers": answers, "gold": golden}


def can_be_retrieved(db: sqlite3.Connection) -> bool:
    """Whether there are documents with a title or a text, and queries with a text."""
    told = "content c JOIN candidate d ON d.id = c.candidate WHERE query IS NULL AND title || text <> ''"
    asked = "EXISTS (SELECT 1 FROM query WHERE text <> '')"
    return bool(db.execute(f"SELECT {asked} AND EXISTS (SELECT 1 FROM {told})").fetchone()[0])


def only_answers(db: sqlite3.Connection) -> bool:
    """Whether there are gold answers and no grade: what is evaluated unless asked otherwise follows."""
    gold = "EXISTS (SELECT 1 FROM value WHERE task = 'gold')"
    graded = "EXISTS (SELECT 1 FROM judgment WHERE grade NOT NULL)"
    return bool(db.execute(f"SELECT {gold} AND NOT {graded}").fetchone()[0])


def annotators(db: sqlite3.Connection) -> list[tuple[int, str, str, int, int]]:
    """Return (key, name, kind, graded, decided) of every annotator, in the order they came."""
    return db.execute(
        "SELECT id, name, kind, "
        "(SELECT count(grade) FROM judgment WHERE annotator = annotator.id), "
        "(SELECT count(state) FROM judgment WHERE annotator = annotator.id) FROM annotator ORDER BY id"
    ).fetchall()


def last_person(db: sqlite3.Connection) -> str:
    """Return who did something last, imports and models left aside; empty when nobody did."""
    row = db.execute(
        "SELECT name, (SELECT max(id) FROM event WHERE annotator = annotator.id) AS last FROM annotator "
        "WHERE kind = 'person' AND last IS NOT NULL ORDER BY last DESC LIMIT 1"
    ).fetchone()
    return str(row[0]) if row else ""


def leads(db: sqlite3.Connection) -> list[str]:
    """Return who has the role of lead, in the order they came."""
    sql = "SELECT name FROM value JOIN annotator ON id = annotator WHERE task = 'lead' ORDER BY id"
    return [name for (name,) in db.execute(sql)]


def last_active(db: sqlite3.Connection, annotator: int) -> int | None:
    """Return when an annotator did something last (UTC ms), None for one who has done nothing."""
    sql = "SELECT time FROM event WHERE annotator = ? ORDER BY id DESC LIMIT 1"
    row = db.execute(sql, (annotator,)).fetchone()
    return None if row is None else int(row[0])


def annotator_key(db: sqlite3.Connection, name: str) -> int:
    """Return an annotator's key, 0 (which is nobody) for one who has done nothing yet."""
    row = db.execute("SELECT id FROM annotator WHERE name = ?", (name,)).fetchone()
    return int(row[0]) if row else 0


def given_grades(db: sqlite3.Connection, until: Until, without: Iterable[str] = ()) -> NDArray[np.int64]:
    """Return every grade that was given in the app, also those changed since, oldest first: int64[3, n].

    Those that were given together with others are left out, and those of the queries `without` (ids). Only
    events `until` count. The rows are annotator (key), whether it was given blind, and
    the grade.
    """
    rows = db.execute(
        "SELECT annotator, blind, json_extract(after, '$.grade') AS grade FROM event "
        "WHERE task = 'grade' AND how NOT IN ('undo', 'redo') AND grade IS NOT NULL "
        "AND id <= ? AND time <= ? "
        "AND coalesce(json_extract(before, '$.grade'), -1) <> grade AND json_extract(after, '$.how') IS NULL "
        "AND json_extract(subject, '$[0]') NOT IN (SELECT value FROM json_each(?)) ORDER BY id",
        (*until, json.dumps(list(without))),
    ).fetchall()
    return table(rows, 3)


def times_taken(db: sqlite3.Connection, until: Until) -> list[tuple[int, str]]:
    """Return how many milliseconds each decision took and the id of its query, oldest first.

    Only events `until` count.
    """
    return db.execute(
        "SELECT milliseconds, json_extract(subject, '$[0]') FROM event "
        "WHERE task = 'grade' AND milliseconds > 0 AND id <= ? AND time <= ? ORDER BY id",
        until,
    ).fetchall()


def drawn(
    db: sqlite3.Connection, annotator: int, share: float, first: int, last: int
) -> list[tuple[int, int, str, str]]:
    """Return a share of the pairs that an annotator graded in the queries from `first` to `last`.

    What was given together with others is not among them: nobody decided on it before. Each is the keys and
    the external ids of query and candidate. The lot follows from the keys of annotator, query and candidate
    alone, so a pair that was drawn stays drawn as the work goes on.
    """
    return db.execute(
        "SELECT drawn.query, candidate, query.external, candidate.external FROM "
        "(SELECT query, candidate, (mixed + (mixed >> 7) * 2246822519) & 4294967295 AS lot FROM "
        "(SELECT query, candidate, "
        "(query * 2654435761 + candidate * 2246822519 + :me * 3266489917) & 4294967295 AS mixed "
        "FROM judgment WHERE annotator = :me AND query BETWEEN :first AND :last AND grade IS NOT NULL "
        f"AND NOT {TOGETHER})) "
        "AS drawn JOIN query ON query.id = drawn.query JOIN candidate ON candidate.id = drawn.candidate "
        "WHERE lot < :below ORDER BY drawn.query, lot",
        {"me": annotator, "first": first, "last": last, "below": share * 2**32},
    ).fetchall()


BEFORE = (
    "(event.id < :event OR event.time < (SELECT time FROM event WHERE id = :event) "
    "AND event.session <> (SELECT session FROM event WHERE id = :event))"
)
"""The condition that an event came before another one, in the ledger or in time."""


def graded_before(db: sqlite3.Connection, pairs: Sequence[Sequence[str]], event: int) -> int:
    """Count the pairs (external ids of query and candidate) that somebody graded before an event.

    That is before it in the ledger, or in time and in another copy, which may not have known of it.
    """
    subjects = current_values.canonical([current_values.canonical(list(pair)) for pair in pairs])
    given = db.execute(
        f"SELECT count(DISTINCT subject) FROM event WHERE task = 'grade' AND {BEFORE} "
        "AND after ->> '$.grade' IS NOT NULL AND subject IN (SELECT value FROM json_each(:pairs))",
        {"event": event, "pairs": subjects},
    ).fetchone()[0]
    imported = db.execute(
        "SELECT count(*) FROM (SELECT DISTINCT imported.query, imported.candidate FROM json_each(:pairs) "
        "JOIN query ON query.external = value ->> '$[0]' JOIN candidate "
        "ON candidate.external = value ->> '$[1]' JOIN imported ON imported.query = query.id "
        "AND imported.candidate = candidate.id "
        "JOIN event ON event.id = imported.event JOIN annotator ON annotator.id = event.annotator "
        f"WHERE {BEFORE} AND annotator.kind <> 'model')",
        {"event": event, "pairs": subjects},
    ).fetchone()[0]
    return int(given + imported)


def withdrawn_before(db: sqlite3.Connection, event: int) -> int:
    """Count the imports of grades, not of a model, that were taken back before an event."""
    return int(
        db.execute(
            "SELECT count(*) FROM event JOIN session ON session.id = session "
            "JOIN annotator ON annotator.id = annotator WHERE task = 'import' AND kind <> 'model' "
            "AND after -> '$.judgments' IS NOT NULL AND identity || ':' || sequence IN "
            "(SELECT undoes FROM event WHERE task = 'import' AND id < ?)",
            (event,),
        ).fetchone()[0]
    )


def nuggets_of(db: sqlite3.Connection, query: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the nuggets of a query: each with its value, by id."""
    sql = "SELECT subject, value FROM value WHERE query = ? AND task = 'nugget'"
    return [(json.loads(subject)[1], json.loads(value)) for subject, value in db.execute(sql, (query,))]


def rated(db: sqlite3.Connection, aspect: str) -> bool:
    """Say whether anybody ever said anything under an aspect, taken back or not."""
    sql = "SELECT 1 FROM event WHERE task = 'rating' AND subject ->> '$[2]' = ? LIMIT 1"
    return db.execute(sql, (aspect,)).fetchone() is not None


def last_query(db: sqlite3.Connection) -> int:
    """Return the highest key of a query, 0 when there is none."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM query").fetchone()[0])


def tags(db: sqlite3.Connection) -> list[str]:
    """Return all tags of queries, sorted."""
    return [
        row[0] for row in db.execute("SELECT DISTINCT value FROM query, json_each(query.tags) ORDER BY 1")
    ]


def pool(db: sqlite3.Connection, query: int, depth: int) -> list[int]:
    """Return the keys of the candidates in a query's pool, ascending."""
    rows = db.execute(pool_select(depth, has_runs(db), "= ?"), (query,) * 3)
    return sorted(row[1] for row in rows)


def contents(db: sqlite3.Connection, keys: Iterable[int], first: int) -> dict[int, StoredContent]:
    """Return what candidates say by key, texts cut after `first` characters (`length` tells the whole).

    Raises DamagedError when one of them is not there, which only happens in a damaged file.
    """
    chosen = list(keys)
    rows = db.execute(
        CONTENT.format(text=f"substr(coalesce(text, ''), 1, {int(first)})") + f"WHERE candidate.id IN {SOME}",
        (keys_text(chosen),),
    )
    by_key = {row[0]: stored_content(row) for row in rows}
    if len(by_key) < len(set(chosen)):
        raise DamagedError("The project is damaged: candidates of this query are missing. Restore a backup.")
    return by_key


def full_text(db: sqlite3.Connection, candidate: int) -> str:
    """Return the whole text of a candidate, empty when it is not known."""
    row = db.execute("SELECT text FROM content WHERE candidate = ?", (candidate,)).fetchone()
    return str(row[0]) if row else ""


def document_text(db: sqlite3.Connection, external: str) -> str:
    """Return the whole text of a document by its external id, empty when it is not known."""
    row = db.execute(
        "SELECT text FROM content JOIN candidate ON candidate.id = candidate "
        "WHERE external = ? AND query IS NULL",
        (external,),
    ).fetchone()
    return str(row[0] or "") if row else ""


def gold_of(db: sqlite3.Connection, query: int) -> dict[str, Any] | None:
    """Return the gold value (see `current`) of one query."""
    value: dict[str, Any] | None = current_values.read(db, "gold", 0, (query_id(db, query),))
    return value


def notes_of(db: sqlite3.Connection, query: int) -> dict[str, str]:
    """Return the note and the difficulty of one query, where there are any."""
    return current_values.read(db, "query", 0, (query_id(db, query),)) or {}


def judgments_of(db: sqlite3.Connection, query: int, annotator: int) -> dict[int, dict[str, Any] | None]:
    """Return the judgment values (see `current`) that one annotator gave in a query, by candidate."""
    rows = db.execute(
        "SELECT candidate, state, grade, time, beside FROM judgment WHERE annotator = ? AND query = ?",
        (annotator, query),
    )
    return {row[0]: current_values.judgment_value(row[1:]) for row in rows}


def grades_of_others(db: sqlite3.Connection, query: int, annotator: int) -> list[tuple[int, int, str, int]]:
    """Return (annotator, candidate, name, grade) of what everybody else gave in a query."""
    return db.execute(
        "SELECT annotator.id, candidate, name, grade FROM annotator CROSS JOIN judgment "
        "ON judgment.annotator = annotator.id AND query = ? "
        "WHERE annotator.id <> ? AND grade IS NOT NULL ORDER BY annotator.id",
        (query, annotator),
    ).fetchall()


def places(db: sqlite3.Connection, query: int, candidates: Iterable[int]) -> list[Place]:
    """Return where the current runs put some candidates of a query, by system and rank."""
    rows = db.execute(
        "SELECT system.id, system.name, candidate, rank, score FROM run CROSS JOIN ranking "
        f"ON ranking.run = run.id AND ranking.query = ? AND candidate IN {SOME} "
        "JOIN system ON system.id = run.system WHERE run.current ORDER BY system.id, rank",
        (query, keys_text(list(candidates))),
    )
    return [Place(*row) for row in rows]


def ranking(db: sqlite3.Connection, run: int, query: int, depth: int) -> list[tuple[int, str]]:
    """Return (key, name) of the first candidates of one ranking, best first; an answer's name is its text."""
    return db.execute(
        f"SELECT candidate.id, {CALLED} FROM ranking JOIN candidate ON candidate.id = ranking.candidate "
        "LEFT JOIN content ON content.candidate = candidate.id "
        "WHERE run = ? AND ranking.query = ? AND rank <= ? ORDER BY rank",
        (run, query, depth),
    ).fetchall()


def names(db: sqlite3.Connection, keys: Iterable[int]) -> dict[int, str]:
    """Return what candidates are called: a document by its id, a predicted answer by its text."""
    rows = db.execute(
        f"SELECT candidate.id, {CALLED} FROM candidate "
        f"LEFT JOIN content ON content.candidate = candidate.id WHERE candidate.id IN {SOME}",
        (keys_text(list(keys)),),
    )
    return dict(rows.fetchall())


def texts_of_answers(db: sqlite3.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return the texts of those of some ids that are predicted answers, or nuggets; what is there now."""
    rows = db.execute(
        "SELECT external, text FROM candidate JOIN content ON content.candidate = candidate.id "
        "WHERE candidate.query IS NOT NULL AND text IS NOT NULL "
        "AND external IN (SELECT value FROM json_each(:ids)) "
        "UNION ALL SELECT subject ->> '$[1]' AS nugget, value ->> '$.text' FROM value "
        "WHERE task = 'nugget' AND nugget IN (SELECT value FROM json_each(:ids))",
        {"ids": json.dumps(list(ids))},
    )
    return dict(rows.fetchall())


def length(db: sqlite3.Connection, run: int, query: int) -> int:
    """Return how many candidates a run returned for a query."""
    row = db.execute("SELECT length FROM ranking_length WHERE run = ? AND query = ?", (run, query)).fetchone()
    return int(row[0]) if row else 0


def candidate_ids(db: sqlite3.Connection, keys: Sequence[int]) -> list[str]:
    """Return the external ids of candidates, in the order of their keys given."""
    ids = dict(
        db.execute(f"SELECT id, external FROM candidate WHERE id IN {SOME}", (keys_text(keys),)).fetchall()
    )
    return [ids[key] for key in keys]
