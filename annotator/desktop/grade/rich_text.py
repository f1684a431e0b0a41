"""Documents in HTML and Markdown: which they are, what of them may be shown, and their plain words."""

import re
from collections.abc import Iterable
from html import unescape

import nh3

from annotator.desktop.rich_limits import plain_formats, refused
from annotator.project.views import CandidateView, Written

KEPT = """a abbr b blockquote br caption cite code dd div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li mark ol p
pre q s small span strong sub sup table tbody td tfoot th thead tr u ul"""
TAGS = set(KEPT.split())
"""What is left of HTML."""

HTML = re.compile(
    r"\A\s*(<!doctype html|<html|<body|<div|<p|<h[1-6]|<article|<table|<ul|<ol)\b", re.IGNORECASE
)
IMAGE = re.compile(r"<img(?: alt=\"([^\"]*)\")?>")
LABEL = r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"
TARGET = r"\((?:[^()]|\([^()]*\))*\)"
MARKDOWN_IMAGE = re.compile(rf"!{LABEL}{TARGET}")
PREFORMATTED = re.compile(r"<pre>(?:[^<]|<(?!/?pre>))*</pre>")
ITEM = re.compile(r"<li>\s*(?:<p>)?")
CELLS = re.compile(r"</t[dh]>\s*<t[dh](?: [^>]*)?>")
BLOCK = re.compile(
    r"</?(?:blockquote|br|caption|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|table|tbody|tfoot|thead|tr|ul)>"
)
TAG = re.compile(r"<[^<>]*>")
BULLET = "• "
MARKDOWN_LINK = re.compile(rf"{LABEL}{TARGET}")
MARKDOWN_START = re.compile(r"^[ ]{0,3}(?:#{1,6}|>)[ \t]+", re.MULTILINE)
MARKDOWN_ITEM = re.compile(r"^([ ]*)[-*+][ \t]+", re.MULTILINE)
MARKDOWN_RULE = re.compile(r"^[ ]{0,3}(?:=+|-{2,}|\*(?:[ ]*\*){2,}|_(?:[ ]*_){2,})[ \t]*$\n?", re.MULTILINE)
MARKDOWN_PART = re.compile(r"[ ]{0,3}(?:#{1,6}[ \t]|>|\||=+[ ]*$|-{2,}[ ]*$)|[ ]*(?:[-*+]|\d+[.)])[ \t]")
"""What begins something else than the next line of a paragraph."""
MARKDOWN_STRONG = re.compile(r"(\*\*|__|\*|`)(?=\S)((?:(?!\1).)+)(?<=\S)\1")


def sanitised(source: str) -> str:
    """Return HTML without scripts, styles, frames and addresses; images become their own text in brackets."""
    kept = {"img": {"alt"}, "td": {"colspan"}, "th": {"colspan"}}
    clean = nh3.clean(plain_formats(source), tags=TAGS, attributes=kept)
    return IMAGE.sub(lambda match: f"[image: {match[1]}]" if match[1] else "[image]", clean)


def kind_of(candidate: CandidateView) -> str:
    """Return what a text is: `html`, `markdown` or `plain`; the field `format` decides if there."""
    named = str(candidate.fields.get("format", "")).lower()
    if named in ("html", "markdown", "plain"):
        return named
    return "html" if HTML.match(read_of(candidate)) else "plain"


def read_as(candidate: CandidateView, text: str) -> tuple[str, str]:
    """Return as what the text of a candidate is shown, and why that is not what it is; empty where it is."""
    kind = kind_of(candidate)
    if kind == "plain":
        return kind, ""
    why = refused(kind, text, candidate.length)
    return "plain" if why else kind, why


def read_of(candidate: CandidateView) -> str:
    """Return what is read of a candidate: a document's text; of an answer its passage, where there is one."""
    return (candidate.kind == "answer" and candidate.passage) or candidate.text


def words_of(candidate: CandidateView) -> str | None:
    """Return what is read in the lines that it is read in, None where its text is that already."""
    source = read_of(candidate)
    kind, _ = read_as(candidate, source)
    if kind == "html":
        return _lines_of_html(sanitised(source))
    if kind == "markdown":
        text = MARKDOWN_LINK.sub(r"\1", MARKDOWN_IMAGE.sub(r"[image: \1]", _unwrapped(source)))
        text = MARKDOWN_ITEM.sub(rf"\1{BULLET}", MARKDOWN_START.sub("", MARKDOWN_RULE.sub("", text)))
        return MARKDOWN_STRONG.sub(r"\2", text)
    return None


def in_lines(texts: Iterable[Written]) -> str:
    """Return texts, one below the other, in the lines that they are read in."""
    return "\n\n".join(plain_words(*one) for one in texts if one[0])


def plain_words(text: str, written_in: str = "") -> str:
    """Return a text in the lines that it is read in; what it is written in shows by itself unless said."""
    fields = {"format": written_in} if written_in else {}
    words = words_of(CandidateView(0, "", "document", "", fields=fields, text=text, length=len(text)))
    return text if words is None else words


def _lines_of_html(clean: str) -> str:
    """Return the words of HTML, a line for each paragraph, list item, row of a table and line break."""
    source = PREFORMATTED.sub(lambda match: match[0].replace("\n", "<br>"), clean)
    source = CELLS.sub("  ·  ", ITEM.sub(f"<br>{BULLET}", " ".join(source.split())))
    lines = unescape(TAG.sub("", BLOCK.sub("\n", source))).split("\n")
    return "\n".join(words for line in lines if (words := line.strip()) and words != BULLET.strip())


def _unwrapped(text: str) -> str:
    """Return Markdown with each paragraph in one line; hard breaks, parts and code keep theirs."""
    lines: list[list[str]] = []
    fenced = goes_on = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced, goes_on = not fenced, False
            continue
        if goes_on and line.strip() and not MARKDOWN_PART.match(line):
            lines[-1].append(line.strip())
        else:
            lines.append([line.rstrip("\\ \t")])
        ends = not line.strip() or line.endswith(("  ", "\\")) or line.lstrip().startswith(("#", "|"))
        goes_on = not (fenced or ends)
    return "\n".join(map(" ".join, lines))
