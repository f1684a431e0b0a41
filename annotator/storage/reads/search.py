"""Finding words: in queries, kept in memory as one piece; in documents and answers, by an index on disk.

The project file holds no index. It stands in a cache file, safe to delete and named by the digests of what
it covers, so a changed project asks for a new one; old ones of the same project are deleted when a new one
is written.
"""

import hashlib
import os
import re
import sqlite3
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator import kept_files, unfinished
from annotator.errors import ProjectError
from annotator.storage.ledger.current_values import canonical
from annotator.storage.reads import arrays, holdings
from annotator.watch import UNWATCHED, Watch

BLOCK = 500


class QueryTexts:
    """Ids and texts of all queries, folded to lower case, in one array of bytes; read when first asked for.

    They are read anew once the digest of the queries is another. Looking through them takes a few passes of
    numpy, whatever is found, where a statement would visit every row.
    """

    def __init__(self) -> None:
        self._digest: object = None
        self._keys: NDArray[np.int64] = np.empty(0, np.int64)
        self._ends: NDArray[np.int64] = np.empty(0, np.int64)
        self._bytes: NDArray[np.uint8] = np.empty(0, np.uint8)
        self._how_often: NDArray[np.int64] = np.zeros(256, np.int64)

    def containing(self, db: sqlite3.Connection, words: str) -> NDArray[np.int64]:
        """Return the keys of the queries whose id or text contains some words, ascending."""
        digest = db.execute("SELECT digest FROM digest WHERE name = 'queries'").fetchone()
        if self._digest is None or digest != self._digest:
            self._read(db)
            self._digest = digest
        letters = np.frombuffer(words.casefold().encode(), dtype=np.uint8)
        rarest_first = np.argsort(self._how_often[letters], kind="stable").tolist()
        at = np.flatnonzero(self._bytes == letters[rarest_first[0]]) - rarest_first[0]
        at = at[(at >= 0) & (at <= len(self._bytes) - len(letters))]
        for place in rarest_first[1:]:
            at = at[self._bytes[at + place] == letters[place]]
        rows = np.searchsorted(self._ends, at, side="right")
        matching: NDArray[np.int64] = self._keys[rows[np.diff(rows, prepend=-1) > 0]]
        return matching

    def _read(self, db: sqlite3.Connection) -> None:
        keys: list[int] = []
        texts: list[bytes] = []
        piece = "SELECT id, external, text FROM query WHERE id > ? ORDER BY id LIMIT ?"
        while rows := db.execute(piece, (keys[-1] if keys else 0, arrays.PIECE)).fetchall():
            keys += [key for key, _, _ in rows]
            texts += [f"{name}\0{text}\0".casefold().encode() for _, name, text in rows]
        self._keys = np.array(keys, dtype=np.int64)
        self._ends = np.cumsum([*map(len, texts)], dtype=np.int64)
        self._bytes = np.frombuffer(b"".join(texts), dtype=np.uint8)
        self._how_often = np.bincount(self._bytes, minlength=256)


def place(db: sqlite3.Connection, depth: int) -> Path:
    """Return where the index of a project stands, whether or not it was made."""
    identity = db.execute("SELECT identity FROM project").fetchone()[0]
    stated = [*db.execute("SELECT name, digest FROM digest ORDER BY name").fetchall(), depth]
    stated += [run.digest for run in holdings.runs(db)]
    key = hashlib.sha256(canonical([str(one) for one in stated]).encode()).hexdigest()[:16]
    return kept_files.place("search") / f"{identity}-{key}.sqlite"


def build(db: sqlite3.Connection, depth: int, watch: Watch = UNWATCHED) -> Path:
    """Write the index unless it is there: words by candidate, and in which queries' pools candidates are.

    Raises ProjectError where it cannot be written, Stopped.
    """
    target = place(db, depth)
    if target.exists():
        unfinished.clear(target.parent)
        return target
    try:
        with unfinished.folder_in(kept_files.made(target.parent)) as new:
            _write(db, new / target.name, depth, watch)
            os.replace(new / target.name, target)
    except (OSError, sqlite3.OperationalError) as error:
        watch.look()  # a statement that was stopped is no failure
        reason = error.strerror if isinstance(error, OSError) else error
        raise ProjectError(
            "Words of documents and answers cannot be searched for: their index could not be written in "
            f"{target.parent} ({reason}). The project is as it was."
        ) from error
    for old in target.parent.glob(f"{target.name.partition('-')[0]}-*.sqlite"):
        if old != target:
            with suppress(OSError):
                old.unlink(missing_ok=True)
    return target


def _write(db: sqlite3.Connection, part: Path, depth: int, watch: Watch) -> None:
    pools = arrays.pools(db, depth)
    kept_files.new(part)
    index = sqlite3.connect(part, isolation_level=None)
    try:
        index.execute("PRAGMA journal_mode = OFF")
        index.execute("PRAGMA synchronous = OFF")
        index.execute("CREATE VIRTUAL TABLE word USING fts5(text, content='', detail=none)")
        index.execute("CREATE TABLE pool(candidate, query, PRIMARY KEY (candidate, query)) WITHOUT ROWID")
        index.execute("BEGIN")
        rows = sorted(zip(pools.candidate.tolist(), pools.query.tolist(), strict=True))
        index.executemany("INSERT INTO pool VALUES (?, ?)", rows)
        total = int(db.execute("SELECT count(*) FROM content").fetchone()[0])
        done = 0
        for answers in (False, True):
            for one in holdings.all_contents(db, answers=answers):
                if done % BLOCK == 0:
                    watch.step(done, total, "Indexing texts")
                done += 1
                if one.known:
                    index.execute(
                        "INSERT INTO word(rowid, text) VALUES (?, ?)", (one.key, f"{one.title}\n{one.text}")
                    )
        index.execute("COMMIT")
    finally:
        index.close()


def queries_with(db: sqlite3.Connection, depth: int, words: str) -> list[int]:
    """Return the keys of the queries whose pool has a candidate with all the words (the last may be cut).

    There are none while there is no index. One that a power cut broke is deleted, to be made again.
    """
    target = place(db, depth)
    terms = re.findall(r"\w+", words)
    if not terms or not target.exists():
        return []
    asked = " AND ".join([*(f'"{one}"' for one in terms[:-1]), f'"{terms[-1]}"*'])
    index = sqlite3.connect(f"{target.as_uri()}?mode=ro", uri=True)
    try:
        rows = index.execute(
            "SELECT DISTINCT query FROM (SELECT rowid AS found FROM word WHERE word MATCH ?) "
            "CROSS JOIN pool ON candidate = found",
            (asked,),
        ).fetchall()
    except sqlite3.DatabaseError:
        index.close()
        target.unlink(missing_ok=True)
        return []
    finally:
        index.close()
    return [row[0] for row in rows]


def queries_noted(db: sqlite3.Connection, annotator: int, words: str) -> list[int]:
    """Return the keys of the queries with the words in their note, or in the annotator's on a candidate."""
    pattern = "%" + words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    rows = db.execute(
        "SELECT query FROM value WHERE task = 'query' AND value ->> '$.note' LIKE ? ESCAPE '\\' "
        "UNION SELECT query FROM judgment WHERE annotator = ? AND beside ->> '$.note' LIKE ? ESCAPE '\\'",
        (pattern, annotator, pattern),
    )
    return [row[0] for row in rows]
