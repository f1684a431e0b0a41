"""Label Studio: a list of tasks whose `data` names query and candidate and whose annotations rate them.

`data` is read as the row of a plain table (`query_id`, `document_id`, `text` ...). A rating is a `rating`, a
`number` or a single choice; a choice may be a word that a rule for grades maps. The judgments of several
annotators are kept apart by the address, or id, in `completed_by`; mapping the role `annotator` to one of
these reads that one alone. Cancelled annotations count as none.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.grade_words import GradeWords
from annotator.formats.jsonl_rows import cell_of
from annotator.formats.strict_json import Members, compact, json_file
from annotator.formats.table_rows import TableReader
from annotator.formats.table_writing import rows_of
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Json, id_problem

ANNOTATOR = "annotator"


def recognises(head: Head) -> bool:
    """Say whether the file begins as a list of tasks."""
    return head.text.lstrip().startswith("[") and '"data"' in head.text and '"annotations"' in head.text


def read(path: Path, reading: Reading) -> Dataset:
    """Return queries, documents and the judgments, those of several annotators under their names."""
    problems = Problems(path)
    value = json_file(path, problems, reading)
    if not isinstance(value, list) or not value:
        raise refusal(path, 'holds no tasks: a list of {"data": {...}, "annotations": [...]}', 1)
    tasks = [Members(task, problems, 1, f"task {number}") for number, task in enumerate(value, 1)]
    rows = [{name: cell_of(one) for name, one in task.fields("data").items()} for task in tasks]
    told = dict(reading.mapping)
    words = GradeWords(reading.words)
    grades = _grades(tasks, told.pop(ANNOTATOR, None), words, problems)
    words.ask(path, problems)
    problems.check()
    return by_person(path, replace(reading, mapping=told), rows, grades)


def by_person(
    path: Path, reading: Reading, rows: list[dict[str, str]], grades: Mapping[str, list[str]]
) -> Dataset:
    """Return what rows of a plain table state, with the grades of each row by every person, "" for none."""
    problems = Problems(path)
    header = dict.fromkeys(("grade", *(name for row in rows for name in row)))
    held: dict[str, Dataset] = {}
    for who, column in grades.items():
        table = TableReader(path, problems, reading)
        table.columns(header)
        for row, grade in zip(rows, column, strict=True):
            table.add({**row, "grade": grade}, 1)
        held[who] = table.dataset()
    problems.check()
    one = next(iter(held.values()))
    if len(held) == 1:
        return one
    return replace(
        one, judgments=None, people={who: each.judgments for who, each in held.items() if each.judgments}
    )


def _grades(
    tasks: list[Members], told: str | None, words: GradeWords, problems: Problems
) -> dict[str, list[str]]:
    """Return each task's grade, "" for none, by every annotator, or by the one who is told."""
    by_whom: dict[str, list[str]] = {}
    for at, task in enumerate(tasks):
        for annotation in task.items("annotations"):
            members = Members(annotation, problems, 1, task.where + "annotation")
            if members.value.get("was_cancelled"):
                continue
            who = _who(members.value.get("completed_by"))
            if wrong := id_problem(who or "nobody"):
                members.wrong(f"'completed_by': {wrong}")
            column = by_whom.setdefault(who, [""] * len(tasks))
            column[at] = _grade(members, words)
    if told is not None and told not in by_whom:
        problems.add(1, f"holds no annotation by {told[:60]!r}, only by {', '.join(sorted(by_whom))[:300]}")
    if len(by_whom) > 1 and "" in by_whom and told is None:
        problems.add(1, "holds annotations with and without 'completed_by'; say of each whose it is")
    if told is not None:
        return {told: by_whom.get(told, [""] * len(tasks))}
    return by_whom or {"": [""] * len(tasks)}


def _who(value: Json) -> str:
    if isinstance(value, dict):
        value = value.get("email", value.get("id"))
    return "" if value is None else str(value)


def _grade(annotation: Members, words: GradeWords) -> str:
    """Return the first rating of an annotation, "" where it has none."""
    for result in annotation.items("result"):
        members = Members(result, annotation.problems, 1, annotation.where + "result")
        value = members.fields("value")
        choices = value.get("choices")
        single = choices[0] if isinstance(choices, list) and len(choices) == 1 else None
        rating = value.get("rating", value.get("number", single))
        if rating is None:
            continue
        cell = cell_of(rating)
        _, wrong = words.grade(cell, 1)
        if wrong:
            members.wrong(wrong)
        return cell
    return ""


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a task for each judgment, with the texts of its query and document."""
    write_list(path, writing, (_task(at, *one) for at, one in enumerate(judged_rows(dataset), 1)))


def write_list(path: Path, writing: Writing, items: Iterable[Json]) -> None:
    """Write a JSON list, an item a line."""
    with replacing(path, writing.step) as file:
        file.write("[")
        for at, item in enumerate(items):
            file.write((",\n" if at else "\n") + compact(item))
        file.write("\n]\n")


def judged_rows(dataset: Dataset) -> Iterator[tuple[dict[str, Json], int]]:
    """Yield for each judgment what the dataset says of its query and document, and the grade."""
    stated: dict[str, Mapping[str, Json]] = {}
    for row in rows_of(Dataset(queries=dataset.queries, documents=dataset.documents)):
        identity = row.get("query_id") or row.get("document_id")
        kind = "query" if "query_id" in row else "document"
        stated[f"{kind} {identity}"] = {name: cell for name, cell in row.items() if cell not in (None, "")}
    for query, document, grade in dataset.judged():
        texts = {**stated.get(f"query {query}", {}), **stated.get(f"document {document}", {})}
        yield {**texts, "query_id": query, "document_id": document}, grade


def _task(number: int, data: Mapping[str, Json], grade: int) -> Json:
    rating: Json = {"rating": grade}
    result: Json = {"type": "rating", "from_name": "grade", "to_name": "text", "value": rating}
    return {"id": number, "data": dict(data), "annotations": [{"result": [result]}]}


def details(dataset: Dataset) -> list[str]:
    """Return what is lost of queries and documents that nobody judged."""
    return unjudged(dataset, "Label Studio tasks")


def unjudged(dataset: Dataset, what: str) -> list[str]:
    """Return what a format that holds judged pairs loses of queries and documents that nobody judged."""
    queries = len({one.id for one in dataset.queries}.difference(query for query, _, _ in dataset.judged()))
    lost = [f"{queries} queries without any are"] if queries else []
    lost += ["documents that nobody judged are"] if dataset.documents != () else []
    return [f"{what} are judged pairs; {one} left out." for one in lost]


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
