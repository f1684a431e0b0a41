"""Where sentences begin and end, in any script, by punctuation alone: deterministic, no model."""

import re
from collections.abc import Iterator

Span = tuple[int, int]
"""Start and end of a piece of text, in code points; the end is not included."""

LONGEST = 500
"""A sentence longer than this (a table, a list of words) is cut at white space."""

ABBREVIATIONS = frozenset(
    """
    al approx bzw ca cf co corp dept dr ed eds eg etc fig figs gen hon ie inc jr ltd mr mrs ms mt no
    nr op pp prof rev sec sen sr st str usw vgl viz vol vs z.b e.g i.e u.s u.k
    """.split()  # noqa: SIM905 a list of words reads better than a list of strings
)

_FULL = "。！？｡।॥۔؟"
"""Ends of sentences that need no white space behind them."""

_END = re.compile(rf"[.!?…{_FULL}\n](?:(?<!\n)[.!?…{_FULL}]*[\"'”’»)\]」』）】]*)?")
_PARTS = re.compile(r"[ \t]*(?:\n|(?:[-*+#>|]|\d+[.)])[ \t])")
"""What follows a line break that ends a sentence: a blank line or a list item, a heading, a table row."""

_LAST_WORD = re.compile(r"[^\s(\[\"“„«]+\Z")
_NEXT = re.compile(r"\s*(\S?)")


def sentences(text: str) -> list[Span]:
    """Return the sentences of a text in order, without the white space between them.

    A full stop ends none after an initial or a common abbreviation, or before a lower-case word; a blank line
    and a list item always end one. Every character that is not white space is in exactly one sentence.

    >>> sentences("Dr. Watson met J. Moriarty. Did he?")
    [(0, 27), (28, 35)]
    """
    spans: list[Span] = []
    start = 0
    for end in (*_ends(text), len(text)):
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = start + len(piece.rstrip())
        if left < right:
            spans.extend(_cut(text, left, right))
        start = end
    return spans


def _ends(text: str) -> Iterator[int]:
    """Yield where sentences end."""
    for match in _END.finditer(text):
        if text[match.start()] == "\n":
            if _PARTS.match(text, match.end()):
                yield match.end()
        elif any(char in _FULL for char in match[0]) or _closes(text, match):
            yield match.end()


def _closes(text: str, match: re.Match[str]) -> bool:
    """Say whether a full stop, or what else may stand for more, ends a sentence where it stands."""
    if not text[match.end() : match.end() + 1].isspace():
        return False
    following = _NEXT.match(text, match.end())
    if match[0] != "." or following is None:
        return True
    before = _LAST_WORD.search(text, max(0, match.start() - 20), match.start())
    word = before[0] if before else ""
    initial = len(word) == 1 and word.isupper()
    return not (initial or following[1].islower() or word.lower() in ABBREVIATIONS)


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield pieces of a sentence, none longer than `LONGEST`."""
    while end - start > LONGEST:
        at = max(text.rfind(" ", start, start + LONGEST), text.rfind("\n", start, start + LONGEST))
        stop = at if at > start else start + LONGEST
        yield start, start + len(text[start:stop].rstrip())
        following = _NEXT.match(text, stop)
        start = following.start(1) if following else stop
    yield start, end
