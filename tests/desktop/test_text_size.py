"""At twice the text size nothing that says something is cut off."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.window import Window


@pytest.mark.parametrize(("theme", "percent"), [("light", 100), ("dark", 200)])
def test_buttons_and_labels_have_room_for_their_words(
    qtbot: QtBot, window: Window, page: GradePage, theme: str, percent: int
) -> None:
    window.resize(1280, 800)
    window.appearance.choose(theme, percent)
    try:
        qtbot.waitUntil(lambda: not cut(window), timeout=20_000)
    finally:
        left = cut(window)
        window.appearance.choose("light", 100)
        assert left == []


def test_the_keys_never_stand_over_a_message(qtbot: QtBot, window: Window, page: GradePage) -> None:
    window.say("Something was stored")
    window.appearance.choose("light", 200)
    try:
        QApplication.processEvents()
        assert window.statusBar().currentMessage() == "Something was stored"
        assert not window.keys.isVisible()
        window.statusBar().clearMessage()
        assert window.keys.isVisible()
    finally:
        window.appearance.choose("light", 100)


def cut(window: Window) -> list[str]:
    return [
        f"{type(one).__name__} {one.text()!r}: {one.width()} of {one.minimumSizeHint().width()}"
        for kind in (QLabel, QPushButton, QToolButton)
        for one in window.findChildren(kind)
        if one.isVisible() and one is not window.keys and one.text() and is_cut(one)
    ]


def is_cut(control: QLabel | QPushButton | QToolButton) -> bool:
    """Say whether a control is smaller than its words; a label that wraps has room if it is high enough."""
    if isinstance(control, QLabel) and control.wordWrap():
        return control.height() < control.heightForWidth(control.width())
    hint = control.minimumSizeHint()
    return control.width() < hint.width() or control.height() < hint.height()
