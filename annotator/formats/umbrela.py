"""UMBRELA: judgments of a model, lines of JSON with `model`, `query`, `passage`, `judgment` and more.

As the tool writes them they have texts and no ids: the query's text is its id, and a passage is called by the
digest of its text, unless the project has the text under an id. Where `qid` and `docid` stand beside them,
these are the ids. What the model answered without a grade in it (`result_status` 0) is written as grade 0; it
is no judgment and left out. Source: castorini/umbrela on GitHub, "Judge Output (JSONL)" and
`prepare_judgments`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.label_studio import unjudged
from annotator.formats.rows import JudgmentRows, query_id_problem
from annotator.formats.strict_json import Members, compact, json_lines, parse
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Document, Query, as_id

NEEDED = ("model", "query", "passage", "judgment")
TAKEN = (*NEEDED, "qid", "docid", "result_status")
PEOPLE = (
    "UMBRELA judgments are those of a model: read again, people's are of a model, and no score counts them "
    "unless it is asked for."
)


def recognises(head: Head) -> bool:
    """Say whether the first line is an object with what a judgment of UMBRELA needs."""
    first = head.lines[0] if head.lines else ""
    value = parse(first, Problems(Path(head.name))) if first.startswith("{") else None
    return isinstance(value, dict) and all(name in value for name in NEEDED)


def read(path: Path, reading: Reading) -> Dataset:
    """Return the judgments of a model with the queries and passages; an empty passage is no document.

    Raises InputError for several models.
    """
    problems = Problems(path)
    rows = JudgmentRows(problems)
    queries: dict[str, Query] = {}
    documents: dict[str, Document] = {}
    others: dict[str, None] = {}
    model, failed = "", 0
    for line, value in json_lines(path, problems, reading):
        members = Members(value, problems, line)
        others |= dict.fromkeys(name for name in value if name not in TAKEN)
        named = members.id("model")
        model = model or named
        if named != model:
            members.wrong(
                f"is a judgment of {named[:60]!r}, those before are of {model[:60]!r}; import each apart"
            )
        before = len(problems)
        query = Query(_query_id(members, value), members.text("query"))
        document = Document(_passage_id(members, value), text=members.text("passage"))
        if len(problems) > before:
            continue
        if queries.setdefault(query.id, query) != query:
            members.wrong(f"the query {query.id[:60]!r} was stated otherwise before; keep one")
        if document.text and documents.setdefault(document.id, document) != document:
            members.wrong(f"the passage {document.id[:60]!r} was stated otherwise before; keep one")
        grade = value.get("judgment")
        if value.get("result_status", 1) == 0:
            failed += 1
        elif not isinstance(grade, int) or isinstance(grade, bool):
            members.wrong(f"the judgment {compact(grade)[:40]} is not a whole number; write one")
        else:
            rows.add(query.id, document.id, grade, line)
    table = rows.table(path.name)
    problems.check()
    if not model:
        raise refusal(path, f"holds no judgments; each line needs an object with {', '.join(NEEDED)}", 1)
    notes = [f"left out, as judgments have no place for them: {', '.join(others)}."] if others else []
    notes += (
        [f"left out, as the model gave no grade: {failed:,} lines with result_status 0."] if failed else []
    )
    return Dataset(
        list(queries.values()),
        list(documents.values()),
        judgments=replace(table, model=model),
        notes=tuple(f"{path.name}: {one}" for one in notes),
    )


def _query_id(members: Members, value: Mapping[str, object]) -> str:
    text = value.get("query")
    if "qid" in value or not isinstance(text, str):  # of which its text tells
        return members.query_id("qid") if "qid" in value else ""
    if wrong := query_id_problem(as_id(text)):
        members.wrong(wrong)
    return as_id(text)


def _passage_id(members: Members, value: Mapping[str, object]) -> str:
    text = value.get("passage")
    return members.id("docid") if "docid" in value else passage_id(text if isinstance(text, str) else "")


def passage_id(text: str) -> str:
    """Return what a passage without an id is called: it follows from its text."""
    return f"passage:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a line for each judgment, with its ids beside the texts."""
    queries = {one.id: one.text for one in dataset.queries}
    documents = {one.id: one.text for one in dataset.documents}
    table = dataset.judgments
    model = (table.model or table.source if table else "") or "unknown"
    with replacing(path, writing.step) as file:
        for query, document, grade in dataset.judged():
            texts = {"query": queries.get(query, ""), "passage": documents.get(document, "")}
            ids = {"qid": query, "docid": document}
            file.write(
                compact({"model": model, **ids, **texts, "judgment": grade, "result_status": 1}) + "\n"
            )


def details(dataset: Dataset) -> list[str]:
    """Return what is lost of queries and documents."""
    lost = unjudged(dataset, "UMBRELA judgments")
    if any(one.tags or one.guidelines or one.fields for one in dataset.queries):
        lost.append("UMBRELA judgments cannot hold tags, guidelines and other fields of queries.")
    if dataset.documents != ():
        lost.append("UMBRELA judgments cannot hold the documents' titles and other fields.")
    if dataset.judgments is not None and not dataset.judgments.model:
        lost.append(PEOPLE)
    return lost


FORMAT = Format(
    key="umbrela",
    title="UMBRELA judgments",
    extensions=(".jsonl",),
    holds=frozenset({"queries", "documents", "judgments"}),
    needs=frozenset({"judgments"}),
    named_by_text=True,
    partly={"documents": "the documents' texts"},
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
)
