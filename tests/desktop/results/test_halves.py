"""A table and what its current row is about: side by side, or one below the other."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.results.column_widths import SHORT_TEXT
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.halves import Halves
from annotator.desktop.style import px
from annotator.evaluation.result_table import Column, Table
from annotator.theme import LIGHT

COLUMNS = (Column("Query", "text"), Column("Text", "text"), *(Column(f"System {at}") for at in range(3)))
LEAST = 300


def halves(qtbot: QtBot, stacks: bool) -> tuple[Halves, GridView, QWidget]:
    table, other = GridView("Queries", LIGHT), QWidget()
    both = Halves(table, other, 0.2, LEAST, stacks)
    qtbot.addWidget(both)
    both.resize(900, 300)
    both.show()
    table.show_table(Table("t", "T", COLUMNS, (["q1"], ["rivers " * 20], [0.5], [0.5], [0.5])))
    return both, table, other


def test_all_columns_are_in_sight_beside_or_above_the_other_part(qtbot: QtBot) -> None:
    both, table, other = halves(qtbot, stacks=True)
    least, read, whole = table.room()
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert both.orientation() is Qt.Orientation.Horizontal
    assert least < read <= table.width() < whole
    assert table.columnWidth(1) >= px(SHORT_TEXT), "what stands there is read"
    both.resize(read + px(LEAST), 300)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert both.orientation() is Qt.Orientation.Vertical
    assert table.width() == other.width()
    both.resize(900, 300)
    assert (both.orientation(), table.width() >= read) == (Qt.Orientation.Horizontal, True)


def test_beside_a_table_that_scrolls_the_other_part_keeps_its_room(qtbot: QtBot) -> None:
    both, table, other = halves(qtbot, stacks=False)
    both.resize(500, 300)
    assert both.orientation() is Qt.Orientation.Horizontal
    assert other.width() == px(LEAST)
    assert table.horizontalScrollBar().maximum() > 0


def test_the_handle_stays_where_somebody_put_it(qtbot: QtBot) -> None:
    both, table, _ = halves(qtbot, stacks=True)
    both.moveSplitter(560, 1)
    table.show_table(Table("u", "U", COLUMNS[:2], (["q1"], ["rivers"])))
    assert both.sizes()[0] == 560
