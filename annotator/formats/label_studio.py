"""Label Studio: a list of tasks whose `data` names query and candidate and whose annotations rate them.

`data` is read as the row of a plain table (`query_id`, `document_id`, `text` ...). A rating is a `rating`, a
`number` or a single choice that is a whole number. Of several annotators one is read at a time: map the role
`annotator` to the id or address in `completed_by`. Cancelled annotations count as none.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from annotator.formats import numbers
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.jsonl_rows import cell_of
from annotator.formats.strict_json import Members, compact, json_file
from annotator.formats.table_rows import TableReader
from annotator.formats.table_writing import rows_of
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Json

ANNOTATOR = "annotator"


def recognises(head: Head) -> bool:
    """Say whether the file begins as a list of tasks."""
    return head.text.lstrip().startswith("[") and '"data"' in head.text and '"annotations"' in head.text


def read(path: Path, reading: Reading) -> Dataset:
    """Return queries, documents and one annotator's judgments."""
    problems = Problems(path)
    value = json_file(path, problems, reading)
    if not isinstance(value, list) or not value:
        raise refusal(path, 'holds no tasks: a list of {"data": {...}, "annotations": [...]}', 1)
    tasks = [Members(task, problems, 1, f"task {number}") for number, task in enumerate(value, 1)]
    rows = [{name: cell_of(one) for name, one in task.fields("data").items()} for task in tasks]
    told = dict(reading.mapping)
    grades = _grades(tasks, told.pop(ANNOTATOR, None), problems)
    problems.check()
    table = TableReader(path, problems, replace(reading, mapping=told))
    table.columns(dict.fromkeys(("grade", *(name for row in rows for name in row))))
    for row, grade in zip(rows, grades, strict=True):
        table.add({**row, "grade": "" if grade is None else str(grade)}, 1)
    return table.dataset()


def _grades(tasks: list[Members], told: str | None, problems: Problems) -> list[int | None]:
    """Return each task's grade by the annotator who is told, or the only one."""
    by_whom: dict[str, list[int | None]] = {}
    for at, task in enumerate(tasks):
        for annotation in task.items("annotations"):
            members = Members(annotation, problems, 1, task.where + "annotation")
            if members.value.get("was_cancelled"):
                continue
            column = by_whom.setdefault(_who(members.value.get("completed_by")), [None] * len(tasks))
            column[at] = _grade(members)
    if told is None and len(by_whom) > 1:
        names = ", ".join(sorted(by_whom))[:300]
        problems.add(1, f"holds annotations by several people ({names}); map {ANNOTATOR} to one of them")
    if told is not None and told not in by_whom:
        problems.add(1, f"holds no annotation by {told[:60]!r}, only by {', '.join(sorted(by_whom))[:300]}")
    name = told if told is not None else next(iter(by_whom), "")
    return by_whom.get(name, [None] * len(tasks))


def _who(value: Json) -> str:
    if isinstance(value, dict):
        value = value.get("email", value.get("id"))
    return "" if value is None else str(value)


def _grade(annotation: Members) -> int | None:
    """Return the first rating of an annotation, or None where it has none."""
    for result in annotation.items("result"):
        members = Members(result, annotation.problems, 1, annotation.where + "result")
        value = members.fields("value")
        choices = value.get("choices")
        single = choices[0] if isinstance(choices, list) and len(choices) == 1 else None
        rating = value.get("rating", value.get("number", single))
        if rating is None:
            continue
        grade = numbers.decimal(cell_of(rating))
        if grade is None or not grade.is_integer():
            members.wrong(f"the rating {str(rating)[:40]!r} is not a whole number; write one")
            return None
        return int(grade)
    return None


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a task for each judgment, with the texts of its query and document."""
    stated: dict[str, Mapping[str, Json]] = {}
    for row in rows_of(Dataset(queries=dataset.queries, documents=dataset.documents)):
        identity = row.get("query_id") or row.get("document_id")
        kind = "query" if "query_id" in row else "document"
        stated[f"{kind} {identity}"] = {name: cell for name, cell in row.items() if cell not in (None, "")}
    with replacing(path, writing.step) as file:
        file.write("[")
        for at, (query, document, grade) in enumerate(dataset.judged()):
            texts = {**stated.get(f"query {query}", {}), **stated.get(f"document {document}", {})}
            data = {**texts, "query_id": query, "document_id": document}
            file.write((",\n" if at else "\n") + compact(_task(at + 1, data, grade)))
        file.write("\n]\n")


def _task(number: int, data: Mapping[str, Json], grade: int) -> Json:
    rating: Json = {"rating": grade}
    result: Json = {"type": "rating", "from_name": "grade", "to_name": "text", "value": rating}
    return {"id": number, "data": dict(data), "annotations": [{"result": [result]}]}


def details(dataset: Dataset) -> list[str]:
    """Return what is lost of queries and documents that nobody judged."""
    unjudged = len({one.id for one in dataset.queries}.difference(query for query, _, _ in dataset.judged()))
    lost = [f"{unjudged} queries without any are"] if unjudged else []
    lost += ["documents that nobody judged are"] if dataset.documents != () else []
    return [f"Label Studio tasks are judged pairs; {one} left out." for one in lost]


FORMAT = Format(
    key="label-studio",
    title="Label Studio tasks",
    extensions=(".json",),
    holds=frozenset({"queries", "documents", "judgments"}),
    needs=frozenset({"judgments"}),
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
)
