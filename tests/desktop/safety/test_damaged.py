"""A damaged project: it opens for reading, says so all the time, and shows no number."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.query_model import ROW
from annotator.desktop.grade.query_scores import DAMAGED
from annotator.desktop.history_dialog import HistoryDialog
from annotator.desktop.pages import PAGES
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.team.dialogs import ShareDialog
from annotator.desktop.window import Window
from annotator.project import browse, judging, settings
from annotator.project.project import Project
from tests.desktop.conftest import OpenWindow
from tests.desktop.safety.conftest import ready, shown, wait_for
from tests.desktop.safety.test_open_file import alter


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
            key = next(one.key for one in browse.query(project, 1).candidates if one.id == candidate)
            judging.set_grade(project, 1, key, grade)
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


DAMAGE = {
    "a grade": "UPDATE judgment SET grade = 5",
    "a document": "UPDATE content SET text = 'About nothing.' WHERE title LIKE '%, 1'",
    "a query": "UPDATE query SET text = 'rivers of Spain' WHERE external = 'q1'",
    "a run": "UPDATE ranking SET score = score + 1 WHERE run = 1 AND rank = 1",
    "a setting": "UPDATE value SET value = '6' WHERE subject = '[\"pool_depth\"]'",
    "a value that no program writes": "UPDATE judgment SET beside = '[]'",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_project_opens_for_reading_and_no_page_shows_a_number_of_it(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, what: str
) -> None:
    with Project.open(project_path, annotator="ann") as project:
        settings.set_setting(project, "pool_depth", 5)
        for one in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, one.key, 3)
    alter(project_path, DAMAGE[what])
    before = project_path.read_bytes()
    window = open_window(project_path)
    assert "is damaged" in window.safety.notice.text()
    assert "no score is computed from it" in window.safety.notice.text()
    assert window.safety.notice.text().endswith("nothing is exported."), "the buttons say the rest"
    ways = [one.text() for one in window.safety.notice.ways()]
    assert ways == ["What is damaged…", "Backups…", "Recover what can be read…"]
    assert "Put away" not in [one.text() for one in window.safety.notice.ways()]
    assert window.session.project.read_only
    queries = grade_page(window).model
    wait_for(qtbot, lambda: queries.data(queries.index(0, 0), ROW) is not None)
    assert queries.data(queries.index(0, 0), ROW).score is None
    wait_for(qtbot, lambda: "0–5 grade" not in window.keys.text() and "Space full text" in window.keys.text())
    parts = grade_page(window).parts
    assert not any(one.isEnabled() for one in (parts.cards._cards[0].button(3), *parts.reader.grades.buttons))
    wait_for(qtbot, lambda: DAMAGED in words(grade_page(window).parts.scores))
    if what == "a grade":
        window.commands["team"].trigger()
        sharing = shown(qtbot, window, ShareDialog)
        assert "is damaged, so nothing is exchanged" in sharing.problem.text()
        assert [one.text() for one in sharing.findChildren(QPushButton) if one.isEnabled()] == ["Cancel"]
        sharing.reject()
    for number in (at for at, one in enumerate(PAGES) if one.name not in ("grade", "prefer")):
        window.stack.show_page(number)
        page = window.pages[number]
        wait_for(qtbot, lambda page=page: "is damaged" in words(page))
        what = "Agreement is not computed" if number == 3 else "No scores"
        assert f"{what}: the project is damaged" in words(page)
        assert "annotator check" not in words(page), (
            "the bar above says what is damaged, and offers to mend it"
        )
        window.commands["find"].trigger()
        assert window.focusWidget().isVisible(), "no key goes to a field that is not there"
        for grid in page.findChildren(GridView):
            assert not grid.isVisible() or grid.model() is None or grid.model().rowCount() == 0
    window.close_project()
    assert project_path.read_bytes() == before
