"""The query list: how far each query is, and which queries a filter lets through."""

import json
import sqlite3
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from annotator.storage.file.access import TOP

SOME = "(SELECT value FROM json_each(?))"
"""A list of keys handed over as one JSON text, however long."""

DISPUTED = (
    "SELECT candidate FROM annotator CROSS JOIN judgment ON annotator = annotator.id "
    "AND judgment.query = {query} WHERE grade IS NOT NULL AND kind = 'person' "
    "GROUP BY candidate HAVING min(grade) < max(grade)"
)
"""The candidates of a query that people gave different grades."""

PIECE = 1_000
"""Queries that are looked at in one go."""

Condition = tuple[str, Sequence[object]]
"""A test of one row of `query` as SQL, with its values."""


def keys_text(keys: Sequence[int]) -> str:
    """Return keys as the JSON text that `SOME` takes."""
    return json.dumps([int(key) for key in keys])


def has_runs(db: sqlite3.Connection) -> bool:
    """Say whether any system has a current run."""
    return db.execute("SELECT 1 FROM run WHERE current LIMIT 1").fetchone() is not None


def pool_select(depth: int, runs: bool, queries: str, union: str = "UNION") -> str:
    """Return the SELECT of the (query, candidate) of some queries' pools; it names `queries` three times.

    The pool is the top of the current runs and what is judged; without any run, all predicted answers. With
    `UNION ALL` pairs may come twice, but the first comes at once.
    """
    top = f"AND rank <= {TOP}" if depth <= TOP else ""
    if runs:
        offered = (
            "SELECT ranking.query AS query, candidate FROM run CROSS JOIN ranking ON ranking.run = run.id "
            f"AND ranking.query {queries} {top} AND rank <= {int(depth)} WHERE run.current"
        )
    else:
        offered = f"SELECT query, id AS candidate FROM candidate WHERE query {queries}"
    return (
        f"{offered} {union} SELECT query, candidate FROM annotator CROSS JOIN judgment "
        f"ON annotator = annotator.id AND query {queries} "
        f"{union} SELECT query, candidate FROM value WHERE task = 'adjudication' AND query {queries}"
    )


def pool_sizes(db: sqlite3.Connection, queries: Sequence[int], depth: int) -> dict[int, int]:
    """Return how many candidates the pools of some queries hold; a query without any is left out."""
    inner = pool_select(depth, has_runs(db), f"IN {SOME}")
    values = [keys_text(queries)] * 3
    return dict(db.execute(f"SELECT query, count(*) FROM ({inner}) GROUP BY query", values).fetchall())


def best_ranks(db: sqlite3.Connection, query: int, candidates: Sequence[int]) -> dict[int, int]:
    """Return the best rank that a current run gave each candidate; those without any are left out."""
    return dict(
        db.execute(
            "SELECT candidate, min(rank) FROM run CROSS JOIN ranking ON ranking.run = run.id "
            f"AND ranking.query = ? AND candidate IN {SOME} WHERE run.current GROUP BY candidate",
            (query, keys_text(candidates)),
        ).fetchall()
    )


def decided(db: sqlite3.Connection, annotator: int, queries: Sequence[int]) -> dict[int, int]:
    """Return how many candidates of some queries the annotator has graded, skipped or could not tell."""
    return dict(
        db.execute(
            f"SELECT query, count(*) FROM judgment WHERE annotator = ? AND query IN {SOME} "
            "AND state IS NOT NULL GROUP BY query",
            (annotator, keys_text(queries)),
        ).fetchall()
    )


ASSIGNED = (
    "SELECT query.id FROM value CROSS JOIN json_each(value.value, '$.groups') AS group_ "
    "CROSS JOIN json_each(group_.value, '$.queries') AS one JOIN query ON external = one.value "
    "WHERE value.task = 'assignment' "
    "AND ? IN (SELECT value FROM json_each(group_.value, '$.people')) AND NOT EXISTS "
    "(SELECT 1 FROM value AS marked WHERE marked.query = query.id AND marked.task = 'practice') ORDER BY 1"
)
"""The queries that are assigned to a person, without those that came to be for practice."""


def assigned(db: sqlite3.Connection, name: str) -> NDArray[np.int64]:
    """Return the keys of the queries that are assigned to a person, ascending."""
    return np.array(db.execute(ASSIGNED, (name,)).fetchall(), np.int64).reshape(-1)


def begun(db: sqlite3.Connection) -> list[tuple[int, str]]:
    """Return (query, person) for each query of which a person has graded, skipped or could not tell any."""
    return db.execute(
        "SELECT DISTINCT query, name FROM annotator CROSS JOIN judgment ON annotator = annotator.id "
        "WHERE kind = 'person' AND state IS NOT NULL"
    ).fetchall()


def unblinded_among(db: sqlite3.Connection, annotator: int, queries: Sequence[int]) -> set[int]:
    """Return those of some queries that the annotator asked to see unblinded."""
    rows = db.execute(
        f"SELECT query FROM value WHERE query IN {SOME} AND task = 'unblind' AND +annotator = ?",
        (keys_text(queries), annotator),
    )
    return {query for (query,) in rows}


def begun_beside(
    db: sqlite3.Connection, annotator: int, queries: Collection[int], tasks: Sequence[str]
) -> set[int]:
    """Return those of some queries of whose candidates the annotator said anything under some tasks."""
    values = *tasks, annotator
    mine = f"task IN ({', '.join('?' * len(tasks))}) AND +annotator = ?"
    if not db.execute(f"SELECT 1 FROM value WHERE {mine.replace('+', '')} LIMIT 1", values).fetchone():
        return set()
    rows = db.execute(
        f"SELECT DISTINCT query FROM value WHERE query IN {SOME} AND {mine}", (keys_text([*queries]), *values)
    )
    return {query for (query,) in rows}


def grades(db: sqlite3.Connection, annotator: int) -> bool:
    """Say whether the annotator has graded, skipped or could not tell anything that counts."""
    test = (
        "SELECT 1 FROM judgment WHERE annotator = ? AND state IS NOT NULL AND query NOT IN "
        "(SELECT query FROM value WHERE task = 'practice') LIMIT 1"
    )
    return db.execute(test, (annotator,)).fetchone() is not None


def query_keys(
    db: sqlite3.Connection, conditions: Sequence[Condition], in_pieces: bool = False
) -> NDArray[np.int64]:
    """Return the keys of the queries that meet every condition, in the order of their arrival.

    Nothing can be stored while one statement reads: with `in_pieces` there is a gap after every few.
    """
    last = int(db.execute("SELECT coalesce(max(id), 0) FROM query").fetchone()[0])
    step = PIECE if in_pieces else max(last, 1)
    where = " AND ".join(("query.id > ? AND query.id <= ?", *(f"({text})" for text, _ in conditions)))
    values = [value for _, some in conditions for value in some]
    return np.array(
        [
            key
            for start in range(0, last, step)
            for (key,) in db.execute(
                f"SELECT id FROM query WHERE {where} ORDER BY id", (start, start + step, *values)
            ).fetchall()
        ],
        np.int64,
    )


def unfinished(annotator: int, depth: int, runs: bool) -> Condition:
    """Return the condition that a query's pool holds a candidate that the annotator has not decided on."""
    offered = pool_select(depth, runs, "= query.id", "UNION ALL")
    test = (
        f"EXISTS (SELECT 1 FROM ({offered}) AS offered WHERE NOT EXISTS "
        "(SELECT 1 FROM judgment AS mine WHERE mine.annotator = ? AND mine.query = query.id "
        "AND mine.candidate = offered.candidate AND mine.state IS NOT NULL))"
    )
    return test, (annotator,)


def judged_so(annotator: int, test: str, values: Sequence[object] = ()) -> Condition:
    """Return the condition that a judgment of the annotator in the query passes a test."""
    test = f"EXISTS (SELECT 1 FROM judgment WHERE annotator = ? AND judgment.query = query.id AND ({test}))"
    return test, (annotator, *values)


def tagged(tags: Sequence[str]) -> Condition:
    """Return the condition that a query has one of some tags."""
    marks = ", ".join("?" * len(tags))
    return f"EXISTS (SELECT 1 FROM json_each(query.tags) WHERE value IN ({marks}))", tags


def answered_by(system: str) -> Condition:
    """Return the condition that a system's current run ranks something for the query."""
    test = (
        "id IN (SELECT ranking_length.query FROM run JOIN system ON system.id = run.system "
        "JOIN ranking_length ON ranking_length.run = run.id WHERE current AND name = ?)"
    )
    return test, (system,)


def disputed() -> Condition:
    """Return the condition that people gave a candidate of the query different grades."""
    return f"EXISTS ({DISPUTED.format(query='query.id')})", ()


def disputed_among(db: sqlite3.Connection, query: int) -> list[int]:
    """Return the keys of the candidates of a query that people gave different grades."""
    return [candidate for (candidate,) in db.execute(DISPUTED.format(query="?"), (query,))]
