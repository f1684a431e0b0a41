"""A result as the command line prints it: a table for people, long CSV and JSON for programs."""

import io
import json
import math
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from annotator.commands.choices import Layout
from annotator.commands.output import ORIGIN
from annotator.commands.speech import say
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.records import MEAN_ID
from annotator.text.csv_lines import csv_lines
from annotator.text.formulas import formula_note
from annotator.text.visible import visible

if TYPE_CHECKING:
    from annotator.evaluation.result_table import Table
    from annotator.storage.reads.states import State

NARROWEST, GAP = 16, 3
"""A column of texts is not made narrower than so many characters; so many stand between two columns."""

Cell = str | int | float | None


def put(text: str, output: Path | None) -> None:
    """Print a text for people, or write it to a file as a whole."""
    put_exactly(visible(text), output)


def put_exactly(text: str, output: Path | None) -> None:
    """Print a text for programs, or write it to a file as a whole, and beside it from which project it is."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()  # so that notes, on stderr, stand below it also where both go to one file
        return
    from annotator.formats.beside import write_with_origin

    write_with_origin(output, text.encode(), ORIGIN.get())


def put_table(table: "Table", layout: Layout, output: Path | None) -> None:
    """Print a table: as people read it, or for programs under its own names for the columns."""
    if layout is Layout.TABLE:
        put(as_table(table), output)
        return
    head, rows = [one.name for one in table.columns], table.rows
    if table.marks:
        head.append("mark")
        rows = [(*row, "".join(_marks(table, at))) for at, row in enumerate(rows)]
    if layout is Layout.CSV:
        _put_csv(head, rows, output)
    else:
        put_exactly(as_json([dict(zip(head, row, strict=True)) for row in rows]), output)


def put_list(table: "Table", none: str, layout: Layout, output: Path | None) -> None:
    """Print a table of what there is; to people, where there is nothing, a sentence how to come by some."""
    if len(table) or layout is not Layout.TABLE or output is not None:
        put_table(table, layout, output)
    else:
        say(none)


def _put_csv(head: Sequence[str], rows: Sequence[Sequence[Cell]], output: Path | None) -> None:
    """Print exact CSV, and a note where a cell of it is dangerous to those who open it in a spreadsheet."""
    put_exactly(as_csv(head, rows), output)
    if note := formula_note(head, rows):
        say(f"note: {note}", err=True)


def put_uncaptioned(note: str, layout: Layout) -> None:
    """Print on stderr what a caption ends with, where a layout has no caption."""
    if note and layout is not Layout.TABLE:
        say(f"note: {note}", err=True)


def listing(names: Sequence[str], rows: Sequence[tuple[Cell, ...]], title: str = "") -> "Table":
    """Return a table of what there is: texts, and counts where a column holds none."""
    from annotator.evaluation.result_table import Column, Table

    columns = tuple(
        Column(name, "number" if any(isinstance(row[at], int | float) for row in rows) else "text", 0)
        for at, name in enumerate(names)
    )
    return Table.of_rows("", title, columns, rows)


def as_table(table: "Table", width: int | None = None) -> str:
    """Return a table as people read it, intervals below their estimates, and its caption at the end.

    It fits the terminal, or `width`: what has no room stands in a further table below.
    """
    from annotator.evaluation.result_table import shown

    def text(row: int, at: int, cell: Cell, mark: str) -> str:
        column, ends = table.columns[at], table.intervals.get((row, at))
        below = "" if ends is None else f"\n{shown(column, ends[0])} to {shown(column, ends[1])}"
        return f"{shown(column, cell)}{mark}{below}"

    texts = [
        [
            text(row, at, cell, mark)
            for at, (cell, mark) in enumerate(zip(cells, _marks(table, row), strict=True))
        ]
        for row, cells in enumerate(table.rows)
    ]
    head = [visible(one.title) for one in table.columns]
    drawn = visible(_drawn(table.title, head, texts, [one.kind != "text" for one in table.columns], width))
    return f"{drawn}{visible(table.caption)}\n" if table.caption else drawn


def _marks(table: "Table", row: int) -> list[str]:
    return [table.marks.get((row, at), "") for at in range(len(table.columns))]


def as_csv(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return comma-separated lines; numbers in the shortest form that reads back to the same double."""
    from annotator.evaluation.result_table import exact

    return csv_lines([list(head), *([exact(cell) for cell in row] for row in rows)])


def as_json(value: object) -> str:
    """Return indented JSON in the order given; a missing number is null."""
    return json.dumps(_plain(value), ensure_ascii=False, indent=2) + "\n"


def _drawn(
    title: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    width: int | None = None,
) -> str:
    """Return texts as lines, numbers aligned at the right; wrapped are only texts and headings."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = width or (shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000)
    least = [_least(name, [row[at] for row in rows], numeric[at]) for at, name in enumerate(head)]
    text = io.StringIO()
    console = Console(file=text, width=width, color_system=None)
    for columns in _blocks(least, numeric, width):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for at in columns:
            side: Literal["right", "left"] = "right" if numeric[at] else "left"
            table.add_column(Text(head[at]), justify=side, min_width=least[at], overflow="fold")
        for row in rows:
            table.add_row(*(Text(row[at]) for at in columns))
        console.print(table)
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    return "\n".join([title, *lines] if title else lines) + "\n"


def _least(name: str, cells: Sequence[str], numeric: bool) -> int:
    """Return the width that a column needs: numbers and words of headings stay whole."""
    widest = max(map(len, cells), default=0)
    return max(widest if numeric else min(widest, NARROWEST), *map(len, name.split() or [""]))


def _blocks(least: Sequence[int], numeric: Sequence[bool], width: int) -> list[list[int]]:
    """Return the columns of each table: the first (two, if the second is a text) are in every one."""
    keys = list(range(min(len(least), 2 if len(least) > 1 and not numeric[1] else 1)))
    blocks = [keys[:]]
    for at in range(len(keys), len(least)):
        if blocks[-1] != keys and sum(least[one] + GAP for one in (*blocks[-1], at)) > width:
            blocks.append(keys[:])
        blocks[-1].append(at)
    return blocks


def put_remarks(result: EvaluationResult, in_caption: bool = False) -> None:
    """Print what relevance is, notes, ties and what no mean contains: on stderr, so stdout stays clean.

    What relevance is may stand `in_caption` of a table already.
    """
    from annotator.evaluation.conventions_text import remarks
    from annotator.evaluation.summary_tables import basis

    for note in ("" if in_caption else basis(result), *remarks(result)):
        if note:
            say(f"note: {note}", err=True)


def put_basis(options: Options, state: "State | None" = None) -> None:
    """Print on stderr where relevance comes from: the grades of a state's annotators, or of files."""
    from annotator.evaluation.summary_tables import judgment_basis
    from annotator.project.provenance import provenance

    known = Provenance("", "") if state is None else provenance(state, options)
    say(f"note: {judgment_basis(options, known)}", err=True)


def put_result(
    result: EvaluationResult, per_query: bool, means: bool, layout: Layout, output: Path | None
) -> None:
    """Print an evaluation; CSV that has queries has the means in rows `all` when these are asked for."""
    from annotator.evaluation.score_rows import long_scores

    if layout is Layout.CSV and per_query:
        put_table(long_scores(result, means), layout, output)
    elif layout is Layout.CSV:
        _put_csv(("system", "query", "measure", "value"), list(long_rows(result, per_query)), output)
    elif layout is Layout.JSON:
        put_exactly(as_json(result_value(result, per_query)), output)
    else:
        put("".join(_cqa(result) or _tables(result, per_query)), output)


def long_rows(result: EvaluationResult, per_query: bool) -> Iterator[tuple[str, str, str, float]]:
    """Yield (system, query, measure, value); query `all` is the mean, and what the tables of cQA say."""
    from annotator.evaluation.cqa import named_values

    for row, system in enumerate(result.systems):
        if per_query:
            for at, query in enumerate(result.query_ids):
                for column, measure in enumerate(result.measures):
                    yield system, query, measure.name, float(result.scores[row, column, at])
        for measure in result.measures:
            yield system, MEAN_ID, measure.name, result.mean(system, measure.name)
        for name, value in named_values(result, system).items():
            yield system, MEAN_ID, name, value


def result_value(result: EvaluationResult, per_query: bool) -> dict[str, object]:
    """Return an evaluation as the plain value that the JSON layout prints."""
    from annotator.evaluation.conventions_text import reach

    rows = list(long_rows(result, per_query))
    values: dict[str, Any] = {system: {} for system in result.systems}
    for system, query, measure, value in rows:
        values[system].setdefault(query, {})[measure] = value
    return {
        "name": result.provenance.name,
        "version": result.provenance.version,
        "measures": [one.name for one in result.measures],
        "queries": len(result.query_ids),
        "combining": result.provenance.combining,
        "ledger_head": result.provenance.ledger_head,
        "systems": values,
        "ties": {
            system: {"candidates": result.n_tied(system), "worst_and_best": reach(result, system)}
            for system in result.systems
        },
        "left_out": [{"query": query, "why": why} for query, why in result.left_out],
        "notes": list(result.notes),
    }


def _tables(result: EvaluationResult, each_query: bool) -> Iterator[str]:
    from annotator.evaluation.summary_tables import per_query, summary

    queries = "1 query" if len(result.query_ids) == 1 else f"{len(result.query_ids)} queries"
    yield as_table(replace(summary(result), title=f"{result.provenance.name}: means of {queries}"))
    if each_query:
        yield as_table(per_query(result))


def _cqa(result: EvaluationResult) -> list[str]:
    """Return the tables of the preset cQA, each system's below the other; nothing under other measures."""
    from annotator.evaluation.cqa import cqa_printed

    return [as_table(one) for one in cqa_printed(result)]


def _plain(value: object) -> object:
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.item() if hasattr(value, "item") else value
