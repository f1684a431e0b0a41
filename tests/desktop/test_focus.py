"""Where the keys go is always to be seen: what can be reached by Tab looks different while it has them."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.dialog import Dialog
from annotator.desktop.grade.page import GradePage
from annotator.desktop.pages import PAGES
from annotator.desktop.report import page as report_page
from annotator.desktop.report.page import Choice
from annotator.desktop.results.evaluated_page import EvaluatedPage
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.row_table import Rows
from annotator.desktop.window import Window
from tests.desktop.graded import PATIENCE, grade_queries


@pytest.mark.parametrize("number", range(len(PAGES)))
def test_the_focus_is_always_visible(
    qtbot: QtBot, window: Window, page: GradePage, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_page, "Choice", partial(Choice, figures=("intervals",)))
    window.resize(1280, 800)
    grade_queries(window, qtbot, (1, 2, 3))
    grade_queries(window, qtbot, (1, 2, 3), annotator="bo", off=1)
    window.stack.show_page(number)
    front = window.pages[number]
    for theme in ("light", "dark"):
        window.appearance.choose(theme, 100)
        if isinstance(front, EvaluatedPage):
            qtbot.waitUntil(lambda: front.result is not None, timeout=PATIENCE)
        qtbot.waitUntil(
            lambda: not any(one.isVisible() for one in front.findChildren(JobBar)), timeout=PATIENCE
        )
        qtbot.waitUntil(partial(every_focus_shows, window), timeout=PATIENCE)  # figures are drawn anew


def test_the_focus_is_visible_in_a_table_of_a_dialog(qtbot: QtBot, window: Window) -> None:
    dialog = Dialog("Table", window)
    table = Rows("Rows", ("One",), dialog)
    table.show_rows([("first",), ("second",)])
    dialog.lay_out(table, dialog.way_out())
    dialog.open()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=PATIENCE)
    close = dialog.findChildren(QPushButton)[0]
    for theme in ("dark", "light"):
        close.setFocus()
        window.appearance.choose(theme, 100)
        assert close.hasFocus(), "the keys stay where they were"
        assert shows_focus(table)
    dialog.reject()


def every_focus_shows(window: Window) -> None:
    """Go through all that Tab reaches; raises AssertionError with what looks the same with the keys."""
    among = window.findChildren(QWidget)
    reachable = [one for one in among if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    shown = [one for one in reachable if one.isVisible() and one.isEnabled()]
    tried = [(named(one), seen) for one in shown if (seen := shows_focus(one)) is not None]
    assert len(tried) >= 10
    assert [name for name, seen in tried if not seen] == []


def shows_focus(one: QWidget) -> bool | None:
    """Say whether a widget or its surroundings look different with the keys; None if it passes them on."""
    elsewhere = one.window()
    elsewhere.setFocus()
    QApplication.processEvents()
    before = one.parentWidget().grab().toImage()
    one.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    return one.parentWidget().grab().toImage() != before if one.hasFocus() else None


def named(one: QWidget) -> str:
    return f"{type(one).__name__} {one.accessibleName() or one.objectName()}"
