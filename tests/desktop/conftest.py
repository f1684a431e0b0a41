"""A window, and a project opened in it; both closed, and every job waited for, when the test ends."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.desktop.app import make_window
from annotator.desktop.grade.page import GradePage
from annotator.desktop.preferences import Settings
from annotator.desktop.window import Window
from annotator.project import browse
from tests.desktop.building import make_project

PATIENCE = 20_000

OpenWindow = Callable[..., Window]


@pytest.fixture
def open_window(qtbot: QtBot, qapp: QApplication) -> Iterator[OpenWindow]:
    """Return a function that opens a window as the program does; all are closed after the test.

    `window.heard` is every line that its status bar has shown: the last one may be another's already.
    """
    windows: list[Window] = []

    def open_one(path: Path | None = None, annotator: str = "ann") -> Window:
        Settings().set("annotator", annotator)
        if path is not None:
            Settings().grades(path, annotator)
        window = make_window(qapp, path)
        window.heard = []
        window.statusBar().messageChanged.connect(window.heard.append)
        windows.append(window)
        if path is None:
            window.show()
        else:
            with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
                window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
        say_who(qtbot, window)
        return window

    yield open_one
    for window in windows:
        window.close()
        window.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def say_who(qtbot: QtBot, window: Window) -> None:
    """Say that it is the one expected who grades, where the window asks because somebody else did last."""
    if window.session is None or window.session.project is None:
        return
    project = window.session.project
    if window.settings.why_ask(project.path, project.annotator, browse.last_person(project)) is not None:
        qtbot.waitUntil(
            lambda: isinstance(QApplication.activeModalWidget(), AnnotatorDialog), timeout=PATIENCE
        )
        qtbot.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Return)
        window.activateWindow()  # as a window manager does when the dialog goes
        qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of three queries with six documents each, to be copied."""
    return make_project(tmp_path_factory.mktemp("made"))


@pytest.fixture
def project_path(made_once: Path, tmp_path: Path) -> Path:
    """A copy of the project of three queries, of this test alone."""
    return Path(shutil.copy(made_once, tmp_path / "project.annot"))


@pytest.fixture
def window(open_window: OpenWindow, project_path: Path) -> Window:
    """A window with the project of three queries."""
    return open_window(project_path)


@pytest.fixture
def page(window: Window, qtbot: QtBot) -> GradePage:
    """The Grade page, its first query painted."""
    page = window.pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    return page


def heard(window: Window, words: str) -> bool:
    """Say whether the window's status bar has said something with these words."""
    return any(words in line for line in window.heard)
