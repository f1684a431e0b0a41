"""Working together in the window: shared by keys, what others do arrives beside the work, nothing is lost."""

import dataclasses
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from errno import EACCES
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from annotator.carriers.carrier import SHELVES, Shelf
from annotator.carriers.folder import Folder
from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.grade.page import GradePage
from annotator.desktop.style import breakable
from annotator.desktop.team import exchange_thread
from annotator.desktop.team.dialogs import JoinDialog, ShareDialog, TeamDialog
from annotator.desktop.team.exchange_thread import QUIET_SECONDS, ROOM_SECONDS, Exchanging
from annotator.desktop.window import Window
from annotator.project import judging, sharing
from annotator.project.project import Project
from annotator.project.share_record import ShareRecord
from annotator.records import Dataset, Query
from annotator.storage.care import taking_in
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from tests.carriers.conftest import NewPlace
from tests.desktop.conftest import PATIENCE, OpenWindow
from tests.desktop.safety.conftest import press, shown, wait_for


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.carriers.folder.Folder.pause", 0.1)
    monkeypatch.setattr("annotator.desktop.team.exchange_thread.LOOK_SECONDS", 0.3)
    monkeypatch.setattr("annotator.desktop.team.exchanging.TELL_MS", 50)
    monkeypatch.setattr("annotator.desktop.team.exchanging.SILENT_SECONDS", 5.0)


@pytest.fixture
def ben(project_path: Path, new_place: NewPlace, tmp_path: Path) -> Iterator[Project]:
    """Return Ben's copy of the project, shared through the carrier of the same address as the window's."""
    place = new_place()
    with Project.open(project_path, annotator="ann") as project:
        sharing.share(project, place)
    sharing.join(place, tmp_path / "ben.annot")
    with Project.open(tmp_path / "ben.annot", annotator="Ben") as ben:
        yield ben


def told(window: Window) -> str:
    return window.header.team.text() if window.header.team is not None else ""


def test_a_project_is_shared_by_keys_and_joined_from_the_first_page(
    page: GradePage,
    window: Window,
    open_window: OpenWindow,
    new_place: NewPlace,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    place = new_place()
    window.commands["team"].trigger()
    dialog = shown(qtbot, window, ShareDialog)
    assert "not a protection" in dialog.said.text()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.problem.text().startswith("Name a folder")
    dialog.field.setText(place)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    team = shown(qtbot, window, TeamDialog)
    wait_for(qtbot, lambda: told(window) == "1 person" and team.people.rowCount() > 0)
    assert team.people.item(0, 0).text() == "ann"
    assert breakable(place) in team.place.text()
    team.close()
    window.close()
    other = open_window(None, annotator="Ben")
    other.commands["join"].trigger()
    joining = shown(qtbot, other, JoinDialog)
    joining.field.setText(place)
    joining.file.setText(str(tmp_path / "joined.annot"))
    with qtbot.waitSignal(other.project_opened, timeout=20_000):
        qtbot.keyClick(joining.file, Qt.Key.Key_Return)
    assert other.session.path == tmp_path / "joined.annot"


def test_what_others_judge_arrives_beside_the_work_and_one_s_own_goes(
    ben: Project, open_window: OpenWindow, project_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(project_path)
    page = window.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    wait_for(qtbot, lambda: told(window) == "1 person")
    worker, gave_way = window.session.worker, list[str]()
    give_way, who = worker.give_way, threading.current_thread
    monkeypatch.setattr(worker, "give_way", lambda: (gave_way.append(who().name), give_way()))
    here = page.flow.query, page.flow.candidate
    window.stack.show_page(1)
    evaluated = window.pages[1]
    assert isinstance(evaluated, EvaluatePage)
    wait_for(qtbot, lambda: not evaluated.stale)
    window.stack.show_page(0)
    judging.set_grade(ben, 1, 1, 5)
    sharing.exchange(ben)
    wait_for(qtbot, lambda: evaluated.stale)
    assert set(gave_way) == {"team"}, "keys go first while what arrived is proved"
    assert (page.flow.query, page.flow.candidate) == here
    qtbot.keyClick(page, Qt.Key.Key_4)
    wait_for(qtbot, lambda: sharing.exchange(ben).came + bens_of(ben, "ann") >= 1)
    wait_for(qtbot, lambda: all(one in window.header.team.toolTip() for one in ("Ben 1", "ann 1")))
    put, begun = taking_in.put_content, threading.Event()

    def put_slowly(*of: Any) -> set[str]:
        while not (begun.is_set() and worker.waited_for()):
            begun.set()
            time.sleep(0.001)
        monkeypatch.setattr(taking_in, "put_content", put)
        return put(*of)

    before = ends_of(project_path, "ann")
    monkeypatch.setattr(taking_in, "put_content", put_slowly)
    import_dataset(ben.store, Dataset(queries=[Query("late", "?")]), Import("Ben", "late", "person"))
    sharing.exchange(ben)
    wait_for(qtbot, begun.is_set)
    qtbot.keyClick(page, Qt.Key.Key_3)
    wait_for(qtbot, lambda: ends_of(project_path, "Ben") == ends_of(ben.path, "Ben"))
    assert before < ends_of(project_path, "ann") <= ends_of(project_path, "Ben"), "the grade went first"


def ends_of(path: Path, annotator: str) -> int:
    """Return the clock of the last event of somebody in a file that others may write to."""
    sql = "SELECT max(clock) FROM event JOIN annotator a ON a.id = annotator WHERE name = ?"
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(sql, (annotator,)).fetchone()[0] or 0)


def bens_of(project: Project, annotator: str) -> int:
    """Return how many grades of somebody a copy holds."""
    sql = "SELECT count(*) FROM judgment JOIN annotator a ON a.id = annotator WHERE name = ?"
    return int(project.store.db.execute(sql, (annotator,)).fetchone()[0])


def test_a_carrier_that_is_gone_is_said_and_what_was_done_goes_to_where_it_is_now(
    project_path: Path, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    place = tmp_path / "team"
    with Project.open(project_path, annotator="ann") as project:
        sharing.share(project, str(place))
    away = shutil.move(place, tmp_path / "away")
    window = open_window(project_path)
    page = window.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    qtbot.keyClick(page, Qt.Key.Key_4)
    wait_for(qtbot, lambda: told(window) == "cannot exchange, 2 not handed over")
    assert "is safe in your own project" in window.header.team.toolTip()
    window.commands["team"].trigger()
    press(shown(qtbot, window, TeamDialog).findChildren(QPushButton), "Another place…")
    moving = shown(qtbot, window, ShareDialog)
    assert moving.field.text() == str(place)
    empty = tmp_path / "empty"
    for shelf in SHELVES:
        (empty / shelf).mkdir(parents=True)
    for wrong, said in ((tmp_path / "none", "There is no folder"), (empty, "No project has arrived")):
        moving.field.setText(str(wrong))
        moving.problem.setText("")
        qtbot.keyClick(moving.field, Qt.Key.Key_Return)
        wait_for(qtbot, lambda said=said: said in moving.problem.text())
        assert not [one for one in wrong.rglob("*") if one.is_file()]
    moving.field.setText(str(away))
    qtbot.keyClick(moving.field, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: told(window) == "1 person")
    shown(qtbot, window, TeamDialog).close()
    window.activateWindow()  # as a window manager does when the dialog goes
    wait_for(qtbot, window.isActiveWindow)
    qtbot.keyClick(page, Qt.Key.Key_3)
    wait_for(qtbot, lambda: page.tally.of(False)[0] == 2)
    window.close()
    sharing.join(str(away), tmp_path / "ben.annot")
    with Project.open(tmp_path / "ben.annot", annotator="Ben") as ben:
        assert bens_of(ben, "ann") == 2, "closing hands over what is left"


def test_where_nothing_is_shared_nothing_is_shown_unless_another_copy_is(
    page: GradePage, window: Window, project_path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    done: list[None] = []
    window.team.begin(lambda: done.append(None))
    wait_for(qtbot, lambda: done)
    assert window.team.team.standing is None
    assert told(window) == ""
    place, other = str(tmp_path / "team"), Path(shutil.copy(project_path, tmp_path / "other.annot"))
    with Project.open(other) as project:
        sharing.begin(project, place)
    window.commands["team"].trigger()
    dialog = shown(qtbot, window, ShareDialog)
    assert (told(window), dialog.field.text()) == ("not shared, a copy", place)
    assert f"a copy of “{other}”" in window.header.team.toolTip()


def test_a_carrier_that_hangs_keeps_no_window_open_and_shares_nothing_that_was_cancelled(
    page: GradePage,
    window: Window,
    open_window: OpenWindow,
    project_path: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("annotator.desktop.worker.ELSEWHERE_SECONDS", 0.01)
    answers, asked, names = threading.Event(), threading.Semaphore(0), Folder.names

    def hanging(self: Folder, shelf: Shelf) -> dict[str, str]:
        asked.release()
        answers.wait()
        return names(self, shelf)

    monkeypatch.setattr(Folder, "names", hanging)
    late = threading.Timer(PATIENCE / 1000, answers.set)  # a window that waits fails below, and ends
    late.start()
    place = tmp_path / "team"
    window.commands["team"].trigger()
    sharing_it = shown(qtbot, window, ShareDialog)
    sharing_it.field.setText(str(place))
    qtbot.keyClick(sharing_it.field, Qt.Key.Key_Return)
    assert asked.acquire(timeout=PATIENCE / 1000)
    sharing_it.bar.show()
    buttons = sharing_it.findChildren(QPushButton)
    assert [one.text().strip("&") for one in buttons if one.isVisible() and one.isEnabled()] == ["Cancel"]
    assert not sharing_it.field.isEnabled()
    for take in (one for one in buttons if one.text() == "Share the project"):
        take.click()
    qtbot.keyClick(sharing_it.focusWidget() or sharing_it, Qt.Key.Key_Return)
    assert sharing_it.isVisible()
    assert sharing_it.bar.busy
    qtbot.keyClick(sharing_it, Qt.Key.Key_Escape)
    window.close()
    other = open_window(None, annotator="Ben")
    other.commands["join"].trigger()
    joining = shown(qtbot, other, JoinDialog)
    joining.field.setText(str(place))
    joining.file.setText(" ")
    qtbot.keyClick(joining.field, Qt.Key.Key_Return)
    assert joining.problem.text() == "Name a file for your own copy."
    joining.file.setText(str(tmp_path / "ben.annot"))
    qtbot.keyClick(joining.field, Qt.Key.Key_Return)
    assert asked.acquire(timeout=PATIENCE / 1000)
    other.close()
    assert not answers.is_set()
    late.cancel()
    answers.set()
    wait_for(qtbot, lambda: not [one for one in threading.enumerate() if one.name == "job"])
    assert not list((place / "contents").iterdir())
    assert not (tmp_path / "ben.annot").exists()
    with Project.open(project_path, annotator="ann") as project:
        assert not ShareRecord.of(project.identity, project.path).carrier


def test_a_carrier_that_hangs_or_fails_as_none_should_is_said_until_it_answers(
    project_path: Path,
    open_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faults: list[Exception] = []
    monkeypatch.setattr("annotator.desktop.crash.show", lambda error, _: faults.append(error))
    with Project.open(project_path, annotator="ann") as project:
        sharing.share(project, str(tmp_path / "team"))
    window = open_window(project_path)
    wait_for(qtbot, lambda: told(window) == "1 person")
    names, answers, broken = Folder.names, threading.Event(), OSError("no such thing")

    def failing(self: Folder, shelf: Shelf) -> dict[str, str]:
        raise broken

    def hanging(self: Folder, shelf: Shelf) -> dict[str, str]:
        answers.wait()
        return names(self, shelf)

    monkeypatch.setattr(Folder, "names", failing)
    wait_for(qtbot, lambda: told(window) == "cannot exchange" and faults)
    assert "(OSError: no such thing)" in window.header.team.toolTip()
    monkeypatch.setattr(Folder, "names", names)
    wait_for(qtbot, lambda: told(window) == "1 person")
    monkeypatch.setattr("annotator.desktop.team.exchanging.SILENT_SECONDS", 0.5)
    monkeypatch.setattr(Folder, "names", hanging)
    wait_for(qtbot, lambda: told(window) == "cannot exchange")
    assert "Nothing has come" in window.header.team.toolTip()
    qtbot.keyClick(window.pages[0], Qt.Key.Key_4)
    wait_for(qtbot, lambda: told(window) == "cannot exchange, 2 not handed over")
    team = window.team.team
    assert team is not None
    assert team.standing is not None
    amiss = dataclasses.replace(team.standing.exchanged, problems=("somebody deleted a segment",) * 11)
    for trouble, words in (
        (team.standing.trouble, "cannot exchange, 2 not handed over, 11 to look at"),
        ("", "11 to look at, 2 not handed over, 1 person"),
    ):
        team.told.emit(team.standing._replace(exchanged=amiss, trouble=trouble))
        assert told(window) == words
    monkeypatch.setattr("annotator.desktop.team.exchanging.SILENT_SECONDS", 5.0)
    append = Folder.append

    def refusing(self: Folder, shelf: Shelf, name: str, data: bytes) -> None:
        raise self._silent(PermissionError(EACCES, "Permission denied"), writing=True)

    monkeypatch.setattr(Folder, "append", refusing)
    answers.set()
    wait_for(qtbot, lambda: told(window) == "cannot hand over 2")
    assert "cannot be written to (Permission denied)" in window.header.team.toolTip()
    monkeypatch.setattr(Folder, "append", append)
    wait_for(qtbot, lambda: told(window) == "1 person")
    assert faults == [broken]


def test_long_names_in_a_carrier_widen_no_dialog_and_who_scrolls_stays(
    open_window: OpenWindow, project_path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    with Project.open(project_path, annotator="ann") as project:
        for name in ("Cy", "Cy "):
            project.use_annotator(name)
            judging.set_grade(project, 1, 1, 5)
        sharing.share(project, str(tmp_path / "team"))
    window = open_window(project_path)
    wait_for(qtbot, lambda: told(window) == "3 people")
    assert "Cy 1, Cy[U+0020] 1" in window.header.team.toolTip()
    window.commands["team"].trigger()
    dialog = shown(qtbot, window, TeamDialog)
    dialog.people.selectRow(2)
    standing = dialog._team.standing
    assert standing is not None
    names = f"{'y' * 200}\n{'z' * 90}"
    problem = f"{names} in /mnt/{'d' * 90}/segments, {standing.address}/segments: it is nothing of ours."
    dialog.show_standing(
        standing._replace(exchanged=dataclasses.replace(standing.exchanged, problems=(problem,)))
    )
    assert dialog.people.chosen() == 2
    assert dialog.problems.minimumSizeHint().width() < dialog.width()
    assert re.search(r" in /mnt/d+…d+/segments, …/segments: it is nothing of ours\.", dialog.problems.text())
    assert dialog.problems.toolTip() == problem
    window.header.show_team("cannot exchange, " * 40, "")
    assert window.header.minimumSizeHint().width() < 1024


def test_a_damaged_note_of_where_a_project_is_shared_is_said_in_the_header_and_mended_by_keys(
    project_path: Path, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    place = str(tmp_path / "team")
    with Project.open(project_path, annotator="ann") as project:
        sharing.share(project, place)
        ShareRecord.of(project.identity, project.path).path.write_text("{")
    window = open_window(project_path)
    wait_for(qtbot, lambda: told(window) == "not exchanged")
    assert "is damaged" in window.header.team.toolTip()
    window.commands["team"].trigger()
    dialog = shown(qtbot, window, ShareDialog)
    dialog.field.setText(place)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    shown(qtbot, window, TeamDialog).close()
    wait_for(qtbot, lambda: told(window) == "1 person")


@given(asked=st.floats(0, 2), gaps=st.lists(st.floats(0.001, 0.7), max_size=9))
def test_a_step_of_an_exchange_begins_right_behind_a_key_or_once_none_was_stored_for_a_while(
    asked: float, gaps: list[float]
) -> None:
    now, tick, keys = 1_000.0, 1e-6, [1_000.0 + at for at in accumulate(gaps)]

    def pass_until(end: float) -> None:
        nonlocal now
        now = end
        if keys and keys[0] <= end:
            now = keys.pop(0)
            thread.stored()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exchange_thread, "time", SimpleNamespace(monotonic=lambda: now))
        thread = Exchanging(*cast("Any", [None] * 6))
        thread._room = cast("Any", SimpleNamespace(clear=int, set=int))
        thread._room.wait = lambda seconds: pass_until(now + seconds)
        while now < 1_000.0 + asked:
            pass_until(1_000.0 + asked)
        thread._wait_for_room()
    last = max((1_000.0 + at for at in accumulate(gaps) if 1_000.0 + at <= now), default=0.0)
    assert now - last <= ROOM_SECONDS + tick or now - last >= QUIET_SECONDS - tick
    assert now - 1_000.0 - asked <= QUIET_SECONDS + tick, "also where keys never end"
