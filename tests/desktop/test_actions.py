"""One table of commands: the sheet, the status bar and the keys agree."""

import re
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop import key_sheet
from annotator.desktop.actions import COMMANDS, MENU, Actions, status_keys
from annotator.desktop.controls import combo
from annotator.desktop.dialog import Scrolled
from annotator.desktop.grade.page import GradePage
from annotator.desktop.key_sheet import KeyQuestion, KeySheet, in_words
from annotator.desktop.pages import PAGES
from annotator.desktop.palette import Palette, found
from annotator.desktop.preferences import Settings
from annotator.desktop.style import FONT, FONT_PIXELS, load_fonts
from annotator.desktop.style_sheet import sheet
from annotator.desktop.window import Window
from annotator.project.views import JudgmentView
from annotator.theme import LIGHT
from tests.desktop.conftest import PATIENCE, OpenWindow
from tests.examples import examples

Front = TypeVar("Front", bound=QWidget)


def test_no_two_commands_share_a_key() -> None:
    keys = [key for command in COMMANDS for key in command.keys]
    assert sorted(keys) == sorted(set(keys))


def test_the_sheet_shows_every_command_with_its_keys(window: Window) -> None:
    sheet = KeySheet(window.commands, window)
    texts = {one.text() for one in sheet.findChildren(QLabel)}
    assert {command.words for command in COMMANDS} <= texts
    assert {in_words(command.keys) for command in COMMANDS} <= texts


@pytest.mark.parametrize("wide", [0, 10_000])
def test_the_sheet_is_laid_out_in_the_room_it_has_and_cuts_no_words(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, wide: int
) -> None:
    """The screen of the tests is a narrow one: the columns stand side by side only where they are told to."""
    monkeypatch.setattr(key_sheet, "WIDE", wide)
    sheet = KeySheet(window.commands, window)
    sheet.open()
    qtbot.waitUntil(sheet.isVisible)
    [scrolled] = sheet.findChildren(Scrolled)
    assert scrolled.widget().layout().geometry() == scrolled.widget().rect()
    words = {command.words for command in COMMANDS}
    assert not [
        one.text()
        for one in sheet.findChildren(QLabel)
        if one.text() in words and one.height() < one.heightForWidth(one.width())
    ]
    sheet.reject()


def test_every_command_of_the_table_does_something_in_the_window(window: Window) -> None:
    assert {command.name for command in COMMANDS} <= window.commands.answered()


def test_the_status_bar_names_keys_of_the_table(window: Window) -> None:
    known = {key for command in COMMANDS for key in command.keys}
    named = re.findall(r"(?:^|·)\s+?(Ctrl\+\w|F1|Space|[A-Z]) ", status_keys("grade", window.commands))
    assert named
    assert set(named) <= known


@pytest.mark.parametrize("page", [one.name for one in PAGES if one.name != "grade"])
def test_the_status_bar_of_another_page_names_no_key_that_does_nothing_there(
    window: Window, page: str
) -> None:
    short = [command.short for command in COMMANDS if command.group == "grade" and command.short]
    assert short
    assert not [words for words in short if words in status_keys(page, window.commands)]
    assert "Ctrl+Z undo" in status_keys(page, window.commands)


def test_settling_keeps_its_digits_when_those_of_grading_are_changed(window: Window) -> None:
    window.commands.change("grade_0", ["Ctrl+0"])
    assert "0, 1, … settle" in status_keys("settling", window.commands)
    assert "Ctrl+0–5 grade" in status_keys("grade", window.commands)


def test_the_status_bar_says_the_keys_of_the_page_in_front(window: Window) -> None:
    for number, entry in enumerate(PAGES):
        window.stack.show_page(number)
        page = window.pages[number]
        assert window.keys.text() == status_keys(page.keys or entry.name, window.commands)
        if entry.name in ("evaluate", "compare", "agreement", "report"):
            assert "Ctrl+C" not in window.keys.text(), "nothing is there to be copied yet"


def test_the_menu_has_at_most_a_dozen_entries_in_groups(window: Window) -> None:
    menu = window.header.findChild(QMenu)
    entries = [one.text() for one in menu.actions() if not one.isSeparator()]
    assert 0 < len(entries) <= 12
    assert len(MENU) >= 3
    assert entries[0] == "All commands"


def test_ctrl_k_offers_what_can_be_done_now_and_enter_does_it(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = in_front(qtbot, Palette)
    assert palette.list.count() == len(COMMANDS) - 1
    qtbot.keyClicks(palette.line, "skip cand")
    assert [palette.list.item(at).text() for at in range(palette.list.count())] == ["Skip the candidate"]
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: judgment(page).state == "skipped", timeout=PATIENCE)
    window.activateWindow()  # as a window manager does when the dialog goes
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = in_front(qtbot, Palette)
    qtbot.keyClicks(palette.line, "page")
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.list.currentRow() == 1
    qtbot.keyClicks(palette.line, "xyz")
    assert palette.nothing.text() == "No command has these words."
    assert palette.nothing.isVisible()
    assert not palette.list.isVisible(), "no empty box"
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible(), "there is nothing to do"
    palette.reject()
    window.stack.show_page(1)
    window.commands["commands"].trigger()
    palette = in_front(qtbot, Palette)
    offered = {palette.list.item(at).text() for at in range(palette.list.count())}
    assert "Undo" in offered
    assert "Skip the candidate" not in offered, "it can only be given on the Grade page"
    qtbot.keyClicks(palette.line, "skip cand")
    why = "“Skip the candidate” works on the Grade page of an open project."
    assert palette.nothing.text() == why
    assert why in window.commands["skip"].toolTip()
    palette.reject()


@given(words=st.lists(st.sampled_from(["page", "Grade", "the", "co", "project", "zz", " "]), max_size=3))
def test_what_is_found_has_all_the_words_and_nothing_that_has_them_is_missing(words: list[str]) -> None:
    names = [one.name for one in found(" ".join(words), COMMANDS)]
    titles = {"grade": "grading", "project": "project", "window": "program"}
    expected = {
        one.name
        for one in COMMANDS
        if all(
            word.casefold() in f"{one.words.casefold()} {titles[one.group]}"
            for word in " ".join(words).split()
        )
    }
    assert set(names) == expected
    assert len(names) == len(expected)


def test_a_key_is_changed_kept_and_shown_everywhere(
    qtbot: QtBot, open_window: OpenWindow, window: Window, page: GradePage
) -> None:
    window.commands["keys"].trigger()
    sheet = in_front(qtbot, KeySheet)
    assert QApplication.focusWidget() is not sheet.change
    while QApplication.focusWidget() is not sheet.change:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(sheet.change, Qt.Key.Key_Return)
    chooser = in_front(qtbot, Palette)
    qtbot.keyClicks(chooser.line, "skip")
    qtbot.keyClick(chooser.line, Qt.Key.Key_Return)
    ask = in_front(qtbot, KeyQuestion)
    assert not ask.keep.isEnabled()
    ask.field.setKeySequence(QKeySequence("Tab"))
    assert not ask.keep.isEnabled()
    ask.field.setKeySequence(QKeySequence("U"))
    assert ask.told.text() == "U is the key for “The question is unanswerable”. Keep takes it from there."
    ask.keep.click()
    texts = [one.text() for one in sheet.findChildren(QLabel)]
    assert texts[texts.index("Skip the candidate") - 1] == "U"
    assert texts[texts.index("The question is unanswerable") - 1] == ""
    assert "U skip" in window.keys.text()
    assert page.parts.gold.unanswerable.text() == "The question is unanswerable"
    sheet.reject()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_S)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: judgment(page).state == "skipped", timeout=PATIENCE)
    assert not page.flow.prepared.view.unanswerable
    path = window.session.path
    window.close()
    again = open_window(path)
    assert again.commands.first_key("skip") == "U"
    assert again.commands.first_key("unanswerable") == ""
    again.commands["keys"].trigger()
    sheet = in_front(qtbot, KeySheet)
    for name in ("skip", "unanswerable"):
        sheet._ask(name)
        ask = in_front(qtbot, KeyQuestion)
        [usual] = [one for one in ask.findChildren(QPushButton) if one.text().startswith("As at first")]
        usual.click()
    assert again.pages[0].parts.gold.unanswerable.text() == "The question is unanswerable  (U)"
    assert Settings().get("keys", {"none": "yet"}) == {}
    sheet.reject()


@settings(max_examples=examples(30, 100))
@given(
    changes=st.lists(
        st.tuples(
            st.sampled_from([one.name for one in COMMANDS]),
            st.sampled_from(["S", "Ctrl+K", "Ctrl+Shift+Z", "F9", "7", "Del", "Space"]),
        ),
        max_size=6,
    )
)
def test_whatever_is_changed_no_two_commands_share_a_key_and_a_restart_keeps_it(
    qapp: QApplication, changes: list[tuple[str, str]]
) -> None:
    window = QWidget()
    actions = Actions(window, {})
    own: dict[str, object] = {}
    for name, key in changes:
        own = dict(actions.change(name, [key]))
        assert actions.first_key(name) == key
    for one in (actions, Actions(window, own)):
        keys = [key for command in COMMANDS for key in one.keys(command)]
        assert sorted(keys) == sorted(set(keys))
        assert [one.keys(command) for command in COMMANDS] == [actions.keys(command) for command in COMMANDS]
        for command in COMMANDS:
            shortcuts = [shortcut.toString() for shortcut in one[command.name].shortcuts()]
            assert shortcuts == [QKeySequence(key).toString() for key in one.keys(command)]


def in_front(qtbot: QtBot, kind: type[Front]) -> Front:
    """Return the dialog of this kind, once the keys are in it."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), kind), timeout=PATIENCE)
    front = QApplication.activeModalWidget()
    assert isinstance(front, kind)
    front.activateWindow()
    qtbot.waitUntil(front.isActiveWindow, timeout=PATIENCE)
    return front


def judgment(page: GradePage) -> JudgmentView:
    return page.flow.prepared.view.candidates[0].judgment


def test_a_choice_that_has_no_room_ends_in_dots(qtbot: QtBot) -> None:
    box = combo("Which", items=(("relevant from 1", 1),))
    qtbot.addWidget(box)
    option = QStyleOptionComboBox()
    for lacking, shown in ((0, "relevant from 1"), (40, "releva")):
        box.resize(box.sizeHint().width() - lacking, 30)
        box.initStyleOption(option)
        assert option.currentText.startswith(shown)
        assert option.currentText.endswith("…") is (lacking > 0)
    assert box.currentText() == "relevant from 1"
    load_fonts()
    box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToContents)
    box.setItemText(0, "How far the means may still move while the pool is judged to its end")
    for size in range(12, 24):
        letters = QFont(FONT)
        letters.setPixelSize(size)
        box.setFont(letters)
        box.setStyleSheet(sheet(LIGHT, size / FONT_PIXELS))
        box.resize(box.sizeHint())
        box.initStyleOption(option)
        assert option.currentText == box.currentText()
