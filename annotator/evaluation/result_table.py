"""The one table that every screen and report shows: typed columns, and how a cell reads to a person.

A view on screen or a writer of a format (CSV, HTML, Markdown, LaTeX, JSON) computes nothing.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.text.levels import as_levels
from annotator.text.small_tables import html_table
from annotator.text.visible import visible

Cell: TypeAlias = str | int | float | None
"""None and NaN both read as "no value" (–): a missing score is never shown as 0."""

Cells: TypeAlias = Sequence[Cell] | NDArray[Any]

Place: TypeAlias = tuple[int, int]

Kind = Literal["text", "count", "number", "p", "share", "grade"]

MISSING = "–"
INTERVALS = "intervals"
"""What intervals are called among what a caption explains."""

NAMES = "names"
"""The key of a column that holds all the names of a row."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading, what stands in it, how many decimals a person sees, which value is best.

    `key` is the column's name in CSV and JSON; it is the title unless given. `bar` asks for a bar behind
    values from 0 to 1 where a renderer can draw one, `shade` for a shade of each cell between the shades of
    these two values; from -x to x, what is below zero has another colour. `prose` says that its texts are
    read to their end: a screen breaks them into lines. `begins` is the first of some columns that belong
    together, before which a screen draws a line.
    """

    title: str
    kind: Kind = "number"
    decimals: int = 4
    best: Literal["high", "low"] | None = None
    note: str = ""
    key: str = ""
    bar: bool = False
    shade: tuple[float, float] | None = None
    prose: bool = False
    begins: bool = False

    @property
    def name(self) -> str:
        """The name for machines."""
        return self.key or self.title


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns and their cells; `data[c][r]` is a cell, each column a list or an array of the same length.

    Cells are named by (row, column): `marks` are signs such as † for significant, `intervals` the low and
    high end around an estimate. `explains` has the words of the caption that tell what a sign says, or what
    intervals are: they go with the last one.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    data: tuple[Cells, ...]
    caption: str = ""
    marks: Mapping[Place, str] = field(default_factory=dict)
    intervals: Mapping[Place, tuple[float, float]] = field(default_factory=dict)
    explains: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_rows(
        cls,
        key: str,
        title: str,
        columns: tuple[Column, ...],
        rows: Iterable[tuple[Cell, ...]],
        caption: str = "",
        marks: Mapping[Place, str] | None = None,
    ) -> "Table":
        """Return a table from its rows."""
        data = tuple(list(cells) for cells in zip(*rows, strict=True)) or tuple([] for _ in columns)
        return cls(key, title, columns, data, caption, marks or {})

    @classmethod
    def of(cls, key: str, title: str, items: Iterable[object], columns: tuple[Column, ...]) -> "Table":
        """Return a table with a row for each item: a column shows the attribute that it is named by."""
        rows = [tuple(getattr(one, column.name) for column in columns) for one in items]
        return cls.of_rows(key, title, columns, rows)

    def noted(self, note: str) -> "Table":
        """Return the table with one more sentence at the end of its caption."""
        return replace(self, caption=f"{self.caption} {note}".strip())

    def in_levels(self) -> "Table":
        """Return the table with the words for levels, which stand in the place of grades."""
        columns = (replace(one, title=as_levels(one.title), note=as_levels(one.note)) for one in self.columns)
        title, caption = as_levels(self.title), as_levels(self.caption)
        return replace(self, title=title, columns=tuple(columns), caption=caption)

    def __len__(self) -> int:
        return len(self.data[0]) if self.data else 0

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The cells row by row, arrays as Python's own numbers."""
        return list(zip(*(plain(cells) for cells in self.data), strict=True))

    def _repr_html_(self) -> str:
        """Return the table as notebooks show it: the best values bold, intervals below, then the caption."""

        def text(row: int, at: int, cell: Cell) -> str:
            ends = self.intervals.get((row, at))
            below = (
                "" if ends is None else "\n{} to {}".format(*(shown(self.columns[at], end) for end in ends))
            )
            return f"{shown(self.columns[at], cell)}{self.marks.get((row, at), '')}{below}"

        return html_table(
            [one.title for one in self.columns],
            [[text(row, at, cell) for at, cell in enumerate(cells)] for row, cells in enumerate(self.rows)],
            [one.kind != "text" for one in self.columns],
            self.caption,
            best_cells(self),
        )


def intervals_below(table: Table, estimate: str, low: str = "low", high: str = "high") -> Table:
    """Return a table whose columns `low` and `high` stand below the estimate of that name, as on a screen."""
    names = [column.name for column in table.columns]
    kept = [at for at, name in enumerate(names) if name not in (low, high)]
    place = kept.index(names.index(estimate))
    ends = zip(*(plain(table.data[names.index(end)]) for end in (low, high)), strict=True)
    rest = columns_of(table, kept)
    below = {
        (row, place): (float(lower), float(upper))
        for row, (lower, upper) in enumerate(ends)
        if isinstance(lower, float) and isinstance(upper, float) and lower == lower and upper == upper
    }
    return replace(rest, intervals={**rest.intervals, **below})


def with_ends(table: Table) -> Table:
    """Return a table whose intervals are two more columns, behind their estimate."""
    places: list[int] = []
    columns: list[Column] = []
    data: list[Cells] = []
    for at, (column, cells) in enumerate(zip(table.columns, table.data, strict=True)):
        places.append(len(columns))
        columns.append(column)
        data.append(cells)
        found = {row: ends for (row, of), ends in table.intervals.items() if of == at}
        for end, name in enumerate(("low", "high") if found else ()):
            columns.append(replace(column, title=f"{column.title} {name}", key=f"{column.name}_{name}"))
            data.append([found[row][end] if row in found else None for row in range(len(table))])
    marks = {(row, places[at]): sign for (row, at), sign in table.marks.items()}
    return replace(table, columns=tuple(columns), data=tuple(data), marks=marks, intervals={})


def naming(table: Table) -> int:
    """Return how many columns name the rows: the texts before the first value; of texts alone two."""
    texts = [one.kind == "text" for one in table.columns]
    return min(2, len(texts)) if all(texts) else max(texts.index(False), 1)


def names_joined(table: Table) -> Table:
    """Return a table whose rows are named in one column, with commas; one of texts alone as it is."""
    lead = naming(table)
    if lead < 2 or all(one.kind == "text" for one in table.columns):
        return table
    title = ", ".join(one.title for one in table.columns[:lead])
    names = [", ".join(filter(None, map(str, row[:lead]))) for row in table.rows]
    return replace(
        table,
        columns=(Column(title, "text", key=NAMES), *table.columns[lead:]),
        data=(names, *table.data[lead:]),
        marks={(row, max(at - lead + 1, 0)): sign for (row, at), sign in table.marks.items()},
        intervals={(row, at - lead + 1): ends for (row, at), ends in table.intervals.items()},
    )


def in_parts(table: Table, widest: int = 16) -> tuple[Table, ...]:
    """Return a table that a page is too narrow for as several; else itself.

    Each has the columns that name the rows, and at least one other.
    """
    lead = naming(table)
    rest = range(lead, len(table.columns))
    count = -(-len(rest) // max(widest - lead, 1))
    if count < 2:
        return (table,)
    ends = [number * len(rest) // count for number in range(count + 1)]
    parts = [columns_of(table, [*range(lead), *rest[low:high]]) for low, high in pairwise(ends)]
    return tuple(
        replace(
            part,
            key=f"{table.key}-{number}" if number > 1 else table.key,
            title=f"{table.title} ({number} of {count})",
            caption=table.caption if number == count else "",
        )
        for number, part in enumerate(parts, 1)
    )


def columns_of(table: Table, places: Sequence[int]) -> Table:
    """Return a table with these of its columns, and what belongs to their cells."""
    now = {at: place for place, at in enumerate(places)}
    chosen = replace(
        table,
        columns=tuple(table.columns[at] for at in places),
        data=tuple(table.data[at] for at in places),
        marks={(row, now[at]): sign for (row, at), sign in table.marks.items() if at in now},
        intervals={(row, now[at]): ends for (row, at), ends in table.intervals.items() if at in now},
    )
    return explaining_what_is_shown(chosen)


def rows_of(table: Table, rows: Sequence[int]) -> Table:
    """Return a table with these of its rows, in this order, and what belongs to their cells."""
    now = {row: place for place, row in enumerate(rows)}
    return replace(
        table,
        data=tuple([cells[row] for row in rows] for cells in map(plain, table.data)),
        marks={(now[row], at): sign for (row, at), sign in table.marks.items() if row in now},
        intervals={(now[row], at): ends for (row, at), ends in table.intervals.items() if row in now},
    )


def chosen(table: Table, names: Sequence[str] = (), digits: int | None = None) -> Table:
    """Return a table with these columns alone, in this order, by name or title, and so many decimals.

    No names mean all. Counts and grades stay whole; a share in per cent gets so many decimals, too. Raises
    UserError for a column that is not there.
    """
    places = [_place(table, name) for name in names] or range(len(table.columns))
    asked = columns_of(table, list(dict.fromkeys(places)))
    if digits is None:
        return asked
    columns = [replace(one, decimals=digits + 3 * (one.kind == "share")) for one in asked.columns]
    return replace(asked, columns=tuple(columns))


def _place(table: Table, name: str) -> int:
    for at, column in enumerate(table.columns):
        if name in (column.name, column.title):
            return at
    known = ", ".join(column.name for column in table.columns)
    raise UserError(f"The table {table.key!r} has no column {name!r}; it has {known}.")


def explaining_what_is_shown(table: Table) -> Table:
    """Return a table whose caption says nothing of signs and intervals that it does not show."""
    caption = table.caption
    for sign, words in table.explains.items():
        there = bool(table.intervals) if sign == INTERVALS else sign in "".join(table.marks.values())
        caption = caption if there else " ".join(caption.replace(words, "").split())
    return replace(table, caption=caption)


def without_intervals(table: Table) -> Table:
    """Return a table as a writer shows it that has no room for intervals below their estimates."""
    return explaining_what_is_shown(replace(table, intervals={}))


def plain(cells: Cells) -> Sequence[Cell]:
    """Return a column's cells as Python's own values."""
    return cells.tolist() if isinstance(cells, np.ndarray) else cells


def is_missing(cell: Cell) -> bool:
    """Say whether a cell has no value."""
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def shown(column: Column, cell: Cell) -> str:
    """Return a cell as a person reads it, rounded to the column's decimals.

    A p-value is never shown as 0: below its last decimal it reads "< 0.0001". A share is shown in per cent.
    """
    if cell is None or is_missing(cell):
        return MISSING
    if isinstance(cell, str) or column.kind == "text":
        return visible(str(cell))
    if column.kind in ("count", "grade"):
        return str(round(cell))
    if column.kind == "share":
        return f"{100 * cell:.{max(column.decimals - 3, 0)}f} %"
    if column.kind == "p":
        smallest = f"{10.0**-column.decimals:.{column.decimals}f}"
        return f"< {smallest}" if cell < float(smallest) else f"{cell:.{column.decimals}f}"
    if math.isinf(cell):
        return "∞" if cell > 0 else "−∞"
    text = f"{cell:.{column.decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def exact(cell: Cell) -> str:
    """Return a cell for a machine: the shortest text that reads back to the same value, "" if missing."""
    if cell is None or is_missing(cell):
        return ""
    return repr(float(cell)) if isinstance(cell, float) else str(cell)


def best_cells(table: Table) -> frozenset[Place]:
    """Return the (row, column) of the best values of each column that has a best, ties included.

    Values are compared as shown, so that two rows that read alike are both best; a column of one row, or one
    whose values are all alike, has no best.
    """
    best: set[Place] = set()
    for at, column in enumerate(table.columns):
        if column.best is None:
            continue
        values = {
            row: round(float(cell), column.decimals)
            for row, cell in enumerate(plain(table.data[at]))
            if isinstance(cell, int | float) and not is_missing(cell)
        }
        if len(set(values.values())) < 2:
            continue
        top = max(values.values()) if column.best == "high" else min(values.values())
        best.update((row, at) for row, value in values.items() if value == top)
    return frozenset(best)
