"""Where the words of a query and the gold answers stand in a text: what is highlighted.

Spans are (start, end) in code points, in order and without overlap. In scripts written without spaces the
whole piece of the query is looked for, or else its pairs of characters.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from annotator.text.sentences import Span
from annotator.text.stems import stem

STOP_WORDS = frozenset(
    """
    a about an and are as at be been but by can did do does for from had has have how i if in into
    is it its of on or s should such t than that the their then there these they this to was were
    what when where which who whom whose why will with would you your
    """.split()  # noqa: SIM905 a list of words reads better than a list of strings
)
"""English words that are highlighted only where a query has no others."""

_MARKS = "".join(chr(code) for code in range(0x300, 0x3100) if unicodedata.category(chr(code))[0] == "M")
WORD = re.compile(rf"\w[\w{_MARKS}]*(?:['’]\w+)*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
LONGEST = 200
"""Words are looked for so many letters around a part of a text."""

LONGEST_PHRASE = 2_000
"""Characters; making the pattern of a phrase takes much longer than looking for it."""

_PREFIXING = frozenset({"ar", "id"})
"""Languages whose stems may lose the beginning of a word."""

_OF_NEXT = re.compile(rf"(?<!\s)\s+[^\w\s{_MARKS}]+\Z")
_OF_LAST = re.compile(rf"\A[^\w\s{_MARKS}]+\s+")
"""Marks at the ends of some words that may stand at the word behind them, or before."""

_PUNCTUATION = r"[!-/:-@\[-`{-~‘’“”´]"


def query_words(query: str) -> list[str]:
    """Return the distinct words of a query that carry meaning, in lower case and order; all if none does.

    >>> query_words("Who is the father of Arya Stark?")
    ['father', 'arya', 'stark']
    """
    words = list(dict.fromkeys(match[0].lower() for match in WORD.finditer(query)))
    return [word for word in words if word not in STOP_WORDS] or words


def word_spans(text: str, query: str, language: str = "en") -> list[Span]:
    """Return where words with the same stem as a word of the query stand."""
    return [span for span, _ in word_matches(text, query, language)]


def word_matches(
    text: str, query: str, language: str = "en", limit: int | None = None
) -> list[tuple[Span, str]]:
    """Return where the query's words stand, at most `limit`, each with the stem or piece it is."""
    words = query_words(query)
    pieces = [piece for word in words for piece in _UNSPACED.findall(word)]
    spaced = {stem(word, language) for word in words if not _UNSPACED.search(word)}
    matches = list(_stems_in(text, spaced, language, limit)) if spaced else []
    for piece in dict.fromkeys(pieces):
        matches.extend(_pieces_in(text, piece, limit))
    return _in_order(matches)[:limit]


def _stems_in(
    text: str, stems: Collection[str], language: str, limit: int | None
) -> Iterator[tuple[Span, str]]:
    """Yield words whose stem is wanted.

    Stemming is the slow part, so a word is stemmed once, and only if it begins as a wanted stem does.
    """
    firsts = {name[0] for name in stems}
    known: dict[str, str] = {}
    count = 0
    for match in WORD.finditer(text):
        word = match[0]
        name = known.get(word)
        if name is None:
            may_fit = language in _PREFIXING or word[0].lower() in firsts
            name = known[word] = stem(word.lower(), language) if may_fit else ""
        if name in stems:
            yield match.span(), name
            count += 1
            if count == limit:
                return


def _pieces_in(text: str, piece: str, limit: int | None) -> Iterator[tuple[Span, str]]:
    """Yield where a piece without spaces stands, or its pairs of characters when it stands nowhere.

    Hiragana mostly is grammar, so pairs with hiragana are not looked for.
    """
    if piece in text or len(piece) < 3:
        pieces = [piece]
    else:
        pairs = {piece[i : i + 2] for i in range(len(piece) - 1)}
        pieces = sorted(pair for pair in pairs if not any("\u3040" <= char <= "\u309f" for char in pair))
    for one in pieces:
        for count, match in enumerate(re.finditer(re.escape(one), text)):
            if count == limit:
                break
            yield match.span(), one


def phrase_spans(text: str, phrases: Iterable[str]) -> list[Span]:
    """Return where phrases such as gold answers stand.

    Case, punctuation within words (`U.S.` is `US`), the articles between words and the white space do not
    matter, as under the `squad1` normaliser; a phrase is not found inside a longer word. None of more than
    `LONGEST_PHRASE` characters is looked for.

    >>> phrase_spans("In the U.S. and in Russia", ["US"])
    [(7, 10)]
    """
    if not text:  # making a pattern of a long phrase takes longer than looking for it
        return []
    sought = (phrase for phrase in phrases if len(phrase) <= LONGEST_PHRASE)
    patterns = {phrase: pattern for phrase in sought if (pattern := _phrase(phrase)) is not None}
    matches = [(match.span(), phrase) for phrase, one in patterns.items() for match in one.finditer(text)]
    return [span for span, _ in _in_order(matches)]


def whole_words(text: str, start: int, end: int) -> Span:
    """Return a part of a text, drawn out to the words that it begins and ends in, without blanks around it.

    Marks at an end that stand at the next word outside, such as its bracket, are left to it. A part of blanks
    alone is empty. Scripts written without spaces are taken letter by letter.

    >>> whole_words("In the Eldfell crater", 9, 14)
    (7, 14)
    >>> whole_words("Eldfell (a crater)", 0, 9)
    (0, 7)
    """
    inside = text[start:end].strip()
    if not inside:
        return start, start
    start = text.index(inside[0], start)
    end = start + len(inside)
    if (marks := _OF_NEXT.search(inside)) and WORD.match(text, end):
        end = start + marks.start()
    if (marks := _OF_LAST.search(text[start:end])) and WORD.match(text, start - 1):
        start += marks.end()
    near = max(0, start - LONGEST)
    for word in WORD.finditer(text, near, min(len(text), end + LONGEST)):
        if word.start() < start < word.end() and not _UNSPACED.search(text[start - 1 : start + 1]):
            start = word.start()
        if word.start() < end < word.end() and not _UNSPACED.search(text[end - 1 : end + 1]):
            end = word.end()
    return start, end


@lru_cache(maxsize=1_000)
def _phrase(phrase: str) -> re.Pattern[str] | None:
    """Return the pattern of a phrase, or None when nothing of it is left to look for."""
    bare = re.sub(_PUNCTUATION, "", phrase)
    tokens = [token for token in bare.split() if token.lower() not in ("a", "an", "the")]
    if not tokens:
        return None
    words = [f"{_PUNCTUATION}*".join(map(re.escape, token)) for token in tokens]
    body = rf"{_PUNCTUATION}*\s+(?:(?:an?|the|{_PUNCTUATION}+)\s+)*{_PUNCTUATION}*".join(words)
    before = "" if _UNSPACED.match(tokens[0]) else r"(?<!\w)"
    after = "" if _UNSPACED.search(tokens[-1][-1]) else rf"(?![\w{_MARKS}])"
    return re.compile(before + body + after, re.IGNORECASE)


def _in_order(matches: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Sort spans and join those that overlap, keeping the name of the longer one."""
    joined: list[tuple[Span, str]] = []
    for (start, end), name in sorted(matches, key=lambda one: (one[0][0], -one[0][1], one[1])):
        if joined and start < joined[-1][0][1]:
            (left, right), first = joined[-1]
            joined[-1] = ((left, max(right, end)), first)
        else:
            joined.append(((start, end), name))
    return joined
