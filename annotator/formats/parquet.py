"""Parquet: a plain table in columns that have types, by pyarrow (extra `parquet`).

Rows are counted from 1. A column without values counts as empty; NaN, which stands for a missing number in
tables that pandas wrote, too.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from annotator.formats.declaration import IN_TABLES, Format, Reading, Writing
from annotator.formats.delimited import MOST_COLUMNS, header_problems
from annotator.formats.table_cells import missing, text_of_cell
from annotator.formats.table_rows import read_rows
from annotator.formats.table_writing import columns_of, rows_of
from annotator.formats.text_lines import UNPACKED_FREE, UNPACKED_RATIO, Problems, refusal, unreadable
from annotator.formats.whole_files import replacing_bytes
from annotator.records import Dataset

MAGIC = b"PAR1"
WRITTEN = 10_000
READ = 256
"""So many rows are written, and read, at once: a text of a few bytes may be a megabyte in every row."""

WHOLE = ("rank", "grade", "start", "end", "gold_start", "gold_end")
"""The columns of whole numbers; `score` holds numbers, the others texts."""


def pyarrow_here() -> Any:
    """Return pyarrow; raises MissingExtra where it is not installed."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError:
        raise missing("Parquet files", "parquet") from None
    return pyarrow


@contextmanager
def refusing(path: Path, arrow: Any) -> Iterator[None]:
    """Turn what pyarrow finds wrong in a file into an InputError."""
    try:
        yield
    except (arrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise unreadable(path, error) from error
        wrong = " ".join(str(error).split())[:200]
        raise refusal(path, f"is no sound Parquet file ({wrong}); write it again") from None


def rows(path: Path, problems: Problems, reading: Reading) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (row, cells by the names of their columns)."""
    arrow = pyarrow_here()
    with refusing(path, arrow), arrow.parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        if len(names) > MOST_COLUMNS:
            raise refusal(path, f"has {len(names):,} columns; at most {MOST_COLUMNS} are taken", 1)
        header_problems(names, 1, problems)
        total, number, size = file.metadata.num_rows, 0, 0
        most = UNPACKED_FREE + UNPACKED_RATIO * path.stat().st_size
        for batch in file.iter_batches(READ):
            reading.watch.step(number, total, f"Reading {path.name}")
            for row in batch.to_pylist():
                size += sum(len(cell) for cell in row.values() if isinstance(cell, str))
                if size > most:
                    raise refusal(path, f"unpacks to more than {most:,} characters, far beyond its own size")
                number += 1
                yield number, {name: _text(name, cell, number, problems) for name, cell in row.items()}


def _text(name: str, cell: object, number: int, problems: Problems) -> str:
    try:
        return text_of_cell(cell)
    except ValueError as error:
        problems.add(number, f"the column {name[:60]!r} {error}; give texts or numbers")
        return ""


def read(path: Path, reading: Reading) -> Dataset:
    """Return what the rows state."""
    return read_rows(path, reading, rows)


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a row for each thing, some thousand at a time."""
    arrow = pyarrow_here()
    columns = columns_of(dataset)
    numbers = dict.fromkeys(WHOLE, arrow.int64()) | {"score": arrow.float64()}
    schema = arrow.schema([(column, numbers.get(column, arrow.string())) for column in columns])
    each = rows_of(dataset)
    with (
        replacing_bytes(path, writing.step) as file,
        arrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        while batch := list(islice(each, WRITTEN)):
            writer.write_table(
                arrow.table({name: [row.get(name) for row in batch] for name in columns}, schema)
            )


FORMAT = Format(
    key="parquet",
    title="Parquet table",
    extensions=(".parquet",),
    holds=IN_TABLES,
    magic=MAGIC,
    rows=rows,
    reader=read,
    writer=write,
)
