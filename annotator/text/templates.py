"""One line made of named fields, such as `{title} — {date} · {url}`; what is missing leaves no gap."""

import re
from collections.abc import Mapping

FIELD = re.compile(r"\{([^{}]+)\}")
SEPARATOR = re.compile(r"((?<!\s)\s+[-–—·|/•]\s+|(?:(?<!\s)\s+)?[,;]\s+)")
EMPTY = re.compile(r"(?:(?<!\s)\s+)?(\(\s*\)|\[\s*\]|“\s*”|\"\s*\")")
NAME_AT_MOST = 300
LINE_AT_MOST = 2_000
"""Characters of a name and of a line of fields that are shown."""


def filled(template: str, fields: Mapping[str, object]) -> str:
    """Return a template with its fields filled in, as plain text in one line.

    A part between two separators (a dash, dot, bar or slash between blanks; a comma or semicolon before one)
    is left out with the separator before it when it names fields and none of them has a value; brackets and
    quotes that stay empty are left out too.

    >>> filled("{title} — {date} · {url}", {"title": "Bins", "url": "bins.example"})
    'Bins · bins.example'
    """
    parts = SEPARATOR.split(template)
    shown = ""
    for number in range(0, len(parts), 2):
        names = FIELD.findall(parts[number])
        if names and not any(told(fields.get(name)) for name in names):
            continue
        words = FIELD.sub(lambda match: told(fields.get(match[1])), parts[number])
        words = EMPTY.sub("", words) if names else words
        shown += (parts[number - 1] if shown else "") + words
    return " ".join(shown.split())


def told(value: object) -> str:
    """Return a field's value in one line; several values are joined by commas."""
    if isinstance(value, (list, tuple)):
        return ", ".join(filter(None, map(told, value)))
    return "" if value is None else " ".join(str(value).split())


def beginning(text: str, most: int = LINE_AT_MOST) -> str:
    """Return the first characters of a text that is longer than so many, and where the whole is read.

    >>> beginning("A question", 3)
    'A q… (the first 3 of 10 letters; “annotator dump” writes all)'
    """
    if len(text) <= most:
        return text
    return f"{text[:most]}… (the first {most:,} of {len(text):,} letters; “annotator dump” writes all)"


def short(text: str, most: int = NAME_AT_MOST) -> str:
    """Return the beginning of a text that is longer than so many characters, with an ellipsis behind it."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
