"""The choices of a report beside its preview."""

from PySide6.QtWidgets import QSplitter, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.layouts import column
from annotator.desktop.report.choices import Choices
from annotator.desktop.results.check_list import check_list


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


def test_a_list_has_no_empty_line_where_one_of_its_lines_is_hidden(qtbot: QtBot) -> None:
    halves = QSplitter()
    qtbot.addWidget(halves)
    choices = Choices(halves)
    lines = check_list("Sections", [(f"{at}", f"{at}", True) for at in range(9)], print)
    choices.take_lines(lines)
    column(lines, 1, on=choices.content)
    halves.resize(600, 300)
    halves.show()
    for hidden in (True, False):
        lines.setRowHidden(1, hidden)
        qtbot.waitUntil(lambda: lines.viewport().height() - lines.visualItemRect(lines.item(8)).bottom() == 1)
