"""The current tables, one value per subject: what the newest event about the subject left behind.

A value is JSON as it stands in events (`before`, `after`); None means that there is nothing. Defaults are
left out of a value, so that equal states are equal texts. Subjects are external ids:

| kind | subject | value |
|---|---|---|
| judgment | query, candidate (of one annotator) | the names of `JUDGMENT` |
| gold | query | answers (text, aliases, document, start, end), unanswerable |
| query | query | note, difficulty |
| adjudication | query, candidate | grade, reason |
| unblind | query (of one annotator) | true |
| setting, snapshot | name | any |
| text | `queries`, `documents` or `answers`, id | what an import changed: the names of `TEXTS` |
| import | `import` + 16 hex digits | what was brought, with its digests; no current row of its own |
| repeat | query, candidate (of one annotator) | grade on being asked again, `first` before; no current row |
| session | nothing | the heads that the session saw; no current row |
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from annotator.errors import ProjectError
from annotator.records import GoldList, Json

Subject = tuple[str, ...]

OF_ONE_ANNOTATOR = frozenset({"judgment", "unblind"})
"""Kinds whose subject belongs to the annotator of the event."""

WITHOUT_VALUE = frozenset({"import", "repeat", "session"})
"""Kinds that leave no current value behind: each event stands for itself."""

JUDGMENT = ("state", "grade", "reason", "flagged", "note", "rationale", "time", "milliseconds")
JUDGMENT_DEFAULTS: dict[str, Json] = dict(
    zip(JUDGMENT, (None, None, "", False, "", "", None, None), strict=True)
)
GOLD = ("text", "aliases", "document", "start", "end")

TEXTS: dict[str, dict[str, Json]] = {
    "queries": {"text": "", "tags": [], "guidelines": "", "fields": {}},
    "documents": {"title": "", "text": "", "fields": {}},
    "answers": {"passage": "", "start": None, "end": None},
}
"""What an import may replace of each kind of content, with the defaults."""


ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def canonical(value: Json) -> str:
    """Return the one JSON text of a value: sorted names, no spaces, no escapes that are not needed."""
    return ENCODER.encode(value)


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
    row = db.execute("SELECT id FROM query WHERE external = ?", (external,)).fetchone()
    if row is None:
        raise ProjectError(f"The project holds no query with the id {external!r}.")
    return int(row[0])


def candidate_key(db: sqlite3.Connection, external: str) -> int:
    """Return the key of a candidate by its external id; raises ProjectError when there is none."""
    row = db.execute("SELECT id FROM candidate WHERE external = ?", (external,)).fetchone()
    if row is None:
        raise ProjectError(f"The project holds no candidate with the id {external!r}.")
    return int(row[0])


def read(db: sqlite3.Connection, kind: str, annotator: int, subject: Subject) -> Any:
    """Return the current value of a subject, None when there is nothing."""
    match kind:
        case "judgment":
            row = db.execute(
                "SELECT state, grade, reason, flagged, note, rationale, time, milliseconds FROM judgment "
                "WHERE annotator = ? AND query = ? AND candidate = ?",
                (annotator, query_key(db, subject[0]), candidate_key(db, subject[1])),
            ).fetchone()
            return judgment_value(row) if row else None
        case "gold":
            key = query_key(db, subject[0])
            rows = db.execute(
                'SELECT text, aliases, document, start, "end" FROM gold WHERE query = ? ORDER BY position',
                (key,),
            )
            mark = db.execute("SELECT unanswerable FROM query_state WHERE query = ?", (key,)).fetchone()
            return gold_value(rows.fetchall(), bool(mark and mark[0]))
        case "query":
            row = db.execute(
                "SELECT note, difficulty FROM query_state WHERE query = ?", (query_key(db, subject[0]),)
            ).fetchone()
            return query_value(*row) if row else None
        case "adjudication":
            row = db.execute(
                "SELECT grade, reason FROM adjudication WHERE query = ? AND candidate = ?",
                (query_key(db, subject[0]), candidate_key(db, subject[1])),
            ).fetchone()
            return {"grade": row[0], "reason": row[1]} if row else None
        case "unblind":
            row = db.execute(
                "SELECT 1 FROM unblinded WHERE annotator = ? AND query = ?",
                (annotator, query_key(db, subject[0])),
            ).fetchone()
            return True if row else None
        case "text":
            return read_text(db, subject[0], subject[1])
        case "setting" | "snapshot":
            row = db.execute(f"SELECT value FROM {kind} WHERE name = ?", subject).fetchone()
            return json.loads(row[0]) if row else None
    return None


def write(db: sqlite3.Connection, kind: str, annotator: int, subject: Subject, value: Any) -> None:
    """Make a value the current one of its subject; None removes it."""
    match kind:
        case "judgment":
            put(
                db,
                "judgment",
                (annotator, query_key(db, subject[0]), candidate_key(db, subject[1])),
                judgment_columns(value) if value else None,
            )
        case "gold":
            write_gold(db, query_key(db, subject[0]), value or {})
        case "query":
            key = query_key(db, subject[0])
            state = value or {}
            db.execute(
                "INSERT INTO query_state(query, unanswerable, note, difficulty) VALUES (?, 0, ?, ?) "
                "ON CONFLICT (query) DO UPDATE SET note = excluded.note, difficulty = excluded.difficulty",
                (key, state.get("note", ""), state.get("difficulty", "")),
            )
            db.execute(FORGET_BLANK, (key,))
        case "adjudication":
            keys = (query_key(db, subject[0]), candidate_key(db, subject[1]))
            put(db, "adjudication", keys, (value["grade"], value.get("reason", "")) if value else None)
        case "unblind":
            put(db, "unblinded", (annotator, query_key(db, subject[0])), () if value else None)
        case "text":
            write_text(db, subject[0], subject[1], value or {})
        case "setting" | "snapshot":
            put(db, kind, subject, None if value is None else (canonical(value),))


FORGET_BLANK = (
    "DELETE FROM query_state WHERE query = ? AND NOT unanswerable AND note = '' AND difficulty = ''"
)

KEYS = {
    "judgment": ("annotator", "query", "candidate"),
    "adjudication": ("query", "candidate"),
    "unblinded": ("annotator", "query"),
    "setting": ("name",),
    "snapshot": ("name",),
}


def put(db: sqlite3.Connection, table: str, keys: Sequence[object], values: Sequence[object] | None) -> None:
    """Replace the row with these keys, or remove it when there are no values."""
    if values is None:
        where = " AND ".join(f"{name} = ?" for name in KEYS[table])
        db.execute(f"DELETE FROM {table} WHERE {where}", keys)
    else:
        row = (*keys, *values)
        db.execute(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def judgment_columns(value: dict[str, Any]) -> tuple[object, ...]:
    """Return a judgment's columns in the order of `JUDGMENT`."""
    return tuple(value.get(name, default) for name, default in JUDGMENT_DEFAULTS.items())


def judgment_value(row: Sequence[Any]) -> dict[str, Any] | None:
    """Return the value of a judgment's columns in the order of `JUDGMENT`."""
    values = dict(zip(JUDGMENT, row, strict=True))
    values["flagged"] = bool(values["flagged"])
    return without_defaults(values, JUDGMENT_DEFAULTS)


def gold_value(rows: Sequence[Sequence[Any]], unanswerable: bool) -> dict[str, Any] | None:
    """Return the value of a query's gold answers, given as rows in the order of `GOLD`."""
    answers = []
    for text, aliases, document, start, end in rows:
        answer = {"text": text}
        spare = zip(GOLD[1:], (json.loads(aliases), document, start, end), strict=True)
        answer |= {name: value for name, value in spare if value not in ([], None)}
        answers.append(answer)
    value: dict[str, Any] = {"answers": answers} if answers else {}
    return (value | {"unanswerable": True} if unanswerable else value) or None


def of_gold(gold: GoldList) -> dict[str, Any] | None:
    """Return the value of a gold list."""
    rows = [
        (one.text, canonical(list(one.aliases)), one.document_id, one.start, one.end) for one in gold.answers
    ]
    return gold_value(rows, gold.unanswerable)


def gold_rows(value: dict[str, Any]) -> list[tuple[object, ...]]:
    """Return the rows (position, text, aliases, document, start, end) of a gold value."""
    return [
        (
            position,
            answer["text"],
            canonical(answer.get("aliases", [])),
            answer.get("document"),
            answer.get("start"),
            answer.get("end"),
        )
        for position, answer in enumerate(value.get("answers", ()))
    ]


def write_gold(db: sqlite3.Connection, query: int, value: dict[str, Any]) -> None:
    """Replace a query's gold answers and its mark."""
    db.execute("DELETE FROM gold WHERE query = ?", (query,))
    rows = [(query, *row) for row in gold_rows(value)]
    db.executemany("INSERT INTO gold VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.execute(
        "INSERT INTO query_state(query, unanswerable, note, difficulty) VALUES (?, ?, '', '') "
        "ON CONFLICT (query) DO UPDATE SET unanswerable = excluded.unanswerable",
        (query, int(value.get("unanswerable", False))),
    )
    db.execute(FORGET_BLANK, (query,))


def query_value(note: str, difficulty: str) -> dict[str, Any] | None:
    """Return the value of what annotators say of a query."""
    return without_defaults({"note": note, "difficulty": difficulty}, {"note": "", "difficulty": ""})


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
    columns = row[3:] if part == "answers" else row
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
