"""Columns separated by blanks, as TREC's files have them, and the ids that cannot stand in one."""

import re
from collections.abc import Callable, Iterable, Sequence

from annotator.errors import UserError
from annotator.formats.declaration import Head

ITERATIONS = frozenset({"0", "Q0"})
"""What stands in the second column of TREC's runs and judgments, where it has no meaning."""

_BLANKS = re.compile(r"[ \t\r]+")
_BROKEN = re.compile(r"[ \t\r\n]")


def columns(line: str) -> list[str]:
    """Return a line's columns, none for a comment; only blanks and tabs separate.

    A comment begins with a number sign that stands alone, so that an id may begin with one.
    """
    parts = _BLANKS.split(line.strip(" \t\r"))
    return [] if parts in ([""], ["#"]) or parts[0] == "#" else parts


def columns_found(parts: Sequence[object], most: int) -> str:
    """Return in words how many columns a line has that was split into at most `most` and a rest."""
    if len(parts) > most:
        return f"more than {most} columns"
    return f"{len(parts)} column{'s' if len(parts) > 1 else ''}"


def most_rows_fit(head: Head, fits: Callable[[list[str]], bool]) -> bool:
    """Say whether the columns fit in at least half of the first lines."""
    rows = [row for row in map(columns, head.lines[:50]) if row]
    return bool(rows) and sum(map(fits, rows)) * 2 >= len(rows)


def cannot_stand(identity: str) -> bool:
    """Say whether an id would be torn apart, or taken for a comment, in a file with columns of blanks."""
    return identity == "#" or identity.startswith("\ufeff") or _BROKEN.search(identity) is not None


def refuse_blanks(*ids: Iterable[str]) -> None:
    """Raise UserError that names the ids which cannot be written between blanks."""
    bad = [one for column in ids for one in column if cannot_stand(one)]
    if bad:
        shown = ", ".join(repr(one) for one in bad[:5])
        raise UserError(
            f"{len(bad)} ids hold blanks, which a TREC file cannot carry ({shown}). Choose another format."
        )
