"""Two answers side by side: decided by one key each, undone, gone through, without the systems' names."""

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.compare.page import ComparePage
from annotator.desktop.grade.page import GradePage
from annotator.desktop.pages import PAGES
from annotator.desktop.prefer.page import NONE, UNREAD, WIDEST, PreferPage
from annotator.desktop.style import px
from annotator.desktop.window import Window
from annotator.errors import DiskError
from annotator.project.preferences import side_by_side, to_prefer
from annotator.project.project import Project
from annotator.project.views import Change
from annotator.theme import STEPS
from tests.desktop.building import make_questions
from tests.desktop.conftest import PATIENCE, OpenWindow, heard

NUMBER = [one.name for one in PAGES].index("prefer")


@pytest.fixture
def prefer(window: Window, qtbot: QtBot) -> PreferPage:
    """The Prefer page of two systems that answer three queries differently, the first pair painted."""
    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    page = window.pages[NUMBER]
    assert isinstance(page, PreferPage)
    ready(qtbot, page)
    return page


def ready(qtbot: QtBot, page: PreferPage) -> None:
    qtbot.waitUntil(lambda: page.front is not None and page.loop.ready, timeout=PATIENCE)


def press(qtbot: QtBot, page: PreferPage, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(page.window().focusWidget(), key)
        ready(qtbot, page)


def stored(page: PreferPage) -> list[str | None]:
    """Return what the file says of each pair: the side that is better, as the annotator saw it."""
    with Project.open(page.window().session.path, read_only=True) as project:
        project.use_annotator("ann")
        return [side_by_side(project, two).verdict for two in to_prefer(project).pairs]


def test_one_key_decides_and_the_next_pair_comes_until_all_are_decided(
    qtbot: QtBot, prefer: PreferPage
) -> None:
    assert prefer.query.text() == "volcanoes of Iceland 1"
    titles = sorted(text.stored.partition("\n")[0] for text in prefer.texts)
    assert titles == ["The volcanoes of Iceland, 1", "The volcanoes of Iceland, 6"]
    press(qtbot, prefer, Qt.Key.Key_1)
    assert prefer.query.text() == "rivers of France 2"
    press(qtbot, prefer, Qt.Key.Key_0, Qt.Key.Key_Right)
    assert stored(prefer) == ["left", "equal", "right"]
    assert prefer.progress.text() == "Pair 3 of 3  ·  3 decided"
    assert heard(prefer.window(), "All pairs are decided.")
    assert prefer.buttons["right"].isChecked()


def test_a_query_finished_by_preferences_alone_is_shown_so_on_the_grade_page(
    qtbot: QtBot, window: Window, prefer: PreferPage
) -> None:
    grade = window.pages[0]
    assert isinstance(grade, GradePage)
    assert grade.flow.prepared is not None
    assert grade.flow.prepared.view.title == prefer.query.text()

    def shown() -> bool:
        return grade.flow.prepared.view.revealed

    assert not shown()
    press(qtbot, prefer, Qt.Key.Key_1)
    qtbot.waitUntil(shown, timeout=PATIENCE)

    def done() -> str:
        return grade.model.index(0, 1).data()

    qtbot.waitUntil(lambda: done() == "6/6", timeout=PATIENCE)

    def counted() -> tuple[int, int]:
        return grade.tally.of(False)

    qtbot.waitUntil(lambda: counted() == (6, 18), timeout=PATIENCE)
    window.stack.show_page(0)
    qtbot.waitUntil(lambda: grade.flow.ready, timeout=PATIENCE)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_J)
    qtbot.waitUntil(lambda: grade.flow.ready and grade.flow.query == 2, timeout=PATIENCE)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_3)
    qtbot.waitUntil(lambda: done() == "0/6" and counted() == (1, 18), timeout=PATIENCE)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: done() == "6/6" and counted() == (6, 18), timeout=PATIENCE)
    window.stack.show_page(NUMBER)
    ready(qtbot, prefer)
    press(qtbot, prefer, Qt.Key.Key_P, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: not shown(), timeout=PATIENCE)


def test_undo_brings_the_pair_back_and_backspace_takes_back(qtbot: QtBot, prefer: PreferPage) -> None:
    press(qtbot, prefer, Qt.Key.Key_Left, Qt.Key.Key_2)
    qtbot.keyClick(prefer.window().focusWidget(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: prefer.at == 1, timeout=PATIENCE)
    ready(qtbot, prefer)
    assert stored(prefer) == ["left", None, None]
    assert heard(prefer.window(), "Undone: preferred: ")
    press(qtbot, prefer, Qt.Key.Key_P)
    assert (prefer.at, prefer.buttons["left"].isChecked()) == (0, True)
    press(qtbot, prefer, Qt.Key.Key_Equal)
    assert (prefer.at, prefer.buttons["equal"].isChecked()) == (0, True), "decided anew, it stays in front"
    press(qtbot, prefer, Qt.Key.Key_Backspace)
    assert stored(prefer) == [None, None, None]
    press(qtbot, prefer, Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_N)
    assert prefer.at == 0


def test_a_second_key_that_follows_at_once_is_for_the_next_pair(qtbot: QtBot, prefer: PreferPage) -> None:
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_0):
        qtbot.keyClick(prefer, key)
    qtbot.waitUntil(lambda: len(prefer.decided) == 3 and prefer.loop.ready, timeout=PATIENCE)
    assert stored(prefer) == ["left", "right", "equal"]


def test_no_system_is_named_and_another_annotator_starts_anew(
    qtbot: QtBot, window: Window, prefer: PreferPage
) -> None:
    press(qtbot, prefer, Qt.Key.Key_1)
    shown = [one.text() for one in prefer.findChildren(QLabel)] + [one.stored for one in prefer.texts]
    told = [one.toolTip() + one.accessibleName() for one in prefer.findChildren(QWidget)]
    assert not [words for words in (*shown, *told) if "sys1" in words or "sys2" in words]
    window.dialogs.session.project.use_annotator("bob")
    window.spread(Change("annotator"))
    qtbot.waitUntil(lambda: not prefer.decided and prefer.front is not None, timeout=PATIENCE)
    assert prefer.at == 1, "the pair in front stays there"


def test_who_has_judged_all_pairs_of_a_query_sees_whose_answers_are_preferred(
    qtbot: QtBot, window: Window, prefer: PreferPage
) -> None:
    window.stack.show_page(2)
    compare = window.pages[2]
    assert isinstance(compare, ComparePage)
    preferred = compare.empty.preferred
    qtbot.waitUntil(lambda: compare.state is not None, timeout=PATIENCE)
    assert not preferred.isVisible(), "nothing is said yet"
    window.stack.show_page(NUMBER)
    ready(qtbot, prefer)
    press(qtbot, prefer, Qt.Key.Key_1)
    window.stack.show_page(2)
    qtbot.waitUntil(
        lambda: preferred.isVisible() and preferred.tables.shown == "preferences", timeout=PATIENCE
    )
    table = preferred.tables.grid.grid.table
    assert sorted(table.data[0]) == ["sys1", "sys2"]
    assert "each time" in table.caption
    preferred.tables.choice.setCurrentIndex(2)
    preferred.tables.choice.activated.emit(2)
    assert preferred.tables.grid.grid.table.rows[0][:4] == ("ann", 1, 0, 0)


def test_without_two_answers_it_is_said_what_is_asked_for(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(make_questions(tmp_path / "questions", 1))
    window.stack.show_page(NUMBER)
    page = window.pages[NUMBER]
    assert isinstance(page, PreferPage)
    qtbot.waitUntil(lambda: page.message.title == NONE, timeout=PATIENCE)
    assert window.keys.text().endswith("Ctrl+I import files")
    assert [one.text() for one in page.message.findChildren(QPushButton)] == ["Import files…"]
    qtbot.keyClick(page, Qt.Key.Key_1)
    assert not page.loop.storing


def test_answers_that_could_not_be_read_are_read_again_on_request(
    qtbot: QtBot, prefer: PreferPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: Project) -> None:
        raise DiskError("The disk reported an error.")

    with monkeypatch.context() as patch:
        patch.setattr("annotator.project.preferences.to_prefer", failing)
        prefer.refresh()
        qtbot.waitUntil(lambda: prefer.message.title == UNREAD, timeout=PATIENCE)
        assert "The disk reported an error." in [one.text() for one in prefer.message.findChildren(QLabel)]
    [again] = prefer.message.findChildren(QPushButton)
    assert again.text() == "Try again"
    again.click()
    ready(qtbot, prefer)


def test_tab_goes_from_what_stands_above_to_what_stands_below(qtbot: QtBot, prefer: PreferPage) -> None:
    prefer.back.setEnabled(True)
    prefer.back.setFocus()
    seen = [prefer.back, *prefer.texts, *(prefer.buttons[one] for one in ("left", "right", "equal"))]
    for one, following in pairwise(seen):
        assert one.hasFocus(), one.accessibleName()
        one.focusNextPrevChild(True)
        qtbot.waitUntil(following.hasFocus)


def test_where_nothing_is_taken_no_button_looks_as_if_it_were(
    qtbot: QtBot, prefer: PreferPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    buttons = [*prefer.buttons.values(), prefer.back]
    press(qtbot, prefer, Qt.Key.Key_1, Qt.Key.Key_P)
    assert all(one.isEnabled() for one in buttons)
    with monkeypatch.context() as patch:
        patch.setattr(Project, "read_only", True)
        prefer.step(0)
        qtbot.waitUntil(lambda: not any(one.isEnabled() for one in buttons), timeout=PATIENCE)


def test_in_a_wide_window_the_lines_stay_as_short_as_one_can_read(qtbot: QtBot, prefer: PreferPage) -> None:
    def fits() -> bool:
        """Say whether both texts are no wider than they may be, in the middle of a window as asked for."""
        one, other = prefer.texts
        left, right = (text.mapTo(prefer, text.rect().topLeft()).x() for text in prefer.texts)
        middle = abs(left - (prefer.width() - right - other.width())) <= 1
        narrow = one.width() == other.width() <= (px(WIDEST) - STEPS[2]) // 2
        return middle and narrow and prefer.window().width() == width

    for width in (1920, 1921, 900):
        prefer.window().resize(width, 700)
        qtbot.waitUntil(fits, timeout=PATIENCE)
