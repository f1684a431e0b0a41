"""CSV: a plain table with a header; commas, semicolons or tabs are told apart by it."""

from pathlib import Path

from annotator.formats.declaration import IN_TABLES, Format, Head, Reading, Writing
from annotator.formats.delimited import delimiter_of, named_rows, write_rows
from annotator.formats.table_columns import is_table
from annotator.formats.table_rows import read_rows
from annotator.formats.table_writing import columns_of, rows_of
from annotator.formats.whole_files import replacing
from annotator.records import Dataset


def recognises(head: Head) -> bool:
    """Say whether the first line names columns of which something can be made."""
    first = head.lines[0] if head.lines else ""
    delimiter = delimiter_of(first)
    return delimiter in first and is_table(cell.strip().strip('"') for cell in first.split(delimiter))


def read(path: Path, reading: Reading) -> Dataset:
    """Return what the rows state."""
    return read_rows(path, reading, named_rows)


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a row for each thing; tabs separate in a file that ends in .tsv, commas else."""
    delimiter = "\t" if path.name.removesuffix(".gz").endswith(".tsv") else ","
    columns = columns_of(dataset)
    with replacing(path, writing.step) as file:
        if writing.for_spreadsheets:
            file.write("\ufeff")
        cells = ([row.get(column) for column in columns] for row in rows_of(dataset))
        write_rows(file, columns, cells, writing, delimiter)


FORMAT = Format(
    key="csv",
    title="CSV or TSV table",
    extensions=(".csv", ".tsv"),
    holds=IN_TABLES,
    recognises=recognises,
    rows=named_rows,
    reader=read,
    writer=write,
    guards=True,
)
