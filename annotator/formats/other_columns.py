"""Columns of a plain table that have no role: kept as fields of what its rows state, or named as left out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from annotator.formats.text_lines import Problems
from annotator.records import Document, Query, text_problem

MOST_NAMED = 10
Thing = TypeVar("Thing", Query, Document)


class OtherColumns:
    """Columns without a role: further fields of the documents whose texts a table holds, else of its queries.

    What differs between the rows of one document or query is said about something else, and left out.
    """

    def __init__(self, columns: Iterable[str], roles: Mapping[str, str], problems: Problems) -> None:
        self._problems = problems
        taken = set(roles.values())
        self._columns = [one for one in columns if one.strip() and one not in taken]
        texts = "document_id" in roles and bool({"title", "text"} & roles.keys())
        queries = "document_id" not in roles and "query" in roles
        self._of = "document_id" if texts else "query_id" if queries else ""
        self._values: dict[str, dict[str, str]] = {}
        self._differing: set[str] = set()

    def add(self, row: Mapping[str, str], cells: Mapping[str, str], line: int) -> None:
        """Take the cells of one row."""
        if not (self._columns and self._of and cells.get(self._of)):
            return
        known = self._values.setdefault(cells[self._of], {})
        for column in self._columns:
            value = row.get(column, "")
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

    def _fields(self, identity: str) -> dict[str, str]:
        values = self._values[identity].items()
        return {column: value for column, value in values if column not in self._differing}

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
        if self._columns and not self._of:
            lines.append(
                f"{name}: left out, as no role of a column is known for them: {_named(self._columns)}."
            )
        return tuple(lines)


def _named(columns: list[str]) -> str:
    more = f" and {len(columns) - MOST_NAMED:,} more" if columns[MOST_NAMED:] else ""
    return ", ".join(columns[:MOST_NAMED]) + more
