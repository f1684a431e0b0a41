"""Ids that look the same and are not: an accent is part of its letter in one, and follows it in the other."""

import sqlite3
from itertools import groupby
from unicodedata import normalize

from annotator.storage.content.contents import Counts

OTHER_LETTERS = "*[^ -~]*"
IDS = {"query": "external", "candidate": "external", "system": "name"}
"""The tables of ids, and the column in which these stand."""


def last_ids(db: sqlite3.Connection) -> tuple[int, ...]:
    """Return the last row of each table of ids: what comes later is new."""
    return tuple(db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0] for table in IDS)


def count_new(db: sqlite3.Connection, before: tuple[int, ...], counts: Counts) -> None:
    """Tell in the tally of an import that it brought ids that look like others, with one in escapes.

    `before` are the `last_ids` before the import. Ids are compared as they are written, so none of these is
    found under the other, which is in Unicode's composed form (NFC) and is not counted. Without another
    letter than those of ASCII among the new ids nothing else is read.
    """
    if not any(_ids(db, last, after=True) for last in zip(IDS, before, strict=True)):
        return
    alike = _alike(db, last_ids(db)) - _alike(db, before)
    if alike:
        such = f"their accents being other characters, such as {min(alike)!a}"
        counts.count(counts.added, f"ids that look like others, {such}", len(alike))


def _alike(db: sqlite3.Connection, until: tuple[int, ...]) -> set[str]:
    """Return each id up to some rows that another of its table looks like, but the composed one."""
    found = set[str]()
    for last in zip(IDS, until, strict=True):
        ids = sorted((normalize("NFC", one), one) for one in _ids(db, last))
        for composed, alike in groupby(ids, lambda one: one[0]):
            several = {one for _, one in alike}
            found |= several - {composed} if len(several) > 1 else set()
    return found


def _ids(db: sqlite3.Connection, last: tuple[str, int], after: bool = False) -> list[str]:
    """Return the ids of a table with other letters than those of ASCII, up to a row or after it."""
    table, row = last
    rows = f"SELECT {IDS[table]} FROM {table} WHERE id {'>' if after else '<='} ? AND {IDS[table]} GLOB ?"
    return [one for (one,) in db.execute(rows, (row, OTHER_LETTERS))]
