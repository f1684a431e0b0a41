"""One table of commands: the sheet, the status bar and the keys agree."""

import re

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import COMMANDS, shown_keys, status_keys
from annotator.desktop.key_sheet import KeySheet
from annotator.desktop.pages import PAGES
from annotator.desktop.window import Window


def test_no_two_commands_share_a_key() -> None:
    keys = [key for command in COMMANDS for key in command.keys]
    assert sorted(keys) == sorted(set(keys))


def test_the_sheet_shows_every_command_with_its_keys(qtbot: QtBot) -> None:
    sheet = KeySheet()
    qtbot.addWidget(sheet)
    texts = {one.text() for one in sheet.findChildren(QLabel)}
    assert {command.words for command in COMMANDS} <= texts
    assert {shown_keys(command) for command in COMMANDS} <= texts


def test_every_command_of_the_table_does_something_in_the_window(window: Window) -> None:
    assert {command.name for command in COMMANDS} <= window.commands.answered()


def test_the_status_bar_names_keys_of_the_table() -> None:
    known = {key for command in COMMANDS for key in command.keys}
    named = re.findall(r"(?:^|·)\s+?(Ctrl\+\w|F1|Space|[A-Z]) ", status_keys("grade"))
    assert named
    assert set(named) <= known


@pytest.mark.parametrize("page", [one.name for one in PAGES if one.name != "grade"])
def test_the_status_bar_of_another_page_names_no_key_that_does_nothing_there(page: str) -> None:
    short = [command.short for command in COMMANDS if command.group == "grade" and command.short]
    assert short
    assert not [words for words in short if words in status_keys(page)]
    assert "Ctrl+Z undo" in status_keys(page)


def test_the_status_bar_says_the_keys_of_the_page_in_front(window: Window) -> None:
    for number, entry in enumerate(PAGES):
        window.stack.show_page(number)
        assert window.keys.text() == status_keys(entry.name)
