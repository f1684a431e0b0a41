"""The table widget: copying, opening a cell, painting everything it can hold."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType, ModuleType

import numpy as np
import pytest
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QScrollArea, QStyleOptionHeader, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from annotator.desktop import layouts
from annotator.desktop.elided import elided
from annotator.desktop.results import grid
from annotator.desktop.results.cell_painter import EDGE, PADDING, PLOT, ROW, WIDEST
from annotator.desktop.results.column_widths import AIR, ROOMIEST, SHORT_HEADING, SHORT_TEXT
from annotator.desktop.results.grid import Grid
from annotator.desktop.results.grid_view import MEASURED_CELLS, GridView
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.style import breakable, font, prose, px
from annotator.evaluation.result_table import Column, Table
from annotator.theme import DARK, LIGHT

SPOKEN = Qt.ItemDataRole.AccessibleTextRole
TABLE = Table(
    "t",
    "T",
    (Column("System", "text"), Column("AP", best="high", bar=True), Column("Grade", "grade")),
    (["=old", "new <b>"], [0.123456789, 0.5], [0, None]),
    marks={(1, 1): "†"},
    intervals={(0, 1): (0.1, 0.2)},
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
    assert mime.text() == (
        "System\tAP\tAP low\tAP high\tGrade\n'=old\t0.123456789\t0.1\t0.2\t0\nnew <b>\t0.5\t\t\t\n"
    ), "what is drawn is copied as numbers"
    assert "<td>0.1235</td>" in mime.html()
    assert "<td>0.5000†</td>" in mime.html()
    assert "<td>new &lt;b&gt;</td>" in mime.html()


def test_ctrl_c_copies_the_selected_rows_in_the_order_on_screen(view: GridView, qtbot: QtBot) -> None:
    view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    view.selectRow(0)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "System\tAP\tAP low\tAP high\tGrade\nnew <b>\t0.5\t\t\t\n"
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
    assert view.focusPolicy() is Qt.FocusPolicy.NoFocus, "nothing would show that it has the keys"
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
        assert view.caption.text() == breakable(caption), "no equation is torn"
        assert words.height() >= view.caption.heightForWidth(words.width())
        assert view.rect().contains(words)
        assert not words.intersects(view.horizontalScrollBar().parentWidget().geometry())
        assert view.viewport().rect().contains(last)
        assert last.bottom() < words.top() - view.viewport().y()
    view.scrollToTop()
    view.setCurrentIndex(view.grid.index(count - 1, 0))
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_columns_of_intervals_take_the_room_that_is_left(view: GridView) -> None:
    view.show()
    view.resize(390, 200)
    grade = view.columnWidth(2)
    assert view.horizontalHeader().length() == view.viewport().width()
    view.resize(430, 200)
    assert view.horizontalHeader().length() == view.viewport().width()
    assert view.columnWidth(2) == grade
    view.resize(2000, 200)
    assert view.columnWidth(1) == px(ROOMIEST)
    assert view.columnWidth(2) == grade + px(AIR)
    view.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    view.resize(390, 200)
    assert view.columnWidth(2) >= view.horizontalHeader().sectionSizeHint(2) >= grade, "the arrow has room"


def test_axes_of_intervals_are_shorter_where_not_all_columns_have_room(view: GridView) -> None:
    view.show()
    widths = []
    for lacking in (0, 20, 400):
        view.resize(sum(view._widths.wide) - lacking + view.width() - view.viewport().width(), 300)
        widths.append([view.columnWidth(at) for at in range(3)])
    whole, shorter, shortest = widths
    assert whole == view._widths.wide
    assert shorter == [whole[0], whole[1] - 20, whole[2]]
    heading = view.horizontalHeader().sectionSizeHint(1)
    assert shortest[1] == max(view.sizeHintForColumn(1) - px(PLOT), heading)


def test_headings_are_read_whole_and_the_last_column_keeps_the_margin_of_the_page(view: GridView) -> None:
    columns = tuple(Column(f"Heading number {at}", "text") for at in range(8))
    view.show_table(Table("t", "T", columns, tuple(["a system with a long name"] for _ in columns)))
    view.resize(1300, 200)
    view.show()
    head, metrics = view.horizontalHeader(), QFontMetrics(font(11, QFont.Weight.DemiBold))
    for at, column in enumerate(columns):
        assert view.columnWidth(at) >= metrics.horizontalAdvance(column.title) + 2 * px(PADDING)
    assert head.length() <= view.viewport().width(), "the long names give way, all alike"
    image = view.grab().toImage()
    ground = image.pixelColor(1, view.rowViewportPosition(0) + head.height() + 3)
    right = view.columnViewportPosition(7) + view.columnWidth(7)
    for x in range(right - EDGE, right):
        for y in range(4, head.height() + px(ROW) - 4):
            line = abs(y - head.height()) <= 2
            assert line or image.pixelColor(x, y) == ground, (x, y)


def test_a_new_table_is_ordered_by_its_first_measure_until_the_user_takes_another(qtbot: QtBot) -> None:
    view = GridView("Systems", LIGHT, highest_first=1)
    qtbot.addWidget(view)
    view.show_table(TABLE)
    assert [view.grid.index(row, 0).data() for row in range(2)] == ["new <b>", "=old"]
    assert view.grid.headerData(1, Qt.Orientation.Horizontal) == "AP ↓"
    view.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    view.show_table(replace(TABLE, data=(TABLE.data[0], [0.2, 0.5], [0, None])))
    assert view.grid.index(0, 0).data() == "=old", "the user's order stays while the figures change"
    assert view.grid.headerData(1, Qt.Orientation.Horizontal) == "AP ↑"
    view.show_table(replace(TABLE, columns=(TABLE.columns[0], Column("RR"), TABLE.columns[2])))
    assert view.grid.headerData(1, Qt.Orientation.Horizontal) == "RR ↓"
    view.show_table(replace(TABLE, data=(TABLE.data[0], [0.2, 0.5], [0, None])))
    assert view.grid.headerData(1, Qt.Orientation.Horizontal) == "AP ↓", "as the table before was ordered"


def test_intervals_of_a_column_stand_on_one_axis_or_those_of_all_columns_do(view: GridView) -> None:
    columns = (Column("System", "text"), Column("AP"), Column("RR"))
    intervals = {(0, 1): (0.1, 0.3), (1, 1): (0.2, 0.5), (0, 2): (-0.5, 0.9)}
    view.show_table(Table("t", "T", columns, (["a", "b"], [0.2, 0.4], [0.5, 0.6]), intervals=intervals))
    assert (view.painter.axis(1), view.painter.axis(2)) == ((0.1, 0.5), (-0.5, 0.9))
    view.painter.one_axis = True
    assert view.painter.axis(1) == view.painter.axis(2) == (-0.5, 0.9)
    view.show_table(replace(view.grid.table, intervals={(0, 1): (0.1, 0.2)}))
    assert view.painter.axis(1) == (0.1, 0.2)


def test_bars_of_columns_of_different_widths_have_one_scale(view: GridView) -> None:
    columns = (Column("Query", "text"), Column("a-rather-long-system", bar=True), Column("b", bar=True))
    view.show_table(Table("t", "T", columns, (["q"], [0.5], [0.5])))
    view.clearSelection()
    image, accent, lengths = view.viewport().grab().toImage(), QColor(LIGHT.accent), []
    for at in (1, 2):
        box = view.visualRect(view.grid.index(0, at))
        line = box.bottom() - px(6)
        lengths.append(sum(image.pixelColor(x, line) == accent for x in range(box.left(), box.right())))
    assert view.columnWidth(1) > view.columnWidth(2)
    assert lengths[0] == lengths[1] > 0


def dot(view: GridView, row: int) -> float:
    """Return where in the cell of a row under AP the dot is centred, in pixels from the left."""
    box = view.visualRect(view.grid.index(row, 1))
    image = view.viewport().grab().toImage()
    accent = QColor(LIGHT.accent)
    line = box.center().y() - 3  # above the interval's line, inside the dot
    found = [x for x in range(box.left(), box.right()) if image.pixelColor(x, line) == accent]
    return sum(found) / len(found)


def test_the_dot_of_an_estimate_stands_at_its_place_between_the_ends_of_the_axis(view: GridView) -> None:
    columns = (Column("System", "text"), Column("AP"))
    intervals = {(0, 1): (0.0, 0.5), (1, 1): (0.5, 1.0), (2, 1): (0.25, 0.75)}
    data = (["a", "b", "c"], [0.25, 0.75, 0.5])
    view.show_table(Table("t", "T", columns, data, intervals=intervals))
    view.show()
    first, second, middle = (dot(view, row) for row in range(3))
    assert first < middle < second
    assert middle == pytest.approx((first + second) / 2, abs=1)


@pytest.mark.parametrize("beside", [True, False])
def test_an_interval_stands_below_its_number_where_there_is_no_room_beside_it(
    view: GridView, beside: bool
) -> None:
    columns = (Column("System", "text"), Column("AP"))
    view.show_table(Table("t", "T", columns, (["a"], [0.5]), intervals={(0, 1): (0.0, 1.0)}))
    view.show()
    view.resize(400 if beside else 140, 200)
    box, image = view.visualRect(view.grid.index(0, 1)), view.viewport().grab().toImage()
    accent = QColor(LIGHT.accent)
    across, down = range(box.left(), box.right()), range(box.top(), box.bottom())
    drawn = [(x, y) for x in across for y in down if image.pixelColor(x, y) == accent]
    middle = sum(y for _, y in drawn) / len(drawn)
    assert (middle < box.center().y() + 2) is beside
    assert (max(x for x, _ in drawn) > box.right() - EDGE - 4) is not beside, "as wide as the cell"


def test_rows_are_one_line_high_and_the_table_asks_for_the_height_of_those_in_sight(view: GridView) -> None:
    view.show()
    row = view.verticalHeader().defaultSectionSize()
    assert row == px(ROW)
    assert view.height_of(1) + row == view.height_of(2) == view.height_of(9), "there are two"
    view.resize(500, view.height_of(9))
    assert view.verticalScrollBar().maximum() == 0
    view.resize(500, view.height() - 1)
    assert view.verticalScrollBar().maximum() == 1


def test_a_screen_reader_hears_row_heading_value_and_interval_of_a_cell(view: GridView) -> None:
    said = [view.grid.index(row, at).data(SPOKEN) for row in range(2) for at in range(3)]
    assert said == [
        *("=old", "=old, AP: 0.1235, 95% interval 0.1000 to 0.2000", "=old, Grade: 0"),
        *("new <b>", "new <b>, AP: 0.5000†", "new <b>, Grade: no value"),
    ]


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
    assert view.columnWidth(1) == px(SHORT_TEXT), "where nothing helps, it stays readable, and all scrolls"


def test_headings_of_numbers_are_shortened_before_their_columns_are_out_of_sight(
    view: GridView, qtbot: QtBot
) -> None:
    names = [f"a-system-with-a-very-long-name-of-run-{at}" for at in range(2)]
    columns = (Column("Query", "text"), *(Column(name) for name in names))
    view.show_table(Table("t", "T", columns, (["q1"], [0.5], [0.25])))
    view.show()
    view.resize(900, 200)
    assert view.columnWidth(1) >= view.horizontalHeader().sectionSizeHint(1)
    view.resize(400, 200)
    qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() == 0)
    assert view.columnWidth(1) >= px(SHORT_HEADING)
    assert names[1] in view.grid.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)


def test_a_name_that_comes_later_is_read_in_full_and_new_figures_alone_move_no_column(qtbot: QtBot) -> None:
    view = GridView("Systems", LIGHT)
    qtbot.addWidget(view)
    view.resize(700, 200)
    view.show()
    columns = Column("System", "text"), Column("AP"), Column("RR")
    late = "a system that is read later"
    view.show_table(Table("t", "T", columns, (["old"], [0.5], [0.5])))
    view.show_table(Table("t", "T", columns, (["old", late], [0.5, 0.4], [0.5, 0.4])))
    assert view.columnWidth(0) >= view.fontMetrics().horizontalAdvance(late)
    view.setColumnWidth(1, 150)
    view.show_table(Table("t", "T", columns, (["old", late], [0.7, 0.4], [0.5, 0.4])))
    assert view.columnWidth(1) == 150


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


def test_a_long_text_is_shown_to_its_end_where_there_is_room(view: GridView, qtbot: QtBot) -> None:
    columns = (Column("Tool", "text"), Column("AP"), Column("In words", "text"))
    view.show_table(Table("t", "T", columns, (["a"], [0.5], ["Gains are the grades. " * 5])))
    view.show()
    view.resize(2000, 200)
    needed = view.sizeHintForColumn(2)
    assert px(WIDEST) < needed == view.columnWidth(2)
    view.resize(500, 200)
    assert view.columnWidth(2) < px(WIDEST)
    qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() == 0)


def test_the_height_knows_at_once_of_the_scroll_bar_that_columns_will_need(view: GridView) -> None:
    view.show()
    view.resize(900, 300)
    without = view.height_of(2)
    view.resize(100, 300)
    assert view.horizontalHeader().length() > view.viewport().width()
    assert view.height_of(2) == without + view.horizontalScrollBar().sizeHint().height()
    view.resize(900, 300)
    assert view.height_of(2) == without == view.height_of(2, 900)
    assert view.height_of(2, 100) > without


def test_the_height_of_a_caption_is_known_at_once_when_it_is_shown_again(view: GridView) -> None:
    view.show_table(replace(TABLE, caption="Said below the rows, in words " * 9))
    view.show()
    heights = [view.height_of(2)]
    for terse in (True, False):
        view.terse = terse
        if terse:
            view.updateGeometries()
        heights.append(view.height_of(2))
    assert heights[0] == heights[2] > heights[1] + 2 * view.fontMetrics().height()


def test_a_heading_without_room_keeps_no_part_of_its_number(view: GridView) -> None:
    view.show_table(Table("t", "T", (Column("everybody, 194 items"),), ([1],)))
    heads, option = view.horizontalHeader(), QStyleOptionHeader()
    for width in (heads.sectionSizeHint(0), heads.sectionSizeHint(0) - 20):
        view.setColumnWidth(0, width)
        heads.initStyleOptionForIndex(option, 0)
        assert option.text == (
            "everybody, 194 items" if width > heads.sectionSizeHint(0) - 20 else "everybody…"
        )


def test_columns_of_shades_are_all_alike_and_show_their_headings_where_there_is_room(view: GridView) -> None:
    names = ("bm25", "a longer name")
    columns = (Column("Query", "text"), *(Column(name, shade=(0.0, 1.0)) for name in names))
    view.show_table(Table("t", "T", columns, (["one of many words " * 5], [0.5], [0.5])))
    view.show()
    longest = view.horizontalHeader().sectionSizeHint(2)
    for width, whole in ((300, False), (px(SHORT_TEXT) + 2 * longest + 20, True)):
        view.resize(width, 200)
        assert abs(view.columnWidth(1) - view.columnWidth(2)) <= 1
        assert (view.columnWidth(2) >= longest) is whole
        assert view.horizontalHeader().length() <= view.viewport().width()


def test_names_that_differ_in_the_middle_are_told_apart_in_headings_and_cells(qtbot: QtBot) -> None:
    names = [f"bm25-with-query-expansion-run-{at:02}-of-the-winter-campaign" for at in range(12)]
    columns = (Column("System", "text"), *(Column(one, shade=(0, 1)) for one in names))
    view = GridView("Pairs", LIGHT)
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show_table(Table("t", "T", columns, (names, *([0.5] * 12 for _ in names))))
    head, seen = view.horizontalHeader(), []
    for at in range(1, 13):
        option = QStyleOptionHeader()
        head.initStyleOptionForIndex(option, at)
        seen.append(option.text)
    assert [one for one, name in zip(seen, names, strict=True) if name[30:32] not in one] == []
    assert len({*seen}) == 12
    view.show()
    places = (QRect(head.sectionViewportPosition(at), 0, head.sectionSize(at), 20) for at in (1, 2, 3))
    assert len({bytes(head.grab(place).toImage().constBits()) for place in places}) == 3
    words = QFontMetrics(font(11, QFont.Weight.DemiBold))
    for room in range(70, 300):
        head.resizeSection(1, room)
        option = QStyleOptionHeader()
        head.initStyleOptionForIndex(option, 1)
        assert words.horizontalAdvance(option.text) <= room - 2 * px(PADDING), "Qt cuts it no further"
    shown = elided(view.grid.names, view.painter.normal, view.columnWidth(0) - EDGE - PADDING)
    assert [name for name in names if name[30:32] not in shown[name]] == []


class Noting(QPainter):
    """Notes which texts are drawn, and where."""

    def drawText(self, box: QRectF, flags: int, words: str) -> None:
        self.noted = (box, words)
        super().drawText(box, flags, words)


def test_no_number_that_the_edge_would_cut_reads_as_another_one(view: GridView) -> None:
    numbers = (Column("AP"), Column("F1", shade=(0, 1)), Column("p", "p"), Column("n", "count"))
    cells = ([0.8564, 1], [0.1234, 1], [0.0312, 1], [1234, 5])
    view.show_table(Table("t", "T", (Column("Query", "text"), *numbers), (["401", "4"], *cells)))
    whole = [[view.grid.text_at(row, at) for row in range(2)] for at in range(5)]
    view.resize(150, 200)
    view.show()
    bar, cut = view.horizontalScrollBar(), 0
    image = QImage(800, 200, QImage.Format.Format_RGB32)
    painter = Noting(image)
    for place in range(0, bar.maximum() + 1, 9):
        bar.setValue(place)
        for at, texts in enumerate(whole):
            shown = []
            for row in range(2):
                option = QStyleOptionViewItem()
                option.rect = view.visualRect(view.grid.index(row, at))
                painter.noted = (QRectF(), "")
                view.painter.paint(painter, option, view.grid.index(row, at))
                box, words = painter.noted
                shown.append(words)
                assert QFontMetrics(view.painter.normal).horizontalAdvance(words) <= box.width() + 1
                assert box.width() == 0 or (box.left() >= 0 and box.right() <= view.viewport().width())
            assert at == 0 or shown in (texts, ["", ""]), "of a column all numbers are shown, or none"
            cut += at > 0 and not shown[0]
    painter.end()
    assert cut > 0


def test_however_low_the_page_so_many_rows_are_whole_as_a_table_is_told(qtbot: QtBot) -> None:
    page, tab = QScrollArea(), ProjectTab(None, None)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    view, words = GridView("Changes", LIGHT, at_least=3), prose("Grades that would change it. " * 12)
    layouts.column(words, (view, 1), on=tab)
    page.setWidgetResizable(True)
    page.setWidget(tab)
    page.resize(300, 100)
    page.show()
    rows = Table("t", "T", (Column("Query", "text"),), ([str(at) for at in range(9)],), "Differences. " * 20)
    view.show_table(rows)
    qtbot.waitUntil(lambda: view.viewport().height() >= 3 * px(ROW))
    assert words.height() >= words.heightForWidth(words.width())
    assert view.verticalScrollBar().maximum() > 0


def test_a_line_stands_before_the_first_of_some_columns_that_belong_together(view: GridView) -> None:
    columns = (TABLE.columns[0], Column("Ann", begins=True), Column("Place", "count"))
    view.show_table(Table.of_rows("t", "T", columns, [("old", 0.5, 1)]))
    image, middle = view.viewport().grab().toImage(), px(ROW) // 2
    seen = [image.pixelColor(view.columnViewportPosition(at), middle).name() for at in (1, 2)]
    assert seen == [LIGHT.line, LIGHT.panel]
