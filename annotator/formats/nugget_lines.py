"""Nuggets and assignments as nuggetizer writes them, an object a line of JSON.

| nuggets | `query`, `qid`, `nuggets`: each `text`, `importance` (`vital`, `okay`) |
| assignments | the same, each nugget with an `assignment`; and whose: `run_id`, `answer_text`, or `docid` |

Source: castorini/nuggetizer 0.0.5, `cli/adapters.py` and its examples of input and output.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.formats.declaration import Reading
from annotator.formats.strict_json import Members, compact, json_lines
from annotator.formats.text_lines import Problems
from annotator.formats.whole_files import replacing

ASSIGNMENTS = ("not_support", "partial_support", "support")
"""What nuggetizer calls the levels of a support, the lowest first."""

IMPORTANCES = ("vital", "okay")
TAKEN = ("query", "qid", "nuggets", "run_id", "answer_text", "docid", "response_length")
TAKEN_OF_NUGGETS = ("text", "importance", "assignment")


@dataclass(frozen=True, slots=True)
class NuggetLine:
    """One line: nuggets of a query as (text, importance, level or None), and to whose answer they belong.

    `answer` is None where the line has no text of an answer.
    """

    line: int
    query: str
    nuggets: tuple[tuple[str, str, int | None], ...]
    system: str = ""
    answer: str | None = None
    document: str = ""


@dataclass(frozen=True, slots=True)
class NuggetFile:
    """The lines of a file, and the names of the fields that nothing takes."""

    lines: tuple[NuggetLine, ...]
    left_out: tuple[str, ...]
    problems: Problems


def read(path: Path) -> NuggetFile:
    """Return what a file of nuggets or assignments holds; raises InputError with every line that is wrong.

    What is found wrong later, beside a project, is added to `problems` of the file.
    """
    problems, lines = Problems(path), []
    others: dict[str, None] = {}
    for number, value in json_lines(path, problems, Reading()):
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
        answer = members.text("answer_text") if "answer_text" in members.value else None
        of = members.query_id("qid"), tuple(nuggets), members.text("run_id", ""), answer
        lines.append(NuggetLine(number, *of, members.id("docid") if "docid" in members.value else ""))
    if not lines:
        problems.add(1, 'holds no nuggets; each line needs an object with "qid" and "nuggets"')
    problems.check()
    return NuggetFile(tuple(lines), tuple(others), problems)


def _nugget(members: Members) -> tuple[str, str, int | None]:
    importance = members.text("importance")
    if importance and importance not in IMPORTANCES:
        members.wrong(f"the importance {importance[:60]!r} is none of {', '.join(IMPORTANCES)}")
    given = members.text("assignment") if "assignment" in members.value else None
    if given and given not in ASSIGNMENTS:
        members.wrong(f"the assignment {given[:60]!r} is none of {', '.join(ASSIGNMENTS)}")
    level = ASSIGNMENTS.index(given) if given in ASSIGNMENTS else None
    return " ".join(members.text("text").split()), importance, level


def write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write lines as they are read."""
    with replacing(path) as file:
        for line in lines:
            file.write(f"{compact(line)}\n")


def line_of(
    query: str,
    text: str,
    nuggets: Sequence[tuple[str, str, int | None]],
    system: str = "",
    answer: str | None = None,
    document: str = "",
) -> dict[str, Any]:
    """Return one line to write; `nuggets` are (text, importance, level or None)."""
    whose: dict[str, Any] = {}
    if answer is not None:
        whose = {"answer_text": answer, "response_length": len(answer.split())}
    if document:
        whose["docid"] = document
    if system:
        whose["run_id"] = system
    listed = [
        {"text": words, "importance": importance}
        | ({} if level is None else {"assignment": ASSIGNMENTS[level]})
        for words, importance, level in nuggets
    ]
    return {"query": text, "qid": query, **whose, "nuggets": listed}
