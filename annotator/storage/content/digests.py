"""Digests of what a project holds besides its events: sets of content, rankings, imported judgments.

A set's digest is the sum of its rows' SHA-256 values modulo 2^256: it does not depend on an order, and one
row is added or taken away without reading the others. Only external ids go in, so copies of a project agree.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.storage.reads import arrays
from annotator.watch import UNWATCHED, Watch

MODULUS = 1 << 256

QUERIES = "SELECT external, text, tags, guidelines, fields FROM query"
CONTENTS = (
    'external, title, text, fields, passage, start, "end" FROM candidate JOIN content ON candidate = id'
)


def of_row(*parts: str | int | None) -> int:
    """Return the hash of one row; its texts hold no NUL, which parts them here."""
    text = "\0".join("" if part is None else str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


def of_rows(hashes: Iterable[int]) -> str:
    """Return the digest of a set of rows."""
    return f"{sum(hashes) % MODULUS:064x}"


def add(db: sqlite3.Connection, name: str, rows: int, change: int) -> None:
    """Change the stored digest of a set by the hashes of rows that came (and, subtracted, went)."""
    row = db.execute("SELECT rows, digest FROM digest WHERE name = ?", (name,)).fetchone()
    count, value = (row[0], int(row[1], 16)) if row else (0, 0)
    db.execute(
        "REPLACE INTO digest VALUES (?, ?, ?)", (name, count + rows, f"{(value + change) % MODULUS:064x}")
    )


def recount(db: sqlite3.Connection, watch: Watch = UNWATCHED) -> None:
    """Compute the stored digests of all sets anew, within a transaction of the caller."""
    tables = ("query", "candidate WHERE query IS NULL", "candidate WHERE query NOT NULL")
    counts = [db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
    db.execute("DELETE FROM digest")
    for part, total, (name, rows) in zip(watch.parts(counts), counts, SETS.items(), strict=True):
        hashes = list(part.each(rows(db), total, name))
        if hashes:
            add(db, name, len(hashes), sum(hashes))


@contextmanager
def following(db: sqlite3.Connection, subjects: Iterable[str]) -> Iterator[None]:
    """Bring the digests up to date with the texts of some subjects, which are written inside."""
    ids = json.dumps([json.loads(one)[1] for one in subjects])
    before = of_texts(db, ids)
    yield
    for name, change in of_texts(db, ids).items():
        if change != before[name]:
            add(db, name, 0, change - before[name])


def of_texts(db: sqlite3.Connection, ids: str) -> dict[str, int]:
    """Return by set the sum of the hashes of queries and candidates, of which a JSON list names the ids."""
    among = "external IN (SELECT value FROM json_each(?))"
    queries = db.execute(f"{QUERIES} WHERE {among}", (ids,))
    found = {"queries": sum(of_row(*row) for row in queries.fetchall()), "documents": 0, "answers": 0}
    rows = db.execute(f"SELECT query NOT NULL, {CONTENTS} WHERE {among}", (ids,)).fetchall()
    for answer, external, title, *rest in rows:
        hashed = of_row(external, *rest) if answer else of_row(external, title, *rest[:2])
        found["answers" if answer else "documents"] += hashed
    return found


Ranked = tuple[str, Sequence[str], NDArray[np.int64], NDArray[np.float64] | None]
"""One query's ranking: its id, the ids of its candidates, best first, their ranks and scores."""


def of_run(rankings: Iterable[Ranked]) -> str:
    """Return the digest of a run from its rankings, in any order."""
    return of_rows(map(of_ranking, rankings))


def of_ranking(ranking: Ranked) -> int:
    """Return the hash of one query's ranking; missing scores count as NaN, and -0 as the 0 that is stored."""
    query, candidates, ranks, scores = ranking
    hashed = hashlib.sha256("\0".join([query, *candidates]).encode())
    hashed.update(b"\0")
    hashed.update(ranks.astype("<i8").tobytes())
    values = np.full(len(ranks), np.nan) if scores is None else scores
    hashed.update((np.where(np.isnan(values), np.nan, values) + 0.0).astype("<f8").tobytes())
    return int.from_bytes(hashed.digest(), "big")


def query_rows(db: sqlite3.Connection) -> Iterator[int]:
    """Yield the hash of every query."""
    for row in db.execute(f"{QUERIES} ORDER BY id").fetchall():
        yield of_row(*row)


def document_rows(db: sqlite3.Connection) -> Iterator[int]:
    """Yield the hash of every document whose content is known."""
    for row in _contents(db, "candidate.query IS NULL"):
        yield of_row(*row[1:5])


def answer_rows(db: sqlite3.Connection) -> Iterator[int]:
    """Yield the hash of every predicted answer."""
    for row in _contents(db, "candidate.query IS NOT NULL"):
        yield of_row(row[1], *row[3:])


SETS = {"queries": query_rows, "documents": document_rows, "answers": answer_rows}
"""The sets of content that have a digest, and what yields the hashes of their rows."""


def _contents(db: sqlite3.Connection, which: str) -> Iterator[tuple[Any, ...]]:
    last = 0
    while rows := db.execute(
        f"SELECT candidate, {CONTENTS} WHERE id > ? AND {which} ORDER BY id LIMIT 500",
        (last,),
    ).fetchall():
        yield from rows
        last = rows[-1][0]


def stored_run(db: sqlite3.Connection, run: int) -> str:
    """Return the digest of a run as it now stands in the file."""
    queries = dict(db.execute("SELECT id, external FROM query").fetchall())
    keys, ids = arrays.external_ids(db, "candidate")
    names = np.array(ids, dtype=object)

    def rankings() -> Iterator[Ranked]:
        for query, candidates, ranks, scores in arrays.rankings(db, run):
            at = np.minimum(np.searchsorted(keys, candidates), len(keys) - 1)
            yield queries.get(query, ""), names[at].tolist(), ranks, scores

    return of_run(rankings())


def stored_imported(db: sqlite3.Connection, event: int, total: int = 0, watch: Watch = UNWATCHED) -> str:
    """Return the digest of the judgments that an import event brought, as they now stand in the file."""
    rows = db.execute(
        "SELECT query.external, candidate.external, grade FROM imported "
        "JOIN query ON query.id = imported.query "
        "JOIN candidate ON candidate.id = imported.candidate WHERE imported.event = ?",
        (event,),
    )
    return of_rows(of_row(*row) for row in watch.each(rows, total, "judgments"))
