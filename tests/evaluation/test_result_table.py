"""The table model: how a cell reads, and which cells are best."""

import math
from dataclasses import replace

import pytest

from annotator.evaluation.result_table import (
    Cell,
    Column,
    Table,
    best_cells,
    exact,
    in_parts,
    intervals_below,
    names_joined,
    shown,
)


@pytest.mark.parametrize(
    ("column", "cell", "text"),
    [
        (Column("x"), 0.12345, "0.1235"),
        (Column("x", decimals=2), -0.001, "0.00"),
        (Column("x"), None, "–"),
        (Column("x"), math.nan, "–"),
        (Column("x"), math.inf, "∞"),
        (Column("x", "count"), 12, "12"),
        (Column("x", "p"), 0.00001, "< 0.0001"),
        (Column("x", "p"), 0.04, "0.0400"),
        (Column("x", "share"), 0.256, "25.6 %"),
        (Column("x", "text"), "=1+1", "=1+1"),
    ],
)
def test_a_cell_reads_as_its_column_says(column: Column, cell: Cell, text: str) -> None:
    assert shown(column, cell) == text


def test_zero_is_not_missing() -> None:
    assert shown(Column("x"), 0.0) == "0.0000"
    assert exact(0.0) == "0.0"
    assert exact(math.nan) == ""


def test_the_exact_text_reads_back_to_the_same_double() -> None:
    assert float(exact(0.1 + 0.2)) == 0.1 + 0.2


def table_of(*values: float | None, best: str = "high") -> Table:
    return Table.of_rows("t", "T", (Column("x", best=best),), [(value,) for value in values])  # type: ignore[arg-type]


def test_rows_that_read_alike_are_both_best() -> None:
    assert best_cells(table_of(0.50001, 0.50002, 0.4, None)) == {(0, 0), (1, 0)}


def test_the_lowest_is_best_where_low_is_good() -> None:
    assert best_cells(table_of(3.0, 1.0, 2.0, best="low")) == {(1, 0)}


def test_equal_values_have_no_best() -> None:
    assert best_cells(table_of(0.5, 0.5)) == frozenset()


def test_an_interval_goes_below_its_estimate_and_every_sign_stays_with_its_cell() -> None:
    columns = (Column("A", "text"), Column("low"), Column("high"), Column("Value", key="value"), Column("p"))
    rows = [("a", 0.1, 0.3, 0.2, 1.0), ("b", None, math.nan, 0.5, 0.01)]
    table = intervals_below(Table.of_rows("t", "T", columns, rows, marks={(1, 3): "†", (0, 4): "*"}), "value")
    assert [column.title for column in table.columns] == ["A", "Value", "p"]
    assert table.rows == [("a", 0.2, 1.0), ("b", 0.5, 0.01)]
    assert table.marks == {(1, 1): "†", (0, 2): "*"}
    assert table.intervals == {(0, 1): (0.1, 0.3)}, "an interval without ends is none"


def test_a_table_of_things_shows_the_attributes_that_its_columns_are_named_by() -> None:
    things = [Column("a", "count"), Column("b", decimals=2)]
    table = Table.of("t", "T", things, (Column("How", key="decimals"), Column("title", "text")))
    assert table.rows == [(4, "a"), (2, "b")]


def test_a_table_too_wide_for_a_page_is_broken_and_every_sign_stays_with_its_cell() -> None:
    titles = ("System", "a", "b", "c", "d", "e")
    columns = tuple(Column(title, "text" if title == "System" else "number") for title in titles)
    rows: list[tuple[Cell, ...]] = [("x", 1, 2, 3, 4, 5), ("y", 6, 7, 8, 9, 10)]
    whole = Table.of_rows("t", "T", columns, rows, "Below.", {(1, 4): "†", (0, 0): "*"})
    first, last = in_parts(whole, 4)
    assert [one.title for one in first.columns + last.columns] == [
        "System",
        "a",
        "b",
        "System",
        "c",
        "d",
        "e",
    ]
    assert last.rows == [("x", 3, 4, 5), ("y", 8, 9, 10)]
    assert (first.marks, last.marks) == ({(0, 0): "*"}, {(0, 0): "*", (1, 2): "†"})
    assert [(one.key, one.title, one.caption) for one in (first, last)] == [
        ("t", "T (1 of 2)", ""),
        ("t-2", "T (2 of 2)", "Below."),
    ]
    assert in_parts(whole, 6) == (whole,)
    three = tuple(Column(title, "text") for title in ("Measure", "First", "Second"))
    told = [("AP", "x", ""), ("AP", "x", "z")]
    named = Table.of_rows(
        "t", "T", (*three, *columns[1:]), [(*a, *b[1:]) for a, b in zip(told, rows, strict=True)]
    )
    named = replace(named, marks={(1, 4): "†", (0, 1): "*"}, intervals={(1, 7): (0.0, 1.0)})
    narrow = in_parts(named, 2)
    assert [one.columns[:3] for one in narrow] == [three] * 5, "a row bears all of its names in each part"
    assert [len(one.columns) for one in narrow] == [4] * 5, "and a value"
    joined = names_joined(named)
    assert joined.columns[0].title == "Measure, First, Second"
    assert joined.rows == [("AP, x", 1, 2, 3, 4, 5), ("AP, x, z", 6, 7, 8, 9, 10)]
    assert (joined.marks, joined.intervals) == ({(1, 2): "†", (0, 0): "*"}, {(1, 5): (0.0, 1.0)})
    texts = Table.of_rows("t", "T", three, told)
    assert names_joined(texts) is texts, "which of them name the rows is not known"
