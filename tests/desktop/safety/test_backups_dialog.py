"""The backups dialog: what it lists and restores."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.safety.backups_dialog import BackupsDialog
from annotator.desktop.window import Window
from annotator.project import browse, maintenance
from annotator.project.project import Project
from annotator.watch import Watch
from tests.desktop.conftest import OpenWindow, heard
from tests.desktop.safety.conftest import graded, grades, looked_after, press, ready, shown, wait_for


def with_backup(path: Path) -> Path:
    """Grade, back up, grade otherwise; return the backup."""
    graded(path, 3)
    with Project.open(path, read_only=True) as project:
        made = maintenance.back_up(project)
    assert made is not None
    graded(path, 0)
    return made.path


def asked(qtbot: QtBot, window: Window) -> BackupsDialog:
    """Give the command and wait until the backups are listed."""
    window.commands["backups"].trigger()
    dialog = shown(qtbot, window, BackupsDialog)
    wait_for(qtbot, lambda: dialog.table.rowCount() > 0)
    return dialog


def test_the_backups_are_listed_with_place_size_and_what_is_inside(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    backup = with_backup(project_path)
    window = open_window(project_path)
    looked_after(qtbot, window)
    dialog = asked(qtbot, window)
    assert str(backup.parent) in dialog.place.text()
    assert "kB, in " in dialog.place.text()
    assert dialog.table.item(0, 2).text() == "1"
    assert "3 queries, 18 documents, 0 predicted answers, 1 judgment" in dialog.inside.text()
    assert "by ann." in dialog.inside.text()
    dialog.reject()


def test_a_backup_is_restored_into_the_project_and_what_was_there_is_kept(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    with_backup(project_path)
    window = open_window(project_path)
    looked_after(qtbot, window)
    asked(qtbot, window).restore.click()
    wait_for(qtbot, lambda: "The backup was restored" in window.safety.notice.text())
    ready(qtbot, window)
    (aside,) = project_path.parent.glob("project before *.annot")
    assert aside.name in window.safety.notice.text()
    assert grades(project_path) == {"d1-1": 3}
    assert grades(aside) == {"d1-1": 0}


def test_a_backup_is_restored_beside_the_project(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, save_as: Callable[[Path], None]
) -> None:
    with_backup(project_path)
    window = open_window(project_path)
    looked_after(qtbot, window)
    target = project_path.with_name("earlier.annot")
    save_as(target)
    asked(qtbot, window).beside.click()
    wait_for(qtbot, lambda: "restored beside" in window.safety.notice.text())
    ready(qtbot, window)
    assert (grades(target), grades(project_path)) == ({"d1-1": 3}, {"d1-1": 0})


def test_a_file_of_which_nothing_can_be_read_is_restored_from_the_first_page(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    with_backup(project_path)
    content = bytearray(project_path.read_bytes())
    content[100:] = bytes(len(content) - 100)
    project_path.write_bytes(content)
    window = open_window()
    window.open_project(project_path)
    wait_for(qtbot, window.welcome.error)
    assert "damaged" in window.welcome.error()
    press(window.welcome.findChildren(QPushButton), "Backups…")
    dialog = shown(qtbot, window, BackupsDialog)
    wait_for(qtbot, dialog.restore.isEnabled)
    dialog.restore.click()
    ready(qtbot, window)
    assert grades(project_path) == {"d1-1": 3}


def test_a_copy_is_saved_where_the_user_says(
    qtbot: QtBot, window: Window, project_path: Path, save_as: Callable[[Path], None]
) -> None:
    looked_after(qtbot, window)
    target = project_path.with_name("copy.annot")
    save_as(target)
    window.commands["save_copy"].trigger()
    wait_for(qtbot, lambda: heard(window, "Wrote"))
    with Project.open(target, read_only=True) as copy:
        assert browse.contents(copy).queries == 3


def test_a_long_copy_can_be_cancelled(
    qtbot: QtBot,
    window: Window,
    project_path: Path,
    save_as: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_after(qtbot, window)
    monkeypatch.setattr("annotator.desktop.results.job_bar.APPEARS_AFTER", 0)

    def endless(_db: object, _name: str, _part: Path, _mode: int, watch: Watch) -> None:
        while True:
            watch.step(2, 4, "Writing a copy")
            time.sleep(0.001)

    monkeypatch.setattr("annotator.storage.file.file_copies.write_copy", endless)
    target = project_path.with_name("copy.annot")
    save_as(target)
    window.commands["save_copy"].trigger()
    bar = window.statusBar().findChild(JobBar)
    wait_for(qtbot, lambda: bar.isVisible() and bar.findChild(QProgressBar).value() == 2)
    press(bar.findChildren(QPushButton), "Cancel")
    wait_for(qtbot, lambda: heard(window, "No copy was written."))
    wait_for(qtbot, lambda: window.statusBar().findChild(JobBar) is None)
    assert not target.exists()
