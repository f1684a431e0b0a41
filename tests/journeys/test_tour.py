"""The tour, taken by keyboard from the first window on: each step goes on when something really happened."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QPushButton

from annotator.desktop import tour
from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.desktop.help import HelpDialog
from annotator.desktop.palette import Palette
from annotator.desktop.question import Ask, Choose, Confirm
from annotator.desktop.safety.banner import Notice
from annotator.desktop.tour import LAST, STEPS, Tour
from annotator.project import history
from annotator.project.project import Project
from tests.journeys.conftest import Tell, User

CONTROL = Qt.KeyboardModifier.ControlModifier


def begin(user: User, name: str = "Ada") -> Tour:
    """Take the tour from the welcome page, and say who one is."""
    user.wait(user.window.isActiveWindow)
    assert QApplication.focusWidget().accessibleName() == "Take the tour"  # type: ignore[union-attr]
    user.press(Qt.Key.Key_Return)
    user.dialog(AnnotatorDialog)
    user.type(name)
    user.press(Qt.Key.Key_Return)
    return begun(user)


def begun(user: User) -> Tour:
    user.wait(lambda: shown(user) and QApplication.activeModalWidget() is None)
    user.opened()
    return here(user)


def here(user: User) -> Tour:
    return next(one for one in user.window.findChildren(Tour) if one.parent() is user.page)


def shown(user: User) -> bool:
    return any(one.isVisible() for one in user.window.findChildren(Notice) if one.accessibleName() == "Tour")


def step(user: User) -> int:
    """Return which step is told, counted from 0; the last words count as one more."""
    text = here(user).notice.text()
    at = [number for number in range(len(STEPS)) if text.startswith(f"{number + 1} of {len(STEPS)} ")]
    return at[0] if at else len(STEPS)


def leave(user: User, dialog: QObject) -> None:
    user.press(Qt.Key.Key_Escape)
    user.wait(lambda: QApplication.activeModalWidget() is None)
    user.window.activateWindow()
    user.wait(user.window.isActiveWindow)


def test_the_tour_is_taken_by_keys_and_everything_in_it_is_done_for_real(tell: Tell) -> None:
    opened: list[Path] = []

    def story(user: User) -> None:
        begin(user)
        opened.append(user.window.session.path)
        told = [step(user)]

        def goes_on() -> None:
            user.wait(lambda: step(user) > told[-1])
            told.append(step(user))

        user.grade("3")
        goes_on()
        user.press("Z", CONTROL)
        goes_on()
        assert user.judgments()[0].state is None
        user.wait(lambda: user.page.flow.ready)
        user.press("s")
        goes_on()
        user.press(Qt.Key.Key_Space)
        goes_on()
        first = user.page.flow.query
        user.press(Qt.Key.Key_Escape)  # leaves the text, not the tour
        assert not user.page.reading.on
        user.press("n")
        goes_on()
        assert user.page.flow.query != first
        user.wait(lambda: user.page.flow.ready)
        user.press("b")
        asked = user.dialog(Confirm)
        show = next(one for one in asked.buttons.buttons() if one.text() == "Show")
        show.setFocus()
        user.press(Qt.Key.Key_Space)
        user.window.activateWindow()
        goes_on()
        user.wait(lambda: not user.page.parts.scores.hidden)
        user.press("k", CONTROL)
        leave(user, user.dialog(Palette))
        goes_on()
        assert told == list(range(len(STEPS) + 1))
        user.page.parts.cards.setFocus()
        user.press(Qt.Key.Key_Escape)
        user.wait(lambda: not shown(user))

    tell(story, annotator="")
    with Project.open(opened[0], annotator="Ada") as project:
        mine = [line for line in history.history(project) if line.annotator == "Ada"]
    tasks = [line.task for line in reversed(mine) if line.task != "annotator"]
    assert tasks == ["grade", "grade", "grade", "unblind"], "graded, undone, skipped, shown: nothing else"


def test_a_step_waits_for_its_own_deed_and_can_be_skipped(tell: Tell) -> None:
    def story(user: User) -> None:
        found = begin(user)
        user.press("n")
        user.wait(lambda: user.page.flow.ready)
        user.press(Qt.Key.Key_Space)
        user.press(Qt.Key.Key_Space)
        user.press("s")
        user.wait(lambda: not user.page.flow.storing)
        assert step(user) == 0, "nobody has graded"
        [skip, _] = found.notice.ways()
        for number in range(1, len(STEPS) + 1):
            skip.setFocus()
            user.press(Qt.Key.Key_Space)
            assert step(user) == number
        assert [one.text() for one in found.notice.ways()] == ["New project from files…", "End the tour"]
        assert user.page.parts.cards.hasFocus(), "the button that had the keys is gone"
        user.wait(found.notice.ways()[1].isVisible)
        found.notice.ways()[1].setFocus()
        user.press(Qt.Key.Key_Space)
        user.wait(lambda: not shown(user))
        assert user.page.parts.cards.hasFocus()
        user.grade("2")
        assert not shown(user)

    tell(story, annotator="")


def test_esc_on_the_cards_ends_it_and_esc_is_again_what_it_was(tell: Tell) -> None:
    def story(user: User) -> None:
        begin(user)
        user.press(Qt.Key.Key_Space)
        user.press(Qt.Key.Key_Escape)
        user.press("q")
        assert shown(user)
        leave(user, user.dialog(Ask))
        user.page.parts.cards.setFocus()
        user.press(Qt.Key.Key_Escape)
        user.wait(lambda: not shown(user))
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # as the program's loop does
        user.press(Qt.Key.Key_Space)
        assert user.page.reading.on
        user.press(Qt.Key.Key_Escape)
        assert not user.page.reading.on

    tell(story, annotator="")


def test_it_names_the_keys_that_one_has_and_a_screen_reader_hears_it(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    class Heard:
        updateAccessibility = staticmethod(lambda event: heard.append(event.message()))

    monkeypatch.setattr(tour, "QAccessible", Heard)

    def story(user: User) -> None:
        user.window.commands.change("undo", ["Ctrl+J"])
        found = begin(user)
        user.grade("3")
        user.wait(lambda: step(user) == 1)
        assert "Ctrl+J takes it back" in found.notice.text()
        user.window.commands.change("undo", [])
        assert "“Undo” takes it back" in found.notice.text()
        assert heard[-1] == found.notice.text()
        assert len({words.split()[0] for words in heard}) == 2
        user.press("t")
        user.dialog(Choose)
        user.press(Qt.Key.Key_Escape)

    assert QAccessible is not Heard
    tell(story, annotator="")


def test_it_begins_from_help_and_palette_too_and_goes_with_its_project(tell: Tell) -> None:
    def story(user: User) -> None:
        user.wait(user.window.isActiveWindow)
        user.press(Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
        dialog = user.dialog(HelpDialog)
        [way] = [one for one in dialog.findChildren(QPushButton) if one.text() == "Take the tour"]
        way.setFocus()
        user.press(Qt.Key.Key_Space)
        user.dialog(AnnotatorDialog)  # somebody else graded last
        user.press(Qt.Key.Key_Return)
        begun(user)
        user.window.close_project()
        user.wait(lambda: not shown(user))
        user.window.show_welcome()
        user.press("k", CONTROL)
        user.dialog(Palette)
        user.type("tour")
        user.press(Qt.Key.Key_Return)
        begun(user)

    tell(story, annotator="Bo")


def test_every_word_of_it_names_commands_that_are_there() -> None:
    from annotator.desktop.actions import COMMANDS

    keys = {one.name: one.name for one in COMMANDS}
    for text in (*(one.text for one in STEPS), LAST):
        assert text.format(**keys) != text
