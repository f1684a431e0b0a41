"""A monkey at the keyboard: whatever it presses and clicks, nothing breaks and the ledger folds."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from annotator.desktop.actions import COMMANDS
from annotator.desktop.grade.flow import Flow
from annotator.project import history
from annotator.project.project import Project
from annotator.storage.care import integrity
from annotator.storage.ledger import current_values
from tests.desktop.building import make_project
from tests.journeys.conftest import Tell, User

EVENTS = 2_000
LEFT_ALONE = {"quit", "close_project", "open", "new", "import", "theme", "larger", "smaller"}
"""What opens the system's own dialogs, ends the program, or only costs time."""

KEYS = [
    key for command in COMMANDS if command.name not in LEFT_ALONE for key in command.keys if len(key) == 1
]
OTHERS = [Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Backspace, Qt.Key.Key_Return]


@pytest.mark.qt_log_ignore("does not support raise", "does not support grabbing", extend=True)
def test_two_thousand_random_keys_and_clicks(
    tell: Tell, tmp_path: Path, count: Callable[[int, int], int]
) -> None:
    path = make_project(tmp_path, topics=6, documents=5)
    let_loose(tell, path, count(EVENTS, 10 * EVENTS))
    with Project.open(path, annotator="ann") as project:
        assert history.history(project)
        with project.store.reading() as db:
            assert integrity.check(db) == []


@pytest.mark.qt_log_ignore("does not support raise", "does not support grabbing", extend=True)
def test_control_a_fault_of_the_program_ends_the_day(
    tell: Tell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Flow, "grade", faulty)
    with pytest.raises(ZeroDivisionError):
        let_loose(tell, make_project(tmp_path), 200)


@pytest.mark.qt_log_ignore("does not support raise", "does not support grabbing", extend=True)
def test_control_a_grade_that_is_not_the_recorded_one_is_found_after_the_day(
    tell: Tell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = current_values.write

    def wrong(
        db: sqlite3.Connection, task: str, who: int, subject: current_values.Subject, after: Any
    ) -> None:
        graded = task == "grade" and after and after.get("grade") is not None
        write(db, task, who, subject, after | {"grade": 5 - after["grade"]} if graded else after)

    monkeypatch.setattr(current_values, "write", wrong)
    path = make_project(tmp_path, topics=6, documents=5)
    let_loose(tell, path, 300)
    with Project.open(path, annotator="ann") as project, project.store.reading() as db:
        assert db.execute("SELECT count(*) FROM judgment WHERE grade NOT NULL").fetchone()[0]
        assert integrity.check(db)


def let_loose(tell: Tell, path: Path, events: int) -> None:
    """Press and click at random, always the same."""
    chance = random.Random(20)

    def story(user: User) -> None:
        user.opened()
        for number in range(events):
            act(user, chance)
            user.qtbot.wait(0)
            if number % 10 == 9:  # a dialog or a text field would keep all keys to itself
                leave_dialogs(user)
                user.window.stack.show_page(0)  # the end of the list leads to the scores
                user.page.parts.cards.setFocus()
                user.wait(lambda: user.page.flow.ready or user.page.flow.prepared is None)
        leave_dialogs(user)
        user.wait(lambda: not user.page.flow.storing)

    tell(story, path)


def act(user: User, chance: random.Random) -> None:
    dialog = QApplication.activeModalWidget()
    window = dialog or user.window
    what = chance.random()
    target = QApplication.focusWidget() or window
    if what < 0.6:
        QTest.keyClick(target, chance.choice(KEYS))
    elif what < 0.75:
        QTest.keyClick(target, chance.choice(OTHERS))
    elif what < 0.8:
        QTest.keyClick(target, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    elif dialog is not None and what < 0.9:
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        click(user, window, chance)


def click(user: User, window: QWidget, chance: random.Random) -> None:
    """Click somewhere, but not on the header and bar: they lead to the system's dialogs and other pages."""
    ground = window if isinstance(window, QDialog) else user.page.parts
    point = QPoint(chance.randrange(ground.width()), chance.randrange(ground.height()))
    child = ground.childAt(point)
    if child is not None and not child.property("opens_menu"):
        QTest.mouseClick(child, Qt.MouseButton.LeftButton, pos=child.mapFrom(ground, point))


def leave_dialogs(user: User) -> None:
    """Close what is open, and what opens meanwhile: some dialogs read first what they show."""

    def in_front() -> bool:
        while (dialog := QApplication.activeModalWidget()) is not None:
            assert isinstance(dialog, QDialog)
            dialog.reject()
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        user.window.activateWindow()
        return user.window.isActiveWindow()

    user.wait(in_front)
