"""Who grades is remembered for each project, and asked for when somebody else was at work."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.desktop.app import make_window
from annotator.desktop.preferences import Settings
from annotator.desktop.window import Window
from annotator.project import browse, judging
from annotator.project.project import Project
from tests.desktop.conftest import PATIENCE, OpenWindow
from tests.examples import examples


@pytest.fixture
def other_path(tmp_path: Path) -> Path:
    """Another project, of which nobody is remembered."""
    Project.create(tmp_path / "other.annot", "Other", annotator="ann").close()
    return tmp_path / "other.annot"


def test_each_project_remembers_its_own_annotator(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, other_path: Path
) -> None:
    window = open_window(project_path, annotator="ann")
    open_project(qtbot, window, other_path)
    grade_as(qtbot, window, "tom")
    assert Settings().annotator(project_path) == "ann"
    assert Settings().annotator(other_path) == "tom"
    open_project(qtbot, window, project_path)
    assert window.session.project.annotator == "ann"
    assert answered(qtbot).startswith("tom graded last on this computer. ")
    qtbot.waitUntil(lambda: Settings().get("annotator", "") == "ann", timeout=PATIENCE)
    open_project(qtbot, window, other_path)
    assert window.session.project.annotator == "tom"
    assert answered(qtbot).startswith("ann graded last")


def test_it_is_asked_once_after_somebody_else_used_the_project(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    window = open_window(project_path, annotator="ann")
    window.close_project()
    with Project.open(project_path, annotator="bo") as project:
        query = int(browse.query_keys(project)[0])
        judging.set_grade(project, query, browse.query(project, query).candidates[0].key, 3)
    open_project(qtbot, window, project_path)
    assert answered(qtbot).startswith("bo used this project last. ")
    kept = Settings().of(project_path)
    qtbot.waitUntil(lambda: kept.get("after", "") == "bo", timeout=PATIENCE)
    open_project(qtbot, window, project_path)
    qtbot.waitUntil(lambda: window.pages[0].flow.ready, timeout=PATIENCE)
    assert QApplication.activeModalWidget() is None


def test_who_takes_over_begins_where_something_is_left_to_judge(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    with Project.open(project_path, annotator="bo") as project:
        done, following = map(int, browse.query_keys(project)[:2])
        for one in browse.query(project, done).candidates:
            judging.set_grade(project, done, one.key, 3)
    window = open_window(project_path, annotator="ann")
    flow = window.pages[0].flow
    qtbot.waitUntil(lambda: flow.ready and flow.query == done, timeout=PATIENCE)
    grade_as(qtbot, window, "bo")
    qtbot.waitUntil(lambda: flow.ready and flow.query == following, timeout=PATIENCE)


def test_who_leaves_the_question_is_asked_again(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    with Project.open(project_path, annotator="bo") as project:
        judging.set_query_part(project, 1, {"note": "from bo"})
    window = open_window()
    Settings().set("annotator", "ann")
    for _ in range(2):
        open_project(qtbot, window, project_path)
        question(qtbot).reject()
        assert window.session.project.annotator == "ann"


@settings(max_examples=examples(15, 100))
@given(events=st.lists(st.sampled_from(["ann", "bo", "cy"]), max_size=4))
def test_the_last_person_is_whoever_did_the_last_thing(
    tmp_path_factory: pytest.TempPathFactory, events: Sequence[str]
) -> None:
    path = tmp_path_factory.mktemp("last") / "p.annot"
    with Project.create(path, "Last", annotator="di") as project:
        for at, name in enumerate(events):
            project.use_annotator(name)
            project.store.record(name, "setting", ("about",), f"said {at}")
        assert browse.last_person(project) == ["di", *events][-1]


def test_the_first_start_asks_without_a_reason(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "p.annot"
    Project.create(path, "Mine", annotator=Settings().annotator()).close()
    window = make_window(qapp, path)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        window.show()
    assert answered(qtbot).startswith("Your grades are kept")


def open_project(qtbot: QtBot, window: Window, path: Path) -> None:
    window.close_project()
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        window.open_project(path)


def question(qtbot: QtBot) -> AnnotatorDialog:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), AnnotatorDialog), timeout=PATIENCE)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AnnotatorDialog)
    return dialog


def answered(qtbot: QtBot) -> str:
    """Answer who grades as it is expected, with Enter; return what the question says."""
    dialog = question(qtbot)
    [hint] = [one.text() for one in dialog.findChildren(QLabel) if "Your grades" in one.text()]
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    return hint


def grade_as(qtbot: QtBot, window: Window, name: str) -> None:
    """Change the annotator by keyboard."""
    window.dialogs.ask_annotator()
    dialog = question(qtbot)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=PATIENCE)
    qtbot.keyClicks(QApplication.focusWidget(), name)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.project.annotator == name, timeout=PATIENCE)
    qtbot.waitUntil(lambda: Settings().get("annotator", "") == name, timeout=PATIENCE)
