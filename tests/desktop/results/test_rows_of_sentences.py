"""Rows of sentences, and tables that come to the same layout whatever they showed before."""

from dataclasses import replace

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.results.cell_painter import PADDING, ROW
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import font, px
from annotator.evaluation.result_table import Column, Table
from annotator.theme import LIGHT

WORDS = "what was judged but not retrieved is forgotten, and the tool averages over ties " * 2
SAID = Table(
    "said",
    "Said",
    (Column("Tool", "text"), Column("In words", "text", prose=True), Column("AP")),
    (["long", "short"], [WORDS.strip(), "nothing"], [0.1, 0.2]),
)
NUMBERS = Table("numbers", "Numbers", tuple(Column(f"n{at}", "count") for at in range(9)), ([7, 8, 9],) * 9)
NAMES = (Column("Name", "text"), *(Column(f"System {at}") for at in range(4)))
MANY = Table("many", "Many", NAMES, (["name " * 30] * 9, *[[0.5] * 9] * 4), "A caption. " * 15)


def test_a_sentence_is_read_to_its_end_in_lines_and_other_rows_have_one(qtbot: QtBot) -> None:
    view = GridView("Tools", LIGHT)
    qtbot.addWidget(view)
    view.resize(420, 400)
    view.show()
    view.show_table(SAID)
    assert view.horizontalScrollBar().maximum() == 0
    room = QRect(0, 0, view.columnWidth(1) - 2 * px(PADDING), 10_000)
    lines = QFontMetrics(font()).boundingRect(room, Qt.TextFlag.TextWordWrap, WORDS.strip()).height()
    assert lines < view.rowHeight(0) <= lines + px(ROW)
    assert view.rowHeight(1) <= px(ROW) + 1
    assert view.height_of(2) - view.height_of(1) == view.rowHeight(1)
    view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert view.rowHeight(1) > lines > view.rowHeight(0), "a row takes its height along"
    view.show_table(NUMBERS)
    assert [view.rowHeight(at) for at in range(3)] == [px(ROW)] * 3


def test_numbers_stand_close_where_that_brings_all_of_them_into_sight(qtbot: QtBot) -> None:
    view = GridView("Numbers", LIGHT)
    qtbot.addWidget(view)
    view.show()
    view.show_table(NUMBERS)
    view.resize(view.room()[0], 300)
    assert view.horizontalScrollBar().maximum() == 0
    assert view.columnWidth(1) < px(64)


def test_the_layout_follows_from_the_size_alone(qtbot: QtBot, qapp: QApplication) -> None:
    found = []
    for sizes in ([(300, 300)], [(330, 500), (300, 300)]):
        view = GridView("Many", LIGHT)
        qtbot.addWidget(view)
        view.show()
        view.show_table(MANY)
        for size in sizes:
            view.resize(*size)
            qapp.processEvents()
        bars = (view.verticalScrollBar(), view.horizontalScrollBar())
        found.append([(bar.isVisible(), bar.maximum(), bar.pageStep()) for bar in bars])
    assert found[0] == found[1]


def test_a_heading_at_the_edge_is_shortened_to_what_is_in_sight(qtbot: QtBot) -> None:
    view = GridView("Many", LIGHT)
    qtbot.addWidget(view)
    view.show()
    view.show_table(replace(MANY, columns=tuple(Column(f"WWWWWW{at}WWWWWW") for at in range(5))))
    for width in range(300, 330, 5):
        view.resize(width, 200)
        image = view.horizontalHeader().grab().toImage()
        lines = range(4, image.height() - 4)
        edge = {image.pixel(image.width() - 1 - x, y) for x in range(4) for y in lines}
        assert len(edge) == 1, width
