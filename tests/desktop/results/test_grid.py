"""The model of a results table: sorting, filtering, missing values, many rows."""

import numpy as np
import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from annotator.desktop.results.grid import Grid
from annotator.evaluation.result_table import Column, Table

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def grid(qapp: object) -> Grid:
    grid = Grid()
    QAbstractItemModelTester(grid, QAbstractItemModelTester.FailureReportingMode.Fatal, grid)
    columns = (Column("Query", "text"), Column("AP", best="high"), Column("n", "count"))
    grid.show(
        Table("t", "T", columns, (["b", "a", "C", "d"], np.array([0.5, np.nan, 0.25, 0.5]), [4, 3, 2, 1]))
    )
    return grid


def column(grid: Grid, at: int) -> list[str]:
    return [grid.index(row, at).data() for row in range(grid.rowCount())]


def test_a_missing_value_is_last_whichever_way_the_column_is_sorted(grid: Grid) -> None:
    grid.sort(1, ASCENDING)
    assert column(grid, 1) == ["0.2500", "0.5000", "0.5000", "–"]
    grid.sort(1, DESCENDING)
    assert column(grid, 1) == ["0.5000", "0.5000", "0.2500", "–"]
    assert column(grid, 0)[:2] == ["b", "d"], "equal values keep their order"


def test_texts_are_sorted_without_regard_to_case(grid: Grid) -> None:
    grid.sort(0, ASCENDING)
    assert column(grid, 0) == ["a", "b", "C", "d"]


def test_the_filter_keeps_the_rows_that_hold_the_words(grid: Grid) -> None:
    grid.filter(" c ")
    assert column(grid, 0) == ["C"]
    grid.filter("")
    assert grid.rowCount() == 4


def test_a_text_of_several_lines_stands_on_the_line_of_its_row(grid: Grid) -> None:
    grid.show(Table("t", "T", grid.table.columns, (["who\nwhen"], [0.1], [1])))
    assert column(grid, 0) == ["who when"]


def test_the_third_click_brings_the_own_order_back(grid: Grid) -> None:
    grid.sort(2, ASCENDING)
    grid.sort(-1)
    assert column(grid, 0) == ["b", "a", "C", "d"]


def test_a_remembered_index_follows_its_row(grid: Grid) -> None:
    kept = QPersistentModelIndex(grid.index(0, 0))
    grid.sort(2, ASCENDING)
    assert kept.data() == "b"
    assert kept.row() == 3
    grid.filter("a")
    assert not kept.isValid()


def test_a_new_table_of_the_same_columns_keeps_the_order(grid: Grid) -> None:
    grid.sort(1, DESCENDING)
    grid.show(Table("t", "T", grid.table.columns, (["x", "y"], [0.1, 0.9], [1, 1])))
    assert column(grid, 0) == ["y", "x"]


def test_a_cell_takes_another_value_and_every_row_stays_where_it_is(grid: Grid, qtbot: QtBot) -> None:
    grid.sort(2, ASCENDING)
    kept = QPersistentModelIndex(grid.index(1, 2))
    with qtbot.waitSignal(grid.dataChanged) as changed:
        grid.put(2, 2, 9)
    assert (kept.row(), kept.data()) == (1, "9")
    assert (changed.args[0].row(), changed.args[0].column()) == (1, 2)
    assert grid.order == [3, 2, 1, 0]
    grid.filter("b")
    grid.put(2, 2, 8)
    assert column(grid, 0) == ["b"], "what the filter hides may change too"


def test_a_hundred_thousand_rows_are_sorted_and_filtered(qapp: object) -> None:
    rows = 100_000
    values = np.random.default_rng(1).random(rows)
    grid = Grid()
    grid.show(
        Table("t", "T", (Column("Query", "text"), Column("AP")), ([f"q{i}" for i in range(rows)], values))
    )
    grid.sort(1, DESCENDING)
    grid.filter("q99")
    wanted = [row for row in np.argsort(-values).tolist() if str(row).startswith("99")]
    assert column(grid, 0) == [f"q{row}" for row in wanted]


def test_the_note_of_a_heading_is_a_tip_of_several_lines(grid: Grid) -> None:
    grid.show(Table("t", "T", (Column("AP", note="How high < low. " * 20),), ([0.5],)))
    tip = grid.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert GuiQt.mightBeRichText(tip), "Qt breaks the lines of rich text alone"
    assert "How high &lt; low." in tip


@pytest.mark.parametrize("words", ["Krippendorff's alpha, nominal", "another name"])
def test_the_tip_of_a_text_that_may_be_cut_says_all_of_it(grid: Grid, words: str) -> None:
    grid.show(Table("t", "T", (Column("What", "text"),), ([words],)))
    assert grid.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == words
