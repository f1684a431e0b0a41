"""The layout of a project file, recorded as SQL, and what in a file differs from it.

`layout_1.sql` is what SQLModel writes from `schema`; a test holds the two together, so that opening a file
need not load SQLModel. A file is opened only when the SQL of every table and index in it is the recorded one,
but for white space: a view, a trigger, a virtual table, a generated column and any other object differ.
"""

import hashlib
import sqlite3
from functools import cache
from pathlib import Path

from annotator.storage.file import access

EARLIER_DESCRIPTIONS = frozenset(
    {
        "0107f77dbd91a2e94386be90b0ad74768f8f8e0befbb6c125c88d5453ef0b249",
        "6db2607adecff3e57d16946bbe3b1e68596331fedbef79ccf21ce64773493dbb",
        "4db9777ba984185b6094cc3ec5bc2e328fd87825324c3a3bf368c2510b6353a0",
        "0af72c46bbb3c92cb3978efd9952aa3d8c07c4d1becd0de0f11262ebeb6c5e81",
        "0e3e80010f8139ab083349f9d8881ab49d8e84b92485d7243d3e3659a95b2ffd",
        "c8a9b06cbfcb6c67ec5c4345e1f39d4c4543bcb32d2db5ebd13cd789afa8b25b",
        "1f5c3d95af0c2e74d2f664d68e6c931dc76d388d74d6d1a420d9da17fc9a01d5",
        "3015e267ac358acdcce2f1e21b4a9da4fdc471f54f00d2907276d3cdd892558b",
        "250dd44a9bf25295560fda9aaa8120b15bd54d07a9dfe6567d56995089097979",
        "0ffb9bdd67e7068c5e9b11fe49a3eefc30fb2cc4e01ee093d192db5968fc0cb4",
        "81e8f921213494ff3a42f622298ebdce6cdea6e5f0c7d102b1caea7781502d3c",
    }
)
"""The SHA-256 of other texts that earlier versions of this program wrote into `project.format`."""


def description() -> str:
    """Return the text that says how a project file is read, and stands in each."""
    return Path(__file__).with_name("format.md").read_text("utf-8")


def is_description(text: str) -> bool:
    """Say whether this or an earlier version of the program wrote the text into `project.format`."""
    return text == description() or hashlib.sha256(text.encode()).hexdigest() in EARLIER_DESCRIPTIONS


def normalised(sql: object) -> str:
    """Return SQL in one line; a damaged file may hold anything in its place."""
    return " ".join(str(sql).split())


def named(statement: str) -> str:
    """Return what a CREATE statement makes, such as `table query`."""
    _, kind, name, *_ = statement.replace('"', "").split()
    return f"{kind.lower()} {name}"


@cache
def recorded(version: int) -> dict[str, str]:
    """Return the normalised statements of a layout by what they make."""
    text = Path(__file__).with_name(f"layout_{version}.sql").read_text("utf-8")
    statements = [normalised(one) for one in text.split(";") if one.strip()]
    return {named(one): one for one in statements}


def stored(db: sqlite3.Connection) -> dict[str, str]:
    """Return the normalised statements of a database; SQLite makes the indexes of keys by itself."""
    rows = db.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE type <> 'index' OR sql IS NOT NULL LIMIT 1000"
    )
    return {f"{kind} {name}": normalised(sql) for kind, name, sql in rows.fetchall()}


def differences(db: sqlite3.Connection) -> list[str]:
    """Return what in a database is missing, added or changed against the layout of its version."""
    there, version = stored(db), access.version(db)
    if not 1 <= version <= access.VERSION:  # as of one whose header a journal takes back
        return [f"it has no version that is known ({version})"]
    meant = recorded(version)
    return [
        *(f"{name} is missing" for name in sorted(meant.keys() - there.keys())),
        *(f"{name} does not belong there" for name in sorted(there.keys() - meant.keys())),
        *(f"{name} is changed" for name in sorted(meant) if there.get(name, meant[name]) != meant[name]),
    ]
