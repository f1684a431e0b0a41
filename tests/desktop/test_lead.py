"""Taking the role of lead in the window: asked first, shown on the chip of who grades, undone by one key."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.question import Confirm
from annotator.desktop.window import Window
from annotator.project import lead_role
from tests.desktop.conftest import PATIENCE

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def asked(qtbot: QtBot, page: GradePage) -> Confirm:
    """Press the keys of the command and return the question."""
    page.window().activateWindow()  # as a window manager does when a dialog goes
    qtbot.waitUntil(page.window().isActiveWindow, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_L, CTRL | SHIFT)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), Confirm), timeout=PATIENCE)
    box = QApplication.activeModalWidget()
    assert isinstance(box, Confirm)
    return box


def answer(qtbot: QtBot, box: Confirm, words: str) -> None:
    """Press the button with these words by keyboard."""
    (button,) = [one for one in box.buttons.buttons() if one.text() == words]
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)


def test_the_role_is_taken_after_a_question_shown_on_the_chip_and_undone(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    chip = window.header.part.annotator
    box = asked(qtbot, page)
    assert lead_role.CONVENTION in box.more.text()
    assert "recorded" in box.more.text()
    qtbot.keyClick(box, Qt.Key.Key_Return)  # Cancel is the answer of Enter
    assert not lead_role.is_lead(window.session.project)
    answer(qtbot, asked(qtbot, page), "Take the role")
    qtbot.waitUntil(lambda: chip.text() == "ann · lead", timeout=PATIENCE)
    assert chip.accessibleName() == "Annotator: ann, with the role of lead"
    assert lead_role.is_lead(window.session.project)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: chip.text() == "ann", timeout=PATIENCE)


def test_it_is_given_back_and_who_else_has_it_is_said(qtbot: QtBot, window: Window, page: GradePage) -> None:
    project = window.session.project
    for name in ("bo", "ann"):
        project.use_annotator(name)
        page.do(lead_role.take, window.spread)
        qtbot.waitUntil(lambda name=name: name in lead_role.leads(project), timeout=PATIENCE)
    box = asked(qtbot, page)
    assert "Other leads: bo." in box.more.text()
    answer(qtbot, box, "Give it back")
    qtbot.waitUntil(lambda: lead_role.leads(project) == ("bo",), timeout=PATIENCE)
    qtbot.waitUntil(lambda: window.header.part.annotator.text() == "ann", timeout=PATIENCE)


@pytest.mark.parametrize("name", ["a & b", "x" * 300, "ﷺ"])
def test_the_chip_shows_the_role_beside_any_name(window: Window, name: str) -> None:
    header = window.header
    header.show_name("Ducks", name)
    header._leads = True
    header._make_room()
    assert header.part.annotator.text().endswith(" · lead")
    assert header.part.annotator.toolTip().startswith(f"{name} grades, with the role of lead")
