"""Stories of users, told from `main()` on: keys are pressed in the running program, files read back."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop import crash
from annotator.desktop.app import main
from annotator.desktop.grade.page import GradePage
from annotator.desktop.preferences import Settings
from annotator.desktop.window import Window
from annotator.project.views import JudgmentView

PATIENCE = 20_000

Dialog = TypeVar("Dialog", bound=QDialog)


class User:
    """Somebody at the keyboard of the running program."""

    def __init__(self, window: Window, qtbot: QtBot) -> None:
        self.window = window
        self.qtbot = qtbot

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=PATIENCE)

    @property
    def page(self) -> GradePage:
        page = self.window.pages[0]
        assert isinstance(page, GradePage)
        return page

    def opened(self) -> None:
        """Wait until a project's first query can be graded."""
        self.wait(lambda: 0 in self.window.pages and self.page.flow.ready)
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)

    def press(
        self, key: str | Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        """Press one key where the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifier)

    def dialog(self, kind: type[Dialog]) -> Dialog:
        """Wait for a dialog and bring it to the front, as a window manager does."""
        self.wait(lambda: self.window.findChild(kind) is not None)
        dialog = self.window.findChild(kind)
        assert dialog is not None
        dialog.activateWindow()
        self.wait(dialog.isActiveWindow)
        return dialog

    def type(self, text: str) -> None:
        """Type into the field that has the focus."""
        QTest.keyClicks(QApplication.focusWidget(), text)

    def grade(self, digit: str) -> None:
        """Press a digit once it counts, and wait until it is stored."""
        self.wait(lambda: self.page.flow.ready)
        self.press(digit)
        self.wait(lambda: not self.page.flow.storing)

    def judgments(self) -> list[JudgmentView]:
        prepared = self.page.flow.prepared
        assert prepared is not None
        return [one.judgment for one in prepared.view.candidates]


Story = Callable[[User], None]
Tell = Callable[..., None]


@pytest.fixture
def tell(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Tell:
    """Return a function that runs the program and lets a user do a story in it; then the window is closed.

    What the program shows as a fault of its own fails the story, unless it is `faulty`.
    """
    show = crash.show

    def run(story: Story, *arguments: Path, annotator: str = "ann", faulty: bool = False) -> None:
        if annotator:
            Settings().set("annotator", annotator)
        troubles: list[BaseException] = []

        def noted(error: BaseException, parent: QWidget | None = None) -> None:
            if not faulty:
                troubles.append(error)
            show(error, parent)

        monkeypatch.setattr(crash, "show", noted)

        def begin() -> None:
            window = next(
                one for one in qapp.topLevelWidgets() if isinstance(one, Window) and one.isVisible()
            )
            try:
                story(User(window, qtbot))
            except BaseException as trouble:  # noqa: BLE001 - raised again when the program has ended
                troubles.append(trouble)
            finally:
                window.close()

        QTimer.singleShot(0, begin)
        status = main([str(one) for one in arguments])
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if troubles:
            raise troubles[0]
        assert status == 0

    return run
