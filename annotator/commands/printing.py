"""A result as the command line prints it: a table for people, long CSV and JSON for programs."""

import csv
import io
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotator.commands.choices import Layout
from annotator.errors import UserError
from annotator.evaluation.results import EvaluationResult
from annotator.records import MEAN_ID

if TYPE_CHECKING:
    from annotator.evaluation.result_table import Table

MOST_COLUMNS = 12
"""With more columns than this the means stand in rows."""

Cell = str | int | float | None


def put(text: str, output: Path | None) -> None:
    """Print a text, or write it to a file as a whole."""
    if output is None:
        sys.stdout.write(text)
        return
    from annotator.formats.writing import replacing

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
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_exact(cell) for cell in row] for row in rows)
    return text.getvalue()


def as_json(value: object) -> str:
    """Return indented JSON in the order given; a missing number is null."""
    return json.dumps(_plain(value), ensure_ascii=False, indent=2) + "\n"


def as_table(title: str, head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a table for people: numbers right-aligned with four decimals, missing ones as a dash."""
    numeric = [any(isinstance(row[at], int | float) for row in rows) for at in range(len(head))]
    return _drawn(title, head, [[_readable(cell) for cell in row] for row in rows], numeric)


def _drawn(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Return texts as lines, numbers aligned at the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, number in zip(head, numeric, strict=True):
        table.add_column(Text(name), justify="right" if number else "left", no_wrap=number)
    for row in rows:
        table.add_row(*map(Text, row))
    text = io.StringIO()
    console = Console(file=text, width=None if sys.stdout.isatty() else 10_000, color_system=None)
    console.print(table)
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    return "\n".join([title, *lines] if title else lines) + "\n"


def put_result(result: EvaluationResult, per_query: bool, layout: Layout, output: Path | None) -> None:
    """Print an evaluation; notes and what no mean contains go to stderr so that stdout stays clean."""
    from annotator.evaluation.stating import ties

    if layout is Layout.CSV:
        put(as_csv(("system", "query", "measure", "value"), list(long_rows(result, per_query))), output)
    elif layout is Layout.JSON:
        put(as_json(result_value(result, per_query)), output)
    else:
        put("".join(_cqa(result) or _tables(result, per_query)), output)
    for note in (*result.notes, *ties(result), *_left_out(result)):
        sys.stderr.write(f"note: {note}\n")


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
    title = f"{result.provenance.name}: mean of {len(result.query_ids)} queries"
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
    from annotator.evaluation.cqa import cqa_of, cqa_tables, table_at_k

    found = cqa_of(result)
    return [
        as_grid(one)
        for one in (*cqa_tables(result)[:1], *(table_at_k({name: found[name]}) for name in found))
    ]


def _left_out(result: EvaluationResult) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for query, why in result.left_out:
        reasons.setdefault(why, []).append(query)
    lines = []
    for why, queries in reasons.items():
        shown = ", ".join(queries[:5]) + (f" and {len(queries) - 5} more" if len(queries) > 5 else "")
        lines.append(f"left out, {why}: {shown}")
    return lines


def _exact(cell: Cell) -> str:
    if isinstance(cell, float):
        return "" if math.isnan(cell) else repr(float(cell))
    return "" if cell is None else str(cell)


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
