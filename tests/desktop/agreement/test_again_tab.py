"""One's own earlier grades, asked again on the Agreement page."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.desktop.agreement.again_tab import AgainTab
from annotator.desktop.agreement.page import AgreementPage
from annotator.desktop.window import Window
from annotator.project import repeating
from tests.desktop.graded import PATIENCE, grade_queries


def opened(window: Window, qtbot: QtBot) -> AgainTab:
    window.show_page(3)
    page = window.pages[3]
    assert isinstance(page, AgreementPage)
    qtbot.waitUntil(lambda: page.found is not None and not page.job.busy, timeout=PATIENCE)
    page.tabs.setCurrentWidget(page.again)
    return page.again


def test_nothing_is_asked_again_while_the_work_is_fresh(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1,))
    tab = opened(window, qtbot)
    qtbot.waitUntil(lambda: tab.query.text() == "Nothing is asked again now", timeout=PATIENCE)
    assert not any(button.isEnabled() for button in tab.buttons)


def test_a_digit_answers_and_the_next_one_comes(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeating, "FRESH", 0)
    monkeypatch.setattr(repeating, "SHARE", 1.0)
    grade_queries(window, qtbot, (1,))
    tab = opened(window, qtbot)
    qtbot.waitUntil(lambda: tab.current is not None, timeout=PATIENCE)
    first = tab.current
    assert first is not None
    assert "6 of your earlier candidates" in tab.left.text()
    assert tab.candidate.text() == first.candidate_id
    tab.text.setFocus()
    with qtbot.waitSignal(tab.answered, timeout=PATIENCE) as answered:
        qtbot.keyClick(tab.text, Qt.Key.Key_3)
    assert answered.args[0].kind == "repeat"
    assert answered.args[0].after == 3
    qtbot.waitUntil(lambda: tab.current is not None, timeout=PATIENCE)
    assert tab.current != first
    assert "5 of your earlier candidates" in tab.left.text()
    assert "not enough data (1 items" in tab.agreement.text()
