"""Bringing a project file of an earlier version up to date: kept as it was, then changed in one transaction.

The events are not touched, so the ledger's hashes stay what they were.
"""

import sqlite3
from pathlib import Path

from annotator.errors import ProjectError, ReadOnlyError
from annotator.storage.file import access, file_copies, layout

STATEMENTS: dict[int, tuple[str, ...]] = {}
"""By version, what makes a file of it out of one of the version before. There has been one version so far."""


def upgrade(db: sqlite3.Connection, path: Path) -> Path:
    """Bring a file up to date and return its backup as it was; `db` writes to it and holds its lock.

    Raises ReadOnlyError when it cannot be backed up or written, or would not be built as it should be; the
    file is unchanged then.
    """
    try:
        with access.telling(path.name):
            backup = file_copies.back_up(path, every=None, checked=True)
            rebuild(db)
    except ProjectError as error:
        raise ReadOnlyError(
            f"{path.name} was made by an earlier version of Annotator and could not be brought up to date, "
            f"so it is as it was. {error}"
        ) from error
    assert backup is not None
    return backup.path


def rebuild(db: sqlite3.Connection) -> None:
    """Make the file one of this version in one transaction, taken back when anything is not right."""
    db.execute("PRAGMA foreign_keys = OFF")
    try:
        db.execute("BEGIN IMMEDIATE")
        for version in range(access.version(db) + 1, access.VERSION + 1):
            for statement in STATEMENTS[version]:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {access.VERSION}")
        if wrong := layout.differences(db):
            raise ProjectError(f"It would not be built as it should be ({wrong[0]}).")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
        db.execute("PRAGMA foreign_keys = ON")
