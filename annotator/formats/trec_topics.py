"""TREC topics: `<top>` with `<num>`, `<title>`, `<desc>` and `<narr>`, closed or not.

The title is the query's text, the narrative its guidelines, the description the field `description`. Blanks
and line ends inside a part count as one blank.
"""

import re
from html import escape
from pathlib import Path

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.rows import query_id_problem
from annotator.formats.strict_json import Once
from annotator.formats.text_lines import Problems, refusal, whole_text
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Query, text_problem

_TOPIC = re.compile(r"<top>((?:[^<]|<(?!/?top>))*)</top>", re.DOTALL | re.IGNORECASE)
_PART = re.compile(
    r"<(num|title|desc|narr)>(.*?)(?=<(?:/?num|/?title|/?desc|/?narr)>|\Z)", re.DOTALL | re.IGNORECASE
)
_LABEL = {"num": r"Number:", "title": r"Topic:", "desc": r"Description:", "narr": r"Narrative:"}
DESCRIPTION = "description"


def unescape(text: str) -> str:
    """Return what `html.escape` was given; a lone ampersand and other entities stay as they are."""
    return text.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")


def recognises(head: Head) -> bool:
    """Say whether one of the first lines begins a topic."""
    return any(line.lstrip().lower().startswith("<top>") for line in head.lines[:50])


def read(path: Path, reading: Reading) -> Dataset:
    """Return the topics as queries."""
    problems = Problems(path)
    text = whole_text(path, problems, reading)
    once = Once("query", problems)
    queries = []
    for topic in _TOPIC.finditer(text):
        line = 1 + text.count("\n", 0, topic.start())
        parts = {}
        for name, held in _PART.findall(topic[1]):
            if name.lower() in parts:
                problems.add(line, f"the topic has two <{name}>; keep one")
            parts[name.lower()] = _plain(name.lower(), held)
        wrong = _wrong(parts)
        if wrong:
            problems.add(line, wrong)
            continue
        description = parts.get("desc", "")
        fields = {DESCRIPTION: description} if description else {}
        query = Query(parts["num"], parts.get("title", ""), guidelines=parts.get("narr", ""), fields=fields)
        once.check(query.id, line)
        queries.append(query)
    opened, closed = (len(re.findall(tag, text, re.IGNORECASE)) for tag in ("<top>", "</top>"))
    if opened != closed or not opened:
        problems.add(1, f"has {opened} <top> and {closed} </top>; each topic needs both")
    problems.check()
    return Dataset(queries=queries)


def _plain(name: str, held: str) -> str:
    words = " ".join(held.split())
    return unescape(re.sub(rf"^{_LABEL[name]}\s*", "", words, flags=re.IGNORECASE))


def _wrong(parts: dict[str, str]) -> str | None:
    if not parts.get("num"):
        return "the topic has no <num>; give it one"
    return query_id_problem(parts["num"]) or next(
        (wrong for name, text in parts.items() if (wrong := text_problem(text, name))), None
    )


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a topic for each query."""
    for query in dataset.queries:
        if query.id != " ".join(query.id.split()):
            raise refusal(path, f"the id {query.id!r} holds blanks that a topic cannot carry")
    with replacing(path, writing.step) as file:
        for query in dataset.queries:
            parts = (query.text, query.fields.get(DESCRIPTION, ""), query.guidelines)
            title, description, narrative = (
                escape(" ".join(str(part).split()), quote=False) for part in parts
            )
            file.write(f"<top>\n\n<num> Number: {escape(query.id, quote=False)}\n<title> Topic: {title}\n\n")
            file.write(f"<desc> Description: {description}\n\n<narr> Narrative: {narrative}\n\n</top>\n\n")


def details(dataset: Dataset) -> list[str]:
    """Return what of the queries is lost."""
    lost = []
    if any(one.tags or set(one.fields) - {DESCRIPTION} for one in dataset.queries):
        lost.append("TREC topics cannot hold tags and other fields than a description.")
    texts = [text for one in dataset.queries for text in (one.text, one.guidelines)]
    if any(text != " ".join(text.split()) for text in texts):
        lost.append("TREC topics write one blank for every run of blanks and line ends.")
    return lost


FORMAT = Format(
    key="trec-topics",
    title="TREC topics",
    extensions=(".topics", ".txt", ".xml"),
    holds=frozenset({"queries"}),
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
)
