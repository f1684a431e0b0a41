"""What two answers are reduced to before they are compared: the scorers' own rules, and one of ours.

A normaliser turns a text into tokens. Exact match compares what `compared` returns, token F1 the tokens.

`squad1`, `squad2`
    lower case; ASCII punctuation deleted; the words a, an and the dropped; split at white space
    (Rajpurkar et al., 2016 and 2018; both official scripts reduce texts alike and differ in how they score).
`triviaqa`
    lower case; `_`, ASCII punctuation and ‘’´` become spaces; a, an and the dropped (Joshi et al., 2017).
`none`
    nothing: exact match is equality of the raw texts; tokens are what stands between white space.
`unicode`
    NFKC and case folding; punctuation and symbols of every script dropped at the edges of a token, so that
    3.14 and U.S stay what they are; no articles dropped.
"""

import re
import string
import unicodedata
from collections.abc import Callable, Sequence

from annotator.text.stems import stem

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_DELETED = str.maketrans("", "", string.punctuation)
_SPACED = str.maketrans(dict.fromkeys(string.punctuation + "‘’´`", " "))


def _squad(text: str) -> str:
    return _ARTICLES.sub(" ", text.lower().translate(_DELETED))


def _triviaqa(text: str) -> str:
    return _ARTICLES.sub(" ", text.lower().translate(_SPACED))


def _unicode(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _core(token: str) -> str:
    """Return a token without the punctuation and symbols at its edges; the point of `.5` stays."""
    if token.isalnum():
        return token
    start, end = 0, len(token)
    while start < end and unicodedata.category(token[start])[0] in "PS":
        start += 1
    while end > start and unicodedata.category(token[end - 1])[0] in "PS":
        end -= 1
    if start == 1 and token[0] == "." and token[1:2].isdigit():
        start = 0
    return token[start:end]


_FOLDS: dict[str, Callable[[str], str]] = {
    "squad1": _squad,
    "squad2": _squad,
    "triviaqa": _triviaqa,
    "none": str,
    "unicode": _unicode,
}
"""What each normaliser does to the whole text; splitting, and for `unicode` the tokens' edges, come after."""


def tokens(text: str, normaliser: str = "squad1", stemming: str | None = None) -> list[str]:
    """Return the tokens that token F1 counts.

    `stemming` is a language code (see `stems.LANGUAGES`) or None; KeyError on an unknown normaliser.

    >>> tokens("The U.S. of A.")
    ['us', 'of']
    >>> tokens("The retrieved answers", "unicode", "en")
    ['the', 'retriev', 'answer']
    """
    return _split(_FOLDS[normaliser](text), normaliser, stemming)


def _split(folded: str, normaliser: str, stemming: str | None) -> list[str]:
    """Return the tokens of a folded text."""
    words = folded.split()
    if normaliser == "unicode":
        words = [core for core in map(_core, words) if core]
    return [stem(token, stemming) for token in words] if stemming else words


def compared(text: str, normaliser: str = "squad1", stemming: str | None = None) -> str:
    """Return the text that exact match compares; split at white space it gives the tokens.

    >>> compared("The  Infinity Gauntlet!"), compared("The  Infinity Gauntlet!", "none")
    ('infinity gauntlet', 'The  Infinity Gauntlet!')
    """
    return compared_all([text], normaliser, stemming)[0]


def compared_all(texts: Sequence[str], normaliser: str = "squad1", stemming: str | None = None) -> list[str]:
    """Return what exact match compares of every text, several times faster than one after the other.

    All texts are folded as one, parted by NUL: it is no part of a word and combines with nothing, so each
    text comes out as it would alone.
    """
    if normaliser == "none" and not stemming:
        return list(texts)
    joined = "\0".join(texts)
    if joined.count("\0") != len(texts) - 1:
        return [" ".join(tokens(text, normaliser, stemming)) for text in texts]
    folded = _FOLDS[normaliser](joined).split("\0")
    return [" ".join(_split(text, normaliser, stemming)) for text in folded]


NORMALISERS = tuple(_FOLDS)
"""The names of the normalisers."""

SENTENCES = {
    "squad1": "lower case, without ASCII punctuation and without a, an, the",
    "squad2": "lower case, without ASCII punctuation and without a, an, the; nothing equals nothing",
    "triviaqa": "lower case, with spaces for punctuation and without a, an, the",
    "none": "as they stand",
    "unicode": "in Unicode's compatible form without case, without punctuation at the edges of words",
}
"""Name -> how answers are compared, in words."""
