"""Columns of a plain table that have no role: kept as fields of what its rows state, or named as left out."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from annotator.formats.table_columns import FIELD, REST
from annotator.formats.text_lines import Problems
from annotator.records import Document, Query, text_problem

MOST_NAMED = 10
Thing = TypeVar("Thing", Query, Document)


class OtherColumns:
    """Columns without a role: further fields of the documents whose texts a table holds, else of its queries.

    What differs between the rows of one document or query is said about something else, and left out. What
    is told to be a field is one of the documents, also where the table has no texts of theirs.
    """

    def __init__(self, columns: Iterable[str], roles: Mapping[str, str], problems: Problems) -> None:
        self._problems = problems
        told = {column: role.removeprefix(FIELD) for role, column in roles.items() if role.startswith(FIELD)}
        taken = {column for role, column in roles.items() if not role.startswith(FIELD)}
        columns = list(columns)
        self._nameless = any(not one.strip() for one in columns)
        rest = [one for one in columns if one.strip() and one not in taken and one not in told]
        texts = "document_id" in roles and bool({"title", "text"} & roles.keys())
        queries = "document_id" not in roles and "query" in roles
        self._of = "document_id" if texts or told else "query_id" if queries else ""
        self._told = bool(told)
        kept = {column: name for column, name in told.items() if column != REST}
        if not told or texts or REST in told:
            kept |= {column: column for column in rest}
        self._names = kept
        self._columns = list(kept)
        self._without = [one for one in rest if one not in kept]
        self._values: dict[str, dict[str, str]] = {}
        self._differing: set[str] = set()

    def add(self, row: Mapping[str, str], cells: Mapping[str, str], line: int) -> None:
        """Take the cells of one row."""
        if not (self._columns and self._of and cells.get(self._of)):
            return
        known = self._values.setdefault(cells[self._of], {})
        for column in self._columns:
            value = str(row.get(column, ""))
            if wrong := text_problem(value, column):
                self._problems.add(line, wrong)
            elif value and known.setdefault(column, value) != value:
                self._differing.add(column)

    def kept_by(self, role: str, stated: Iterable[Thing]) -> list[Thing]:
        """Return documents, or queries, with their further fields; those that are stated go before."""
        if role != self._of or not self._columns:
            return list(stated)
        return [
            replace(one, fields={**self._fields(one.id), **one.fields}) if one.id in self._values else one
            for one in stated
        ]

    def only_fields(self, stated: Container[str]) -> list[Document]:
        """Return the documents of which nothing is stated but the fields that were told."""
        if not self._told:
            return []
        found = {one: self._fields(one) for one in self._values if one not in stated}
        return [Document(one, fields=fields) for one, fields in found.items() if fields]

    def _fields(self, identity: str) -> dict[str, str]:
        values = self._values[identity].items()
        return {self._names[column]: value for column, value in values if column not in self._differing}

    def notes(self, name: str) -> tuple[str, ...]:
        """Return what became of them in sentences."""
        whose = "document" if self._of == "document_id" else "query"
        kept = [one for one in self._columns if self._of and one not in self._differing]
        lines = []
        if kept:
            lines.append(f"{name}: kept as fields of each {whose}: {_named(kept)}.")
        if self._differing:
            differing = [one for one in self._columns if one in self._differing]
            lines.append(f"{name}: left out, as rows of one {whose} differ in them: {_named(differing)}.")
        without = self._without if self._of else self._columns
        if without:
            lines.append(f"{name}: left out, as no role of a column is known for them: {_named(without)}.")
        if self._nameless:
            lines.append(f"{name}: left out: what stands in a column without a name.")
        return tuple(lines)


def _named(columns: list[str]) -> str:
    more = f" and {len(columns) - MOST_NAMED:,} more" if columns[MOST_NAMED:] else ""
    return ", ".join(columns[:MOST_NAMED]) + more
