"""Tables of cells: CSV and TSV with a header, quoted as RFC 4180 says, read strictly, every cell as text."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TextIO

from annotator.formats import numbers
from annotator.formats.declaration import Reading, Writing
from annotator.formats.text_lines import Problems, byte_lines, text_of
from annotator.records import TEXT_BYTES
from annotator.text.formulas import formula_note, harmless

MOST_COLUMNS = 400
csv.field_size_limit(TEXT_BYTES)

Cell = str | int | float | None


def rows(
    path: Path, problems: Problems, reading: Reading, delimiter: str | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of every row, the header first; the delimiter is guessed from it unless given.

    Empty lines are passed over. A row with another number of cells than the header is a problem, so is a
    quote out of place.
    """
    since: list[str] = []
    lines = _lines(path, problems, reading, since)
    blank = 0
    for header in lines:
        if header.strip():
            break
        blank += 1
    else:
        return
    delimiter = delimiter or delimiter_of(header)
    reader = csv.reader(chain([header], lines), delimiter=delimiter, strict=True)
    names: list[str] = []
    line = blank + 1
    since[:] = [header]
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            problems.add(line, *_unsplit("".join(since), error))
            cells = []
        if cells is None:
            return
        if cells:
            names = names or [cell.strip() for cell in cells]
            if len(cells) > MOST_COLUMNS:
                problems.add(line, f"has {len(cells):,} columns; at most {MOST_COLUMNS} are taken")
                return
            if len(cells) == len(names):
                problems.place_of = partial(_place, since, delimiter, line, names)
                yield line, cells
            else:
                problems.add(
                    line,
                    f"has {len(cells)} cells, the header has {len(names)}; quote cells with {delimiter!r}",
                )
        line = blank + reader.line_num + 1
        since.clear()


def _lines(path: Path, problems: Problems, reading: Reading, since: list[str]) -> Iterator[str]:
    """Yield every line, and keep it in `since`; one that is no UTF-8 comes too, so that all are named."""
    for number, line in byte_lines(path, problems, reading, lone_returns=True):
        text = text_of(line, number, problems)
        since.append(f"{line.decode('utf-8', 'replace') if text is None else text}\n")
        yield since[-1]


def _unsplit(record: str, error: csv.Error) -> tuple[str, int | None]:
    """Return why a record cannot be split into cells, and where that shows."""
    if "new-line character" in str(error):
        told = "holds a carriage return without a line feed outside quotes; save it with LF or CRLF line ends"
        return told, len(re.split(r"\r(?!\n)", record, maxsplit=1)[0]) + 1
    return f"cannot be split into cells ({error}); check the quotes", None


def _place(
    record: Sequence[str], delimiter: str, line: int, names: Sequence[str], name: str
) -> tuple[int, int] | None:
    """Return line and column, in characters from 1, at which a record's last cell with this name begins."""
    if name not in names:
        return None
    wanted, quoted, at = len(names) - 1 - names[::-1].index(name), False, 0
    for number, text in enumerate(record):
        for column, char in enumerate(text):
            if at == wanted:
                return line + number, column + 1
            quoted ^= char == '"'
            at += char == delimiter and not quoted
    return None


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
    """Raise InputError for a header that gives two columns one name; columns without any are left out."""
    for twice in sorted({name for name in names if name and names.count(name) > 1}):
        problems.add(line, f"two columns are named {twice[:60]!r}; rename one", cell=twice)
    problems.check()


def write_rows(
    file: TextIO, names: Sequence[str], rows: Iterable[Sequence[Cell]], writing: Writing, delimiter: str = ","
) -> None:
    """Write a header and rows, and note the first cell that a spreadsheet would take for a formula."""
    write_row(file, names, delimiter)
    for number, cells in enumerate(rows, 1):
        if not writing.notes and (note := formula_note(names, [cells], writing.for_spreadsheets)):
            writing.notes.append(note.replace("in row 1,", f"in row {number},"))
        write_row(file, cells, delimiter, writing.for_spreadsheets)


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
    if for_spreadsheets:
        cell = harmless(cell)
    if any(char in cell for char in (delimiter, '"', "\n", "\r")) or cell != cell.strip():
        quoted = cell.replace('"', '""')
        return f'"{quoted}"'
    return cell
