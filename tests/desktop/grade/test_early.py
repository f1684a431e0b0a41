"""A key pressed between two queries is neither lost nor misplaced: Enter gives it to what is in sight."""

from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.annotations import NOT_IN_SIGHT
from annotator.desktop.grade.loop import TOO_EARLY
from annotator.desktop.grade.page import GradePage
from annotator.desktop.window import Window
from annotator.project import browse, history, judging, self_agreement, settings
from annotator.project.project import Project
from tests.desktop.building import make_project
from tests.desktop.conftest import PATIENCE, OpenWindow, heard
from tests.desktop.grade.test_grading_loop import judgments, press, wait_for

Key = Qt.Key


def offered(page: GradePage) -> str:
    """Return what the line above the query says of a key that was pressed too early."""
    line = page.parts.head._early
    return line.text() if line.isVisible() else ""


def between(qtbot: QtBot, page: GradePage) -> int:
    """Judge the query in front to its end, and return it; the pause behind it lasts until `went_on`."""
    page.flow._pause.setInterval(PATIENCE)
    wait_for(qtbot, lambda: page.flow.ready)
    query = page.flow.query
    assert query is not None
    press(qtbot, page, *"5" * sum(one.state is None for one in judgments(page)))
    wait_for(qtbot, page.flow._pause.isActive)
    return query


def went_on(qtbot: QtBot, page: GradePage, query: int) -> None:
    if page.flow._pause.isActive():
        page.flow._pause.start(0)
    wait_for(qtbot, lambda: page.flow.query not in (None, query) and page.flow.ready)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_pressed_between_two_queries_waits_for_enter_and_changes_nothing_before(
    qtbot: QtBot, window: Window, page: GradePage, seed: int
) -> None:
    random = Random(seed)
    first = between(qtbot, page)
    stored = len(history.history(page.project))
    keys = random.choices("012345s", k=3)
    qtbot.keyClicks(page.parts.message, "".join(keys))
    went_on(qtbot, page, first)
    assert heard(window, TOO_EARLY)
    said = "Skip" if keys[-1] == "s" else keys[-1]
    assert offered(page).startswith(f"{said} was pressed too early. Enter gives it")
    assert {one.state for one in judgments(page)} == {None}
    assert len(history.history(page.project)) == stored, "nothing is stored of it"
    qtbot.keyClick(page.parts.cards, Key.Key_Enter if seed else Key.Key_Return)
    wait_for(qtbot, lambda: judgments(page)[0].state is not None and page.flow.ready)
    one = judgments(page)[0]
    assert (one.state, one.grade) == (("skipped", None) if said == "Skip" else ("graded", int(said)))
    assert offered(page) == ""
    qtbot.keyClick(page.parts.cards, Key.Key_Return)
    wait_for(qtbot, lambda: heard(window, "Nothing was pressed too early"))
    assert judgments(page)[1].state is None, "it is given once"


def test_it_goes_with_a_judgment_or_a_move_and_when_one_leaves(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    page = open_window(make_project(tmp_path / "p", topics=4, documents=2)).pages[0]
    assert isinstance(page, GradePage)
    for key in ("1", Key.Key_Down, "p"):
        query = between(qtbot, page)
        qtbot.keyClicks(page.parts.message, "4")
        went_on(qtbot, page, query)
        assert offered(page)
        query = page.flow.query
        press(qtbot, page, key)
        wait_for(qtbot, lambda: not offered(page))
        assert 4 not in [one.grade for one in judgments(page)]
        if key == "p":
            went_on(qtbot, page, query)  # type: ignore[arg-type]
            assert not offered(page)


def test_a_digit_meant_for_another_query_never_takes_the_place_of_a_first_grade(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes next is asked again: Enter gives a second grade there, and the first one stays."""
    monkeypatch.setattr(self_agreement, "FRESH", 0)
    path = make_project(tmp_path / "p", topics=3, documents=2)
    with Project.open(path, annotator="ann") as project:
        for one in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, one.key, 5)
        settings.set_setting(project, "repeat_share", 1.0)
    page = open_window(path).pages[0]
    assert isinstance(page, GradePage)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 2)
    between(qtbot, page)
    qtbot.keyClicks(page.parts.message, "3")
    page.flow._pause.start(0)
    wait_for(qtbot, lambda: page.flow.asking_again and page.flow.ready)
    assert offered(page).startswith("3 was pressed too early")
    asked = page.flow.query
    qtbot.keyClick(page.parts.cards, Key.Key_Return)
    wait_for(qtbot, lambda: page.flow.ready and not offered(page) and judgments(page)[0].grade == 3)
    assert asked is not None
    assert {one.judgment.grade for one in browse.query(page.project, asked).candidates} == {5}


def test_up_between_two_queries_stays_with_what_was_judged_last_and_down_goes_on(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    first = between(qtbot, page)
    qtbot.keyClick(page.parts.message, Key.Key_F)
    assert heard(window, NOT_IN_SIGHT)
    last = page.flow.candidate
    qtbot.keyClick(page.parts.message, Key.Key_Up)
    wait_for(qtbot, lambda: page.flow.ready)
    assert (page.flow.query, page.flow.candidate) == (first, last)
    press(qtbot, page, "1")
    graded = {one.key: one.judgment.grade for one in browse.query(page.project, first).candidates}
    assert graded == {one: 1 if one == last else 5 for one in graded}
    press(qtbot, page, "j")
    went_on(qtbot, page, first)
    second = between(qtbot, page)
    qtbot.keyClick(page.parts.message, Key.Key_Down)
    assert not page.flow._pause.isActive()
    went_on(qtbot, page, second)
    assert page.flow.position == 0
