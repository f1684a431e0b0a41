"""Ids that look the same and are not: an accent is part of its letter in one, and follows it in the other."""

import sqlite3
from itertools import groupby
from unicodedata import normalize

from annotator.storage.content.contents import Counts

OTHER_LETTERS = "*[^ -~]*"
IDS = (
    "SELECT 1, external FROM query WHERE external GLOB ? UNION ALL "
    "SELECT 2, external FROM candidate WHERE external GLOB ? UNION ALL "
    "SELECT 3, name FROM system WHERE name GLOB ?"
)


def look_alikes(db: sqlite3.Connection) -> set[str]:
    """Return each id of a query, candidate or system that another of its kind looks like.

    Ids are compared as they are written, so none of these is found under the other, which is in Unicode's
    composed form (NFC) and is not returned.
    """
    ids = sorted((kind, normalize("NFC", one), one) for kind, one in db.execute(IDS, (OTHER_LETTERS,) * 3))
    found = set[str]()
    for (_, composed), alike in groupby(ids, lambda one: one[:2]):
        several = {one for *_, one in alike}
        found |= several - {composed} if len(several) > 1 else set()
    return found


def count_new(counts: Counts, alike: set[str]) -> None:
    """Tell in the tally of an import that it brought ids that look like others, with one in escapes."""
    if alike:
        such = f"their accents being other characters, such as {min(alike)!a}"
        counts.count(counts.added, f"ids that look like others, {such}", len(alike))
