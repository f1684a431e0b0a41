"""Markdown: a table stays a table whatever its texts hold."""

import re
from dataclasses import replace

from annotator.evaluation.result_table import Table
from annotator.reports.markdown import write, write_table
from annotator.reports.report import Report, Section


def test_every_row_has_one_cell_per_column(table: Table) -> None:
    lines = write_table(table).splitlines()
    assert len(lines) == 2 + len(table.rows)
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(table.columns) + 1}


def test_the_best_value_is_bold_and_keeps_its_mark(table: Table) -> None:
    assert "| **0.6000**† |" in write_table(table)


def test_a_report_has_its_sections_and_the_command_as_code(report: Report) -> None:
    text = write(report)
    assert text.startswith("# A \\<report\\>\n")
    assert "## Summary" in text
    assert "\n    annotator report x.annot -o y.html\n" in text


def test_a_section_of_figures_alone_is_left_out(report: Report) -> None:
    assert "## Figures" not in write(
        replace(report, sections=(Section("figures", "Figures"), *report.sections))
    )
