"""Tables as CSV: lossless for machines, or for a spreadsheet with its separator and decimal mark."""

import csv
import io
from dataclasses import dataclass
from typing import Literal

from annotator.errors import UserError
from annotator.evaluation.result_table import Cell, Table, exact
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
    out = io.StringIO()
    lines = csv.writer(
        out,
        delimiter=spreadsheet.separator if spreadsheet else ",",
        lineterminator="\r\n",  # with LF alone, Python before 3.13 does not quote a CR within a cell
    )

    def cell_text(cell: Cell) -> str:
        if isinstance(cell, str):
            return harmless(cell) if spreadsheet else cell
        text = exact(cell)
        return text.replace(".", spreadsheet.decimal) if spreadsheet else text

    written = ["\ufeff" if spreadsheet and spreadsheet.bom else ""]
    for row in ([column.name for column in table.columns], *table.rows):
        lines.writerow([cell_text(cell) for cell in row])
        written.append(out.getvalue() if spreadsheet else f"{out.getvalue()[:-2]}\n")
        out.seek(0)
        out.truncate()
    return "".join(written)


def note(table: Table, spreadsheet: Spreadsheet | None = None) -> str:
    """Return what is to be said of cells that begin as formulas do, empty where there are none."""
    return formula_note([column.name for column in table.columns], table.rows, spreadsheet is not None)
