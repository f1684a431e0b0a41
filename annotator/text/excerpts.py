"""The sentences of a text that say most about a query: what an annotator sees first."""

import math
from collections import Counter
from dataclasses import dataclass

from annotator.text.matches import word_matches
from annotator.text.sentences import Span, sentences

GAP = " … "


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Pieces of a text in their order, joined by `GAP` where something is left out.

    `parts` are the pieces' spans in the whole text, in code points. `whole` says that nothing is left out.
    """

    text: str
    parts: tuple[Span, ...]
    whole: bool

    def place(self, position: int) -> int:
        """Return where a position of the whole text stands in an excerpt of one piece, or would stand."""
        start = self.parts[0][0] if self.parts else 0
        return position - start + (len(GAP) - 1 if start > 0 else 0)

    def source(self, position: int) -> int | None:
        """Return where a position of the excerpt stands in the whole text; None within an ellipsis.

        The end of a piece counts to that piece, so that a selection up to it can be stored.
        """
        at = len(GAP) - 1 if self.parts and self.parts[0][0] > 0 and not self.whole else 0
        for start, end in self.parts:
            if at <= position <= at + end - start:
                return start + position - at
            at += end - start + len(GAP)
        return None


def excerpt(text: str, query: str, length: int = 400, language: str = "en", line: int = 1) -> Excerpt:
    """Return the best sentences for a query, about `length` characters, always the same ones.

    A line that a line break ends counts as a multiple of `line` characters: on a screen it takes that room.

    A sentence weighs the sum over the query's words in it of log(1 + sentences / sentences with that word):
    rare words count more. Equals stand in the order of their distance from the best one. Without any word of
    the query the text's beginning is shown.
    """
    if len(text) <= length and _room(text, line) <= length:
        return Excerpt(text, ((0, len(text)),) if text else (), True)
    spans = sentences(text)
    weights = _weights(text, spans, query, language)
    best = max(range(len(spans)), key=lambda i: (weights[i], -i), default=0)
    order = sorted(range(len(spans)), key=lambda i: (-weights[i], abs(i - best), i))
    chosen: list[int] = []
    room = length
    for i in order:
        following = spans[i + 1][0] if i + 1 < len(spans) else len(text)
        size = _room(text[spans[i][0] : following], line)
        if size <= room:
            chosen.append(i)
            room -= size + len(GAP)
        elif not chosen:
            return _joined(text, [_shortened(text, spans[i], query, language, length)])
        if room < length // 8:
            break
    return _joined(text, [spans[i] for i in sorted(chosen)])


def _room(text: str, line: int) -> int:
    """Return how many characters a text counts as; blank lines take no room."""
    *ended, last = text.split("\n")
    return sum(-(-len(one + "\n") // line) * line for one in ended if one.strip()) + len(last.rstrip())


def around(text: str, place: int, length: int) -> Excerpt:
    """Return the part of a text, of at most `length` characters, with a place in its middle, cut at blanks.

    >>> around("one two three four five six", 10, 17).text
    '… two three four …'
    """
    if len(text) <= length:
        return Excerpt(text, ((0, len(text)),) if text else (), True)
    left = max(0, min(place - length // 2, len(text) - length))
    right = left + length
    if left and (blank := text.find(" ", left - 1, place)) >= 0:
        left = blank + 1
    if right < len(text) and place < (blank := text.rfind(" ", place, right + 1)):
        right = blank
    return _joined(text, [(left, right)])


def _weights(text: str, spans: list[Span], query: str, language: str) -> list[float]:
    """Return each sentence's weight."""
    inside: list[set[str]] = [set() for _ in spans]
    at = 0
    for (start, _), name in word_matches(text, query, language):
        while at < len(spans) - 1 and spans[at][1] <= start:
            at += 1
        inside[at].add(name)
    sentences_with = Counter(name for names in inside for name in names)
    weight = {name: math.log(1 + len(spans) / count) for name, count in sentences_with.items()}
    return [sum(weight[name] for name in sorted(names)) for names in inside]


def _shortened(text: str, span: Span, query: str, language: str, length: int) -> Span:
    """Return the part of a long sentence that begins shortly before the query's first word in it."""
    start, end = span
    matches = word_matches(text[start:end], query, language, limit=1)
    first = start + (matches[0][0][0] if matches else 0)
    left = max(start, min(first - length // 4, end - length))
    space = text.find(" ", left, first)
    left = left if left == start or space < 0 else space + 1
    right = min(end, left + length)
    last = text.rfind(" ", first + 1, right)
    return left, right if right == end or last < 0 else last


def _gap(left_out: str) -> str:
    """Return what stands for a part that is left out; behind a line's end, on the next line."""
    return GAP.replace(" ", "\n", 1) if "\n" in left_out else GAP


def _joined(text: str, parts: list[Span]) -> Excerpt:
    """Join neighbours and put an ellipsis wherever something is left out."""
    joined: list[Span] = []
    for start, end in parts:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    if joined and not text[: joined[0][0]].strip():
        joined[0] = (0, joined[0][1])
    shown = "".join(
        text[start:end] if at == 0 else _gap(text[joined[at - 1][1] : start]) + text[start:end]
        for at, (start, end) in enumerate(joined)
    )
    before = GAP.lstrip() if joined and joined[0][0] > 0 else ""
    after = GAP.rstrip() if joined and text[joined[-1][1] :].strip() else ""
    return Excerpt(before + shown + after, tuple(joined), not before and not after and len(joined) == 1)
