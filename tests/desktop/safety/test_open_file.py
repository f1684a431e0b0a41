"""Files that are not as usual: taken, read-only, damaged, newer, foreign, hostile; a disk that is full."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QRect, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.safety.damage_dialogs import FindingsDialog, RecoveryDialog
from annotator.desktop.window import Window
from annotator.errors import DamagedError, ReadOnlyError
from annotator.project.project import Project
from annotator.storage.file import access, file_copies
from tests.desktop.conftest import OpenWindow, heard
from tests.desktop.safety.conftest import graded, grades, looked_after, press, ready, shown, wait_for
from tests.faults.system_calls import unsynced_folder


def alter(path: Path, sql: str) -> None:
    """Change a project's file behind its back."""
    db = sqlite3.connect(path)
    db.execute(sql)
    db.commit()
    db.close()


def refused(qtbot: QtBot, window: Window, path: Path) -> str:
    """Open a file that is refused and return the sentence on the first page."""
    window.open_project(path)
    wait_for(qtbot, window.welcome.error)
    assert window.stack.currentWidget() is window.welcome
    return window.welcome.error()


def press_digit(qtbot: QtBot, window: Window, digit: str) -> None:
    """Press a digit on the Grade page and wait until it was dealt with."""
    ready(qtbot, window)
    qtbot.keyClicks(window.pages[0].parts.cards, digit)  # type: ignore[attr-defined]
    wait_for(qtbot, lambda: not window.pages[0].flow.storing)  # type: ignore[attr-defined]


def test_a_project_that_cannot_be_backed_up_is_not_said_to_be_not_stored(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    place = file_copies.folder("")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"")
    window = open_window(project_path)
    wait_for(qtbot, lambda: "neither checked nor backed up" in window.safety.notice.text())
    assert window.safety.notice.text().startswith(f"{place} cannot be written to")


def test_a_project_that_another_program_writes_to_can_be_read_along(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    window = open_window()
    with Project.open(project_path, annotator="ben"):
        assert "is being used for writing by" in refused(qtbot, window, project_path)
        press(window.welcome.findChildren(QPushButton), "Open for reading only")
        ready(qtbot, window)
        assert "open for reading only" in window.safety.notice.text()
        press_digit(qtbot, window, "4")
        wait_for(qtbot, lambda: heard(window, "nothing was changed"))
        assert window.pages[0].flow.position == 0
        window.close_project()
    assert grades(project_path) == {}


def test_a_place_that_cannot_be_written_to_opens_for_reading_with_a_line_that_says_so(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(connection: sqlite3.Connection, path: Path) -> None:
        raise ReadOnlyError(f"{path.name} or its folder cannot be written to.")

    monkeypatch.setattr(access, "check_writable", refuse)
    window = open_window(project_path)
    assert "cannot be written to" in window.safety.notice.text()
    assert window.safety.notice.isVisible()
    press_digit(qtbot, window, "4")
    wait_for(qtbot, lambda: heard(window, "reading only"))


def test_a_long_finding_is_read_to_its_end_and_copied_as_it_is(qtbot: QtBot, window: Window) -> None:
    said = f"{'Maximiliane of the second team ' * 5}'s judgment of {'x' * 300} differs from what was recorded"
    dialog = FindingsDialog([f"current values: {said}", "contents: short"], window)
    dialog.open()
    table, item = dialog.table, dialog.table.item(0, 1)
    shown_text = table.itemDelegate().displayText(said, QLocale())

    def whole() -> bool:
        within = QRect(0, 0, table.columnWidth(1) - 18, 10_000)
        needed = table.fontMetrics().boundingRect(within, Qt.TextFlag.TextWordWrap, shown_text)
        return needed.width() <= within.width() and needed.height() <= table.rowHeight(0)

    wait_for(qtbot, whole)
    assert table.rowHeight(0) == table.sizeHintForRow(0)
    assert table.rowHeight(1) < table.rowHeight(0) / 2
    assert item.text() == said
    dialog.reject()


def test_a_changed_judgment_is_told_and_what_is_sound_is_recovered_once_the_losses_were_listed(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, save_as: Callable[[Path], None]
) -> None:
    graded(project_path, 3)
    alter(project_path, "UPDATE judgment SET grade = 5")
    alter(project_path, "UPDATE query SET text = 'rivers of Spain' WHERE external = 'q1'")
    before = project_path.read_bytes()
    window = open_window(project_path)
    assert "ann's judgment of d1-1 for the query q1" in window.safety.notice.text()
    assert "and 1 more" in window.safety.notice.text()
    press_digit(qtbot, window, "4")
    wait_for(qtbot, lambda: heard(window, "nothing is written"))
    press(window.safety.notice.ways(), "What is damaged…")
    findings = shown(qtbot, window, FindingsDialog)
    assert [findings.table.item(row, 0).text() for row in range(2)] == ["current values", "contents"]
    findings.reject()
    target = project_path.with_name("saved.annot")
    save_as(project_path)
    for ending in ("exists already; choose another name", ""):
        press(window.safety.notice.ways(), "Recover what can be read…")
        dialog = shown(qtbot, window, RecoveryDialog)
        wait_for(qtbot, lambda dialog=dialog: "Lost is:" in dialog.said.text())
        lost = [dialog.table.item(row, 0).text() for row in range(dialog.table.rowCount())]
        assert lost == ["some of the queries: missing, or not as they were imported"]
        assert not target.exists()
        press(dialog.buttons.buttons(), "Write a new file…")
        if ending:
            assert heard(window, ending)
            save_as(target)
    wait_for(qtbot, lambda: "Recovered from project.annot" in window.safety.notice.text())
    ready(qtbot, window)
    assert window.session.path == target
    assert grades(target) == {"d1-1": 3}
    assert project_path.read_bytes() == before


def test_a_recovery_that_nobody_wants_leaves_no_file(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    alter(project_path, "UPDATE query SET text = 'rivers of Spain' WHERE external = 'q1'")
    window = open_window(project_path)
    press(window.safety.notice.ways(), "Recover what can be read…")
    dialog = shown(qtbot, window, RecoveryDialog)
    wait_for(qtbot, lambda: "Lost is:" in dialog.said.text())
    assert [one.name for one in folder.glob("*/*")] == [project_path.name]
    dialog.reject()
    assert list(folder.iterdir()) == []


def test_a_project_whose_name_is_no_text_opens_for_reading_under_the_name_of_its_file(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    alter(project_path, "UPDATE value SET value = '7' WHERE subject = '[\"name\"]'")
    before = project_path.read_bytes()
    window = open_window(project_path)
    ready(qtbot, window)
    assert "is damaged" in window.safety.notice.text()
    assert window.session.project is not None
    assert window.session.project.read_only
    assert project_path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.write_text("Dear reader, " * 20), "is not an Annotator project"),
        (lambda path: alter(path, "PRAGMA user_version = 7"), "newer version"),
        (lambda path: alter(path, "PRAGMA application_id = 7"), "of another program"),
        (lambda path: alter(path, "CREATE VIEW extra AS SELECT 1"), "does not belong there"),
    ],
    ids=["empty", "text", "newer", "foreign", "hostile"],
)
def test_a_file_that_cannot_be_opened_is_refused_in_one_sentence_and_not_touched(
    qtbot: QtBot,
    open_window: OpenWindow,
    project_path: Path,
    change: Callable[[Path], object],
    words: str,
) -> None:
    change(project_path)
    before = project_path.read_bytes()
    assert words in refused(qtbot, open_window(), project_path)
    assert project_path.read_bytes() == before


def test_a_grade_that_the_full_disk_did_not_take_shows_as_not_given(
    qtbot: QtBot, window: Window, project_path: Path
) -> None:
    looked_after(qtbot, window)
    limits = []
    window.session.do(
        lambda project: project.store.db.execute("PRAGMA max_page_count = 1").fetchone(), limits.append
    )
    wait_for(qtbot, lambda: limits)
    flow = window.pages[0].flow
    for _ in range(18):
        press_digit(qtbot, window, "4")
        if window.safety.notice.text():
            break
    assert "The disk is full" in window.safety.notice.text()
    assert "Not stored" in window.safety.notice.text()
    assert flow.prepared.view.candidates[flow.position].judgment.state is None
    window.session.do(
        lambda project: project.store.db.execute("PRAGMA max_page_count = 1000000").fetchone(), limits.append
    )
    press_digit(qtbot, window, "4")
    wait_for(qtbot, lambda: not window.safety.notice.text())


@pytest.mark.parametrize(("way", "said"), [("writing", True), ("reading", False)])
def test_only_what_was_to_be_stored_is_said_not_to_be(
    qtbot: QtBot, window: Window, way: str, said: bool
) -> None:
    looked_after(qtbot, window)

    def fail(project: Project) -> None:
        with getattr(project.store, way)():
            raise sqlite3.OperationalError("disk I/O error")

    window.session.do(fail, lambda _: None)
    wait_for(qtbot, lambda: "The disk reported an error" in window.safety.notice.text())
    assert window.safety.notice.text().startswith("Not stored.") is said


@pytest.mark.usefixtures("on_disk")
def test_a_grade_that_the_disk_did_not_confirm_is_told_as_unclear_and_the_next_one_is_stored(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    window = open_window(project_path)
    looked_after(qtbot, window)
    with unsynced_folder(lambda: True):
        press_digit(qtbot, window, "4")
        wait_for(qtbot, lambda: "a power cut could still take it back" in window.safety.notice.text())
    assert "Not stored" not in window.safety.notice.text()
    press_digit(qtbot, window, "3")
    wait_for(qtbot, lambda: not window.safety.notice.text())
    window.close_project()
    assert 3 in grades(project_path).values()


def test_a_grade_in_a_file_that_was_replaced_is_refused_and_the_window_says_where_it_is(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "theirs.annot"
    shutil.copy(project_path, copy)
    window = open_window(project_path)
    looked_after(qtbot, window)
    os.replace(copy, project_path)
    press_digit(qtbot, window, "4")
    wait_for(qtbot, lambda: "Another file was put in the place of" in window.safety.notice.text())
    assert "what you did last is stored nowhere" in window.safety.notice.text()
    window.close_project()
    assert grades(project_path) == {}


def test_a_synchronised_folder_is_told_in_a_line(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    folder = project_path.parent / "Dropbox"
    folder.mkdir()
    window = open_window(project_path.rename(folder / "project.annot"))
    wait_for(qtbot, lambda: "synchronised" in window.safety.notice.text())
    press(window.safety.notice.ways(), "Put away")
    assert not window.safety.notice.isVisible()


def test_a_part_that_cannot_be_read_ends_grading_and_offers_what_mends(qtbot: QtBot, window: Window) -> None:
    looked_after(qtbot, window)
    window.failed(DamagedError("project.annot is damaged and this part of it cannot be read."))
    wait_for(qtbot, lambda: window.session.project.read_only)
    assert "cannot be read" in window.safety.notice.text()
    words = [one.text() for one in window.safety.notice.ways()]
    assert words == ["Backups…", "Recover what can be read…"]
