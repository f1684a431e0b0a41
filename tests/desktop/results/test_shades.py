"""Shades: the text on every one of them reads, more is stronger, and no value is no shade."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.shades import LEVELS, ShadeKey, contrast, shades
from annotator.evaluation.result_table import Column, Table
from annotator.theme import DARK, LIGHT, Theme
from tests.test_theme import READABLE
from tests.test_theme import contrast as contrast_by_numbers

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


@THEMES
def test_the_text_reads_on_every_shade_and_zero_is_not_the_ground(theme: Theme) -> None:
    for ramp in shades(theme):
        assert len(set(map(QColor.name, ramp))) == LEVELS
        for shade in ramp:
            assert contrast_by_numbers(theme.text, shade.name()) >= READABLE
            assert shade != QColor(theme.panel)
        away = [contrast(QColor(theme.panel), shade) for shade in ramp]
        assert away == sorted(away), "more is further from the ground"


@pytest.mark.parametrize(
    ("value", "span", "part"),
    [(0, (0, 1), 0), (1, (0, 1), 1), (0.5, (0, 1), 0.5), (3, (0, 4), 0.75), (9, (0, 4), 1), (0, (0, 0), 0)],
)
def test_a_value_has_the_shade_of_its_place_in_the_span(
    value: float, span: tuple[float, float], part: float
) -> None:
    made = shades(LIGHT)
    assert made.of(value, span) == made.above[round(part * (LEVELS - 1))]


def test_what_is_below_zero_has_the_other_colour_as_strong_as_it_is_far() -> None:
    made = shades(LIGHT)
    assert made.of(-0.4, (-0.4, 0.4)) == made.below[-1]
    assert made.of(0.4, (-0.4, 0.4)) == made.above[-1]
    assert made.of(-0.2, (-0.4, 0.4)) == made.below[round(0.5 * (LEVELS - 1))]


@pytest.fixture
def heat(qtbot: QtBot) -> GridView:
    view = GridView("Queries", LIGHT)
    qtbot.addWidget(view)
    columns = (Column("Query", "text"), *(Column(name, shade=(0.0, 1.0)) for name in ("old", "new")))
    view.painter.numbers = False
    view.show_table(Table("t", "T", columns, (["q1", "q2"], [1.0, 0.0], [None, 0.5])))
    view.resize(500, 200)
    view.show()
    return view


def field(view: GridView, row: int, column: int) -> QImage:
    """Return the picture of a cell."""
    return view.viewport().grab(view.visualRect(view.grid.index(row, column))).toImage()


def colours(image: QImage) -> set[str]:
    """Return the colours of the inside of a field, without the lines around it."""
    points = [(x, y) for x in range(4, image.width() - 4) for y in range(4, image.height() - 4)]
    return {image.pixelColor(x, y).name() for x, y in points}


def test_a_field_is_the_shade_of_its_value_and_of_nothing_else(heat: GridView) -> None:
    made = shades(LIGHT)
    assert colours(field(heat, 0, 1)) == {made.of(1, (0, 1)).name()}
    assert colours(field(heat, 1, 1)) == {made.of(0, (0, 1)).name()}
    assert LIGHT.panel in colours(field(heat, 0, 2)), "no value has a dash on the ground"
    assert len(colours(field(heat, 0, 2))) > 1


def test_a_mark_is_in_sight_also_where_numbers_are_not(heat: GridView) -> None:
    assert len(colours(field(heat, 1, 1))) == 1
    heat.show_table(replace(heat.grid.table, marks={(1, 1): "*"}))
    assert len(colours(field(heat, 1, 1))) > 1
    assert len(colours(field(heat, 0, 1))) == 1


def test_the_arrow_keys_show_the_number_of_the_field_they_come_to(heat: GridView, qtbot: QtBot) -> None:
    heat.activateWindow()
    heat.setFocus()
    heat.setCurrentIndex(heat.grid.index(0, 0))
    assert len(colours(field(heat, 0, 1))) == 1
    qtbot.keyClick(heat, Qt.Key.Key_Right)
    assert len(colours(field(heat, 0, 1))) > 1
    qtbot.keyClick(heat, Qt.Key.Key_Down)
    assert len(colours(field(heat, 0, 1))) == 1
    with qtbot.waitSignal(heat.opened) as opened:
        qtbot.keyClick(heat, Qt.Key.Key_Return)
    assert opened.args == [1, 1]


def test_what_is_drawn_as_shades_is_copied_as_numbers(heat: GridView, qtbot: QtBot) -> None:
    qtbot.keyClick(heat, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Query\told\tnew\nq1\t1.0\t\nq2\t0.0\t0.5\n"
    QGuiApplication.clipboard().clear()


def test_a_field_under_the_pointer_says_its_query_its_column_and_its_value(heat: GridView) -> None:
    assert heat.grid.index(1, 2).data(Qt.ItemDataRole.ToolTipRole) == "q2\nnew: 0.5"
    assert heat.grid.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole) == "q1, new: no value"


def test_shaded_columns_share_the_width_alike_and_a_hundred_of_them_can_be_scrolled(heat: GridView) -> None:
    assert heat.columnWidth(1) == heat.columnWidth(2)
    assert heat.horizontalScrollBar().maximum() == 0
    columns = (Column("Query", "text"), *(Column(f"system {at}", shade=(0.0, 1.0)) for at in range(100)))
    heat.show_table(Table("t", "T", columns, (["q1"], *[[0.5]] * 100)))
    assert len({heat.columnWidth(at) for at in range(1, 101)}) == 1
    assert heat.horizontalScrollBar().maximum() > 0
    heat.setCurrentIndex(heat.grid.index(0, 100))
    assert heat.viewport().rect().contains(heat.visualRect(heat.currentIndex()))


@THEMES
def test_the_key_says_between_which_values_the_shades_lie(qtbot: QtBot, theme: Theme) -> None:
    key = ShadeKey(theme)
    qtbot.addWidget(key)
    key.show_span((0.0, 12.5))
    assert key.accessibleName() == "The shades lie between 0 and 12.5; a dash is no value."
    key.resize(key.sizeHint())
    shown = colours_of(key.grab().toImage())
    assert {shade.name() for shade in shades(theme).above} <= shown


def colours_of(image: QImage) -> set[str]:
    return {image.pixelColor(x, image.height() // 2).name() for x in range(image.width())}
