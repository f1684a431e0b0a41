"""JSON: full precision, null for what is missing."""

import json
from dataclasses import replace

import pytest

from annotator.evaluation.result_table import Column, Table
from annotator.places import place
from annotator.reports.json import table_value, write
from annotator.reports.report import Report

SCHEMA = json.loads((place("resources") / "report.schema.json").read_text("utf-8"))


def test_a_report_reads_back_with_full_precision(report: Report) -> None:
    value = json.loads(write(report))
    (table, _) = (one["tables"][0] for one in value["sections"])
    assert table["rows"][0] == ["a_1", 0.51234567890123, 1e-05, 5]
    assert table["rows"][2][1] is None
    assert table["marks"] == [{"row": 1, "column": 1, "sign": "†"}]


def test_the_schema_is_that_of_the_file_and_takes_nothing_else(report: Report) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    value = json.loads(write(report))
    jsonschema.validate(value, SCHEMA)
    for spoil in (
        lambda value: value.update(schema="annotator report 2"),
        lambda value: value.update(further=1),
        lambda value: value["sections"][0].pop("command"),
        lambda value: value["sections"][0]["tables"][0]["columns"][0].update(kind="date"),
        lambda value: value["sections"][0]["tables"][0]["rows"][0].append([]),
    ):
        spoilt = json.loads(json.dumps(value))
        spoil(spoilt)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoilt, SCHEMA)


def test_no_word_that_json_lacks_is_written() -> None:
    table = Table.of_rows("t", "T", (Column("x"),), [(float("nan"),), (float("inf"),)])
    around = replace(table, intervals={(0, 0): (float("-inf"), 1.0)})
    assert table_value(around)["rows"] == [[None], [None]]
    assert table_value(around)["intervals"] == [{"row": 0, "column": 0, "low": None, "high": 1.0}]
