"""What was changed behind the program's back bears a mark wherever it is shown."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.history import HistoryDialog
from annotator.desktop.project_settings import ProjectSettings
from annotator.desktop.results.options_bar import OptionsBar
from annotator.desktop.window import Window
from annotator.project.project import Project
from tests.desktop.conftest import OpenWindow
from tests.desktop.safety.conftest import ready, shown, wait_for
from tests.desktop.safety.test_opening import alter


def opened(qtbot: QtBot, open_window: OpenWindow, path: Path) -> Window:
    """Open a project and wait until the window says that it is damaged."""
    window = open_window(path)
    wait_for(qtbot, lambda: "damaged" in window.safety.notice.text())
    wait_for(qtbot, lambda: window.session.project.read_only)
    ready(qtbot, window)
    return window


def words(widget: object) -> str:
    """Return all that the labels in a widget say."""
    return " ".join(one.text() for one in widget.findChildren(QLabel) if one.isVisible())  # type: ignore[attr-defined]


def grade_page(window: Window) -> GradePage:
    """Return the Grade page."""
    page = window.pages[0]
    assert isinstance(page, GradePage)
    return page


def whats(window: Window, qtbot: QtBot) -> list[str]:
    """Return what the history that is open says, newest first, and close it."""
    dialog = shown(qtbot, window, HistoryDialog)
    found = [dialog.table.item(row, 2).text() for row in range(dialog.table.rowCount())]
    dialog.reject()
    wait_for(qtbot, lambda: not window.findChildren(HistoryDialog))
    return found


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE event SET after = replace(after, '3', '5') WHERE task = 'grade' AND sequence = 2",
        "UPDATE event SET time = time - 86400000 WHERE task = 'grade' AND sequence = 2",
        "UPDATE event SET hash = zeroblob(32) WHERE task = 'grade' AND sequence = 2",
    ],
    ids=["value", "time", "hash"],
)
def test_a_changed_event_is_marked_in_both_histories_and_the_others_are_not(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, change: str
) -> None:
    with Project.open(project_path, annotator="ann") as project:
        for candidate, grade in (("d1-2", 2), ("d1-1", 3)):
            key = next(one.key for one in project.query(1).candidates if one.id == candidate)
            project.set_grade(1, key, grade)
    alter(project_path, change)
    window = opened(qtbot, open_window, project_path)
    window.commands["project_history"].trigger()
    said = whats(window, qtbot)
    assert said[0].startswith("changed in the file")
    assert said[1] == "grade 2 of d1-2"
    assert not any("changed in the file" in one for one in said[1:])
    flow = grade_page(window).flow
    keys = {one.id: one.key for one in flow.prepared.view.candidates}
    for candidate, expected in (
        ("d1-1", "changed in the file, so it is not shown"),
        ("d1-2", "grade 2 of d1-2"),
    ):
        flow.go(flow.query, keys[candidate])
        wait_for(qtbot, lambda key=keys[candidate]: flow.candidate == key)
        window.commands["history"].trigger()
        (line,) = whats(window, qtbot)
        assert line.startswith(expected)


def test_a_changed_document_and_query_are_marked_on_card_reader_and_above_them(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    alter(project_path, "UPDATE content SET text = 'About nothing.' WHERE title LIKE '%, 1'")
    alter(project_path, "UPDATE query SET text = 'rivers of Spain' WHERE external = 'q1'")
    window = opened(qtbot, open_window, project_path)
    page = grade_page(window)
    wait_for(qtbot, lambda: "Queries were changed in the file" in words(page.parts.head))
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: "Texts were changed in the file" in words(page.parts.reader))


def test_a_changed_run_is_marked_in_the_list_of_systems_and_the_other_is_not(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    alter(project_path, "UPDATE ranking SET score = score + 1 WHERE run = 1 AND rank = 1")
    window = opened(qtbot, open_window, project_path)
    window.stack.show_page(1)
    bar = window.pages[1].findChildren(OptionsBar)[0]

    def offered() -> list[str]:
        menu = bar.systems.menu()
        menu.aboutToShow.emit()
        return [one.text() for one in menu.actions()]

    wait_for(qtbot, lambda: "sys1: changed in the file" in offered())
    assert "sys2" in offered()
    assert bar.systems.text() == "All systems, 1 changed in the file"
    bar.change(systems=("sys2",))
    assert bar.systems.text() == "1 system"


def test_a_changed_setting_is_named_above_the_settings(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    with Project.open(project_path, annotator="ann") as project:
        project.set_setting("pool_depth", 5)
    alter(project_path, "UPDATE value SET value = '6' WHERE subject = '[\"pool_depth\"]'")
    window = opened(qtbot, open_window, project_path)
    window.commands["project_settings"].trigger()
    dialog = shown(qtbot, window, ProjectSettings)
    assert "Changed in the file since it was kept: pool depth." in words(dialog)
    dialog.reject()
