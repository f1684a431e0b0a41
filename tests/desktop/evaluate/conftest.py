"""The Evaluate page of a window, and what tests do on it."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.window import Window
from annotator.project import browse, judging
from tests.desktop.conftest import PATIENCE


@pytest.fixture
def evaluate(window: Window, qtbot: QtBot) -> EvaluatePage:
    assert window.session is not None
    project = window.session.project
    assert project is not None
    done: list[bool] = []

    def grade() -> bool:
        for key in (1, 2):
            for one in browse.query(project, key).candidates:
                judging.set_grade(project, key, one.key, 6 - int(one.id.rpartition("-")[2]))
        return True

    window.session.worker.submit(window, grade, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    window.stack.show_page(1)
    page = window.pages[1]
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: page.result is not None, timeout=PATIENCE)
    return page


def settle(page: EvaluatePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.job.busy and not page.panel.job.busy, timeout=PATIENCE)


def press(grid: GridView, row: int, title: str, qtbot: QtBot) -> None:
    """Press Enter on the cell of a row under a heading."""
    at = next(at for at, one in enumerate(grid.grid.table.columns) if one.title == title)
    grid.setCurrentIndex(grid.grid.index(row, at))
    qtbot.keyClick(grid, Qt.Key.Key_Return)
