"""Excel workbooks: one sheet that is a plain table with a header, by openpyxl (extra `xlsx`).

A cell's text is what the cell holds, not what it looks like, with one exception: a number that is shown with
leading zeros, as ids are, keeps them. A formula counts as the value that was saved with it.
"""

import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from annotator.errors import UserError
from annotator.formats import numbers
from annotator.formats.declaration import IN_TABLES, Format, Reading, Writing
from annotator.formats.delimited import MOST_COLUMNS, header_problems
from annotator.formats.table_cells import missing, text_of_cell
from annotator.formats.table_columns import is_table
from annotator.formats.table_rows import read_rows
from annotator.formats.table_writing import columns_of, rows_of
from annotator.formats.text_lines import UNPACKED_FREE, UNPACKED_RATIO, Problems, refusal
from annotator.formats.whole_files import replacing_bytes
from annotator.records import Dataset

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

MAGIC = b"PK\x03\x04"
MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
"""What a sheet and a cell of Excel hold."""

NO_MOMENT = datetime(1980, 1, 1)
"""What stands for the moment of writing: the earliest an archive can bear."""

STEP_ROWS = 1_000
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_TO_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)|[\r\ufffe\uffff]")


class _Undated(zipfile.ZipFile):
    """An archive of members without their moment of writing: the same table is the same bytes at any time."""

    def open(self, name: str | zipfile.ZipInfo, *arguments: Any, **named: Any) -> IO[bytes]:
        if isinstance(name, zipfile.ZipInfo) and self.mode == "w":
            name.date_time = NO_MOMENT.timetuple()[:6]
        return super().open(name, *arguments, **named)


@contextmanager
def _workbook(path: Path) -> "Iterator[Workbook]":
    """Give an open workbook; raises InputError for what is none, MissingExtra without openpyxl."""
    try:
        import openpyxl
    except ImportError:
        raise missing("Excel workbooks", "xlsx") from None
    with ExitStack() as stack:
        try:
            with zipfile.ZipFile(path) as parts:
                size = sum(one.file_size for one in parts.infolist())
                if size > UNPACKED_FREE + UNPACKED_RATIO * path.stat().st_size:
                    raise refusal(
                        path, f"unpacks to {size:,} bytes, far more than its own size; it is not read"
                    )
                if "xl/workbook.xml" not in parts.namelist():
                    raise refusal(path, "is a zip file but no Excel workbook; unpack it first")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what a sheet has beside its cells
                file = stack.enter_context(path.open("rb"))  # by its name, a file would have to end in .xlsx
                book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        except zipfile.BadZipFile:
            raise refusal(path, "is no text, and no Excel workbook that can be read; save it again") from None
        except OSError as error:
            raise refusal(path, f"cannot be read ({error.strerror or error})") from None
        except UserError:
            raise
        except Exception as error:
            raise refusal(
                path, f"is a damaged Excel workbook ({type(error).__name__}); save it again"
            ) from error
        try:
            yield book
        finally:
            book.close()


def rows(path: Path, problems: Problems, reading: Reading) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (row, cells by the names of their columns) of the one sheet that is a table."""
    with _workbook(path) as book:
        try:
            sheet = _table(path, book)
            names: list[str] = []
            total = sheet.max_row or 0
            for line, row in enumerate(sheet.iter_rows(), 1):
                if line % STEP_ROWS == 1:
                    reading.watch.step(line, total, f"Reading {path.name}")
                if len(row) > MOST_COLUMNS:
                    raise refusal(path, f"has {len(row):,} columns; at most {MOST_COLUMNS} are taken", line)
                cells = [_text(cell, line, problems) for cell in row]
                if not any(cells):
                    continue
                if not names:
                    names = [cell.strip() for cell in cells]
                    header_problems([name for name in names if name], line, problems)
                    continue
                cells += [""] * (len(names) - len(cells))  # a row ends with its last cell
                if any(cell for name, cell in zip_longest(names, cells, fillvalue="") if not name):
                    problems.add(line, "holds a cell below no name; name its column in the header")
                    continue
                yield line, {name: cell for name, cell in zip(names, cells, strict=False) if name}
        except UserError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise refusal(path, f"is a damaged Excel workbook ({kind}); save it again") from error


def _table(path: Path, book: "Workbook") -> Any:
    """Return the only sheet with cells, or the only one whose first row names columns that are known."""
    filled = [sheet for sheet in book.worksheets if _first(sheet)]
    tables = filled if len(filled) == 1 else [sheet for sheet in filled if is_table(_first(sheet))]
    if len(tables) != 1:
        names = ", ".join(repr(sheet.title) for sheet in (tables or filled)[:5])
        raise refusal(
            path,
            f"has several sheets that may be meant: {names}; save the one to read as a workbook of its own"
            if filled
            else "holds no rows below a header; give a table with a header",
            1,
        )
    return tables[0]


def _first(sheet: Any) -> list[str]:
    """Return the texts of the first row that holds any."""
    for row in sheet.iter_rows(max_row=100, values_only=True):
        if names := [str(value).strip() for value in row if value is not None and str(value).strip()]:
            return names
    return []


def _text(cell: Any, line: int, problems: Problems) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "e":
        problems.add(line, f"the cell {cell.coordinate} holds the error {value}; mend its formula")
        return ""
    if isinstance(value, str):
        return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
    zeros = cell.number_format or ""
    if isinstance(value, int) and len(zeros) > 1 and set(zeros) == {"0"}:
        return str(value).zfill(len(zeros))
    return text_of_cell(value)


def read(path: Path, reading: Reading) -> Dataset:
    """Return what the rows of the sheet state."""
    return read_rows(path, reading, rows)


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a row for each thing; texts are texts, never formulas. Raises UserError for what has no room."""
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.writer.excel import ExcelWriter
    except ImportError:
        raise missing("Excel workbooks", "xlsx") from None
    columns = columns_of(dataset)
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Annotator")

    def cell_of(value: object) -> Any:
        if isinstance(value, float) and float(f"{value:.16g}") != value:
            value = numbers.shown(value)  # openpyxl writes 16 digits
        if not isinstance(value, str):
            return value
        text = _TO_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", value)
        if len(text) > MOST_CHARACTERS:
            raise UserError(
                f"A text of {len(value):,} characters ({value[:40]!r}…) does not fit in a cell of Excel, "
                f"which holds {MOST_CHARACTERS:,}; write CSV, JSON lines or Parquet instead."
            )
        cell = WriteOnlyCell(sheet, text)
        cell.data_type = "s"  # also what begins with =
        return cell

    try:
        sheet.append(columns)
        for number, row in enumerate(rows_of(dataset), 2):
            if number > MOST_ROWS:
                raise UserError(
                    f"A sheet of Excel holds {MOST_ROWS:,} rows, and there are more; write CSV, JSON lines "
                    "or Parquet instead."
                )
            if writing.step is not None and number % STEP_ROWS == 0:
                writing.step(0)
            sheet.append([cell_of(row.get(column)) for column in columns])
    finally:
        sheet.close()
    if writing.step is not None:
        writing.step(0)
    book.properties.created = book.properties.modified = NO_MOMENT
    with replacing_bytes(path) as file, _Undated(file, "w", zipfile.ZIP_DEFLATED) as archive:
        ExcelWriter(book, archive).save()


FORMAT = Format(
    key="xlsx",
    title="Excel workbook",
    extensions=(".xlsx",),
    holds=IN_TABLES,
    magic=MAGIC,
    rows=rows,
    reader=read,
    writer=write,
)
