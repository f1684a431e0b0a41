"""Documents in HTML and Markdown: which they are, what of them may be shown, and their plain words."""

import re
from html import unescape

import nh3

from annotator.project.views import CandidateView

RICH = 1_000_000
"""Longer Markdown and HTML is shown as plain text."""

KEPT = """a abbr b blockquote br caption cite code dd div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li mark ol p
pre q s small span strong sub sup table tbody td tfoot th thead tr u ul"""
TAGS = set(KEPT.split())
"""What is left of HTML."""

HTML = re.compile(r"\s*(<!doctype html|<html|<body|<div|<p|<h[1-6]|<article|<table|<ul|<ol)\b", re.IGNORECASE)
IMAGE = re.compile(r"<img(?: alt=\"([^\"]*)\")?>")
MARKDOWN_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
INLINE = re.compile(r"</?(?:a|abbr|b|cite|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup)(?: [^>]*)?>")
TAG = re.compile(r"<[^>]*>")
MARKDOWN_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
MARKDOWN_START = re.compile(r"^[ ]{0,3}(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+", re.MULTILINE)
MARKDOWN_STRONG = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")


def sanitised(source: str) -> str:
    """Return HTML without scripts, styles, frames and addresses; images become their own text in brackets."""
    clean = nh3.clean(source, tags=TAGS, attributes={"img": {"alt"}, "td": {"colspan"}, "th": {"colspan"}})
    return IMAGE.sub(lambda match: f"[image: {match[1]}]" if match[1] else "[image]", clean)


def kind_of(candidate: CandidateView) -> str:
    """Return how a text is to be read: `html`, `markdown` or `plain`; the field `format` decides if there."""
    named = str(candidate.fields.get("format", "")).lower()
    if named in ("html", "markdown", "plain"):
        return named
    return "html" if HTML.match(candidate.text) else "plain"


def words_of(candidate: CandidateView) -> str | None:
    """Return a document's words as they are read, None where they stand in its text as they are."""
    kind = kind_of(candidate) if len(candidate.text) <= RICH else "plain"
    if kind == "html":
        return " ".join(unescape(TAG.sub(" ", INLINE.sub("", sanitised(candidate.text)))).split())
    if kind == "markdown":
        text = MARKDOWN_LINK.sub(r"\1", MARKDOWN_IMAGE.sub(r"[image: \1]", candidate.text))
        return MARKDOWN_STRONG.sub(r"\2", MARKDOWN_START.sub("", text))
    return None
