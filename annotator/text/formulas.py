"""Texts that a spreadsheet takes for formulas, and may run."""

from collections.abc import Iterable, Sequence

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet may run a text cell that begins like this; full-width forms count."""


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe stands before one.

    >>> harmless("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def formula_note(head: Sequence[str], rows: Iterable[Sequence[object]], guarded: bool = False) -> str:
    """Return a note on the first cell that a spreadsheet would take for a formula, empty without one."""
    for number, row in enumerate(rows, 1):
        for name, cell in zip(head, row, strict=False):
            if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
                where = f"{cell[:40]!r} in row {number}, column {name}, begins as a formula does: "
                if guarded:
                    return f"{where}an apostrophe stands before it here, and before each that follows."
                return f"{where}a spreadsheet may run it. This CSV is exact, and guards no cell."
    return ""
