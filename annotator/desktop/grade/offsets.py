"""Qt counts UTF-16 units, everything else here counts code points; converted where the two meet."""

import re
from bisect import bisect_left

ASTRAL = re.compile("[\U00010000-\U0010ffff]")
"""Characters that are two units."""

Span = tuple[int, int]


def to_units(text: str, position: int) -> int:
    """Return where a code point stands in UTF-16 units."""
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


def to_points(text: str, units: int) -> int:
    """Return which code point stands at a place counted in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))


def spans_in_units(text: str, spans: list[Span]) -> list[Span]:
    """Return spans in UTF-16 units; texts without astral characters stay as they are."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return spans
    pairs = [match.start() for match in ASTRAL.finditer(text)]
    return [(start + bisect_left(pairs, start), end + bisect_left(pairs, end)) for start, end in spans]
