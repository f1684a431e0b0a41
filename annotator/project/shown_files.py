"""A table or a figure that is on show, as a file of its own."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.evaluation import conventions_text
from annotator.evaluation.options import Width
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.figures.paper import figure_file
from annotator.formats.beside import write_with_origin
from annotator.formats.whole_files import replacing_bytes
from annotator.project.provenance import HIDDEN
from annotator.reports.report_formats import Choice, table_file
from annotator.reports.sections import numbered

if TYPE_CHECKING:
    from annotator.figures.sheet import Drawn
    from annotator.theme import Theme


def write_figure(path: Path, draw: "Callable[[Theme], Drawn]", width: Width) -> str:
    """Write a figure that is on show as PDF, SVG or PNG, and say where it is; raises UserError."""
    made = figure_file(draw, path.suffix.removeprefix(".").lower(), width)
    with replacing_bytes(path) as file:
        file.write(made)
    return f"Written: {path}"


def write_table(path: Path, table: Table, choice: Choice, name: str, origin: Sequence[str]) -> str:
    """Write a table that is on show in the chosen format, and say where it is; raises UserError."""
    made = table_file(table, choice, name, origin)
    write_with_origin(path, made, origin if choice.format == "csv" else ())
    return f"Written: {path}"


def origin(result: EvaluationResult, hidden: bool = False) -> tuple[str, ...]:
    """Return where the tables of a result come from, a sentence each, and whether queries are `hidden`."""
    known = result.provenance
    told = conventions_text.provenance(replace(result, provenance=numbered(known)))
    return (f"The scores behind this: {known.command}", *told, *([HIDDEN] if hidden else []))
