"""Vectors that were computed before, kept in the user's cache folder by (model, text).

One small SQLite file per model. The cache may be deleted at any time; a damaged one is thrown away, and where
there can be none, or another program holds it, nothing is kept.
"""

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator import kept_files

_ASKED_AT_ONCE = 500


def cache_folder() -> Path:
    """Return the folder of the caches; it need not exist."""
    return kept_files.place("vectors")


def key(kind: str, *texts: str) -> bytes:
    """Return the key of a text, or of several in their order, for one kind of value."""
    joined = "\0".join((kind, *(f"{len(text)}:{text}" for text in texts)))
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).digest()[:16]


class VectorCache:
    """The cache of one model; use it as a context. Values are float32 arrays of any length."""

    def __init__(self, identity: str) -> None:
        path = cache_folder() / f"{identity[:32]}.sqlite"
        try:
            kept_files.made(path.parent)
            kept_files.new(path)
            self._connection = self._opened(path)
        except (OSError, sqlite3.OperationalError):
            self._connection = self._opened(":memory:")
        except sqlite3.DatabaseError:
            path.unlink()
            kept_files.new(path)
            self._connection = self._opened(path)

    def _opened(self, path: Path | str) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=5)
        try:
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def __enter__(self) -> "VectorCache":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the values that are known."""
        vectors: dict[bytes, NDArray[np.float32]] = {}
        with contextlib.suppress(sqlite3.DatabaseError):
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                some = keys[start : start + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = self._connection.execute(f"SELECT key, value FROM vector WHERE key IN ({marks})", some)
                vectors.update((name, np.frombuffer(value, np.float32)) for name, value in rows)
        return vectors

    def put(self, values: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep values at once, so that a cancelled run keeps what it had; a full disk keeps nothing."""
        rows: Iterable[tuple[bytes, bytes]] = (
            (name, value.astype(np.float32).tobytes()) for name, value in values.items()
        )
        with contextlib.suppress(sqlite3.DatabaseError), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)
