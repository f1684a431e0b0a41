"""The line below the pages."""

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.status_line import StatusLine


def test_the_line_takes_another_text_size_also_while_it_says_something(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    line, keys = StatusLine(window), QLabel()
    line.addWidget(keys, 1)
    line.begin_at(16)
    low = line.minimumSizeHint().height()
    keys.hide()
    keys.setMinimumHeight(low + 30)
    line.begin_at(16)
    assert line.minimumSizeHint().height() >= low + 30
    keys.setMinimumHeight(0)
    line.begin_at(16)
    assert line.minimumSizeHint().height() == low
