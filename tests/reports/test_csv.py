"""CSV: lossless for machines, harmless for a spreadsheet."""

import csv
import io

import pytest

from annotator.evaluation.result_table import Column, Table
from annotator.reports.csv import Spreadsheet, write
from annotator.text.formulas import FORMULA_STARTS, harmless


def read(text: str, separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def test_every_value_reads_back_as_it_was(table: Table) -> None:
    head, *rows = read(write(table))
    assert head == ["System", "nDCG@10", "p", "g"]
    assert [row[0] for row in rows] == [row[0] for row in table.rows]
    assert float(rows[0][1]) == table.rows[0][1]
    assert rows[2][1] == ""


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_a_text_that_looks_like_a_formula_gets_an_apostrophe(start: str) -> None:
    table = Table.of_rows("t", "T", (Column(start + "head", "text"), Column("n")), [(start + "1", -0.5)])
    head, row = read(write(table, Spreadsheet(bom=False)))
    assert head[0] == f"'{start}head"
    assert row == [f"'{start}1", "-0.5"]


def test_a_harmless_text_stays_as_it_is() -> None:
    assert harmless("a=b") == "a=b"


def test_a_german_spreadsheet_gets_semicolons_decimal_commas_and_a_mark(table: Table) -> None:
    text = write(table, Spreadsheet(";", ","))
    assert text.startswith("\ufeffSystem;nDCG@10;p;g\r\n")
    assert read(text, ";")[1][1] == "0,51234567890123"
