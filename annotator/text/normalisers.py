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
from collections.abc import Callable

from annotator.text.stems import stem

Normaliser = Callable[[str], list[str]]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_DELETED = str.maketrans("", "", string.punctuation)
_SPACED = str.maketrans(dict.fromkeys(string.punctuation + "‘’´`", " "))


def _squad(text: str) -> list[str]:
    return _ARTICLES.sub(" ", text.lower().translate(_DELETED)).split()


def _triviaqa(text: str) -> list[str]:
    return _ARTICLES.sub(" ", text.lower().translate(_SPACED)).split()


def _unicode(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return [core for core in map(_core, folded.split()) if core]


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


NORMALISERS: dict[str, Normaliser] = {
    "squad1": _squad,
    "squad2": _squad,
    "triviaqa": _triviaqa,
    "none": str.split,
    "unicode": _unicode,
}
"""Name -> the function from a text to its tokens."""


def tokens(text: str, normaliser: str = "squad1", stemming: str | None = None) -> list[str]:
    """Return the tokens that token F1 counts.

    `stemming` is a language code (see `stems.LANGUAGES`) or None; KeyError on an unknown normaliser.

    >>> tokens("The U.S. of A.")
    ['us', 'of']
    >>> tokens("The retrieved answers", "unicode", "en")
    ['the', 'retriev', 'answer']
    """
    found = NORMALISERS[normaliser](text)
    return [stem(token, stemming) for token in found] if stemming else found


def compared(text: str, normaliser: str = "squad1", stemming: str | None = None) -> str:
    """Return the text that exact match compares.

    >>> compared("The  Infinity Gauntlet!"), compared("The  Infinity Gauntlet!", "none")
    ('infinity gauntlet', 'The  Infinity Gauntlet!')
    """
    if normaliser == "none" and not stemming:
        return text
    return " ".join(tokens(text, normaliser, stemming))
