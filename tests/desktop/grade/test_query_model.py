"""The query list's model fetches what is in sight, and nothing else."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.grade import query_model
from annotator.desktop.grade.query_list import QueryList
from annotator.desktop.grade.query_model import PAGE, ROW, Line, QueryModel
from annotator.desktop.style import font
from annotator.desktop.worker import Worker
from annotator.errors import DiskError
from annotator.project.views import QueryRow
from annotator.theme import LIGHT, STEPS


@pytest.fixture
def fetched() -> list[int]:
    return []


@pytest.fixture
def owned(qtbot: QtBot) -> Iterator[tuple[QObject, Worker]]:
    """An object that owns what is made, and its worker."""
    owner = QObject()
    worker = Worker(owner)
    yield owner, worker
    worker.close()


@pytest.fixture
def untested(owned: tuple[QObject, Worker], fetched: list[int]) -> QueryModel:
    """A model that no tester walks through."""
    owner, worker = owned

    def fetch(keys: np.ndarray) -> list[Line]:
        fetched.extend(map(int, keys))
        return [Line(QueryRow(int(key), f"q{key}", f"text {key}", 1, 2), 0.5) for key in keys]

    return QueryModel(fetch, worker, owner)


@pytest.fixture
def model(untested: QueryModel) -> QueryModel:
    """A model that Qt's tester walks through at every change."""
    QAbstractItemModelTester(untested, QAbstractItemModelTester.FailureReportingMode.Fatal, untested)
    return untested


def test_a_line_is_fetched_when_it_is_first_shown(qtbot: QtBot, model: QueryModel) -> None:
    model.show_keys(np.arange(500))
    assert model.rowCount() == 500
    qtbot.waitUntil(lambda: model.index(300, 0).data() == "text 300", timeout=20_000)
    assert [model.index(300, column).data() for column in range(3)] == ["text 300", "1/2", "0.500"]


def test_of_a_million_lines_only_those_asked_for_are_fetched(
    qtbot: QtBot, untested: QueryModel, fetched: list[int]
) -> None:
    untested.show_keys(np.arange(1_000_000))
    assert untested.index(500_000, 0).data() is None
    qtbot.waitUntil(lambda: untested.index(500_000, 0).data() == "text 500000", timeout=20_000)
    assert len(fetched) == PAGE


def test_a_changed_query_is_fetched_alone(qtbot: QtBot, model: QueryModel, fetched: list[int]) -> None:
    model.show_keys(np.arange(10, 200))
    model.index(3, 0).data()
    qtbot.waitUntil(lambda: isinstance(model.index(3, 0).data(ROW), Line), timeout=20_000)
    fetched.clear()
    with qtbot.waitSignal(model.dataChanged, timeout=20_000) as changed:
        model.refresh(13)
    assert fetched == [13]
    assert [changed.args[0].row(), changed.args[1].row()] == [3, 3]


def test_lines_that_could_not_be_read_are_asked_for_again_and_it_is_said(
    qtbot: QtBot, untested: QueryModel, fetched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_model, "AGAIN_MS", 0)
    reads, tries = untested._fetch, iter([False, True, False, True])

    def fetch(keys: np.ndarray) -> list[Line]:
        if not next(tries):
            raise DiskError("The disk reported an error.")
        return reads(keys)

    untested._fetch = fetch
    around = QWidget()
    qtbot.addWidget(around)
    view = QueryList(untested, LIGHT, around)
    view.resize(300, 300)
    around.show()
    with qtbot.waitSignal(untested.unread, timeout=20_000) as said:
        untested.show_keys(np.arange(10, 20))
    assert said.args == [
        "Queries of the list could not be read, and are asked for again. The disk reported an error."
    ]
    qtbot.waitUntil(lambda: fetched == [*range(10, 20)], timeout=20_000)  # the view asked, not the test
    qtbot.waitUntil(lambda: untested.index(3, 0).data() == "text 13", timeout=20_000)
    fetched.clear()
    with qtbot.waitSignals([untested.unread, untested.dataChanged], timeout=20_000):
        untested.refresh(13)
    assert fetched == [13]


def test_lines_asked_for_before_a_new_order_are_dropped(qtbot: QtBot, model: QueryModel) -> None:
    model.show_keys(np.arange(100))
    model.index(0, 0).data()
    model.show_keys(np.arange(100)[::-1].copy())
    model.index(0, 0).data()
    qtbot.waitUntil(lambda: model.index(0, 0).data() == "text 99", timeout=20_000)


def test_a_screen_reader_hears_the_progress(qtbot: QtBot, model: QueryModel) -> None:
    model.show_keys(np.array([7]))
    index = model.index(0, 0)
    index.data()
    role = Qt.ItemDataRole.AccessibleTextRole
    qtbot.waitUntil(lambda: index.data(role) == "text 7, 1 of 2 done, nDCG@10 0.500", timeout=20_000)


def test_the_query_in_front_stays_in_sight_in_a_lower_list(qtbot: QtBot, untested: QueryModel) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    view = QueryList(untested, LIGHT, around)
    untested.show_keys(np.arange(40))
    around.show()
    view.resize(300, 800)
    view.show_query(12)
    for height in (800, 300, 120):
        view.resize(300, height)
        assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
        assert view.rowViewportPosition(view.rowAt(0)) == 0, "the header cuts none"


def test_ctrl_c_in_the_list_copies_every_line_also_those_never_in_sight(
    qtbot: QtBot, untested: QueryModel
) -> None:
    untested.show_keys(np.array([7, 3, *range(100, 2_100)]))
    around = QWidget()
    qtbot.addWidget(around)
    view = QueryList(untested, LIGHT, around)
    clipboard = QGuiApplication.clipboard()
    with qtbot.waitSignal(clipboard.dataChanged, timeout=20_000):
        qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = clipboard.text().splitlines()
    assert lines[:3] == [
        "Id\tQuery\tDone\tCandidates\tnDCG@10",
        "q7\ttext 7\t1\t2\t0.5",
        "q3\ttext 3\t1\t2\t0.5",
    ]
    assert len(lines) == 2_003
    assert "<td>text 7</td><td>1</td><td>2</td><td>0.500</td>" in clipboard.mimeData().html()
    clipboard.clear()  # offscreen it would outlive Python, and what Python made with it


@pytest.mark.parametrize("pool", [9, 178, 1_000, 12_345])
@pytest.mark.parametrize("pixels", [13, 20])
def test_no_count_is_cut(
    qtbot: QtBot, qapp: QApplication, owned: tuple[QObject, Worker], pool: int, pixels: int
) -> None:
    owner, worker = owned
    usual = qapp.font()
    larger = qapp.font()
    larger.setPixelSize(pixels)
    qapp.setFont(larger)
    model = QueryModel(lambda keys: [Line(QueryRow(1, "q1", "text", 1, pool)) for _ in keys], worker, owner)
    around = QWidget()
    qtbot.addWidget(around)
    view = QueryList(model, LIGHT, around)
    view.resize(400, 300)
    around.show()
    model.show_keys(np.array([1]))
    qtbot.waitUntil(lambda: model.index(0, 1).data() == f"1/{pool}", timeout=20_000)
    free = view.columnWidth(1) - 2 * STEPS[0]
    assert free >= QFontMetrics(font(12)).horizontalAdvance(f"{pool}/{pool}")
    qapp.setFont(usual)


def test_a_text_written_from_the_right_stands_at_the_right_and_the_sign_behind_it_at_its_left(
    owned: tuple[QObject, Worker], untested: QueryModel
) -> None:
    def painted(paint: Callable[[QPainter, QRectF], object]) -> QImage:
        image = QImage(300, 60, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as on a widget
        painter.setFont(font(13))
        painter.setPen(QColor(LIGHT.text))
        paint(painter, QRectF(0, 0, 300, 60))
        painter.end()
        return image

    words = "\u05d4\u05e8?"
    from_the_right = (
        Qt.TextFlag.TextForceRightToLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
    )
    view = QueryList(untested, LIGHT, around := QWidget())
    shown = painted(lambda painter, box: view._delegate._paint_text(painter, box, words, False))
    assert shown == painted(lambda painter, box: painter.drawText(box, from_the_right, words))
    around.deleteLater()
