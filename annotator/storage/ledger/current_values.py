"""The current tables, one value per subject: what the newest event about the subject left behind.

A value is JSON as it stands in events (`before`, `after`); None means that there is nothing. What says
nothing is left out of a value, so that equal states are equal texts. `annotator/tasks.py` declares the tasks:

| task | value |
|---|---|
| grade | state, grade, reason, how (of `WITH_OTHERS`), time, milliseconds, and the marks |
| gold | answers (text, aliases, document, start, end), unanswerable |
| query | note, difficulty |
| adjudication | grade, reason |
| rating, support, citation | grade (the level), as (its words), time |
| preference | grade (0 the first, 1 equal, 2 the second), as, left (the id of one of the two), time |
| what settles one | grade, reason |
| nugget | text, importance, place, into (the nugget it was merged into) |
| unblind, lead, practice, ready | true |
| assignment | groups (people, queries), shares, counted, judgments, seed |
| setting, snapshot | any |
| plan | what a comparison draws from, and with which limit of the risk |
| block | the grades of the drawn pairs that were closed together, a character each |
| text | what an import changed of `queries`, `documents` or `answers`: the names of `TEXTS` |
| import | what was brought, with its digests; no current value |
| together | grade, how, candidates, and `of` which one they are near-duplicates; no current value |
| repeat | grade on being asked again, `first` before; no current value |
| session | the heads that the session saw; no current value |

Grades have a table of their own, `judgment`, whose columns the evaluator reads; texts stand with the content;
all the others are rows of `value`.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from annotator.errors import ProjectError
from annotator.records import GoldList, Json
from annotator.tasks import GRADE, checked_level, declared, parts

Subject = tuple[str, ...]

COLUMNS = ("state", "grade", "time")
"""The parts of a grade's value that are columns of `judgment`; the others stand `beside` them."""

TEXTS: dict[str, dict[str, Json]] = {
    "queries": {"text": "", "tags": [], "guidelines": "", "fields": {}},
    "documents": {"title": "", "text": "", "fields": {}},
    "answers": {"fields": {}, "passage": "", "start": None, "end": None},
}
"""What an import may replace of each kind of content, with the defaults."""

ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def canonical(value: Json) -> str:
    """Return the one JSON text of a value: sorted names, no spaces, no escapes that are not needed."""
    return ENCODER.encode(value)


def without_nothing(values: dict[str, Any]) -> dict[str, Any] | None:
    """Return the parts that say something (not None, False or an empty text), or None when none does."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value != ""
    } or None


def without_defaults(values: dict[str, Any], defaults: dict[str, Json]) -> dict[str, Any] | None:
    """Return what differs from the defaults, or None when nothing does."""
    return {name: value for name, value in values.items() if value != defaults[name]} or None


def known_keys(db: sqlite3.Connection, table: str, ids: Iterable[str]) -> dict[str, int]:
    """Return the keys of those external ids of queries or candidates that are there."""
    rows = db.execute(
        f"SELECT external, id FROM {table} WHERE external IN (SELECT value FROM json_each(?))",
        (canonical(list(ids)),),
    )
    return dict(rows.fetchall())


def query_key(db: sqlite3.Connection, external: str) -> int:
    """Return the key of a query by its external id; raises ProjectError when there is none."""
    return external_key(db, "query", external)


def candidate_key(db: sqlite3.Connection, external: str) -> int:
    """Return the key of a candidate by its external id; raises ProjectError when there is none."""
    return external_key(db, "candidate", external)


def external_key(db: sqlite3.Connection, table: str, external: str) -> int:
    """Return the key of a query or candidate by its external id; raises ProjectError when there is none."""
    row = db.execute(f"SELECT id FROM {table} WHERE external = ?", (external,)).fetchone()
    if row is None:
        raise ProjectError(f"The project holds no {table} with the id {external!r}.")
    return int(row[0])


def keys(db: sqlite3.Connection, task: str, subject: Subject) -> tuple[int | None, int | None]:
    """Return the keys of the first query and candidate that a subject names, None where it names none.

    Raises ProjectError when one of them is not there.
    """
    named = parts(task, subject)
    query = external_key(db, "query", named["query"]) if "query" in named else None
    return query, external_key(db, "candidate", named["candidate"]) if "candidate" in named else None


def owner(task: str, annotator: int) -> int:
    """Return under whose key a value stands: the annotator's, or 0 for the project's."""
    return annotator if declared(task).own else 0


def read(db: sqlite3.Connection, task: str, annotator: int, subject: Subject) -> Any:
    """Return the current value of a subject, None when there is nothing."""
    if task == GRADE.name:
        row = db.execute(
            "SELECT state, grade, time, beside FROM judgment "
            "WHERE annotator = ? AND query = ? AND candidate = ?",
            (annotator, *keys(db, task, subject)),
        ).fetchone()
        return judgment_value(row) if row else None
    if task == "text":
        return read_text(db, subject[0], subject[1])
    row = db.execute(
        "SELECT value FROM value WHERE task = ? AND annotator = ? AND subject = ?",
        (task, owner(task, annotator), canonical(list(subject))),
    ).fetchone()
    return json.loads(row[0]) if row else None


def write(db: sqlite3.Connection, task: str, annotator: int, subject: Subject, value: Any) -> None:
    """Make a value the current one of its subject; None removes it.

    Raises UserError for a subject that is not there and for a grade that is none of the task's levels.
    """
    if not declared(task).kept:
        return
    if declared(task).levels and isinstance(value, dict) and value.get("grade") is not None:
        checked_level(task, value["grade"])
    if task == "text":
        write_text(db, subject[0], subject[1], value or {})
    elif task == GRADE.name:
        pair = (annotator, *keys(db, task, subject))
        if value is None:
            db.execute("DELETE FROM judgment WHERE annotator = ? AND query = ? AND candidate = ?", pair)
        else:
            row = (*pair, *judgment_columns(value))
            db.execute("REPLACE INTO judgment VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    else:
        of = (task, owner(task, annotator), canonical(list(subject)))
        at = keys(db, task, subject)
        if value is None:
            db.execute("DELETE FROM value WHERE task = ? AND annotator = ? AND subject = ?", of)
        else:
            db.execute("REPLACE INTO value VALUES (?, ?, ?, ?, ?, ?)", (*of, *at, canonical(value)))


def judgment_columns(value: dict[str, Any]) -> tuple[object, ...]:
    """Return a grade's value as the columns state, grade, time and beside."""
    beside = {name: part for name, part in value.items() if name not in COLUMNS}
    return (*map(value.get, COLUMNS), canonical(beside))


def judgment_value(row: Sequence[Any]) -> dict[str, Any] | None:
    """Return the value of a grade's columns state, grade, time and beside."""
    *columns, beside = row
    return without_nothing(dict(zip(COLUMNS, columns, strict=True)) | json.loads(beside))


def comes_back(task: str, subject: Subject, value: Any) -> bool:
    """Tell whether the tables give a value back as it was said: those with columns cannot hold any JSON."""
    level = value.get("grade") if isinstance(value, dict) and declared(task).levels else None
    if level is not None and (type(level) is not int or level not in declared(task).levels):
        return False
    if value is None or task not in (GRADE.name, "text"):
        return True
    if not isinstance(value, dict):
        return False
    if task == GRADE.name:
        kinds = {"state": str, "grade": int, "time": int}
        columns = {name: type(value[name]) for name in COLUMNS if name in value}
        return columns.items() <= kinds.items() and without_nothing(value) == value
    defaults = TEXTS.get(subject[0], {})
    return value.keys() <= defaults.keys() and all(
        part != defaults[name] and type(part) is (int if defaults[name] is None else type(defaults[name]))
        for name, part in value.items()
    )


def of_gold(gold: GoldList) -> dict[str, Any] | None:
    """Return the value of a gold list."""
    answers = [
        {"text": one.text}
        | ({"aliases": list(one.aliases)} if one.aliases else {})
        | (without_nothing({"document": one.document_id, "start": one.start, "end": one.end}) or {})
        for one in gold.answers
    ]
    return without_nothing({"answers": answers or None, "unanswerable": gold.unanswerable})


def read_text(db: sqlite3.Connection, part: str, external: str) -> dict[str, Any] | None:
    """Return what may be replaced of a query, document or answer; None when it is blank or not there."""
    columns, table = (
        ("text, tags, guidelines, fields", "query")
        if part == "queries"
        else ('title, text, fields, passage, start, "end"', "content JOIN candidate ON id = candidate")
    )
    row = db.execute(f"SELECT {columns} FROM {table} WHERE external = ?", (external,)).fetchone()
    return text_value(part, row) if row else None


def text_value(part: str, row: Sequence[Any]) -> dict[str, Any] | None:
    """Return the value of a row: of a query its four columns, else those of `content` from the title on."""
    names = TEXTS[part]
    columns = row[2:] if part == "answers" else row
    values = {
        name: json.loads(value) if name in ("tags", "fields") else value
        for name, value in zip(names, columns, strict=False)
    }
    return without_defaults(values, names)


def write_text(db: sqlite3.Connection, part: str, external: str, value: dict[str, Any]) -> None:
    """Put a text into its row, if that is there; the digest is the caller's to mend."""
    names = TEXTS[part]
    columns = ", ".join(f'"{name}" = ?' for name in names)
    values = [value.get(name, default) for name, default in names.items()]
    row = [canonical(one) if isinstance(one, (list, dict)) else one for one in values]
    if part == "queries":
        db.execute(f"UPDATE query SET {columns} WHERE external = ?", (*row, external))
    else:
        of = "candidate = (SELECT id FROM candidate WHERE external = ?)"
        db.execute(f"UPDATE content SET {columns} WHERE {of}", (*row, external))
