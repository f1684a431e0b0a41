"""The choices of a report beside its preview."""

from PySide6.QtWidgets import QSplitter, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.report.choices import Choices


def test_choices_take_no_more_than_a_third_from_the_beginning(qtbot: QtBot) -> None:
    halves = QSplitter()
    qtbot.addWidget(halves)
    choices = Choices(halves)
    halves.addWidget(choices)
    halves.addWidget(QWidget(halves))
    halves.setStretchFactor(1, 1)
    halves.resize(600, 300)
    halves.show()
    choices.share()
    assert 150 < choices.width() <= 200
