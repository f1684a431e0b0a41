"""Bringing a project file of version 1 up to date: proved before, kept as it was, proved after, in one step.

The events are not touched, so the ledger's hashes stay what they were. The two tables that differ are made
anew piece by piece, each piece deleted where it came from, so that the file does not grow by their size.
"""

import sqlite3
from pathlib import Path

from annotator.errors import DamagedError, ProjectError, ReadOnlyError
from annotator.storage import checking, copying, events, opening, version1, version2
from annotator.storage.opening import VERSION
from annotator.storage.watching import UNWATCHED, Watch

PIECE = 20_000
"""Rows that are moved between two words about the progress."""


def upgrade(db: sqlite3.Connection, path: Path, watch: Watch = UNWATCHED) -> Path:
    """Bring a file of version 1 up to date and return its backup as it was.

    `db` writes to it and holds its lock. Raises DamagedError for a file that is not sound, and ReadOnlyError
    when it cannot be backed up or written; the file is unchanged then and can be opened for reading. It is
    unchanged as well after whatever `watch` raises.
    """
    why = f"{path.name} was made by an earlier version of Annotator and could not be brought up to date"
    reader = opening.connect(path)
    try:
        findings = checking.check(reader, watch)
    finally:
        reader.close()
    if findings:
        raise DamagedError(
            f"{why}: it does not match its own hashes ({findings[0]}). It was not changed and is open for "
            "reading only; restore a backup, or recover what is sound."
        )
    try:
        with opening.telling(path.name):
            watch.step(0, 1, "a copy of it as it is")
            copy = kept(db, path)
            rebuild(db, watch)
    except ProjectError as error:
        raise ReadOnlyError(f"{why}. It is as it was and can be opened for reading. {error}") from error
    return copy


def kept(db: sqlite3.Connection, path: Path) -> Path:
    """Back a file up as it is, prove that the backup opens, and return where it lies."""
    backup = copying.back_up(path, every=None, checked=True)
    assert backup is not None
    if copying.inside(backup.path).head != events.head(db):
        raise ProjectError(f"The backup in {backup.path} is not what it should be. Check the disk.")
    return backup.path


def rebuild(db: sqlite3.Connection, watch: Watch = UNWATCHED) -> None:
    """Make the file one of this version in one transaction, taken back when anything is not right."""
    db.execute("PRAGMA foreign_keys = OFF")
    try:
        db.execute("BEGIN IMMEDIATE")
        before = state(db)
        for table, select in version1.VIEWS.items():
            remake(db, table, select, watch)
        db.execute(f"PRAGMA user_version = {VERSION}")
        findings = checking.check(db, watch)
        if findings or state(db) != before:
            raise ProjectError(f"It would not be sound afterwards ({[*findings, 'rows were lost'][0]}).")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
        db.execute("PRAGMA foreign_keys = ON")


def state(db: sqlite3.Connection) -> tuple[str, dict[str, int]]:
    """Return the head of the ledger and the number of rows of every table."""
    tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    rows = {name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in tables}
    return events.head(db), rows


def remake(db: sqlite3.Connection, table: str, select: str, watch: Watch) -> None:
    """Move the rows of a table into one of the new layout, which takes its place and its indexes."""
    create = next(one for one in version2.STATEMENTS if f"CREATE TABLE {table} (" in one)
    db.execute(create.replace(f" {table} (", f" new_{table} (", 1))
    last = db.execute(f"SELECT coalesce(max(rowid), 0) FROM {table}").fetchone()[0]
    for low in range(0, last, PIECE):
        watch.step(low, last, f"{table}s")
        piece = f"WHERE {table}.rowid BETWEEN {low + 1} AND {low + PIECE}"
        db.execute(f"INSERT INTO new_{table} {select} {piece}")
        db.execute(f"DELETE FROM {table} {piece}")
    db.execute(f"DROP TABLE {table}")
    db.execute(f"ALTER TABLE new_{table} RENAME TO {table}")
    for index in version2.STATEMENTS:
        if f" ON {table} (" in index:
            db.execute(index)
