"""Nuggets and assignments as nuggetizer writes them, an object a line of JSON.

| nuggets | `query`, `qid`, `nuggets`: each `text`, `importance` (`vital`, `okay`) |
| assignments | the same, each nugget with an `assignment`; and whose: `run_id`, `answer_text`, or `docid` |

Source: castorini/nuggetizer 0.0.5, `cli/adapters.py` and its examples of input and output.
"""

from pathlib import Path
from typing import Any

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.strict_json import Members, compact, json_lines, parse
from annotator.formats.text_lines import Problems
from annotator.formats.whole_files import replacing
from annotator.records import AnswerParts, Dataset

ASSIGNMENTS = ("not_support", "partial_support", "support")
"""What nuggetizer calls the levels of a support, the lowest first."""

IMPORTANCES = ("vital", "okay")
TAKEN = ("query", "qid", "nuggets", "run_id", "answer_text", "docid", "response_length")
TAKEN_OF_NUGGETS = ("text", "importance", "assignment")


def recognises(head: Head) -> bool:
    """Say whether the first line is an object with the nuggets of a query."""
    first = head.lines[0] if head.lines else ""
    value = parse(first, Problems(Path(head.name))) if first.startswith("{") else None
    return isinstance(value, dict) and "qid" in value and isinstance(value.get("nuggets"), list)


def read(path: Path, reading: Reading) -> Dataset:
    """Return nuggets and assignments; raises InputError.

    The texts of the queries, which stand beside them, are those of other files.
    """
    problems, lines = Problems(path), []
    others: dict[str, None] = {}
    for number, value in json_lines(path, problems, reading):
        members = Members(value, problems, number)
        others |= dict.fromkeys(name for name in members.value if name not in TAKEN)
        if "nuggets" not in members.value:
            members.wrong("'nuggets' is missing; give it as [...]")
        nuggets = []
        for at, one in enumerate(members.items("nuggets"), 1):
            nugget = Members(one, problems, number, f"nugget {at}")
            strange = (name for name in nugget.value if name not in TAKEN_OF_NUGGETS)
            others |= dict.fromkeys(f"nuggets.{name}" for name in strange)
            nuggets.append(_nugget(nugget))
        query = members.query_id("qid")
        answer = members.text("answer_text") if "answer_text" in members.value else None
        document = members.id("docid") if "docid" in members.value else ""
        whose = members.text("run_id", ""), answer, document
        lines.append(AnswerParts(str(path), number, query, *whose, tuple(nuggets)))
    if not lines:
        problems.add(1, 'holds no nuggets; each line needs an object with "qid" and "nuggets"')
    problems.check()
    left_out = f"{path.name}: left out, as nuggets have no place for them: {', '.join(others)}."
    return Dataset(said=lines, notes=(left_out,) if others else ())


def _nugget(members: Members) -> tuple[str, str, int | None]:
    importance = members.text("importance")
    if importance and importance not in IMPORTANCES:
        members.wrong(f"the importance {importance[:60]!r} is none of {', '.join(IMPORTANCES)}")
    given = members.text("assignment") if "assignment" in members.value else None
    if given and given not in ASSIGNMENTS:
        members.wrong(f"the assignment {given[:60]!r} is none of {', '.join(ASSIGNMENTS)}")
    level = ASSIGNMENTS.index(given) if given in ASSIGNMENTS else None
    return " ".join(members.text("text").split()), importance, level


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a line for each query with nuggets, or for each of its answers that is judged by them."""
    texts = {one.id: one.text for one in dataset.queries}
    with replacing(path, writing.step) as file:
        for one in dataset.said:
            if one.nuggets:
                file.write(f"{compact(_line(one, texts.get(one.query_id, '')))}\n")


def _line(one: AnswerParts, text: str) -> dict[str, Any]:
    whose: dict[str, Any] = {}
    if one.answer is not None:
        whose = {"answer_text": one.answer, "response_length": len(one.answer.split())}
    if one.document:
        whose["docid"] = one.document
    if one.system:
        whose["run_id"] = one.system
    listed = [
        {"text": words, "importance": importance}
        | ({} if level is None else {"assignment": ASSIGNMENTS[level]})
        for words, importance, level in one.nuggets
    ]
    return {"query": text, "qid": one.query_id, **whose, "nuggets": listed}


FORMAT = Format(
    key="nuggets",
    title="Nuggets and assignments",
    extensions=(".jsonl",),
    holds=frozenset({"nuggets"}),
    beside=frozenset({"queries"}),
    recognises=recognises,
    reader=read,
    writer=write,
)
