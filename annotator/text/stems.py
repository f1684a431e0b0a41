"""Word stems: the Snowball algorithms, one per language."""

import threading
from collections.abc import Callable
from functools import cache, lru_cache

LANGUAGES = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""Language code -> the name of its Snowball algorithm."""

ONE_AT_A_TIME = threading.Lock()
"""A stemmer keeps the word it works on in itself: two threads would mix theirs."""


@lru_cache(maxsize=200_000)
def stem(word: str, language: str = "en") -> str:
    """Return the stem of one lower-case word.

    `language` is a code of `LANGUAGES`; a word of a language without an algorithm is its own stem.

    >>> stem("retrieval"), stem("retrieved"), stem("東京", "ja")
    ('retriev', 'retriev', '東京')
    """
    with ONE_AT_A_TIME:
        return _stemmer(language)(word)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    """Return the stemming function of a language; the library is loaded at the first word."""
    import snowballstemmer

    if language not in LANGUAGES:
        return str
    one_word: Callable[[str], str] = snowballstemmer.stemmer(LANGUAGES[language]).stemWord
    return one_word
