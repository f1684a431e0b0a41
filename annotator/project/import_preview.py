"""A first look at files before they are imported: what each is taken for, its first rows, its columns."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from annotator.errors import InputError, UserError
from annotator.formats import grade_rules, registry, table_columns
from annotator.formats.declaration import PARTS, Part, Reading, refuse_odd
from annotator.formats.delimited import MOST_COLUMNS, delimiter_of
from annotator.formats.registry import FORMATS
from annotator.formats.strict_json import compact
from annotator.formats.table_columns import ROLES, mapping_of
from annotator.formats.text_lines import Problems, beginning

FIELD = table_columns.FIELD.rstrip(":")
ROWS = 4
CELL = 200
FEWEST_COLUMNS, MOST_FIELDS = 3, 6

Roles = Mapping[str, str]
"""Column -> what it holds; a column that is not named holds nothing that is imported."""

STATES: Mapping[Part, frozenset[str]] = {
    "queries": frozenset({"query"}),
    "documents": frozenset({"title", "text"}),
    "answers": frozenset({"answer"}),
    "gold": frozenset({"gold", "unanswerable"}),
    "runs": frozenset({"system", "rank", "score"}),
    "judgments": frozenset({"grade"}),
    "nuggets": frozenset(),
    "support": frozenset(),
}
"""The roles of a plain table that make it hold each part."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What the beginning of a file shows.

    `key` is the format it is taken for, None when none fits. `header` names the columns of `rows`, which are
    cut for the eye; it is empty where the file has no names for them. `problem` says why it cannot be read.
    """

    path: Path
    key: str | None
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    problem: str = ""

    @property
    def mapped(self) -> bool:
        """Whether the user says what the columns hold."""
        return self.key is not None and FORMATS[self.key].rows is not None and bool(self.header)

    def guessed(self) -> dict[str, str]:
        """Return what each column seems to hold, by its name; a query that is its own id is a query."""
        if not self.mapped:
            return {}
        guessed = mapping_of(self.header, {}, f"{self.path.parent.name}/{self.path.name}")
        return {column: role for role, column in reversed(guessed.items())}

    def holds(self, roles: Roles) -> set[Part]:
        """Return the parts the file can hold; those of a plain table follow from its columns."""
        if self.key is None:
            return set()
        if FORMATS[self.key].rows is not None:
            return {part for part in PARTS if STATES[part] & set(roles.values())}
        return set(FORMATS[self.key].holds)


def titles() -> dict[str, str]:
    """Return the title of every format by its key, the plain tables last."""
    return {key: one.title for key, one in FORMATS.items()}


def roles() -> tuple[str, ...]:
    """Return everything a column can hold; `field` is a document's, and any number of columns may be one."""
    return (*ROLES, FIELD)


def roles_in_words() -> str:
    """Return every role with the names by which its column is recognised, for the command's help."""
    lines = [f"{role} ({', '.join(names)})" if names else role for role, names in ROLES.items()]
    return "; ".join(lines)


def mapping_told(roles: Roles) -> dict[str, str]:
    """Return what a reader is told: role -> column, and "" for what no column holds."""
    named = {f"{role}:{column}" if role == FIELD else role: column for column, role in roles.items()}
    return dict.fromkeys(ROLES, "") | named


def rule_sentence(text: str) -> str:
    """Return what a rule for grades does, in words; raises UserError for one that cannot be read."""
    return grade_rules.parse(text).sentence


def glance(path: Path, key: str | None = None) -> Glance:
    """Look at the beginning of a file; `key` is what the user takes it for."""
    try:
        refuse_odd(path)
        if path.is_dir():
            form = registry.sniff(path)
            names = tuple((one.name,) for one in sorted(path.iterdir())[:ROWS])
            taken = key or (form.key if form else None)
            problem = "" if taken else str(InputError(registry.unknown(path)))
            return Glance(path, taken, (), names, problem)
        form = FORMATS[key] if key and FORMATS[key].magic else registry.sniff(path)
        if form is not None and form.magic and form.rows is not None:
            first = [row for _, row in islice(form.rows(path, Problems(path), Reading()), ROWS)]
            header = tuple(first[0])[:MOST_COLUMNS] if first else ()
            return Glance(path, form.key, header, _cut([[row[name] for name in header] for row in first]))
        text = beginning(path)
    except UserError as error:
        return Glance(path, key, problem=str(error))
    lines = [line for line in text.split("\n") if line.strip()]
    taken = key or (form.key if form else _table_like(lines))
    if taken == "csv":
        header, rows = _cells(text)
    elif (taken == "jsonl" or len(lines) > 1) and (objects := _objects(lines)):
        header = tuple(dict.fromkeys(name for one in objects for name in one))[:MOST_COLUMNS]
        rows = [[one.get(name, "") for name in header] for one in objects]
    else:
        header, rows = (), _fields(lines[:ROWS])
    if taken is None:
        return Glance(path, None, header, _cut(rows), str(InputError(registry.unknown(path))))
    return Glance(path, taken, header, _cut(rows))


def _cut(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cell[:CELL] for cell in row) for row in rows)


def _table_like(lines: Sequence[str]) -> str | None:
    """Return the plain table that lines look like whose columns have names nobody knows."""
    if lines and lines[0].startswith("{") and _objects(lines[:1]):
        return "jsonl"
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter_of(lines[0]) if lines else ",")
    try:
        widths = [len(row) for row, _ in zip(reader, range(2), strict=False)]
    except csv.Error:
        return None
    return "csv" if len(widths) == 2 and 1 < widths[0] == widths[1] else None


def _cells(text: str) -> tuple[tuple[str, ...], list[list[str]]]:
    whole = text.split("\n")
    reader = csv.reader((line + "\n" for line in whole), delimiter=delimiter_of(whole[0]))
    try:
        first = [row for row, _ in zip(reader, range(ROWS + 1), strict=False)]
    except csv.Error:
        return (), [[line] for line in whole[:ROWS]]
    header = tuple(cell.strip() for cell in first[0])[:MOST_COLUMNS] if first else ()
    return header, [(row + [""] * len(header))[: len(header)] for row in first[1:] if row]


def _objects(lines: Sequence[str]) -> list[dict[str, str]]:
    """Return the objects of the first lines as cells; nothing when the first is not a whole one."""
    rows: list[dict[str, str]] = []
    for line in lines[:ROWS]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            break
        if not isinstance(value, dict):
            break
        rows.append({name: cell if isinstance(cell, str) else compact(cell) for name, cell in value.items()})
    return rows


def _fields(lines: Sequence[str]) -> list[list[str]]:
    """Return lines as their fields where all have as many, else each as it is, as JSON and XML are."""
    if not any(line.startswith(("{", "[", "<")) for line in lines):
        for fields in ([line.rstrip("\r").split("\t") for line in lines], [line.split() for line in lines]):
            widths = {len(one) for one in fields}
            if len(widths) == 1 and FEWEST_COLUMNS <= min(widths) <= MOST_FIELDS:
                return fields
    return [[line] for line in lines]
