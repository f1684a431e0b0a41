"""Tables of cells: CSV and TSV with a header, quoted as RFC 4180 says, read strictly, every cell as text."""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TextIO

from annotator.formats import numbers
from annotator.formats.declaration import Reading
from annotator.formats.text_lines import Problems, byte_lines, text_of
from annotator.records import TEXT_BYTES

MOST_COLUMNS = 400
csv.field_size_limit(TEXT_BYTES)

Cell = str | int | float | None

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def rows(
    path: Path, problems: Problems, reading: Reading, delimiter: str | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of every row, the header first; the delimiter is guessed from it unless given.

    Empty lines are passed over. A row with another number of cells than the header is a problem, so is a
    quote out of place.
    """
    lines = _lines(path, problems, reading)
    blank = 0
    for header in lines:
        if header.strip():
            break
        blank += 1
    else:
        return
    delimiter = delimiter or delimiter_of(header)
    reader = csv.reader(chain([header], lines), delimiter=delimiter, strict=True)
    width = 0
    line = blank + 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            problems.add(line, f"cannot be split into cells ({error}); check the quotes")
            return
        if cells is None:
            return
        if cells:
            width = width or len(cells)
            if len(cells) > MOST_COLUMNS:
                problems.add(line, f"has {len(cells):,} columns; at most {MOST_COLUMNS} are taken")
                return
            if len(cells) == width:
                yield line, cells
            else:
                problems.add(
                    line, f"has {len(cells)} cells, the header has {width}; quote cells with {delimiter!r}"
                )
        line = blank + reader.line_num + 1


def _lines(path: Path, problems: Problems, reading: Reading) -> Iterator[str]:
    for number, line in byte_lines(path, problems, reading, lone_returns=True):
        text = text_of(line, number, problems)
        problems.check()
        yield f"{text}\n"


def delimiter_of(header: str) -> str:
    """Return the one of tab, semicolon and comma that stands most often in a header."""
    return max("\t;,", key=header.count) if header.strip() else ","


def named_rows(
    path: Path, problems: Problems, reading: Reading, delimiter: str | None = None
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, cells by the names of their columns); a name given twice is a problem."""
    names: list[str] | None = None
    for line, cells in rows(path, problems, reading, delimiter):
        if names is None:
            names = [cell.strip() for cell in cells]
            header_problems(names, line, problems)
            continue
        yield line, dict(zip(names, cells, strict=True))


def header_problems(names: Sequence[str], line: int, problems: Problems) -> None:
    """Raise InputError for a header that gives two columns one name."""
    for twice in sorted({name for name in names if names.count(name) > 1}):
        problems.add(line, f"two columns are named {twice[:60]!r}; rename one")
    problems.check()


def write_row(
    file: TextIO, cells: Sequence[Cell], delimiter: str = ",", for_spreadsheets: bool = False
) -> None:
    """Write one row. For spreadsheets a text that would be taken for a formula gets a leading apostrophe."""
    file.write(delimiter.join(_cell(cell, delimiter, for_spreadsheets) for cell in cells) + "\n")


def _cell(cell: Cell, delimiter: str, for_spreadsheets: bool) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return numbers.shown(cell) if isinstance(cell, float) else str(cell)
    if for_spreadsheets and cell.startswith(FORMULA_STARTS):
        cell = f"'{cell}"
    if any(char in cell for char in (delimiter, '"', "\n", "\r")) or cell != cell.strip():
        quoted = cell.replace('"', '""')
        return f'"{quoted}"'
    return cell
