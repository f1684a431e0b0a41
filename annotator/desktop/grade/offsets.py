"""Qt counts UTF-16 units, everything else here counts code points; converted where the two meet."""

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
    return [(to_units(text, start), to_units(text, end)) for start, end in spans]
