"""MS MARCO v2.1: lines of JSON with `docid`, `url`, `title`, `headings` and a `segment`, or a page's `body`.

What stands beside title and text (`url`, `headings`, `start_char`, `end_char`) is kept as fields. A large
file is never in memory as a whole. Source: TREC 2024 and 2025 RAG Track Guidelines (trec-rag.github.io).
"""

from pathlib import Path

from annotator.formats.beir import documents_in
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.strict_json import compact, json_lines, parse
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Json

SEGMENT, PAGE = ("docid", "title", "segment"), ("docid", "title", "body")


def recognises(head: Head) -> bool:
    """Say whether the first line is an object with the id and text of a segment or a page."""
    first = head.lines[0] if head.lines else ""
    return first.startswith("{") and _names(parse(first, Problems(Path(head.name)))) is not None


def _names(value: Json) -> tuple[str, str, str] | None:
    """Return the members of an object that have id, title and text, None where it is neither of the two."""
    if not isinstance(value, dict) or "docid" not in value:
        return None
    return SEGMENT if "segment" in value else PAGE if "body" in value and "headings" in value else None


def read(path: Path, reading: Reading) -> Dataset:
    """Return the documents; raises InputError with the places that cannot be taken."""
    problems = Problems(path)
    first = next((value for _, value in json_lines(path, problems, Reading())), None)
    problems.check()
    names = _names(first)
    if names is None:
        raise refusal(path, 'holds no segments; each line needs an object with "docid" and "segment"', 1)
    return Dataset(documents=documents_in(path, reading, names))


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write every document as a segment, its fields beside the texts."""
    with replacing(path, writing.step) as file:
        for one in dataset.documents:
            texts = {"docid": one.id, "title": one.title, "segment": one.text}
            file.write(compact({**one.fields, **texts}) + "\n")


FORMAT = Format(
    key="msmarco-segments",
    title="MS MARCO v2.1 segments",
    extensions=(".jsonl", ".json"),
    holds=frozenset({"documents"}),
    recognises=recognises,
    reader=read,
    writer=write,
)
