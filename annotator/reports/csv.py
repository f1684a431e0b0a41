"""Tables as CSV: lossless for machines, or for a spreadsheet with its separator and decimal mark."""

from dataclasses import dataclass
from typing import Literal

from annotator.errors import UserError
from annotator.evaluation.result_table import Cell, Table, exact
from annotator.text.csv_lines import csv_lines
from annotator.text.formulas import formula_note, harmless


@dataclass(frozen=True, slots=True)
class Spreadsheet:
    """How a spreadsheet program of some country reads CSV."""

    separator: Literal[",", ";", "\t"] = ","
    decimal: Literal[".", ","] = "."
    bom: bool = True

    @classmethod
    def of(cls, separator: str, decimal: str) -> "Spreadsheet":
        """Return the choice of two typed characters; raises UserError for what no spreadsheet reads."""
        separator = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
        if separator not in (",", ";", "\t") or decimal not in (".", ",") or separator == decimal:
            raise UserError(
                "Cells are separated by , ; or tab, and the decimal mark is . or , but not both alike."
            )
        return cls(separator, decimal)  # type: ignore[arg-type]


def write(table: Table, spreadsheet: Spreadsheet | None = None) -> str:
    """Return a table as CSV text with one header row, lines ended by LF (CRLF for a spreadsheet).

    Without `spreadsheet` every value reads back to the same double and texts are untouched. With it, texts
    that a spreadsheet would take for a formula get a leading apostrophe; numbers never do.
    """

    def cell_text(cell: Cell) -> str:
        if isinstance(cell, str):
            return harmless(cell) if spreadsheet else cell
        text = exact(cell)
        return text.replace(".", spreadsheet.decimal) if spreadsheet else text

    rows = ([cell_text(cell) for cell in row] for row in ([one.name for one in table.columns], *table.rows))
    if spreadsheet is None:
        return csv_lines(rows)
    return ("\ufeff" if spreadsheet.bom else "") + csv_lines(rows, spreadsheet.separator, "\r\n")


def note(table: Table, spreadsheet: Spreadsheet | None = None) -> str:
    """Return what is to be said of cells that begin as formulas do, empty where there are none."""
    return formula_note([column.name for column in table.columns], table.rows, spreadsheet is not None)
