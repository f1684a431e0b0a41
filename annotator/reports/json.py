"""A report as JSON: every table with full precision, and what it was computed from.

`resources/report.schema.json` says what stands where.
"""

import json
import math

from annotator.evaluation.result_table import Cell, Table
from annotator.reports.report import Report

SCHEMA = "annotator report 1"
"""What the file says it is; the number changes when a name or its meaning does."""


def write(report: Report) -> str:
    """Return a report as JSON text; a missing or infinite value is null: JSON has no word for it."""
    sections = [
        {
            "key": section.key,
            "title": section.title,
            "text": section.paragraphs,
            "command": section.command or None,
            "tables": [table_value(table) for table in section.tables],
        }
        for section in report.sections
    ]
    value = {
        "schema": SCHEMA,
        "title": report.title,
        "subtitle": report.subtitle,
        "sections": sections,
    }
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def table_value(table: Table) -> dict[str, object]:
    """Return a table as JSON's own values; marks and intervals name their cell by row and column."""

    def plain(cell: Cell) -> Cell:
        return None if isinstance(cell, float) and not math.isfinite(cell) else cell

    marks = sorted(table.marks.items())
    intervals = sorted(table.intervals.items())
    return {
        "key": table.key,
        "title": table.title,
        "caption": table.caption,
        "columns": [
            {"key": column.name, "title": column.title, "kind": column.kind} for column in table.columns
        ],
        "rows": [[plain(cell) for cell in row] for row in table.rows],
        "marks": [{"row": row, "column": at, "sign": sign} for (row, at), sign in marks],
        "intervals": [
            {"row": row, "column": at, "low": plain(low), "high": plain(high)}
            for (row, at), (low, high) in intervals
        ],
    }
