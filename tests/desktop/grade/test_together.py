"""Several candidates in one action on the Grade page: the question before it, what follows, undo."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import COMMANDS
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.together import NOTHING_OPEN
from annotator.desktop.window import Window
from annotator.project import browse, history
from tests.desktop.conftest import PATIENCE, heard
from tests.desktop.grade.test_grading_loop import judgments, press, stored, wait_for

CONTROL = Qt.KeyboardModifier.ControlModifier


def ask(qtbot: QtBot, page: GradePage) -> QMessageBox:
    """Press the key and return the question."""
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_0, CONTROL)
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    question = QApplication.activeModalWidget()
    assert isinstance(question, QMessageBox)
    return question


def answer(qtbot: QtBot, question: QMessageBox, words: str) -> None:
    """Take the button with these words by the keyboard."""
    [wanted] = [one for one in question.buttons() if one.text().replace("&", "") == words]
    while question.focusWidget() is not wanted:
        qtbot.keyClick(question, Qt.Key.Key_Tab)
    window = question.parentWidget().window()
    qtbot.keyClick(wanted, Qt.Key.Key_Space)
    window.activateWindow()  # as a window manager does when the question goes
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)


def end(qtbot: QtBot, page: GradePage) -> None:
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)


def test_no_letter_and_no_digit_alone_gives_several_grades() -> None:
    (rest,) = (one for one in COMMANDS if one.name == "rest")
    assert all("+" in key for key in rest.keys)


def test_the_question_says_what_becomes_of_which_and_undo_takes_it_back(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    first, title = page.flow.query, page.flow.prepared.view.title
    press(qtbot, page, "4", "s")
    question = ask(qtbot, page)
    assert question.text() == f"Give grade 0 to the 4 unjudged candidates of “{title}”?"
    assert question.informativeText() == (
        "These are all that you have not judged, also those that you never looked at. "
        "1 skipped stays as it is. Ctrl+Z takes it back, all of it at once."
    )
    assert question.defaultButton().text().replace("&", "") == "Cancel"
    answer(qtbot, question, "Give 0 to 4")
    wait_for(qtbot, lambda: page.flow.query != first)
    assert heard(window, "Given: grade 0 for the rest of q1: 4 candidates")
    end(qtbot, page)
    view = browse.query(page.project, first)
    assert sorted(str(one.judgment.grade) for one in view.candidates) == ["0", "0", "0", "0", "4", "None"]
    assert page.flow.pace.summary().endswith("4: 1, skipped: 1; 4 given together")
    assert page._decided == 6
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, CONTROL)
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    assert [one.state for one in judgments(page)][:2] == ["graded", "skipped"]
    assert [one.state for one in judgments(page)][2:] == [None] * 4
    assert page._decided == 2
    assert page.flow.position == 2
    path = window.session.path
    window.close()
    assert sorted(map(str, stored(path, first).values())) == ["4", "None", "None", "None", "None", "None"]


def test_who_cancels_changes_nothing(qtbot: QtBot, page: GradePage) -> None:
    before = history.history(page.project)
    question = ask(qtbot, page)
    qtbot.keyClick(question, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: QApplication.activeModalWidget() is None)
    end(qtbot, page)
    assert history.history(page.project) == before
    assert [one.state for one in judgments(page)] == [None] * 6


def test_where_nothing_is_left_it_says_so(qtbot: QtBot, window: Window, page: GradePage) -> None:
    first = page.flow.query
    press(qtbot, page, *"543210")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    page.show_query(first)
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_0, CONTROL)
    wait_for(qtbot, lambda: heard(window, NOTHING_OPEN))


@pytest.mark.parametrize("grades", ["", "3"])
def test_the_card_says_that_it_was_given_with_the_rest(qtbot: QtBot, page: GradePage, grades: str) -> None:
    first = page.flow.query
    press(qtbot, page, *grades)
    answer(qtbot, ask(qtbot, page), f"Give 0 to {6 - len(grades)}")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    page.show_query(first)
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    names = [page.parts.cards.card(at).accessibleName() for at in page.parts.cards._cards]
    told = [name for name in names if "given with the rest" in name]
    assert len(told) == sum(judgments(page)[at].how == "rest" for at in page.parts.cards._cards) > 0
