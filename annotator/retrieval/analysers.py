"""Analysers: how text becomes the terms that an index counts.

`standard` splits at everything that is neither letter, mark nor digit, and lowers the case; `stemming` also
takes each word to its Snowball stem in the project's language.
"""

import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, get_args

from annotator.text import stems

AnalyserName = Literal["standard", "stemming"]
ANALYSERS: tuple[str, ...] = get_args(AnalyserName)

SENTENCES = {
    "standard": "Unicode words in lower case",
    "stemming": "Unicode words in lower case, taken to their Snowball stems in the project's language",
}
"""What each analyser does, for tooltips and the command line."""


class _Breaks(dict[int, str]):
    """A table for `str.translate`, filled as characters are met: what is no part of a word becomes a space.

    Ideographs stand alone as words, as in Lucene's standard tokenizer: they are written without spaces.
    """

    def __missing__(self, code: int) -> str:
        char = chr(code)
        ideograph = 0x3040 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF or 0x20000 <= code <= 0x3FFFF
        if char in "'’":
            kept = "'"
        elif ideograph:
            kept = f" {char} "
        else:
            kept = char if unicodedata.category(char)[0] in "LMN" else " "
        self[code] = kept
        return kept


_BREAKS = _Breaks()


def words(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, in their order.

    Compatible forms are made one (NFKC), apostrophes stay inside words, full stops and hyphens break.

    >>> list(words("Sea-level: 3.5 m (O'Neill's)"))
    ['sea', 'level', '3', '5', 'm', "o'neill's"]
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    for word in plain.lower().translate(_BREAKS).split():
        bare = word.strip("'")
        if bare:
            yield bare


def stop_words(language: str) -> frozenset[str]:
    """Return the words too frequent to help in a language; for English Lucene's 33, none where unknown."""
    from bm25s import stopwords

    suffix = "EN" if language == "en" else stems.LANGUAGES.get(language, "").upper()
    return frozenset(getattr(stopwords, f"STOPWORDS_{suffix}", ()))


class Analyser:
    """Turns text into terms; each distinct word is stemmed once, so one analyser serves a whole collection.

    `language` is a code such as "en". Raises ValueError for an unknown analyser.
    """

    def __init__(self, name: str = "standard", language: str = "en", without_stop_words: bool = False):
        if name not in ANALYSERS:
            raise ValueError(f"{name!r} is no analyser; there are {', '.join(ANALYSERS)}")
        self._stop = stop_words(language) if without_stop_words else frozenset()
        self._stem: Callable[[str], str] = (
            partial(stems.stem, language=language) if name == "stemming" else str
        )
        self._terms: dict[str, str] = {}

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text in their order; stop words are left out before stemming."""
        return [term for word in words(text) if (term := self._term(word))]

    def _term(self, word: str) -> str:
        term = self._terms.get(word)
        if term is None:
            term = self._terms[word] = "" if word in self._stop else self._stem(word)
        return term
