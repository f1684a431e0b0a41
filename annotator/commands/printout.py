"""A result as the command line prints it: a table for people, long CSV and JSON for programs."""

import csv
import io
import json
import math
import shutil
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from annotator.commands.choices import Layout
from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.records import MEAN_ID

if TYPE_CHECKING:
    from annotator.evaluation.result_table import Table

MOST_COLUMNS = 12
"""With more columns than this the means stand in rows."""

NARROWEST, GAP = 16, 3
"""A column of texts is not made narrower than so many characters; so many stand between two columns."""

Cell = str | int | float | None


def local_time(milliseconds: float) -> str:
    """Return a time in UTC ms in this computer's time zone, with its distance from UTC."""
    when = datetime.fromtimestamp(milliseconds // 1000, UTC).astimezone()
    return when.isoformat(" ", "seconds")


def put(text: str, output: Path | None) -> None:
    """Print a text, or write it to a file as a whole."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()  # so that notes, on stderr, stand below it also where both go to one file
        return
    from annotator.formats.whole_files import replacing

    with replacing(output) as file:
        file.write(text)


def put_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[Cell]], layout: Layout, output: Path | None
) -> None:
    """Print rows under a head in the layout asked for."""
    if layout is Layout.CSV:
        put(as_csv(head, rows), output)
    elif layout is Layout.JSON:
        put(as_json([dict(zip(head, row, strict=True)) for row in rows]), output)
    else:
        put(as_table(title, head, rows), output)


def put_grid(grid: "Table", layout: Layout, output: Path | None) -> None:
    """Print a table of a result: as people read it, or for programs under its own names for the columns."""
    if layout is Layout.TABLE:
        put(as_grid(grid), output)
    else:
        head, rows = [one.name for one in grid.columns], grid.rows
        if grid.marks:
            head.append("mark")
            rows = [(*row, "".join(_marks(grid, at))) for at, row in enumerate(rows)]
        put_table("", head, rows, layout, output)


def as_grid(grid: "Table") -> str:
    """Return a table of a result as people read it, with its caption below."""
    from annotator.evaluation.result_table import shown

    head = [one.title for one in grid.columns]
    texts = [
        [
            f"{shown(column, cell)}{mark}"
            for column, cell, mark in zip(grid.columns, row, _marks(grid, at), strict=True)
        ]
        for at, row in enumerate(grid.rows)
    ]
    drawn = _drawn(grid.title, head, texts, [one.kind != "text" for one in grid.columns])
    return f"{drawn}{grid.caption}\n" if grid.caption else drawn


def _marks(grid: "Table", row: int) -> list[str]:
    return [grid.marks.get((row, at), "") for at in range(len(grid.columns))]


def as_csv(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return comma-separated lines; numbers in the shortest form that reads back to the same double."""
    from annotator.evaluation.result_table import exact

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([exact(cell) for cell in row] for row in rows)
    return text.getvalue()


def as_json(value: object) -> str:
    """Return indented JSON in the order given; a missing number is null."""
    return json.dumps(_plain(value), ensure_ascii=False, indent=2) + "\n"


def as_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[Cell]], width: int | None = None
) -> str:
    """Return a table for people: numbers right-aligned with four decimals, missing ones as a dash.

    It fits the terminal, or `width`: what has no room stands in a further table below.
    """
    numeric = [any(isinstance(row[at], int | float) for row in rows) for at in range(len(head))]
    return _drawn(title, head, [[_readable(cell) for cell in row] for row in rows], numeric, width)


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


def put_remarks(result: EvaluationResult) -> None:
    """Print what relevance is, notes, ties and what no mean contains: on stderr, so stdout stays clean."""
    from annotator.evaluation.conventions_text import remarks

    by_grades = bool(result.provenance.combining) and result.judged_at_10 is not None
    if by_grades or result.options.relevance is not None:
        put_basis(result.options)
    for note in remarks(result):
        sys.stderr.write(f"note: {note}\n")


def put_basis(options: Options) -> None:
    """Print on stderr where relevance comes from, and how the grades of several annotators became one."""
    from annotator.evaluation.summary_tables import judgment_basis

    sys.stderr.write(f"note: {judgment_basis(options)}\n")


def put_result(result: EvaluationResult, per_query: bool, layout: Layout, output: Path | None) -> None:
    """Print an evaluation."""
    if layout is Layout.CSV:
        put(as_csv(("system", "query", "measure", "value"), list(long_rows(result, per_query))), output)
    elif layout is Layout.JSON:
        put(as_json(result_value(result, per_query)), output)
    else:
        put("".join(_cqa(result) or _tables(result, per_query)), output)


def put_tags(result: EvaluationResult, layout: Layout, output: Path | None) -> None:
    """Print the means of the queries of each tag: a table for people, else one row per value."""
    from annotator.evaluation.subsets import by_tag

    names = [one.name for one in result.measures]
    means = [by_tag(result, name) for name in names]
    if not means or not means[0].tags:
        raise UserError("The queries have no tags.")
    tags, counts = means[0].tags, means[0].counts
    if layout is Layout.TABLE:
        rows: list[list[Cell]] = [
            [tag, counts[at], system, *(float(one.values[row, at]) for one in means)]
            for at, tag in enumerate(tags)
            for row, system in enumerate(result.systems)
        ]
        put_table("Means of each tag", ("tag", "queries", "system", *names), rows, layout, output)
        return
    long: list[list[Cell]] = [
        [system, tag, name, counts[at], float(one.values[row, at])]
        for row, system in enumerate(result.systems)
        for at, tag in enumerate(tags)
        for name, one in zip(names, means, strict=True)
    ]
    put_table("", ("system", "tag", "measure", "queries", "value"), long, layout, output)


def long_rows(result: EvaluationResult, per_query: bool) -> Iterator[tuple[str, str, str, float]]:
    """Yield (system, query, measure, value); query `all` is the mean."""
    for row, system in enumerate(result.systems):
        if per_query:
            for at, query in enumerate(result.query_ids):
                for column, measure in enumerate(result.measures):
                    yield system, query, measure.name, float(result.scores[row, column, at])
        for measure in result.measures:
            yield system, MEAN_ID, measure.name, result.mean(system, measure.name)


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


def _tables(result: EvaluationResult, per_query: bool) -> Iterator[str]:
    names = [one.name for one in result.measures]
    head = ["system", *names]
    rows: list[list[Cell]] = [
        [system, *(result.mean(system, name) for name in names)] for system in result.systems
    ]
    if result.judged_at_10 is not None and "Judged@10" not in names:
        head.append("Judged@10")
        for cells, judged in zip(rows, result.judged_at_10, strict=True):
            cells.append(float(judged.mean()) if len(judged) else math.nan)
    if not result.counted.all():
        head.append("counted")
        for cells, counted in zip(rows, result.counted, strict=True):
            cells.append(int(counted.sum()))
    queries = "1 query" if len(result.query_ids) == 1 else f"{len(result.query_ids)} queries"
    title = f"{result.provenance.name}: mean of {queries}"
    if len(head) > MOST_COLUMNS:
        head, rows = (
            ["measure", *result.systems],
            [[name, *(row[at] for row in rows)] for at, name in enumerate(head) if at],
        )
    yield as_table(title, head, rows)
    if per_query:
        for row, system in enumerate(result.systems):
            lines: list[list[Cell]] = [
                [query, *(float(value) for value in result.scores[row, :, at])]
                for at, query in enumerate(result.query_ids)
            ]
            yield as_table(system, ("query", *names), lines)


def _cqa(result: EvaluationResult) -> list[str]:
    """Return the tables of the preset cQA, each system's below the other; nothing under other measures."""
    from annotator.evaluation.cqa import cqa_printed

    return [as_grid(one) for one in cqa_printed(result)]


def _readable(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def _plain(value: object) -> object:
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.item() if hasattr(value, "item") else value
