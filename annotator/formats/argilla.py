"""Argilla: a list of records with responses and suggestions, as `dataset.records.to_json` writes them.

`fields` and `metadata` of a record are read as the row of a plain table (`query_id`, `document_id`, `text`
...), `id` where a role is said to be in it. `responses` hold for each question what every user answered; the
grades are those of the one question there is, or of the one that the role `grade` is said to be in. They are
kept apart by `user_id`. A question that has no responses but `suggestions` is what their `agent` judged: a
model. Source: argilla-io/argilla, `Record.to_dict` and `records/_io`; flattened records are plain tables.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.grade_words import GradeWords
from annotator.formats.jsonl_rows import cell_of
from annotator.formats.label_studio import by_person, judged_rows, unjudged, write_list
from annotator.formats.strict_json import Members, json_file
from annotator.formats.text_lines import Problems, refusal
from annotator.records import Dataset, Json, id_problem

QUESTION = "grade"
NOBODY = "00000000-0000-0000-0000-000000000000"
TAKEN = ("id", "fields", "metadata", "responses", "suggestions", "_server_id")


def recognises(head: Head) -> bool:
    """Say whether the file begins as a list of records."""
    names = ('"fields"', '"responses"', '"suggestions"')
    return head.text.lstrip().startswith("[") and all(name in head.text for name in names)


def read(path: Path, reading: Reading) -> Dataset:
    """Return queries, documents and the judgments of users, or where there are none, of an agent."""
    problems = Problems(path)
    value = json_file(path, problems, reading)
    if not isinstance(value, list) or not value:
        raise refusal(path, 'holds no records: a list of {"fields": {...}, "responses": {...}}', 1)
    records = [Members(one, problems, 1, f"record {number}") for number, one in enumerate(value, 1)]
    told = dict(reading.mapping)
    question, kind = _question(records, told.pop(QUESTION, ""), problems)
    rows = [_row(one, "id" in told.values()) for one in records]
    words = GradeWords(reading.words)
    grades = _grades(records, question, kind, words)
    words.ask(path, problems)
    problems.check()
    found = by_person(path, replace(reading, mapping=told), rows, grades)
    if kind == "suggestions" and found.judgments is not None:
        found = replace(found, judgments=replace(found.judgments, model="".join(grades)))
    left_out = _left_out(records, question, kind)
    note = f"{path.name}: left out, as judgments have no place for them: {', '.join(left_out)}."
    return replace(found, notes=(*found.notes, note)) if left_out else found


def _row(record: Members, with_id: bool) -> dict[str, str]:
    named = {"id": record.value.get("id")} if with_id else {}
    cells = {**named, **record.fields("metadata"), **record.fields("fields")}
    return {name: cell_of(one) for name, one in cells.items()}


def _question(records: list[Members], told: str, problems: Problems) -> tuple[str, str]:
    """Return the question whose answers are the grades, and whether these are responses or suggestions."""
    for kind in ("responses", "suggestions"):
        names = dict.fromkeys(name for one in records for name in one.fields(kind))
        if told in names or (len(names) == 1 and not told):
            return told or next(iter(names)), kind
        if len(names) > 1 and not told:
            shown = ", ".join(names)[:300]
            problems.add(1, f"holds several questions ({shown}); say which holds the grades, as grade=NAME")
            break
    else:
        if told:
            problems.add(1, f"holds no question {told[:60]!r} with answers")
    return "", ""


def _grades(records: list[Members], question: str, kind: str, words: GradeWords) -> dict[str, list[str]]:
    """Return each record's grade, "" for none, by everybody who answered."""
    by_whom: dict[str, list[str]] = {}
    for at, record in enumerate(records):
        given = record.fields(kind).get(question) if kind else None
        for answer in given if isinstance(given, list) else [given] if given is not None else []:
            members = Members(answer, record.problems, 1, f"{record.where}{question}")
            who = members.text("user_id" if kind == "responses" else "agent", "")
            if wrong := id_problem(who or "nobody"):
                members.wrong(wrong)
            column = by_whom.setdefault(who, [""] * len(records))
            cell = cell_of(members.value.get("value"))
            grade, wrong = words.grade(cell, 1)
            if wrong:
                members.wrong(wrong)
            elif column[at]:
                members.wrong(f"{who[:60]!r} answered twice; keep one answer")
            column[at] = cell if grade is not None else ""
    if kind == "suggestions" and len(by_whom) > 1:
        records[0].problems.add(1, f"holds suggestions of several agents ({', '.join(by_whom)[:300]})")
    return by_whom or {"": [""] * len(records)}


def _left_out(records: list[Members], question: str, kind: str) -> list[str]:
    """Return the names of what is not taken, each once."""
    answers = {
        f"{part}.{name}": None
        for part in ("responses", "suggestions")
        for one in records
        for name in one.fields(part)
        if (name, part) != (question, kind)
    }
    others = {name: None for one in records for name, held in one.value.items() if name not in TAKEN and held}
    return [*answers, *others]


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a record for each judgment, with the texts of its query and document."""
    write_list(path, writing, (_record(at, *one) for at, one in enumerate(judged_rows(dataset), 1)))


def _record(number: int, data: Mapping[str, Json], grade: int) -> Json:
    response: Json = {"value": grade, "user_id": NOBODY}
    return {
        "id": str(number),
        "fields": dict(data),
        "metadata": {},
        "suggestions": {},
        "responses": {QUESTION: [response]},
        "vectors": {},
        "_server_id": None,
    }


def details(dataset: Dataset) -> list[str]:
    """Return what is lost of queries and documents that nobody judged."""
    return unjudged(dataset, "Argilla records")


FORMAT = Format(
    key="argilla",
    title="Argilla records",
    extensions=(".json",),
    holds=frozenset({"queries", "documents", "judgments"}),
    needs=frozenset({"judgments"}),
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
)
