"""The table widget: copying, opening a cell, painting everything it can hold."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType, ModuleType

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.results import grid
from annotator.desktop.results.cell_painter import INTERVAL
from annotator.desktop.results.grid import Grid
from annotator.desktop.results.grid_view import MEASURED_CELLS, GridView
from annotator.desktop.style import px
from annotator.evaluation.result_table import Column, Table
from annotator.theme import DARK, LIGHT

TABLE = Table(
    "t",
    "T",
    (Column("System", "text"), Column("AP", best="high", bar=True), Column("Grade", "grade")),
    (["=old", "new <b>"], [0.123456789, 0.5], [0, None]),
    marks={(1, 1): "†"},
    intervals={(0, 1): (0.1, 0.2)},
    spreads={(0, 1): (1, 0, 3)},
)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[GridView]:
    view = GridView("Systems", LIGHT)
    qtbot.addWidget(view)
    view.show_table(TABLE)
    view.resize(500, 200)
    yield view
    QGuiApplication.clipboard().clear()  # offscreen it would outlive Python, and what Python made with it


@contextmanager
def calls_into(module: ModuleType) -> Iterator[Counter[str]]:
    """Count the calls of the functions of a module, by their names."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename == module.__file__:
            calls[frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def test_ctrl_c_copies_all_rows_exactly_as_tsv_and_as_shown_in_html(view: GridView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.text() == "System\tAP\tGrade\n'=old\t0.123456789\t0\nnew <b>\t0.5\t\n"
    assert "<td>0.1235</td>" in mime.html()
    assert "<td>0.5000†</td>" in mime.html()
    assert "<td>new &lt;b&gt;</td>" in mime.html()


def test_ctrl_c_copies_the_selected_rows_in_the_order_on_screen(view: GridView, qtbot: QtBot) -> None:
    view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    view.selectRow(0)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "System\tAP\tGrade\nnew <b>\t0.5\t\n"
    view.selectAll()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert [line[:4] for line in QGuiApplication.clipboard().text().splitlines()[1:]] == ["new ", "'=ol"]


def test_ctrl_c_copies_all_rows_where_the_current_row_is_always_selected(
    view: GridView, qtbot: QtBot
) -> None:
    view.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
    view.setCurrentIndex(view.grid.index(1, 0))
    assert len(view.selectedIndexes()) == 3
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert [line[:4] for line in QGuiApplication.clipboard().text().splitlines()[1:]] == ["'=ol", "new "]


def test_selecting_and_sorting_asks_no_more_of_a_hundred_thousand_rows_than_of_a_hundred(
    view: GridView,
) -> None:
    columns = (Column("Query", "text"), *(Column(f"AP {at}") for at in range(12)))
    asked = []
    for rows in (100, 100_000):
        values = np.random.default_rng(1).random((12, rows))
        view.show_table(Table("t", "T", columns, ([f"q{at}" for at in range(rows)], *values)))
        view.grab()
        with calls_into(grid) as calls:
            view.selectAll()
            view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
            view.grab()
        asked.append(calls.total())
    assert asked[1] <= 1.1 * asked[0] > 0


def test_a_typed_letter_goes_to_the_next_row_but_does_not_look_through_a_long_table(
    view: GridView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.setCurrentIndex(view.grid.index(0, 0))
    qtbot.keyClicks(view, "n")
    assert view.currentIndex().data() == "new <b>"
    view.show_table(Table("t", "T", (Column("Query", "text"),), ([f"q{at}" for at in range(20_000)],)))
    view.setCurrentIndex(view.grid.index(0, 0))
    asked: list[int] = []
    monkeypatch.setattr(Grid, "cell", lambda _, index: asked.append(index.row()) or "q")
    qtbot.keyClicks(view, "x")
    assert len(asked) < 1_000


def test_enter_opens_the_current_cell_by_its_row_in_the_table(view: GridView, qtbot: QtBot) -> None:
    view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    view.setCurrentIndex(view.grid.index(0, 1))
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.args == [1, 1]


def test_the_current_cell_stays_when_only_the_figures_are_new(view: GridView) -> None:
    view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    view.setCurrentIndex(view.grid.index(0, 1))
    view.show_table(replace(TABLE, data=(TABLE.data[0], [0.9, 0.5], [0, None])))
    assert view.currentIndex().data() == "0.5000†"
    assert view.currentIndex().row() == 1
    view.show_table(replace(TABLE, data=(["other", "rows"], [0.9, 0.5], [0, None])))
    assert not view.currentIndex().isValid()


def test_a_table_says_its_caption_below_its_rows_and_why_it_has_none(view: GridView) -> None:
    without = view.grab().toImage()
    view.show_table(replace(TABLE, caption="† p < 0.05."))
    assert view.grab().toImage() != without
    assert view.accessibleDescription() == view.words() == "† p < 0.05."
    view.grid.filter("nowhere")
    assert view.words() == "Nothing found."
    view.grid.filter("")
    view.show_table(replace(TABLE, data=([], [], [])))
    assert view.accessibleDescription() == view.words() == "Nothing to show."
    assert GridView("New", LIGHT, view).words() == "", "before a table is shown nothing is known"


@pytest.mark.parametrize("count", [1, 4, 40])
def test_the_caption_is_in_sight_and_every_row_can_be_however_many_there_are(
    view: GridView, count: int
) -> None:
    view.show()
    caption = "† p < 0.05. One measure is compared, which is nDCG@10; the others stand beside it. " * 3
    columns = (Column("Query", "text"), *(Column(f"A measure with a long name, {at}") for at in range(4)))
    names = [f"q{at}" for at in range(count)]
    view.show_table(Table("t", "T", columns, (names, *[[0.5] * count] * 4), caption=caption))
    for height in (200, 260, 230):
        view.resize(500, height)
        view.scrollToBottom()
        words, last = view.caption.geometry(), view.visualRect(view.grid.index(count - 1, 0))
        assert view.caption.text() == caption
        assert words.height() >= view.caption.heightForWidth(words.width())
        assert view.rect().contains(words)
        assert not words.intersects(view.horizontalScrollBar().parentWidget().geometry())
        assert view.viewport().rect().contains(last)
        assert last.bottom() < words.top() - view.viewport().y()
    view.scrollToTop()
    view.setCurrentIndex(view.grid.index(count - 1, 0))
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_only_a_column_with_intervals_is_as_wide_as_they_are(view: GridView) -> None:
    assert view.columnWidth(1) == px(INTERVAL)
    assert view.columnWidth(2) < px(INTERVAL)


def test_a_picture_differs_between_the_themes(view: GridView) -> None:
    light = view.grab().toImage()
    view.theme_changed(DARK)
    assert view.grab().toImage() != light


def test_a_screen_reader_hears_the_value_with_its_mark(view: GridView) -> None:
    assert view.grid.index(1, 1).data() == "0.5000†"
    assert view.accessibleName() == "Systems"


def test_the_widest_text_is_shortened_where_that_shows_every_column(qtbot: QtBot) -> None:
    view = GridView("Queries", LIGHT)
    qtbot.addWidget(view)
    columns = (Column("Query", "text"), Column("Text", "text"), Column("AP"), Column("RR"))
    view.resize(460, 200)
    view.show()
    view.show_table(Table("t", "T", columns, (["q1"], ["rivers " * 20], [0.5], [0.5])))
    assert view.horizontalScrollBar().maximum() == 0
    narrow = view.columnWidth(1)
    view.resize(700, 200)
    assert narrow < view.columnWidth(1)
    assert view.horizontalScrollBar().maximum() == 0
    view.resize(200, 200)
    assert view.columnWidth(1) > narrow, "where nothing helps, the text is as wide as it wants and scrolls"


def test_hundreds_of_columns_are_measured_by_few_cells_but_texts_by_many(
    view: GridView, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    measure = view.painter.sizeHint
    monkeypatch.setattr(view.painter, "sizeHint", lambda *one: asked.append(one[1].column()) or measure(*one))
    rows, many = 150, 900
    columns = (Column("Query", "text"), *(Column(f"AP {at}") for at in range(many)))
    texts = [*["q"] * (rows - 1), "a longer name of a query"]
    view.show_table(Table("t", "T", columns, (texts, *np.full((many, rows), 0.5))))
    assert many < len(asked) < 2 * MEASURED_CELLS
    widest = view.fontMetrics().horizontalAdvance(texts[-1])
    assert view.columnWidth(0) > widest, "the longest text is far below"
    assert view.columnWidth(5) >= view.fontMetrics().horizontalAdvance("0.5000")
