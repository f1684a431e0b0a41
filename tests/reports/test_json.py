"""JSON: full precision, null for what is missing."""

import json

from annotator.evaluation.result_table import Column, Table
from annotator.reports.json import table_value, write
from annotator.reports.report import Report


def test_a_report_reads_back_with_full_precision(report: Report) -> None:
    value = json.loads(write(report))
    rows = value["sections"][0]["tables"][0]["rows"]
    assert rows[0] == ["a_1", 0.51234567890123, 1e-05, 5]
    assert rows[2][1] is None


def test_no_word_that_json_lacks_is_written() -> None:
    table = Table.of_rows("t", "T", (Column("x"),), [(float("nan"),), (float("inf"),)])
    assert table_value(table)["rows"] == [[None], [None]]
