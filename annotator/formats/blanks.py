"""Columns separated by blanks, as TREC's files have them, and the ids that cannot stand in one."""

import re
from collections.abc import Callable, Iterable, Sequence

from annotator.errors import UserError
from annotator.formats.declaration import Head
from annotator.formats.table_columns import is_header
from annotator.text.counts import counted

ITERATIONS = frozenset({"0", "Q0"})
"""What stands in the second column of TREC's runs and judgments, where it has no meaning."""

JSON = b"{"
"""What a line of a TREC file never begins with: such a line is JSON."""

_BLANKS = re.compile(r"[ \t\r]+")
_BROKEN = re.compile(r"[ \t\r\n]")


def columns(line: str) -> list[str]:
    """Return a line's columns, none for a comment, which begins with #; only blanks and tabs separate."""
    parts = _BLANKS.split(line.strip(" \t\r"))
    return [] if parts == [""] or parts[0].startswith("#") else parts


class Comments:
    """The lines that begin with #: comments as in trec_eval 10. What has a row's columns is told of."""

    def __init__(self) -> None:
        self._rows: list[bytes] = []

    def take(self, parts: list[bytes], columns: int) -> bool:
        """Say whether a line's columns are a comment, and remember it where it may be meant as a row."""
        if not parts[0].startswith(b"#"):
            return False
        if len(parts) == columns and parts[0] != b"#":
            self._rows.append(parts[0])
        return True

    def notes(self, name: str) -> tuple[str, ...]:
        """Return a sentence that says so, if there was any."""
        if not self._rows:
            return ()
        first = self._rows[0].decode("utf-8", "replace")[:40]
        alone = len(self._rows) == 1
        lines = "1 line begins" if alone else f"{len(self._rows):,} lines begin"
        left = "is left out as a comment" if alone else "are left out as comments"
        return (f"{name}: {lines} with # ({first}) and {left}, as trec_eval 10 does.",)


def misfit(line: bytes, parts: Sequence[bytes], most: int, wanted: str) -> tuple[str, int | None]:
    """Return what is wrong with a line of some columns and a rest, and where, if in one place."""
    if parts[0].startswith(JSON):
        wrong = f"begins with {{ as JSON does, where {wanted} should stand; take the line out"
        return f"{wrong}, or give the file's format", line.find(JSON) + 1
    found = f"more than {most} columns" if len(parts) > most else counted(len(parts), "column")
    return f"{found} where {wanted} should stand; ids cannot hold blanks", None


def most_rows_fit(head: Head, fits: Callable[[list[str]], bool]) -> bool:
    """Say whether the columns fit in at least half of the first lines.

    A line that begins with { is JSON, and a first one that names columns between tabs is a table's header.
    """
    rows = [row for row in map(columns, head.lines[:50]) if row]
    if rows and is_header(head.lines[0]) and not fits(rows[0]):
        return False
    return bool(rows) and sum(fits(row) and row[0][0] != JSON.decode() for row in rows) * 2 >= len(rows)


def cannot_stand(identity: str, first: bool = False) -> bool:
    """Say whether an id would be torn apart between blanks; as `first`, begin a comment or JSON."""
    begins = ("\ufeff", "#", "{") if first else "\ufeff"
    return identity.startswith(begins) or _BROKEN.search(identity) is not None


def refuse_blanks(first: Iterable[str], *others: Iterable[str]) -> None:
    """Raise UserError that names the ids which cannot be written between blanks, or as first in a line."""
    bad = [one for one in first if cannot_stand(one, first=True)]
    bad += [one for column in others for one in column if cannot_stand(one)]
    if bad:
        shown = ", ".join(repr(one) for one in bad[:5])
        raise UserError(
            f"{len(bad)} ids hold blanks, or begin a line with # as comments or {{ as JSON, which a TREC "
            f"file cannot carry ({shown}). Choose another format."
        )
