"""Characters that nobody sees but that act: they are shown as marks wherever people read names."""

import re

ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb]"
)
"""Controls except tab and line feed, separators, directions that override, halves of pairs, annotations."""


BLANKS = re.compile(r"^ +| +$|(?<= ) +|[^\S ]")
"""Blanks that one does not see at the ends, takes for one between words, or for a space."""


def visible(text: str) -> str:
    """Return a text whose control characters and overrides of direction are marks, such as `[U+202E]`.

    A terminal, a window and a page act on such a character; in what is exported for programs it stays.

    >>> visible("run\\x1b[2J")
    'run[U+001B][2J'
    """
    return text if text.isprintable() else ACTING.sub(lambda match: f"[U+{ord(match[0]):04X}]", text)


def telling(name: str) -> str:
    """Return a name that looks other than any that differs from it by blanks alone.

    >>> telling("Ana Maria"), telling("Ana  Maria ")
    ('Ana Maria', 'Ana [U+0020]Maria[U+0020]')
    """
    return BLANKS.sub(lambda match: "".join(f"[U+{ord(one):04X}]" for one in match[0]), name)
