"""The heat map of the queries: one measure at a time, and why a field is what it is, over the page."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.window import Window
from annotator.evaluation.results import EvaluationResult
from tests.desktop.conftest import PATIENCE
from tests.desktop.evaluate.conftest import press, settle


def scores(evaluate: EvaluatePage) -> dict[str, list[float]]:
    """Return the shaded columns on show by their headings."""
    table = evaluate.queries.map.grid.table
    shown = zip(table.columns, table.data, strict=True)
    return {one.title: list(cells) for one, cells in shown if one.shade is not None}


def test_one_measure_is_shown_at_a_time_and_another_one_is_chosen_above(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    result = evaluate.result
    assert isinstance(result, EvaluationResult)
    assert scores(evaluate) == {one: list(result.of(one, "nDCG@10")) for one in result.systems}
    box = evaluate.queries.measure
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == "AP"
    assert scores(evaluate) == {one: list(result.of(one, "AP")) for one in result.systems}
    before = evaluate.result
    evaluate.options.change(measures=("RR", "AP"))
    qtbot.waitUntil(lambda: evaluate.result is not before and not evaluate.job.busy, timeout=PATIENCE)
    assert box.currentText() == "AP", "what was chosen stays while the result has it"


def test_numbers_are_shown_on_demand(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    tab = evaluate.queries
    without = tab.map.viewport().grab().toImage()
    assert not tab.numbers.isChecked()
    tab.numbers.setFocus()
    qtbot.keyClick(tab.numbers, Qt.Key.Key_Space)
    assert tab.map.viewport().grab().toImage() != without
    qtbot.keyClick(tab.numbers, Qt.Key.Key_Space)
    assert tab.map.viewport().grab().toImage() == without


def test_an_explanation_opens_over_the_page_and_esc_leads_back_to_its_field(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    view = evaluate.queries.map
    view.setFocus()
    widths = [view.columnWidth(at) for at in range(view.grid.columnCount())]
    press(view, 0, "sys2", qtbot)
    qtbot.waitUntil(lambda: evaluate.panel.evidence is not None, timeout=PATIENCE)
    assert evaluate.panel.isVisible()
    assert (evaluate.panel.query, evaluate.panel.system.currentText()) == ("q1", "sys2")
    assert [view.columnWidth(at) for at in range(view.grid.columnCount())] == widths, "nothing is squeezed"
    right = evaluate.mapFromGlobal(evaluate.stack.mapToGlobal(evaluate.stack.rect().center()))
    over = evaluate.childAt(QPoint(evaluate.width() - 20, right.y()))
    assert over is not None
    assert evaluate.sheet.isAncestorOf(over)
    has_keys = QApplication.focusWidget()
    assert has_keys is not None
    assert evaluate.sheet.isAncestorOf(has_keys)
    qtbot.keyClick(has_keys, Qt.Key.Key_Escape)
    assert not evaluate.panel.isVisible()
    assert view.hasFocus()
    assert view.currentIndex().row() == 0
    settle(evaluate, qtbot)


def test_what_the_map_shows_is_copied_with_its_numbers(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    view = evaluate.queries.map
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, *rows = (line.split("\t") for line in QGuiApplication.clipboard().text().splitlines())
    QGuiApplication.clipboard().clear()
    assert len(rows) == view.grid.rowCount()
    for system, values in scores(evaluate).items():
        assert [float(row[head.index(system)]) for row in rows] == values


def test_the_means_are_as_high_as_their_rows_and_the_tabs_take_the_rest(
    evaluate: EvaluatePage, window: Window
) -> None:
    assert evaluate.summary.height() == evaluate.summary.height_of(2)
    assert evaluate.summary.verticalScrollBar().maximum() == 0
    assert evaluate.tabs.height() > evaluate.summary.height()
