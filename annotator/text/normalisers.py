"""What two answers are reduced to before they are compared: the scorers' own rules, and one of ours.

A normaliser turns a text into tokens. Exact match compares what `compared` returns, token F1 the tokens.

`squad1`, `squad2`
    lower case; ASCII punctuation deleted; the words a, an and the dropped; split at white space
    (Rajpurkar et al., 2016 and 2018; both official scripts reduce texts alike and differ in how they score).
`triviaqa`
    lower case; `_`, ASCII punctuation and ‘’´` become spaces; a, an and the dropped (Joshi et al., 2017).
`none`
    nothing: exact match is equality of the raw texts; tokens are what stands between white space.
`mlqa-ar`, `mlqa-de`, `mlqa-en`, `mlqa-es`, `mlqa-hi`, `mlqa-vi`, `mlqa-zh`
    lower case; punctuation of every script deleted; the articles of the language dropped, in Arabic the
    letters ال wherever they stand, in Hindi and Chinese none; split at white space, in Chinese also around
    every ideograph from U+4E00 to U+9FA5 (Lewis et al., 2020, the official script of MLQA).
`unicode`
    NFKC and case folding; punctuation and symbols of every script dropped at the edges of a token, so that
    3.14 and U.S stay what they are; no articles dropped.
`characters`
    as `unicode`, and every Chinese or Japanese character (ideographs, hiragana, katakana) is a token of its
    own, for these scripts set no spaces between words.
"""

import re
import string
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

from annotator.text.stems import stem

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_DELETED = str.maketrans("", "", string.punctuation)
_SPACED = str.maketrans(dict.fromkeys(string.punctuation + "‘’´`", " "))
_IDEOGRAPHS = re.compile("[\u4e00-\u9fa5]")
_UNSPACED = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_MLQA_ARTICLES = {
    "ar": "ال",
    "de": r"\b(ein|eine|einen|einem|eines|einer|der|die|das|den|dem|des)\b",
    "en": _ARTICLES.pattern,
    "es": r"\b(un|una|unos|unas|el|la|los|las)\b",
    "hi": "",
    "vi": r"\b(của|là|cái|chiếc|những)\b",
    "zh": "",
}


class _Unpunctuated(dict[int, int | None]):
    """A table for `str.translate`, filled as characters are met: punctuation and ASCII symbols go."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        punctuation = char in string.punctuation or unicodedata.category(char)[0] == "P"
        self[code] = None if punctuation else code
        return self[code]


_UNPUNCTUATED = _Unpunctuated()


def _mlqa(language: str, text: str) -> str:
    plain = text.lower().translate(_UNPUNCTUATED)
    articles = _MLQA_ARTICLES[language]
    if articles:
        plain = re.sub(articles, " ", plain)
    return _IDEOGRAPHS.sub(r" \g<0> ", plain) if language == "zh" else plain


def _squad(text: str) -> str:
    return _ARTICLES.sub(" ", text.lower().translate(_DELETED))


def _triviaqa(text: str) -> str:
    return _ARTICLES.sub(" ", text.lower().translate(_SPACED))


def _unicode(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _characters(text: str) -> str:
    return _UNSPACED.sub(r" \g<0> ", _unicode(text))


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
    **{f"mlqa-{language}": partial(_mlqa, language) for language in _MLQA_ARTICLES},
    "unicode": _unicode,
    "characters": _characters,
}
"""What each normaliser does to the whole text; splitting comes after, and in `TRIMMED` the tokens' edges."""

TRIMMED = ("unicode", "characters")
"""The normalisers that drop punctuation at the edges of tokens alone."""


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
    if normaliser in TRIMMED:
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
    "squad1": "in lower case, without ASCII punctuation and without a, an, the",
    "squad2": "in lower case, without ASCII punctuation and without a, an, the; nothing equals nothing",
    "triviaqa": "in lower case, with spaces for punctuation and without a, an, the",
    "none": "as they stand",
    "mlqa-ar": "in lower case, without punctuation and without the letters ال",
    **{
        f"mlqa-{code}": f"in lower case, without punctuation and without the articles of {language}"
        for code, language in (("de", "German"), ("en", "English"), ("es", "Spanish"))
    },
    "mlqa-hi": "in lower case, without punctuation",
    "mlqa-vi": "in lower case, without punctuation and without của, là, cái, chiếc, những",
    "mlqa-zh": "in lower case, without punctuation, every ideograph a word",
    "unicode": "in Unicode's compatible form without case, without punctuation at the edges of words",
    "characters": "in Unicode's compatible form without case, every Chinese or Japanese character a word",
}
"""Name -> how answers are compared, in words."""
