"""A report as JSON: every table with full precision, and what it was computed from."""

import json
import math

from annotator.evaluation.result_table import Cell, Table
from annotator.reports.report import Report


def write(report: Report) -> str:
    """Return a report as JSON text: `{"title", "sections": [{"key", "title", "text", "tables"}]}`.

    A missing or infinite value is null: JSON has no word for it.
    """
    sections = [
        {
            "key": section.key,
            "title": section.title,
            "text": [*section.paragraphs, *filter(None, [section.command])],
            "tables": [table_value(table) for table in section.tables],
        }
        for section in report.sections
    ]
    value = {"title": report.title, "sections": sections}
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def table_value(table: Table) -> dict[str, object]:
    """Return a table as JSON's own values."""

    def plain(cell: Cell) -> Cell:
        return None if isinstance(cell, float) and not math.isfinite(cell) else cell

    names = [column.name for column in table.columns]
    return {
        "key": table.key,
        "title": table.title,
        "caption": table.caption,
        "columns": names,
        "rows": [[plain(cell) for cell in row] for row in table.rows],
    }
