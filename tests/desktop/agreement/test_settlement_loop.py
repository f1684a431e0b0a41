"""Settling by keyboard: the loop of grading, on what two people graded differently."""

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from annotator.desktop.agreement.page import AgreementPage
from annotator.desktop.agreement.settlement_loop import CHOOSE, END
from annotator.desktop.grade.loop import TOO_EARLY
from annotator.desktop.window import Window
from annotator.errors import UserError
from annotator.project import adjudication as verbs
from annotator.project import blindness, browse, history, judging
from annotator.project.project import Project
from annotator.project.state import state_of
from tests.desktop.agreement.conftest import shown
from tests.desktop.building import make_project
from tests.desktop.conftest import OpenWindow, heard
from tests.examples import examples

pytestmark = pytest.mark.timeout(600)

PATIENCE = 200_000
"""Each key is synced to the disk, which others may keep busy."""

CONTROL = Qt.KeyboardModifier.ControlModifier
Settled = list[int | None]


def wait_for(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=PATIENCE)


@pytest.fixture
def page(agreement: AgreementPage, qtbot: QtBot) -> AgreementPage:
    """The queue of ten disagreements: two topics, five of six candidates each, the last is 0 for both."""
    agreement.tabs.look_at("To settle")
    wait_for(qtbot, lambda: agreement.adjudication.settling.ready)
    assert len(agreement.adjudication.settling.rows) == 10
    return agreement


def press(page: AgreementPage, keys: str, delay: int = -1) -> None:
    """Press keys where the focus is: digits, `z` for undo and `y` for redo."""
    for key in keys:
        target = page.window().focusWidget() or page
        if key.isdigit():
            QTest.keyClick(target, key, delay=delay)
        else:
            QTest.keyClick(target, {"z": Qt.Key.Key_Z, "y": Qt.Key.Key_Y}[key], CONTROL, delay)


def done(qtbot: QtBot, page: AgreementPage) -> None:
    """Wait until every key has had its turn."""
    settling = page.adjudication.settling
    wait_for(qtbot, lambda: not (settling.storing or settling._coming or settling._waiting))


def stored(project: Project) -> Settled:
    """Read what settles each disagreement, in the order of the queue."""
    return [one.settled for one in verbs.disagreements(state_of(project), with_settled=True)]


def listed(page: AgreementPage) -> list[str]:
    """Return what the column of settled grades says."""
    grid = page.adjudication.table.grid
    return [grid.index(row, 3).data() for row in range(grid.rowCount())]


@pytest.mark.parametrize("delay", [-1, 30])
def test_each_digit_settles_another_disagreement_however_fast_they_come(
    qtbot: QtBot, page: AgreementPage, delay: int
) -> None:
    page.tabs.tabBar().setFocus()  # where it is after a click on the tab
    press(page, "4321", delay)
    done(qtbot, page)
    assert stored(page.project) == [4, 3, 2, 1] + [None] * 6
    assert listed(page)[:5] == ["4", "3", "2", "1", "–"]
    assert page.adjudication.table.currentIndex().row() == 4
    wait_for(qtbot, lambda: page.adjudication.settling.ready)
    line = history.history(page.project, limit=1)[0]
    assert (line.annotator, line.said[:18]) == ("ann", "settled by grade 1")
    assert line.milliseconds is not None


def test_undo_takes_back_what_was_settled_and_leaves_ones_own_grades(
    qtbot: QtBot, page: AgreementPage
) -> None:
    grades = history.history(page.project, limit=1)[0].identity
    before = [browse.query(page.project, key).candidates for key in (1, 2, 3)]
    press(page, "4321zzzz")
    done(qtbot, page)
    assert stored(page.project) == [None] * 10
    assert page.adjudication.settling.row == 0
    assert {one.row() for one in page.adjudication.table.selectedIndexes()} == {0}
    assert [browse.query(page.project, key).candidates for key in (1, 2, 3)] == before
    press(page, "yy")
    done(qtbot, page)
    assert stored(page.project) == [4, 3] + [None] * 8
    assert page.adjudication.settling.row == 1
    assert history.history(page.project, limit=100)[10].identity == grades


def test_what_cannot_be_stored_comes_back_and_is_told(
    qtbot: QtBot, window: Window, page: AgreementPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UserError("The disk is full. What you settled before is safe.")

    press(page, "5")
    done(qtbot, page)
    with monkeypatch.context() as patch:
        patch.setattr(verbs, "adjudicate", refuse)
        press(page, "432")
        wait_for(qtbot, lambda: heard(window, "disk is full"))
    done(qtbot, page)
    assert (listed(page)[:3], page.adjudication.settling.row) == (["5", "–", "–"], 1)
    press(page, "1")
    done(qtbot, page)
    assert stored(page.project)[:3] == [5, 1, None]


def test_at_the_end_no_digit_hits_the_last_one_again_until_it_is_chosen(
    qtbot: QtBot, window: Window, page: AgreementPage
) -> None:
    press(page, "1234512345" + "00")
    done(qtbot, page)
    assert stored(page.project) == [1, 2, 3, 4, 5] * 2
    assert heard(window, END)
    press(page, "0")
    assert window.statusBar().currentMessage() == CHOOSE
    table = page.adjudication.table
    last = table.visualRect(table.currentIndex()).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=last)
    wait_for(qtbot, lambda: page.adjudication.settling.ready)
    press(page, "0")
    done(qtbot, page)
    assert stored(page.project)[-1] == 0
    press(page, "z")
    done(qtbot, page)
    assert stored(page.project)[-1] == 5


def test_the_pace_of_one_person_is_not_told_as_that_of_the_next(
    qtbot: QtBot, window: Window, page: AgreementPage
) -> None:
    press(page, "12345")
    done(qtbot, page)
    window.dialogs._use_annotator("bob")
    wait_for(qtbot, lambda: heard(window, "Grading as bob.") and page.adjudication.settling.ready)
    press(page, "12345")
    done(qtbot, page)
    assert heard(window, f"{END}. This session: 5 in")
    assert history.history(page.project, limit=1)[0].annotator == "bob"


def test_a_digit_does_not_count_for_a_line_that_was_chosen_but_is_not_painted(
    qtbot: QtBot, window: Window, page: AgreementPage
) -> None:
    table = page.adjudication.table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    press(page, "4")
    assert heard(window, TOO_EARLY)
    wait_for(qtbot, lambda: page.adjudication.settling.ready)
    press(page, "3")
    done(qtbot, page)
    assert stored(page.project)[:3] == [None, 3, None]


def test_a_digit_that_waits_when_another_page_is_shown_settles_nothing_later(
    qtbot: QtBot, window: Window, page: AgreementPage
) -> None:
    press(page, "44")
    window.stack.show_page(0)
    assert heard(window, TOO_EARLY)
    done(qtbot, page)
    window.stack.show_page(3)
    wait_for(qtbot, lambda: page.adjudication.settling.ready)
    assert stored(page.project) == [4] + [None] * 9


def test_a_text_that_cannot_be_read_is_told_and_no_digit_counts_for_it(
    qtbot: QtBot, window: Window, page: AgreementPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise UserError("The disk cannot be read.")

    monkeypatch.setattr(verbs, "shown", refuse)
    press(page, "44")
    wait_for(qtbot, lambda: heard(window, "cannot be read"))
    press(page, "4")
    done(qtbot, page)
    assert stored(page.project) == [4] + [None] * 9


def test_what_is_computed_later_moves_nothing_and_swallows_no_key(qtbot: QtBot, page: AgreementPage) -> None:
    queue = page.adjudication
    before = queue.table.visualRect(queue.table.grid.index(2, 0))
    press(page, "44")
    page.refresh()
    press(page, "4")
    page.refresh()
    wait_for(qtbot, lambda: not page.job.busy)
    press(page, "4")
    done(qtbot, page)
    assert stored(page.project)[:5] == [4, 4, 4, 4, None]
    assert queue.settling.row == 4
    assert queue.table.visualRect(queue.table.grid.index(2, 0)) == before
    page.window().stack.show_page(0)
    page.window().stack.show_page(3)
    assert len(queue.settling.rows) == 6, "on coming back only what is open is listed"
    assert queue.settling.row == 0
    page.with_settled.setChecked(True)
    assert listed(page) == ["4"] * 4 + ["–"] * 6
    assert queue.settling.row == 4


def test_a_settled_grade_and_its_reason_can_be_changed_and_taken_back(
    qtbot: QtBot, page: AgreementPage
) -> None:
    queue = page.adjudication
    qtbot.keyClicks(queue.reason, "both misread 3 of it")
    qtbot.keyClick(queue.reason, Qt.Key.Key_Return)
    press(page, "2")
    done(qtbot, page)
    wait_for(qtbot, lambda: queue.settling.ready)
    assert queue.reason.text() == ""
    queue.table.setCurrentIndex(queue.table.grid.index(0, 0))
    wait_for(qtbot, lambda: queue.settling.ready)
    assert queue.reason.text() == "both misread 3 of it"
    assert queue.state.text() == "Settled by grade 2."
    qtbot.mouseClick(queue.buttons[3], Qt.MouseButton.LeftButton)
    done(qtbot, page)
    assert history.history(page.project, limit=1)[0].said.endswith("(both misread 3 of it)")
    queue.table.setCurrentIndex(queue.table.grid.index(0, 0))
    wait_for(qtbot, lambda: queue.settling.ready and queue.back.isEnabled())
    qtbot.mouseClick(queue.back, Qt.MouseButton.LeftButton)
    done(qtbot, page)
    assert stored(page.project) == [None] * 10
    assert (queue.settling.row, queue.back.isEnabled()) == (0, False)


def test_undo_on_another_page_takes_back_what_was_settled_and_leads_nowhere_else(
    qtbot: QtBot, window: Window, page: AgreementPage
) -> None:
    press(page, "44")
    done(qtbot, page)
    window.stack.show_page(0)
    flow = window.pages[0].flow
    wait_for(qtbot, lambda: flow.ready)
    front = flow.query, flow.position
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Z, CONTROL)
    wait_for(qtbot, lambda: heard(window, "Undone: settled by grade 4"))
    assert (flow.ready, flow.query, flow.position) == (True, *front)
    assert stored(page.project)[:2] == [4, None]
    window.stack.show_page(3)
    assert page.adjudication.settling.row == 0
    assert len(page.adjudication.settling.rows) == 9


class Model:
    """What the keys should come to."""

    def __init__(self, lines: int) -> None:
        self.settled: Settled = [None] * lines
        self.front: int | None = 0
        self.past: list[tuple[int, int | None, int]] = []
        self.future: list[tuple[int, int | None, int]] = []

    def press(self, key: str) -> None:
        if key == "z" and self.past:
            self.future.append(self.past.pop())
            self.front, self.settled[self.front], _ = self.future[-1]
        elif key == "y" and self.future:
            self.past.append(self.future.pop())
            self.front, _, self.settled[self.front] = self.past[-1]
        elif key.isdigit() and self.front is not None:
            self.settle(self.front, int(key))

    def settle(self, at: int, grade: int) -> None:
        before, lines = self.settled[at], len(self.settled)
        if before != grade:
            self.past.append((at, before, grade))
            self.future.clear()
        self.settled[at] = grade
        below = [one % lines for one in range(at + 1, at + lines)]
        following = [one for one in below if self.settled[one] is None]
        if not following and before is not None:
            following = [one for one in below if one > at]
        self.front = following[0] if following else None


@pytest.fixture(scope="session")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of five candidates that two people graded differently, and a third who may see it."""
    path = make_project(tmp_path_factory.mktemp("disputed"), topics=1, documents=5)
    with Project.open(path) as project:
        for name, off in (("ann", 0), ("bob", 1)):
            project.use_annotator(name)
            for grade, key in enumerate(sorted(one.key for one in browse.query(project, 1).candidates)):
                judging.set_grade(project, 1, key, grade + off)
        project.use_annotator("cleo")
        blindness.unblind_all(project)
    return path


@given(st.lists(st.text("0123zyr", max_size=5), max_size=6))
@settings(max_examples=examples(4, 8), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_pressed_comes_to_what_it_should(
    qtbot: QtBot, open_window: OpenWindow, disputed: Path, tmp_path: Path, bursts: list[str]
) -> None:
    """Keys come in bursts; `r` computes the page anew meanwhile."""
    name = next(one for one in count() if not (tmp_path / f"{one}.annot").exists())
    window = open_window(Path(shutil.copy(disputed, tmp_path / f"{name}.annot")), "cleo")
    page = shown(window, qtbot)
    page.tabs.look_at("To settle")
    wait_for(qtbot, lambda: page.adjudication.settling.ready)
    model = Model(5)
    for burst in bursts:
        for key in burst:
            page.refresh() if key == "r" else press(page, key)
            model.press(key)
        done(qtbot, page)
        assert stored(page.project) == model.settled
        settling = page.adjudication.settling
        assert (settling.row if settling.ready else None) == model.front
    window.close()


def test_tab_leads_out_of_the_table_and_back_from_the_reason(qtbot: QtBot, page: AgreementPage) -> None:
    adjudication = page.adjudication
    adjudication.table.setFocus()
    places = []
    for _ in range(12):
        QTest.keyClick(page.window().focusWidget(), Qt.Key.Key_Tab)
        places.append(page.window().focusWidget())
    assert adjudication.reason in places
    assert adjudication.settling.row == 0, "looking for the field put nothing else in front"
    adjudication.reason.setFocus()
    QTest.keyClick(adjudication.reason, Qt.Key.Key_Escape)
    assert page.window().focusWidget() is adjudication.table


def test_another_annotator_sees_nothing_of_what_the_one_before_saw_and_no_waiting_key_counts(
    qtbot: QtBot, window: Window, page: AgreementPage
) -> None:
    press(page, "43")
    window.dialogs._use_annotator("cleo")
    wait_for(qtbot, lambda: heard(window, "Grading as cleo."))
    wait_for(qtbot, lambda: page.found is None or not page.job.busy)
    assert not page.tabs.isVisible() or page.found is not None
    wait_for(qtbot, lambda: page.found is not None and not page.job.busy and not page.stale)
    assert page.found is not None
    assert page.found.seen == frozenset()
    assert page.adjudication.settling.rows == []
    assert {line.annotator for line in history.history(page.project) if line.task == "adjudication"} <= {
        "ann"
    }


def test_a_settled_pair_stays_listed_once_its_annotators_agree_or_are_silent(
    qtbot: QtBot, page: AgreementPage
) -> None:
    press(page, "54")
    done(qtbot, page)
    project = page.project
    first, second = (
        (one.query, one.candidate) for one in verbs.disagreements(state_of(project), with_settled=True)[:2]
    )
    for name in ("ann", "bob"):
        project.use_annotator(name)
        judging.set_grade(project, *first, 1)
        judging.clear(project, *second)
    found = {
        (one.query, one.candidate): one for one in verbs.disagreements(state_of(project), with_settled=True)
    }
    assert (found[first].grades, found[first].settled) == ((1, 1), 5)
    assert (found[second].grades, found[second].settled) == ((), 4)
    assert not {first, second} & {
        (one.query, one.candidate) for one in verbs.disagreements(state_of(project))
    }
