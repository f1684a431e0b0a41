"""How much of HTML and Markdown is laid out; what goes beyond is read as plain text, and a note says so.

Qt and the cleaner of HTML take more than linear time for what is nested, listed or left open, and Qt ends the
program for what is nested thousands of levels deep. Everything here takes one pass.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

AS_PLAIN = "Shown as its source, in plain text, because {}. Nothing is left out."
RICH = 1_000_000
"""Longer Markdown and HTML is shown as plain text."""

TAGS_AT_MOST = 24_000
DEPTH = 100
TABLES_DEEP = 6
"""The time for tables in tables doubles with each level."""

CELLS = 4_000
PARAGRAPH = 60_000
"""Letters in one paragraph."""

WORD = 5_000
"""Letters without a blank or a tag."""

PARTS = 1_500
"""List items, table rows and quoted lines of Markdown."""

SIGNS = 5_000
"""Signs that may mean something in one paragraph of Markdown: the time grows with their square."""

TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
EMPTY = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "wbr")
)
CLOSED_BY_OTHERS = frozenset(
    ("p", "li", "dd", "dt", "td", "th", "tr", "tbody", "thead", "tfoot", "option", "caption", "html", "body")
)
"""Elements that need no end; the others count how deep they stand."""

BLOCKS = re.compile(
    r"</?(?:blockquote|br|caption|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|t(?:able|body|foot|head|[dhr])|ul)\b[^<>]*>"
)
FORMATS = re.compile(r"<(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/][^>]*>", re.IGNORECASE)
BLANK_LINES = re.compile(r"\n[ \t]*\n")
SIGN = re.compile(r"[*_`\[\]<~]")
PART = re.compile(r"[ ]*(?:[-*+>|]|\d+[.)])", re.MULTILINE)
BEGINS = re.compile(r"(?:[ \t>*+-]|\d{1,9}[.)])*")
LEVEL = re.compile(r"[ \t]{2}|[>*+-]|\d{1,9}[.)]")
TEXT = re.compile(r"[^\s<>]+")


def plain_formats(source: str) -> str:
    """Return HTML whose bold, italics and the like have no attributes.

    A reader of HTML repeats those left open in every paragraph, each kind of them three times at most; with
    attributes, which are not shown anyway, each is a kind of its own.
    """
    end = source.rfind(">") + 1
    return FORMATS.sub(r"<\1>", source[:end]) + source[end:]


def refused(kind: str, source: str, length: int = 0) -> str:
    """Return why HTML or Markdown is not to be laid out, of which this is the beginning or the whole.

    It is empty where the text is laid out, else a phrase that ends a sentence.
    """
    if max(len(source), length) > RICH:
        return f"it has more than {RICH:,} letters"
    return html_refused(source) if kind == "html" else markdown_refused(source)


def editable(text: str) -> bool:
    """Say whether a text is one that a field in which it is edited lays out soon."""
    if len(text) > RICH:
        return False
    lines, words = (max(map(len, parts), default=0) for parts in (text.splitlines(), text.split()))
    return lines <= PARAGRAPH and words <= WORD


def html_refused(source: str) -> str:
    """Return why HTML is not to be laid out, empty where it is."""
    if source.count("<") > TAGS_AT_MOST:
        return f"it has more than {TAGS_AT_MOST:,} tags"
    depth = deepest = tables_deep = cells = 0
    opened: Counter[str] = Counter()
    for closes, name in _tags(source):
        cells += name in ("td", "th") and not closes
        if name in EMPTY or name in CLOSED_BY_OTHERS or (closes and not opened[name]):
            continue
        opened[name] += -1 if closes else 1
        depth += -1 if closes else 1
        deepest, tables_deep = max(deepest, depth), max(tables_deep, opened["table"])
    if deepest > DEPTH:
        return f"its parts are nested more than {DEPTH} deep"
    if tables_deep > TABLES_DEEP:
        return f"its tables are nested more than {TABLES_DEEP} deep"
    if cells > CELLS:
        return f"its tables have more than {CELLS:,} cells"
    return _too_long(BLOCKS.split(source))


def markdown_refused(source: str) -> str:
    """Return why Markdown is not to be laid out, empty where it is."""
    if sum(1 for line in source.splitlines() if PART.match(line)) > PARTS:
        return f"it has more than {PARTS:,} list items, quoted lines and rows of tables"
    if max((_nested(line) for line in source.splitlines()), default=0) > DEPTH:
        return f"its lists or quotes are nested more than {DEPTH} deep"
    paragraphs = BLANK_LINES.split(source)
    if sum(len(SIGN.findall(one)) ** 2 for one in paragraphs) > SIGNS**2:
        return "it has too many signs such as * and [ in one paragraph"
    return _too_long(paragraphs)


def _nested(line: str) -> int:
    """Return how many signs of lists and quotes a line begins with; two blanks may be a level too."""
    begins = BEGINS.match(line)
    return len(LEVEL.findall(begins[0])) if begins else 0


def _tags(source: str) -> Iterator[tuple[bool, str]]:
    """Yield the tags of HTML outside of comments: whether one closes, and its name."""
    first, *commented = source.split("<!--")
    for part in (first, *(one.partition("-->")[2] for one in commented)):
        for closes, name in TAG.findall(part):
            yield bool(closes), name.lower()


def _too_long(paragraphs: Iterable[str]) -> str:
    for one in paragraphs:
        if len(one) > PARAGRAPH:
            return f"it has a paragraph of more than {PARAGRAPH:,} letters"
        if len(one) > WORD and max(map(len, TEXT.findall(one)), default=0) > WORD:
            return f"it has a word of more than {WORD:,} letters"
    return ""
