"""A figure on screen: pointed at, clicked, saved, drawn in both themes."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.results.canvas import INCH, Canvas, picture
from annotator.desktop.style import Appearance, factor, px
from annotator.desktop.worker import Worker
from annotator.errors import UserError
from annotator.figures.sheet import Drawn, finished, legend, marks_at, sheet
from annotator.theme import DARK, LIGHT, Theme


def drawn(theme: Theme) -> Drawn:
    figure, axes = sheet(theme)
    axes.plot([0, 1, 2], [0, 1, 0], color=theme.accent)
    return finished(figure, theme, marks_at(axes, [1], [1], ["the top"], ["q7"]))


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    worker = Worker()
    canvas = Canvas(worker, LIGHT)
    qtbot.addWidget(canvas)
    canvas.resize(400, 340)
    canvas.show_figure(drawn, "A hill")
    paint(canvas, qtbot)
    yield canvas
    worker.close()


def paint(canvas: Canvas, qtbot: QtBot) -> QImage:
    """Return the canvas as it looks once it was drawn anew."""
    with qtbot.waitSignal(canvas.figure_shown, timeout=20_000):
        canvas.grab()
    return canvas.grab().toImage()


def top(canvas: Canvas) -> QPointF:
    assert canvas.drawn is not None
    (marks,) = canvas.drawn.marks
    x, y = marks.axes.transData.transform((1, 1)) / canvas.devicePixelRatioF()
    return QPointF(x, canvas.height() - y)


def test_the_mark_under_the_pointer_is_named(canvas: Canvas) -> None:
    assert canvas.mark_at(top(canvas)) == ("the top", "q7")
    assert canvas.mark_at(QPointF(5, 5)) is None


def test_a_figure_is_set_in_letters_of_the_text_size_in_the_same_room(
    canvas: Canvas, qtbot: QtBot, look: Appearance
) -> None:
    before, size = canvas.drawn, canvas.grab().size()
    assert before is not None
    dots = before.figure.dpi
    look.choose(percent=150)
    paint(canvas, qtbot)
    assert canvas.drawn is not None
    assert canvas.drawn.figure.dpi == factor() * dots > 1.4 * dots
    assert canvas.grab().size() == size
    assert canvas.mark_at(top(canvas)) == ("the top", "q7")
    look.choose(percent=100)


def test_a_click_on_a_mark_asks_for_its_query(canvas: Canvas, qtbot: QtBot) -> None:
    at: QPoint = top(canvas).toPoint()
    with qtbot.waitSignal(canvas.query_wanted) as wanted:
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    assert wanted.args == ["q7"]


def two_bars(theme: Theme) -> Drawn:
    """Draw a bar of 1 above 0 and one of 4 above 1, and a point without a value."""
    figure, axes = sheet(theme)
    axes.bar([0, 1], [1, 4], color=theme.accent)
    sides = np.array([[-0.5, -np.inf, 0.5, np.inf], [0.5, -np.inf, 1.5, np.inf], [np.nan] * 4])
    names = ["the low", "the high", "none"]
    return finished(figure, theme, marks_at(axes, [0, 1, np.nan], [1, 4, 2], names, ["q1", "", "q3"], sides))


def place(canvas: Canvas, x: float, y: float) -> QPointF:
    """Return where a point of the axes stands on the canvas."""
    assert canvas.drawn is not None
    pixels = canvas.drawn.marks[0].axes.transData.transform((x, y)) / canvas.devicePixelRatioF()
    return QPointF(pixels[0], canvas.height() - pixels[1])


def test_a_bar_speaks_wherever_the_pointer_is_in_its_column(canvas: Canvas, qtbot: QtBot) -> None:
    canvas.show_figure(two_bars, "Two bars")
    paint(canvas, qtbot)
    for y in (0.1, 2, 3.9):
        assert canvas.mark_at(place(canvas, 0.3, y)) == ("the low", "q1")
        assert canvas.mark_at(place(canvas, 0.7, y)) == ("the high", "")
    assert canvas.mark_at(QPointF(1, 1)) is None, "beside the axes nothing speaks"


@pytest.fixture
def tips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said beside the pointer; the tip itself is a window, which offscreen cannot be raised."""
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _widget: said.append(text))
    return said


def test_the_mark_under_the_pointer_is_ringed_and_named(
    canvas: Canvas, qtbot: QtBot, tips: list[str]
) -> None:
    canvas.show()
    canvas.show_figure(two_bars, "Two bars")
    without = paint(canvas, qtbot)
    qtbot.mouseMove(canvas, place(canvas, 0.3, 3).toPoint())
    ringed = canvas.grab().toImage()
    assert ringed != without
    assert canvas.cursor().shape() == Qt.CursorShape.PointingHandCursor, "its query can be opened"
    qtbot.mouseMove(canvas, place(canvas, 0.7, 1).toPoint())
    assert canvas.grab().toImage() not in (ringed, without)
    assert tips == ["the low", "the high"]
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert canvas.grab().toImage() == without


def test_the_arrow_keys_go_through_the_marks_and_enter_opens_their_query(
    canvas: Canvas, qtbot: QtBot, tips: list[str]
) -> None:
    canvas.show()
    canvas.show_figure(two_bars, "Two bars")
    paint(canvas, qtbot)
    heard = []
    for key in ("Right", "Right", "Right", "Left"):
        qtbot.keyClick(canvas, getattr(Qt.Key, f"Key_{key}"))
        heard.append(canvas.accessibleDescription())
    assert tips == heard
    assert heard == ["the low", "the high", "the high", "the low"], "what has no value is passed over"
    with qtbot.waitSignal(canvas.query_wanted) as wanted:
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert wanted.args == ["q1"]
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    with qtbot.assertNotEmitted(canvas.query_wanted):
        qtbot.keyClick(canvas, Qt.Key.Key_Return)


def test_another_theme_draws_another_picture(canvas: Canvas, qtbot: QtBot) -> None:
    light = canvas.grab().toImage()
    canvas.theme_changed(DARK)
    assert canvas.grab().toImage() != light, "a light figure is not left on a dark page"
    qtbot.waitSignal(canvas.figure_shown, timeout=20_000).wait()
    assert canvas.grab().toImage().pixelColor(2, 2) == QColor(DARK.panel)


def test_another_size_is_drawn_anew(canvas: Canvas, qtbot: QtBot) -> None:
    canvas.resize(500, 350)
    paint(canvas, qtbot)
    assert canvas.mark_at(top(canvas)) == ("the top", "q7")


def test_figures_are_drawn_beside_the_windows_thread(canvas: Canvas, qtbot: QtBot) -> None:
    threads = []

    def draw(theme: Theme) -> Drawn:
        threads.append(threading.current_thread())
        return drawn(theme)

    canvas.show_figure(draw, "Another hill")
    assert canvas.drawn is None, "the figure on show is not the one asked for"
    paint(canvas, qtbot)
    assert threads
    assert threading.main_thread() not in threads


def test_a_figure_that_cannot_be_drawn_is_told_once(canvas: Canvas, qtbot: QtBot) -> None:
    def draw(theme: Theme) -> Drawn:
        raise ValueError(theme.name)

    canvas.show_figure(draw, "None")
    with qtbot.waitSignal(canvas.worker.failed, timeout=20_000):
        canvas.grab()
    tried = []
    canvas.worker.start = lambda *_: tried.append(1)
    canvas.grab()
    assert not tried


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_a_figure_is_saved_the_same_twice(
    canvas: Canvas, qtbot: QtBot, tmp_path: Path, ending: str, start: bytes
) -> None:
    first, second = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
    for path in (first, second):
        with qtbot.waitSignal(canvas.saved, timeout=20_000):
            canvas.save(str(path))
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()


def test_a_right_click_asks_for_a_file_of_the_chosen_kind(
    canvas: Canvas, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def choose(_parent: QWidget, _title: str, name: str, kinds: str) -> tuple[str, str]:
        asked.append(name)
        return str(tmp_path / "hill"), kinds.split(";;")[1]  # a PDF for two columns

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    (action,) = canvas.actions()
    assert canvas.contextMenuPolicy() == Qt.ContextMenuPolicy.ActionsContextMenu
    with qtbot.waitSignal(canvas.saved, timeout=20_000) as saved:
        action.trigger()
    assert asked == ["A hill.pdf"]
    assert saved.args == [f"Written: {tmp_path / 'hill.pdf'}"]
    assert b"/MediaBox [ 0 0 504 " in (tmp_path / "hill.pdf").read_bytes(), "seven inches of 72 points"


def test_a_figure_that_cannot_be_written_is_told(canvas: Canvas, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "nowhere").write_text("a file is in the way")
    with qtbot.waitSignal(canvas.worker.failed, timeout=20_000) as failed:
        canvas.save(str(tmp_path / "nowhere" / "hill.svg"))
    assert isinstance(failed.args[0], UserError)
    assert "nowhere is a file, and a folder is to be written" in str(failed.args[0])


def test_an_empty_canvas_paints_nothing(canvas: Canvas) -> None:
    canvas.clear()
    canvas.grab()
    assert canvas.mark_at(QPointF(100, 100)) is None


def test_nothing_around_the_axes_is_cut_off_where_a_figure_is_small_and_its_letters_large() -> None:
    figure, axes = sheet(LIGHT)
    for name in ("a system whose name is long enough", "another one with a name like that"):
        axes.plot([0, 1], [0, 1], label=name)
    words = "what is counted here, in many words that need two lines"
    axes.set(xlabel=words, ylabel="as many words up the side")
    legend(axes)
    made = finished(figure, LIGHT)
    picture(made, 330, 300, 1.0, 1.5)
    box, (told,) = figure.get_tightbbox(), figure.legends
    assert [one.get_text()[:8] for one in told.get_texts()] == ["a system", "another "]
    assert axes.get_xlabel().split() == words.split()
    assert min(box.x0, box.y0) >= -0.01
    assert tuple(box.p1 <= figure.get_size_inches() + 0.01) == (True, True)


def test_a_legend_of_twenty_systems_leaves_the_axes_room() -> None:
    figure, axes = sheet(LIGHT)
    for at in range(20):
        axes.plot([0, 1], [0, at], label=f"an-organisation.pipelines.retrieval.version-{at:02}")
    legend(axes, 20)
    picture(finished(figure, LIGHT), 500, 300, 1.0, 1.5)
    (told,) = figure.legends
    box = told.get_window_extent()
    assert box.width <= figure.bbox.width
    assert box.height <= 0.5 * figure.bbox.height
    assert axes.get_window_extent().height > 0.2 * figure.bbox.height
    names = [one.get_text() for one in told.get_texts()]
    assert (len(names), names[0][0], names[7][-1]) == (20, "a", "7"), "where they begin alike, the end tells"


def test_a_figure_of_many_rows_has_the_height_that_it_takes_while_it_is_seen(
    qtbot: QtBot, canvas: Canvas
) -> None:
    before = canvas.minimumHeight()
    canvas.show()
    canvas.show_figure(lambda theme: replace(drawn(theme), least=5), "Many rows")
    paint(canvas, qtbot)
    assert canvas.minimumHeight() == px(5 * INCH) > before
    canvas.hide()
    assert canvas.minimumHeight() == before
