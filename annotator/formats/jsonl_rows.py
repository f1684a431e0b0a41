"""JSON lines: the rows of a plain table, one object a line."""

from collections.abc import Iterator
from pathlib import Path

from annotator.formats import numbers
from annotator.formats.declaration import IN_TABLES, Format, Head, Reading, Writing
from annotator.formats.strict_json import compact, json_lines, parse
from annotator.formats.table_cells import Structure
from annotator.formats.table_columns import is_table
from annotator.formats.table_rows import read_rows
from annotator.formats.table_writing import rows_of
from annotator.formats.text_lines import Problems
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Json


def recognises(head: Head) -> bool:
    """Say whether the first line is an object with members of which something can be made."""
    first = head.lines[0] if head.lines else ""
    value = parse(first, Problems(Path(head.name))) if first.startswith("{") else None
    return isinstance(value, dict) and is_table(value)


def rows(path: Path, problems: Problems, reading: Reading) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, cells by the names of the members) of every object; the first has those of all."""
    objects = list(json_lines(path, problems, reading))
    problems.check()
    every = dict.fromkeys((name for _, row in objects for name in row), "")
    for line, row in objects:
        yield line, every | {name: cell_of(value) for name, value in row.items()}
        every = {}


def read(path: Path, reading: Reading) -> Dataset:
    """Return what the objects state; the columns are the members of all objects."""
    return read_rows(path, reading, rows)


def cell_of(value: Json) -> str:
    """Return a member as a cell: texts as they are, nothing for null, numbers and structures as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float):
        return numbers.shown(value)
    return Structure(compact(value)) if isinstance(value, list | dict) else compact(value)


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a row for each thing, without the members that state nothing."""
    with replacing(path, writing.step) as file:
        for row in rows_of(dataset):
            kept = {
                name: cell
                for name, cell in row.items()
                if cell is not None and (cell != "" or name == "answer")
            }
            file.write(compact(kept) + "\n")


FORMAT = Format(
    key="jsonl",
    title="JSON lines",
    extensions=(".jsonl",),
    holds=IN_TABLES,
    recognises=recognises,
    rows=rows,
    reader=read,
    writer=write,
)
