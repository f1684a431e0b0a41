"""Opening a project file: hardened, refused by name when it is not one of ours, never changed by looking.

The header is read as bytes before SQLite sees the file. Connections are in driver autocommit; every write
stands in an explicit `BEGIN IMMEDIATE`. The settings and their evidence are those of a file that people copy:
a rollback journal (never WAL) and `synchronous=EXTRA`.
"""

import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from annotator.errors import (
    DamagedError,
    DiskError,
    LockedError,
    NewerError,
    ProjectError,
    ReadOnlyError,
    UserError,
)

MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 0x416E6E6F
"""`Anno`, in the header."""

VERSION = 1
"""The schema that this program writes, in the header as `user_version`."""

TOP = 100
"""Ranks up to this one are indexed: a pool is asked for at such depths."""

SYNCHRONOUS = "EXTRA"
"""A commit returns when it, and the end of its journal, are on the disk."""

BUSY_SECONDS = 5
VALUE_BYTES = 64_000_000

LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}


def refuse_odd(path: Path) -> None:
    """Raise ProjectError for a pipe or a device, which would be waited for."""
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise ProjectError(f"“{path.name}” is a pipe or a device, so it is not an Annotator project.")


def check_header(path: Path) -> None:
    """Refuse what is not a project file of this version or an older one, from its first 100 bytes.

    Raises ProjectError for a missing, empty or foreign file, NewerError for a newer version.
    """
    refuse_odd(path)
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        raise ProjectError(f"There is no file {path}.") from None
    except OSError as error:
        raise ProjectError(f"{path.name or path} cannot be read: {error.strerror}.") from None
    if not header:
        raise ProjectError(f"“{path.name}” is empty, so it is not an Annotator project. It was not changed.")
    if len(header) < 100 or not header.startswith(MAGIC):
        raise ProjectError(f"“{path.name}” is not an Annotator project. It was not changed.")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise ProjectError(f"{path.name} is a database of another program. It was not changed.")
    version = int.from_bytes(header[60:64], "big")
    if version > VERSION:
        raise NewerError(
            f"{path.name} was made by a newer version of Annotator (schema {version}; this program knows "
            f"{VERSION}). It was not changed; open it with the newer version."
        )
    if version < 1:
        raise ProjectError(f"{path.name} names no version of the project file. It was not changed.")
    if header[18:20] != b"\x01\x01":
        raise ProjectError(
            f"{path.name} was switched to another journal mode by a different program, so a copy of it may "
            "lack the newest grades. It was not changed; restore a backup."
        )


class InterruptedFile(sqlite3.OperationalError):
    """A journal lies beside a file that nobody writes to now; see `interrupted`."""


def connect(path: Path, *, write: bool = False) -> sqlite3.Connection:
    """Return a connection with the project file's settings; without `write` it can change nothing.

    A connection may be used from any thread, by one thread at a time. One that only reads raises
    InterruptedFile beside a journal or a write-ahead log; one that writes believes them.
    """
    refuse_odd(path)
    if not write and os.path.isfile(log_of(path)) and log_of(path).stat().st_size:
        raise InterruptedFile(f"readonly: {log_of(path).name} lies beside the file")
    mode = "rw" if write else "ro"
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}"
    try:
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False
        )
    except sqlite3.OperationalError as error:
        refuse_long(path, error)
        raise
    try:
        for limit, most in LIMITS.items():
            connection.setlimit(limit, most)
        settings = {
            "trusted_schema": "OFF",
            "cell_size_check": "ON",
            "mmap_size": "0",
            "foreign_keys": "ON",
            "recursive_triggers": "OFF",
            "temp_store": "MEMORY",
            "cache_size": "-32000",
        }
        if write:
            settings |= {"journal_mode": "DELETE", "synchronous": SYNCHRONOUS}
            if sys.platform == "darwin":
                settings |= {"fullfsync": "ON"}
        else:
            settings |= {"query_only": "ON"}
        for name, value in settings.items():
            connection.execute(f"PRAGMA {name} = {value}")
        if mode == "ro":
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if mode == "ro" and says(error, "readonly"):
            raise InterruptedFile(str(error)) from error
        refuse_long(path, error)
        raise
    except BaseException:
        connection.close()
        raise
    return connection


PATH_BYTES, NAME_BYTES = 503, 241
"""So long may a path and a name be: SQLite and file systems need room for what stands beside the file."""


def refuse_long(path: Path, error: sqlite3.Error) -> None:
    """Raise ProjectError where SQLite could not open a file because of how long it is named."""
    if says(error, "unable to open") and len(os.fsencode(path.absolute())) > PATH_BYTES:
        raise ProjectError(too_long(path.name)) from None


def too_long(name: str) -> str:
    """Return the sentence for a file whose name is too long, alone or with its folders."""
    return (
        f"{name} cannot be used: its name is too long. It may have {NAME_BYTES} bytes, and {PATH_BYTES} with "
        "its folders. Nothing was changed; give it a shorter name or place."
    )


def version(connection: sqlite3.Connection) -> int:
    """Return the version of a file's layout."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


INSTRUCTIONS = "type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL%' OR sql LIKE '% AS (%'"


def refuse_instructions(connection: sqlite3.Connection, path: Path) -> None:
    """Raise DamagedError for a file in which reading a table may run something, maybe without an end.

    For what reads files that need not be built like a project; an unreadable structure holds none.
    """
    with suppress(sqlite3.DatabaseError):
        if connection.execute(f"SELECT 1 FROM sqlite_master WHERE {INSTRUCTIONS}").fetchone():
            raise DamagedError(
                f"{path.name} holds instructions that Annotator never writes, so nothing is read from it. "
                "Restore a backup."
            )


def log_of(path: Path) -> Path:
    """Return where a write-ahead log of a file would lie."""
    return path.with_name(f"{path.name}-wal")


def sync(path: Path) -> None:
    """Make sure that a file's bytes are on the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_writable(connection: sqlite3.Connection, path: Path) -> None:
    """Prove by a real write, taken back, that the file and its folder take writes.

    Raises ReadOnlyError when they do not: a lock alone succeeds on a read-only file.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute("UPDATE project SET created = created")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        if says(error, "readonly") or says(error, "unable to open"):
            raise ReadOnlyError(
                f"{path.name} or its folder cannot be written to. It can be opened for reading; to grade, "
                "save a copy in a folder of your own."
            ) from None
        raise
    if not os.access(path.parent, os.W_OK):
        raise ReadOnlyError(
            f"The folder of {path.name} cannot be written to, so grades could not be saved. It can be opened "
            "for reading; to grade, save a copy in a folder of your own."
        )


def says(error: sqlite3.Error, words: str) -> bool:
    """Tell whether SQLite's message contains these words; Python gives no other name for most of them."""
    return words in str(error)


DAMAGE = ("malformed", "not a database", "corrupt", "too big", "Could not decode")
"""Words of SQLite's for content that this program cannot have written."""


def told(error: sqlite3.Error, name: str) -> UserError | None:
    """Return what to tell the user of an error of SQLite's, or None when it is a bug of ours."""
    if isinstance(error, sqlite3.OperationalError):
        if says(error, "full"):
            return DiskError(
                f"The disk is full: nothing of this step is stored in {name}. What was saved earlier is "
                "safe. Free some space and try again."
            )
        if says(error, "locked"):
            return LockedError(
                f"Another program is using {name}. Nothing was changed; try again when it has finished."
            )
        if says(error, "readonly"):
            return ReadOnlyError(f"{name} cannot be written to. Nothing was changed.")
    if says(error, "unable to open") and len(os.fsencode(name)) > NAME_BYTES:
        return ProjectError(too_long(name))
    if says(error, "disk I/O") or says(error, "unable to open"):
        return DiskError(
            f"The disk reported an error while {name} was used ({error}). Nothing that was saved earlier was "
            "removed; check the disk, then try again."
        )
    if isinstance(error, sqlite3.DatabaseError) and (any(says(error, words) for words in DAMAGE)):
        return DamagedError(damaged(name))
    return None


@contextmanager
def telling(name: str) -> Iterator[None]:
    """Turn errors of SQLite's that a user can act on, and broken stored text, into errors that say so."""
    try:
        yield
    except sqlite3.Error as error:
        known = told(error, name)
        if known is None:
            raise
        raise known from error
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise DamagedError(damaged(name)) from error


NOT_STORED = "Not stored."


@contextmanager
def not_stored() -> Iterator[None]:
    """Note on an error that keeps a step from being stored that it is not; one of reading bears no note."""
    try:
        yield
    except ProjectError as error:
        error.add_note(NOT_STORED)
        raise


def damaged(name: str) -> str:
    """Return the sentence for a file whose content cannot be read."""
    return (
        f"A part of “{name}” cannot be read: the file is damaged, or the disk fails. If it stays so, "
        "restore a backup or recover what can be read into a new file."
    )
