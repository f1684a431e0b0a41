"""Numbers as files write them: plain ASCII decimals, nothing that only Python would take for one."""

import math
import re

_WHOLE = re.compile(rb"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def whole(token: str | bytes) -> int | None:
    """Return a whole number, or None when the token is none."""
    token = token.encode() if isinstance(token, str) else token
    return int(token) if _WHOLE.fullmatch(token) else None


def whole_cell(cell: str) -> int | None:
    """Return a whole number of a table's cell, also one with a point and zeros, as pandas writes it."""
    before, point, after = cell.partition(".")
    return whole(before) if not point or (after and not after.strip("0")) else None


def decimal(token: str | bytes) -> float | None:
    """Return a finite number as the nearest double, or None when the token is none."""
    token = token.encode() if isinstance(token, str) else token
    if len(token) > 400 or not _DECIMAL.fullmatch(token):
        return None
    value = float(token)
    return value if math.isfinite(value) else None


def shown(value: float) -> str:
    """Return the shortest decimal that reads back as the same double; a whole number without its point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
