"""What is judged is judged anew only where the annotator went to it, never where the walk stopped."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.flow import JUDGED
from annotator.desktop.grade.page import GradePage
from annotator.desktop.question import Choose
from annotator.desktop.window import Window
from annotator.project import browse
from annotator.project.views import Filters
from tests.desktop.building import make_project
from tests.desktop.conftest import PATIENCE, OpenWindow, heard
from tests.desktop.graded import grade_queries

Key = Qt.Key
MOVES = {Key.Key_Up: -1, Key.Key_Down: 1}
KEYS: list[str | Qt.Key] = [*"012345", *"012345", "n", "p", "j", "s", Key.Key_Up, Key.Key_Down, Key.Key_Down]


def in_front(page: GradePage) -> tuple[int, int]:
    """Return query and candidate in front."""
    assert page.flow.query is not None
    assert page.flow.candidate is not None
    return page.flow.query, page.flow.candidate


def said_of(page: GradePage) -> dict[tuple[int, int], tuple[str | None, int | None]]:
    """Return what is stored of every candidate."""
    return {
        (query, one.key): (one.judgment.state, one.judgment.grade)
        for query in browse.query_keys(page.project, Filters()).tolist()
        for one in browse.query(page.project, query).candidates
    }


def press(qtbot: QtBot, page: GradePage, key: str | Qt.Key) -> None:
    """Press a key once the page is ready for it, and wait until it has had its effect."""
    ready: Callable[[], bool] = lambda: page.flow.ready and not page.flow._pause.isActive()  # noqa: E731
    qtbot.waitUntil(ready, timeout=PATIENCE)
    if isinstance(key, str):
        qtbot.keyClicks(page.parts.cards, key)
    else:
        qtbot.keyClick(page.parts.cards, key)
    qtbot.waitUntil(ready, timeout=PATIENCE)


@pytest.mark.parametrize("seed", range(3))
def test_no_key_changes_what_the_annotator_did_not_go_to(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path, seed: int
) -> None:
    page = open_window(make_project(tmp_path / "p", topics=2, documents=3)).pages[0]
    assert isinstance(page, GradePage)
    random, told = Random(seed), list[str]()
    page.said.connect(told.append)
    gone_to: tuple[int, int] | None = None
    anew = 0
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    for _ in range(60):
        key = random.choice(KEYS)
        press(qtbot, page, "j") if random.random() < 0.2 else None
        before, here = said_of(page), in_front(page)
        gone_to = gone_to if here == gone_to and not page.parts.message.isVisible() else None
        told.clear()
        press(qtbot, page, key)
        after = said_of(page)
        changed = {one for one in after if after[one] != before[one]}
        if isinstance(key, Qt.Key):
            assert not changed
            gone_to = in_front(page)
        elif key.isdigit():
            may = before[here][0] is None or here == gone_to
            assert changed <= {here}
            assert (JUDGED in told) == (not may)
            assert after[here] == (("graded", int(key)) if may else before[here])
            anew += may and before[here][0] is not None
        elif key != "s":
            assert not changed
            gone_to = gone_to if in_front(page) == here else None
    assert anew, "some were judged anew"


def test_digits_after_the_last_judgment_change_nothing(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window(make_project(tmp_path / "p", topics=1, documents=3))
    page = window.pages[0]
    assert isinstance(page, GradePage)
    for _ in range(3):
        press(qtbot, page, "4")
    qtbot.waitUntil(lambda: heard(window, "Everything in this list is done"), timeout=PATIENCE)
    before = said_of(page)
    for key in "1230s":
        press(qtbot, page, key)
    assert said_of(page) == before
    assert heard(window, JUDGED)
    press(qtbot, page, "t")
    assert window.findChild(Choose) is None, "no words are asked for that would not count"
    press(qtbot, page, Key.Key_Down)
    press(qtbot, page, "1")
    assert {one for one, said in said_of(page).items() if said != before[one]} == {in_front(page)}


def test_a_project_opens_at_the_next_unjudged_candidate(
    qtbot: QtBot, window: Window, page: GradePage, open_window: OpenWindow
) -> None:
    grade_queries(window, qtbot, (1, 2))
    path = window.session.path
    page.show_query(2)
    qtbot.waitUntil(lambda: page.flow.query == 2 and page.flow.ready, timeout=PATIENCE)
    window.close()
    again = open_window(path).pages[0]
    assert isinstance(again, GradePage)
    qtbot.waitUntil(lambda: again.flow.query == 3 and again.flow.ready, timeout=PATIENCE)
    before = said_of(again)
    assert before[in_front(again)][0] is None


def test_a_complete_project_opens_where_it_was_left_and_no_digit_counts(
    qtbot: QtBot, window: Window, page: GradePage, open_window: OpenWindow
) -> None:
    grade_queries(window, qtbot, (1, 2, 3))
    path = window.session.path
    page.show_query(2)
    qtbot.waitUntil(lambda: page.flow.query == 2 and page.flow.ready, timeout=PATIENCE)
    window.close()
    again = open_window(path).pages[0]
    assert isinstance(again, GradePage)
    qtbot.waitUntil(lambda: again.flow.query == 2 and again.flow.ready, timeout=PATIENCE)
    before = said_of(again)
    for key in "012345":
        press(qtbot, again, key)
    assert said_of(again) == before


def test_keys_pressed_while_one_is_stored_count_for_what_they_were_pressed_on(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    candidates = [one.key for one in page.flow.prepared.view.candidates]
    for key, grade in ((Key.Key_Down, "1"), (Key.Key_Down, "2"), (Key.Key_Up, "3")):
        qtbot.keyClick(page.parts.cards, key)
        qtbot.keyClicks(page.parts.cards, grade)
    qtbot.waitUntil(lambda: page.flow.ready and not page.flow._waiting, timeout=PATIENCE)
    grades = [said_of(page)[page.flow.query, one][1] for one in candidates]
    assert grades == [None, 1, None, 3, None, None], (
        "2 led on to the fifth, and the arrow back to what it graded"
    )
