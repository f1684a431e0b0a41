"""A large file that is new here: shown at once, checked beside it, and nothing stored or scored before."""

import sqlite3
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.query_model import ROW
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.window import Window
from annotator.project import browse, judging
from annotator.project.project import Project
from annotator.storage.care import integrity
from annotator.storage.file import proof
from annotator.watch import Watch
from tests.desktop.conftest import OpenWindow
from tests.desktop.safety.conftest import graded, grades, press, ready, wait_for
from tests.desktop.safety.test_open_file import alter


@pytest.fixture
def check_ends(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Make every file a large one, whose check lasts until this is set."""
    may_end = threading.Event()
    check = integrity.check

    def patient(db: sqlite3.Connection, watch: Watch) -> list[integrity.Finding]:
        watch.step(0, 8, "Checking structure")
        while not may_end.wait(0.01):
            watch.look()
        return check(db, watch)

    monkeypatch.setattr(proof, "SLOW", 0)
    monkeypatch.setattr(integrity, "check", patient)
    return may_end


def grade_page(window: Window) -> GradePage:
    """Return the Grade page."""
    page = window.pages[0]
    assert isinstance(page, GradePage)
    return page


def bar_of(window: Window) -> JobBar:
    """Return the bar that shows how far the check is."""
    bar = window.statusBar().findChild(JobBar)
    assert isinstance(bar, JobBar)
    return bar


def test_the_first_query_is_shown_and_a_key_waits_for_the_check(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, check_ends: threading.Event
) -> None:
    window = open_window(project_path)
    ready(qtbot, window)
    wait_for(qtbot, lambda: bar_of(window).isVisible())
    (said,) = [one for one in bar_of(window).findChildren(QPushButton) if one.isVisible()]
    assert said.text() == "Cancel"
    page = grade_page(window)
    candidate = page.flow.candidate
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_3)
    assert page.flow.storing
    assert page.flow.candidate == candidate
    check_ends.set()
    wait_for(qtbot, lambda: page.flow.candidate != candidate)
    wait_for(qtbot, lambda: not window.statusBar().findChildren(JobBar))
    window.close_project()
    assert list(grades(project_path).values()) == [3]


def test_nothing_is_stored_when_the_check_finds_damage(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, check_ends: threading.Event
) -> None:
    check_ends.set()
    graded(project_path, 3)
    alter(project_path, "UPDATE judgment SET grade = 5")
    check_ends.clear()
    before = project_path.read_bytes()
    window = open_window(project_path)
    ready(qtbot, window)
    assert window.safety.notice.text() == ""
    page = grade_page(window)
    wait_for(qtbot, lambda: bar_of(window).busy)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_2)
    assert page.flow.storing
    check_ends.set()
    wait_for(qtbot, lambda: "is open for reading only" in window.safety.notice.text())
    assert "Put away" not in [one.text() for one in window.safety.notice.ways()]
    wait_for(qtbot, lambda: not page.flow.storing)
    assert window.session.project.read_only
    window.close_project()
    assert project_path.read_bytes() == before


def test_cancelling_the_check_closes_the_project(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, check_ends: threading.Event
) -> None:
    window = open_window(project_path)
    wait_for(qtbot, lambda: bar_of(window).isVisible())
    press(bar_of(window).findChildren(QPushButton), "Cancel")
    wait_for(qtbot, lambda: window.stack.currentWidget() is window.welcome)
    assert window.session is None


def test_scores_in_the_list_of_queries_come_after_the_check(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, check_ends: threading.Event
) -> None:
    check_ends.set()
    with Project.open(project_path, annotator="ann") as project:
        for one in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, one.key, 3)
    check_ends.clear()
    window = open_window(project_path)
    model = grade_page(window).model

    def score() -> float | None:
        line = model.data(model.index(model.row_of(1) or 0, 0), ROW)
        return line.score if line is not None else None

    wait_for(qtbot, lambda: model.data(model.index(0, 0), ROW) is not None)
    assert score() is None
    check_ends.set()
    wait_for(qtbot, lambda: score() == 1.0)
