"""One table of commands: the sheet, the status bar and the keys agree."""

import re

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import COMMANDS, shown_keys, status_keys
from annotator.desktop.sheet import KeySheet
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
    named = re.findall(r"(?:^|·)\s+?(Ctrl\+\w|F1|Space|[A-Z]) ", status_keys())
    assert named
    assert set(named) <= known
