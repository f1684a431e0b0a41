"""Finding words in documents and answers: an index in a cache file of its own, safe to delete.

The project file holds no index. The cache is named by the digests of what it covers, so a changed project
asks for a new one; old ones of the same project are deleted when a new one is written.
"""

import hashlib
import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_path

from annotator.errors import Stopped
from annotator.storage import arrays, reading
from annotator.storage.current import canonical

BLOCK = 500

OnProgress = Callable[[int, int, str], None]
ShouldStop = Callable[[], bool]


def place(db: sqlite3.Connection, depth: int) -> Path:
    """Return where the index of a project stands, whether or not it was made."""
    identity = db.execute("SELECT identity FROM project").fetchone()[0]
    stated = [*db.execute("SELECT name, digest FROM digest ORDER BY name").fetchall(), depth]
    stated += [run.digest for run in reading.runs(db)]
    key = hashlib.sha256(canonical([str(one) for one in stated]).encode()).hexdigest()[:16]
    return user_cache_path("annotator", appauthor=False) / "search" / f"{identity}-{key}.sqlite"


def build(
    db: sqlite3.Connection,
    depth: int,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Path:
    """Write the index unless it is there: words by candidate, and in which queries' pools candidates are."""
    target = place(db, depth)
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(f".{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        _write(db, part, depth, on_progress, should_stop)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    for old in target.parent.glob(f"{target.name.partition('-')[0]}-*.sqlite"):
        if old != target:
            old.unlink(missing_ok=True)
    return target


def _write(
    db: sqlite3.Connection,
    part: Path,
    depth: int,
    on_progress: OnProgress | None,
    should_stop: ShouldStop | None,
) -> None:
    pools = arrays.pools(db, depth)
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
            for one in reading.all_contents(db, answers=answers):
                if done % BLOCK == 0:
                    if should_stop is not None and should_stop():
                        raise Stopped("Indexing was stopped; words are looked for in queries alone.")
                    if on_progress is not None:
                        on_progress(done, total, "Indexing texts")
                done += 1
                if one.known:
                    index.execute(
                        "INSERT INTO word(rowid, text) VALUES (?, ?)", (one.key, f"{one.title}\n{one.text}")
                    )
        index.execute("COMMIT")
    finally:
        index.close()


def queries_with(db: sqlite3.Connection, depth: int, words: str) -> list[int] | None:
    """Return the keys of the queries whose pool has a candidate with all the words (the last may be cut).

    None when there is no index yet.
    """
    target = place(db, depth)
    if not target.exists():
        return None
    wanted = re.findall(r"\w+", words)
    if not wanted:
        return []
    asked = " AND ".join([*(f'"{one}"' for one in wanted[:-1]), f'"{wanted[-1]}"*'])
    index = sqlite3.connect(f"{target.as_uri()}?mode=ro", uri=True)
    try:
        rows = index.execute(
            "SELECT DISTINCT query FROM (SELECT rowid AS found FROM word WHERE word MATCH ?) "
            "CROSS JOIN pool ON candidate = found",
            (asked,),
        ).fetchall()
    finally:
        index.close()
    return [row[0] for row in rows]
