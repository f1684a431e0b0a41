"""No name breaks a report or a command, or acts in what people read; what programs read is exact."""

import csv as standard_csv
import io

from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotator.evaluation.result_table import Column, Table
from annotator.reports import csv, html, latex, markdown
from annotator.reports.report import Report, Section
from tests.examples import examples
from tests.hostile_names import ENDLESS, WORST, acts, names


@settings(max_examples=examples(5, 100), deadline=None)
@example("$", "\n" * 50)
@given(names, names | st.sampled_from(ENDLESS))
def test_no_name_breaks_a_report_or_acts_in_it(first: str, second: str) -> None:
    first = f"{WORST}{first}"
    table = Table.of_rows(
        "t",
        first,
        (Column(first, "text", note=second), Column(second, "count")),
        [(second, 1), (first, 2)],
        first,
    )
    report = Report(
        first, second, (Section("s", second, (first,), (table,), command=f"annotator x {first}\u202e"),)
    )
    for text in (html.write(report), markdown.write(report), latex.write(report), latex.write(report, "one")):
        assert acts(text) == []
    guarded = list(standard_csv.reader(io.StringIO(csv.write(table, csv.Spreadsheet(bom=False)), newline="")))
    assert not [cell for row in guarded for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    exact = list(standard_csv.reader(io.StringIO(csv.write(table), newline="")))
    assert [row[0] for row in exact[1:]] == [second, first], "what is for programs is exact"
