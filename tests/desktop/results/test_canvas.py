"""A figure on screen: pointed at, clicked, saved, drawn in both themes."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from annotator.desktop.results.canvas import Canvas
from annotator.figures.drawing import Drawn, finished, marks_at, sheet
from annotator.theme import DARK, LIGHT, Theme


def drawn(theme: Theme) -> Drawn:
    figure, axes = sheet(theme)
    axes.plot([0, 1, 2], [0, 1, 0], color=theme.accent)
    return finished(figure, theme, marks_at(axes, [1], [1], ["the top"], ["q7"]))


@pytest.fixture
def canvas(qtbot: QtBot) -> Canvas:
    canvas = Canvas(LIGHT)
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.show_figure(drawn, "A hill")
    canvas.grab()
    return canvas


def top(canvas: Canvas) -> QPointF:
    assert canvas.drawn is not None
    (marks,) = canvas.drawn.marks
    x, y = marks.axes.transData.transform((1, 1)) / canvas.devicePixelRatioF()
    return QPointF(x, canvas.height() - y)


def test_the_mark_under_the_pointer_is_named(canvas: Canvas) -> None:
    assert canvas.mark_at(top(canvas)) == ("the top", "q7")
    assert canvas.mark_at(QPointF(5, 5)) is None


def test_a_click_on_a_mark_asks_for_its_query(canvas: Canvas, qtbot: QtBot) -> None:
    place: QPoint = top(canvas).toPoint()
    with qtbot.waitSignal(canvas.query_wanted) as wanted:
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place)
    assert wanted.args == ["q7"]


def test_another_theme_draws_another_picture(canvas: Canvas) -> None:
    light = canvas.grab().toImage()
    canvas.theme_changed(DARK)
    assert canvas.grab().toImage() != light


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_a_figure_is_saved_the_same_twice(canvas: Canvas, tmp_path: Path, ending: str, start: bytes) -> None:
    first, second = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
    canvas.save(str(first))
    canvas.save(str(second))
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()


def test_an_empty_canvas_paints_nothing(canvas: Canvas) -> None:
    canvas.clear()
    canvas.grab()
    assert canvas.mark_at(QPointF(100, 100)) is None
