"""Merging in the window: conflict copies offered, conflicts listed and settled, nothing dropped."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.history_dialog import HistoryDialog
from annotator.desktop.safety.merge_dialog import ConflictsDialog, MergeDialog
from annotator.desktop.safety.merge_success import MergeSuccess
from annotator.desktop.success import Success
from annotator.desktop.window import Window
from annotator.project import maintenance, text_twin
from annotator.project.adjudication import disagreements
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.watch import Watch
from tests.desktop.conftest import OpenWindow, heard
from tests.desktop.safety.conftest import graded, grades, looked_after, press, ready, shown, wait_for

Role = QFormLayout.ItemRole
COPY = "project (conflicted copy 2026-03-01).annot"


@pytest.fixture
def copy_path(project_path: Path) -> Path:
    """Return a conflict copy: both sides graded one document, each side another one alone."""
    copy = Path(shutil.copy(project_path, project_path.with_name(COPY)))
    graded(project_path, 2)
    graded(project_path, 3, place=1)
    graded(copy, 5)
    graded(copy, 4, place=2)
    return copy


def told(page: MergeSuccess) -> dict[str, str]:
    """Return what is said of a merge, by its heading."""
    form = page.said.layout()
    assert isinstance(form, QFormLayout)
    parts = [
        [form.itemAt(at, role).widget() for role in (Role.LabelRole, Role.FieldRole)]
        for at in range(form.rowCount())
    ]
    return {heading.text(): words.text() for heading, words in parts}


def test_a_long_name_leaves_what_it_brought_its_room(window: Window) -> None:
    name = f"By {'W' * 200}"
    page = Success("Merged", [(name, "grade: 3"), ("Came", "3 events")], window.commands, window)
    page.put()
    page.open()
    form = page.said.layout()
    assert isinstance(form, QFormLayout)
    heading, said = (form.itemAt(0, role).widget() for role in (Role.LabelRole, Role.FieldRole))
    assert heading.toolTip() == name
    assert heading.width() < page.width() // 3 < said.width()
    page.reject()


def aside(path: Path) -> str:
    """Return the name of the file that keeps the project as it was."""
    (found,) = (one.name for one in path.parent.iterdir() if "before" in one.name or "replaced" in one.name)
    return found


def asked(qtbot: QtBot, window: Window) -> MergeDialog:
    """Press what the line offers and wait until the merge was tried."""
    wait_for(qtbot, lambda: COPY in window.safety.notice.text())
    press(window.safety.notice.ways(), "Merge…")
    dialog = shown(qtbot, window, MergeDialog)
    wait_for(qtbot, dialog.into.isEnabled)
    return dialog


def test_a_conflict_copy_is_offered_merged_and_its_conflict_settled(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, copy_path: Path
) -> None:
    window = open_window(project_path)
    dialog = asked(qtbot, window)
    assert dialog.copies.item(0).text() == COPY
    assert dialog.said.text().startswith("The other copy brings 4 events;")
    assert [dialog.brings.item(0, column).text() for column in (0, 1)] == ["ann", "grade: 2 · session: 2"]
    assert dialog.apart.text().startswith("1 value was changed on both sides;")
    assert dialog.table.item(0, 1).text() == "q1 · d1-1"
    tried = dialog._tried
    dialog.other.setFocus()
    qtbot.keyClick(dialog.other, Qt.Key.Key_Tab)
    assert not dialog.other.hasFocus()
    assert dialog._tried is tried, "the keys left the field, which is no wish to try again"
    both = {dialog.table.item(0, column).text() for column in (3, 4)}
    assert both == {"grade 2", "grade 5"}
    dialog.into.click()
    page = shown(qtbot, window, MergeSuccess)
    assert told(page) == {
        "Came": f"4 events from {COPY}; 6 were in both copies. Nothing was dropped.",
        "By ann": "grade: 2 · session: 2",
        "In dispute": "1 value was changed on both sides.",
        "Before": f"The project as it was is kept as “{aside(project_path)}”.",
    }
    ready(qtbot, window)
    assert window.safety.notice.text() == "", "it is said in one place"
    merged = grades(project_path)
    assert merged["d1-1"] in (2, 5)
    assert (merged["d1-2"], merged["d1-3"]) == (3, 4)
    wait_for(qtbot, lambda: page.ways and page.ways[0].hasFocus())
    ways = [one.text().partition("  ")[0] for one in page.ways]
    assert ways[:2] == ["Settle 1 value…", "Check the history"]
    assert "Grade now" in ways
    qtbot.keyClick(page.ways[0], Qt.Key.Key_Space)
    conflicts = shown(qtbot, window, ConflictsDialog)
    conflicts.activateWindow()
    wait_for(qtbot, conflicts.isActiveWindow)
    qtbot.keyClick(conflicts.table, Qt.Key.Key_1)
    wait_for(qtbot, lambda: conflicts.table.rowCount() == 0)
    assert heard(window, "Settled: grade 1")
    conflicts.reject()
    wait_for(qtbot, lambda: page.ways[0].text() == "Settle 0 values…")
    assert not page.ways[0].isEnabled()
    page.activateWindow()
    wait_for(qtbot, page.isActiveWindow)
    qtbot.keyClick(page, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    shown(qtbot, window, HistoryDialog).reject()
    assert not [one for one in window.findChildren(MergeSuccess) if one.isVisible()]
    window.close_project()
    with Project.open(project_path, read_only=True) as project:
        assert disagreements(state_of(project)) == []


def test_a_copy_that_was_merged_is_not_offered_again(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, copy_path: Path
) -> None:
    window = open_window(project_path)
    asked(qtbot, window).into.click()
    shown(qtbot, window, MergeSuccess).reject()
    ready(qtbot, window)
    window.close_project()
    window.heard.clear()
    window.open_project(project_path)
    looked_after(qtbot, window)
    assert window.safety.notice.text() == ""


def test_merging_into_a_new_file_leaves_both_as_they_are(
    qtbot: QtBot,
    open_window: OpenWindow,
    project_path: Path,
    copy_path: Path,
    save_as: Callable[[Path], None],
) -> None:
    window = open_window(project_path)
    dialog = asked(qtbot, window)
    target = project_path.with_name("both.annot")
    save_as(target)
    dialog.new.click()
    shown(qtbot, window, MergeSuccess).reject()
    ready(qtbot, window)
    assert window.session.path == target
    assert len(grades(target)) == 3
    assert grades(project_path) == {"d1-1": 2, "d1-2": 3}
    assert grades(copy_path) == {"d1-1": 5, "d1-3": 4}


def test_a_file_is_typed_the_trial_stopped_tried_again_with_enter_and_taken_with_a_click(
    qtbot: QtBot, window: Window, project_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Path(shutil.copy(project_path, tmp_path / "other.annot"))
    graded(other, 5)
    looked_after(qtbot, window)
    before = canonical(project_path, tmp_path)
    try_merge, asked = maintenance.try_merge, threading.Event()

    def slow(path: Path, other: Path, watch: Watch) -> object:
        """Merge once somebody asked to stop: the merge finds that out by itself."""
        while not watch.asked():
            asked.wait(0.01)
        return try_merge(path, other, watch)

    monkeypatch.setattr(maintenance, "try_merge", slow)
    window.commands["merge"].trigger()
    dialog = shown(qtbot, window, MergeDialog)
    dialog.other.setFocus()
    qtbot.keyClicks(dialog.other, str(other))
    qtbot.keyClick(dialog.other, Qt.Key.Key_Return)
    wait_for(qtbot, dialog.bar.isVisible)
    press(dialog.bar.findChildren(QPushButton), "Stop")
    assert dialog.said.text().startswith("Stopped; nothing was changed.")
    assert not dialog.into.isEnabled()
    assert canonical(project_path, tmp_path) == before
    monkeypatch.setattr(maintenance, "try_merge", try_merge)
    qtbot.keyClick(dialog.other, Qt.Key.Key_Return)
    wait_for(qtbot, dialog.into.isEnabled)
    assert canonical(project_path, tmp_path) == before
    qtbot.mouseClick(dialog.into, Qt.MouseButton.LeftButton)
    shown(qtbot, window, MergeSuccess).reject()
    ready(qtbot, window)
    assert grades(project_path) == {"d1-1": 5}


def canonical(path: Path, folder: Path) -> str:
    """Return the canonical hash of a project that may be open."""
    with Project.open(path, read_only=True) as project:
        return text_twin.dump(project, folder / "text")


def test_what_cannot_be_merged_is_refused_in_words(
    qtbot: QtBot, window: Window, project_path: Path, tmp_path: Path
) -> None:
    looked_after(qtbot, window)
    window.commands["merge"].trigger()
    dialog = shown(qtbot, window, MergeDialog)
    assert not dialog.copies.isVisible()
    dialog.choose(project_path)
    assert "this project itself" in dialog.problem.text()
    letter = tmp_path / "letter.annot"
    letter.write_text("Dear reader, " * 20)
    dialog.choose(letter)
    wait_for(qtbot, lambda: "is not an Annotator project" in dialog.problem.text())
    assert not dialog.into.isEnabled()
    dialog.reject()


def test_another_project_is_merged_only_nevertheless(
    qtbot: QtBot, window: Window, project_path: Path, tmp_path: Path
) -> None:
    looked_after(qtbot, window)
    other = tmp_path / "other.annot"
    Project.create(other, "Other", "ann").close()
    window.commands["merge"].trigger()
    dialog = shown(qtbot, window, MergeDialog)
    dialog.choose(other)
    wait_for(qtbot, lambda: "another project" in dialog.problem.text())
    assert dialog.into.text() == "Merge nevertheless"
    assert (dialog.into.property("kind"), dialog.cancel.property("kind")) == ("", "primary")
    dialog.choose(Path(shutil.copy(project_path, tmp_path / "copy.annot")))
    wait_for(qtbot, lambda: dialog.into.isEnabled() and "in both" in dialog.said.text())
    assert (dialog.problem.text(), dialog.into.text()) == ("", "Merge into the project")
    assert (dialog.into.property("kind"), dialog.cancel.property("kind")) == ("primary", "")
    dialog.reject()
