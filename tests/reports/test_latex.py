"""LaTeX: booktabs tables in which no text is a command."""

import re

from annotator.evaluation.result_table import Table
from annotator.reports.latex import escape, write, write_table
from annotator.reports.report import Report


def test_a_table_has_the_three_rules_and_a_bold_best(table: Table) -> None:
    text = write_table(table)
    assert re.findall(r"\\(\w+rule)", text) == ["toprule", "midrule", "bottomrule"]
    assert r"\textbf{0.6000}$^{\dagger}$" in text
    assert r"\begin{tabular}{lrrr}" in text


def test_every_special_character_is_escaped() -> None:
    assert escape(r"50% & $a_b #1 {x} ~^\ ") == (
        r"50\% \& \$a\_b \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )


def test_every_row_has_as_many_fields_as_columns(table: Table) -> None:
    rows = [line for line in write_table(table).splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in rows} == {len(table.columns) - 1}


def test_a_negative_number_has_a_minus_and_not_a_hyphen(table: Table) -> None:
    assert "$-$0.2500" in write_table(table)


def test_a_report_leaves_empty_tables_out(report: Report) -> None:
    assert write(report).count(r"\begin{table}") == 1
