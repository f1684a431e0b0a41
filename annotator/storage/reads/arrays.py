"""Many rows as numpy arrays, for what is computed with: judgments, hits, lengths, pools.

Rows are fetched in short pieces in key order, so that a grade can be stored meanwhile; who needs one
consistent state compares `Store.head()` before and after.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.errors import DamagedError
from annotator.records import RunTable
from annotator.storage.file.access import TOP
from annotator.storage.reads.holdings import StoredRun
from annotator.tasks import WITH_OTHERS

PIECE = 20_000
"""Rows per read: about 20 ms."""

STATES = (None, "graded", "skipped", "cannot_tell")
"""A judgment's state by its code in `Judgments.state`."""

HOWS = ("", *WITH_OTHERS)
"""How a judgment was given by its code in `Judgments.how`."""

TOGETHER = "instr(beside, '\"how\":')"
"""Whether a judgment was not given on its own, as SQL: JSON text writes no other name so."""

Ints = NDArray[np.int64]

Tied = tuple[NDArray[np.int32], NDArray[np.int32]]
"""The first and last ranks of the groups of candidates of one ranking that share a score, best first."""

KnownTies = dict[tuple[str, int, int], Tied]
"""By import, run and query: a run never changes, so its rankings are looked through once."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Judgments as columns in the order (annotator, query, candidate), all as keys.

    `grade` is -1 where there is none, `state` indexes `STATES`, `time` is in UTC ms or -1, `how` indexes
    `HOWS`.
    """

    annotator: Ints
    query: Ints
    candidate: Ints
    state: Ints
    grade: Ints
    time: Ints
    how: Ints

    def where(self, mask: NDArray[np.bool_]) -> "Judgments":
        """Return the judgments that a mask chooses."""
        return Judgments(*(getattr(self, one.name)[mask] for one in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of keys, sorted by (query, candidate), each once."""

    query: Ints
    candidate: Ints

    @staticmethod
    def of(query: Ints, candidate: Ints) -> "Pairs":
        """Return pairs sorted and without repetition."""
        codes = np.sort((query << 32) | candidate)
        codes = codes[np.diff(codes, prepend=-1) != 0]  # np.unique hashes, ten times slower on such codes
        return Pairs(codes >> 32, codes & 0xFFFFFFFF)

    @property
    def codes(self) -> Ints:
        """One whole number per pair, ascending: query in the upper, candidate in the lower 32 bits."""
        return (self.query << 32) | self.candidate


def table(rows: Sequence[Sequence[Any]], width: int) -> Ints:
    """Return rows of whole numbers as an array of shape (width, rows).

    Raises DamagedError for anything else, which only a damaged file holds.
    """
    try:
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=len(rows) * width)
    except (TypeError, ValueError, OverflowError):
        raise DamagedError(
            "The project is damaged: there is no number where one belongs. Nothing was changed; restore a "
            "backup or recover what can be read into a new file."
        ) from None
    return np.ascontiguousarray(flat.reshape(-1, width).T)


def joined(parts: Sequence[Ints], width: int) -> Ints:
    """Return pieces of `table` as one."""
    return np.concatenate(parts, axis=1) if parts else np.empty((width, 0), dtype=np.int64)


def judgments(db: sqlite3.Connection, annotator: int | None = None) -> Judgments:
    """Return all judgments, or those of one annotator."""
    keys = [row[0] for row in db.execute("SELECT id FROM annotator ORDER BY id").fetchall()]
    codes = " ".join(f"WHEN '{how}' THEN {code}" for code, how in enumerate(HOWS))
    how = f"CASE WHEN {TOGETHER} THEN CASE beside ->> '$.how' {codes} ELSE 0 END ELSE 0 END"
    parts = []
    for key in keys if annotator is None else [int(annotator)]:
        last = (-1, -1)
        while rows := db.execute(
            "SELECT annotator, query, candidate, CASE state WHEN 'graded' THEN 1 WHEN 'skipped' THEN 2 "
            f"WHEN 'cannot_tell' THEN 3 ELSE 0 END, coalesce(grade, -1), coalesce(time, -1), {how} "
            "FROM judgment WHERE annotator = ? AND (query, candidate) > (?, ?) "
            "ORDER BY query, candidate LIMIT ?",
            (key, *last, PIECE),
        ).fetchall():
            parts.append(table(rows, 7))
            last = rows[-1][1:3]
    return Judgments(*joined(parts, 7))


def adjudications(db: sqlite3.Connection) -> tuple[Pairs, Ints]:
    """Return the adjudicated pairs and their grades."""
    rows = db.execute(
        "SELECT query, candidate, value ->> '$.grade' FROM value WHERE task = 'adjudication' ORDER BY 1, 2"
    ).fetchall()
    query, candidate, grade = table(rows, 3)
    return Pairs(query, candidate), grade


def firsts(db: sqlite3.Connection, run: int) -> dict[int, int]:
    """Return the candidate that a run ranks first for each query that it answered, all as keys."""
    return dict(
        db.execute(
            f"SELECT query, candidate FROM ranking WHERE run = ? AND rank <= {TOP} AND rank = 1", (run,)
        ).fetchall()
    )


def ranks(db: sqlite3.Connection, run: int, pairs: Pairs) -> Ints:
    """Return the rank that a run gave each pair of query and candidate, 0 for what it did not return.

    Every pair is looked up by the ranking's primary key: the cost follows the pairs, not the rankings.
    """
    ranked = np.zeros(len(pairs.query), dtype=np.int64)
    for start in range(0, len(ranked), PIECE):
        rows = db.execute(
            "SELECT key, rank FROM json_each(?) CROSS JOIN ranking "
            "ON run = ? AND query = value >> 32 AND candidate = value & 4294967295",
            (json.dumps(pairs.codes[start : start + PIECE].tolist()), run),
        ).fetchall()
        at, rank = table(rows, 2)
        ranked[start + at] = rank
    return ranked


def pieces(keys: Ints, sizes: Ints) -> Iterator[tuple[int, int]]:
    """Cut ascending keys into ranges (first, last) of about `PIECE` rows each."""
    if not len(keys):
        return
    piece = (np.cumsum(sizes) - sizes) // PIECE
    starts = np.flatnonzero(np.diff(piece, prepend=-1))
    ends = np.append(starts[1:], len(keys)) - 1
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield int(keys[start]), int(keys[end])


def lengths(db: sqlite3.Connection, run: int) -> tuple[Ints, Ints]:
    """Return the keys of the queries that a run answered, ascending, and how many candidates each got."""
    parts = []
    last = -1
    while rows := db.execute(
        "SELECT query, length FROM ranking_length WHERE run = ? AND query > ? ORDER BY query LIMIT ?",
        (run, last, PIECE),
    ).fetchall():
        parts.append(table(rows, 2))
        last = rows[-1][0]
    query, length = joined(parts, 2)
    return query, length


def rankings(db: sqlite3.Connection, run: int) -> Iterator[tuple[int, Ints, Ints, NDArray[np.float64]]]:
    """Yield (query, candidates, ranks, scores) of every query of a run in key order, best rank first.

    A missing score is NaN.
    """
    for low, high in pieces(*lengths(db, run)):
        rows = db.execute(
            "SELECT query, candidate, rank, score FROM ranking WHERE run = ? AND query BETWEEN ? AND ?",
            (run, low, high),
        ).fetchall()
        keys = table([row[:3] for row in rows], 3)
        scores = np.array([row[3] for row in rows], dtype=np.float64)
        order = np.lexsort((keys[2], keys[0]))
        keys, scores = keys[:, order], scores[order]
        bounds = [*np.flatnonzero(np.diff(keys[0], prepend=-1)).tolist(), len(rows)]
        for start, end in pairwise(bounds):
            yield int(keys[0, start]), keys[1, start:end], keys[2, start:end], scores[start:end]


def tied(db: sqlite3.Connection, run: int, query: int) -> Tied:
    """Return where candidates of one ranking share a score."""
    rows = db.execute(
        "SELECT min(rank), max(rank) FROM ranking WHERE run = ? AND query = ? AND score IS NOT NULL "
        "GROUP BY score HAVING count(*) > 1 ORDER BY 1",
        (run, query),
    ).fetchall()
    first, last = table(rows, 2).astype(np.int32)
    return first, last


def run_table(db: sqlite3.Connection, run: StoredRun, step: Callable[[], None] | None = None) -> RunTable:
    """Return a stored run as the table that it was imported from, queries in the order of their ids.

    `step` is called after each ranking that was read; it may raise.
    """
    queries = dict(db.execute("SELECT id, external FROM query").fetchall())
    keys, ids = external_ids(db, "candidate")
    parts = []
    for part in rankings(db, run.key):
        parts.append(part)
        if step is not None:
            step()
    parts.sort(key=lambda part: queries[part[0]])
    candidates = np.concatenate([part[1] for part in parts])
    used, codes = np.unique(candidates, return_inverse=True)
    scores = np.concatenate([part[3] for part in parts])
    return RunTable(
        system=run.name,
        query_ids=[queries[part[0]] for part in parts],
        candidate_ids=[ids[place] for place in np.searchsorted(keys, used).tolist()],
        query=np.repeat(np.arange(len(parts), dtype=np.int32), [len(part[1]) for part in parts]),
        candidate=codes.astype(np.int32),
        rank=np.concatenate([part[2] for part in parts]).astype(np.int32),
        score=None if np.isnan(scores).all() else scores,
        source=run.source,
        order_rule=run.order_rule,
    )


def top(db: sqlite3.Connection, run: int, depth: int) -> Pairs:
    """Return the pairs that a run put at ranks up to `depth`."""
    indexed = f"AND r.rank <= {TOP}" if depth <= TOP else ""
    queries, sizes = lengths(db, run)
    parts = []
    for low, high in pieces(queries, np.minimum(sizes, depth)):
        # The plus keeps SQLite from looking up r by the whole range of queries for every l.
        rows = db.execute(
            "SELECT l.query, r.candidate FROM ranking_length l CROSS JOIN ranking r "
            f"ON r.run = l.run AND r.query = +l.query {indexed} AND r.rank <= ? "
            "WHERE l.run = ? AND l.query BETWEEN ? AND ?",
            (depth, run, low, high),
        ).fetchall()
        parts.append(table(rows, 2))
    return Pairs.of(*joined(parts, 2))


def pools(db: sqlite3.Connection, depth: int, judged: Judgments | None = None) -> Pairs:
    """Return the pools of all queries: the top of the current runs, and what is judged, if that is known.

    Without any run all predicted answers are the pool.
    """
    current = [row[0] for row in db.execute("SELECT id FROM run WHERE current ORDER BY id").fetchall()]
    judged = judgments(db) if judged is None else judged
    return pooled(db, depth, current, judged, adjudications(db)[0])


def pooled(
    db: sqlite3.Connection, depth: int, runs: Sequence[int], judged: Judgments, settled: Pairs
) -> Pairs:
    """Return the pools that some runs and judgments make."""
    parts = [Pairs(judged.query, judged.candidate), settled, *(top(db, run, depth) for run in runs)]
    if not runs:
        rows = db.execute("SELECT query, id FROM candidate WHERE query IS NOT NULL").fetchall()
        parts.append(Pairs(*table(rows, 2)))
    return Pairs.of(
        np.concatenate([part.query for part in parts]), np.concatenate([part.candidate for part in parts])
    )


def external_ids(db: sqlite3.Connection, name: str) -> tuple[Ints, list[str]]:
    """Return the keys, ascending, and the external ids of all rows of `query` or `candidate`."""
    assert name in ("query", "candidate")
    keys: list[int] = []
    ids: list[str] = []
    last = 0
    while rows := db.execute(
        f"SELECT id, external FROM {name} WHERE id > ? ORDER BY id LIMIT ?", (last, PIECE)
    ).fetchall():
        keys.extend(row[0] for row in rows)
        ids.extend(row[1] for row in rows)
        last = rows[-1][0]
    return np.array(keys, dtype=np.int64), ids
