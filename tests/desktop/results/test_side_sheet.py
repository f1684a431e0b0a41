"""The sheet over a page: nothing below it moves, Esc takes it away, and the keys go back."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.layouts import column
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.side_sheet import SideSheet
from annotator.evaluation.result_table import Column, Table
from annotator.theme import LIGHT


class Watched(GridView):
    """A table that knows from where to where it was painted last."""

    left = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.left = event.rect().left()
        super().paintEvent(event)


class Page(QWidget):
    """A field below, and a sheet with a field of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.below, self.other, self.inside = QLineEdit(), QPushButton("other"), QLineEdit()
        column(self.below, self.other, 1, on=self)
        self.sheet = SideSheet(self.inside, self, self)


@pytest.fixture
def page(qtbot: QtBot) -> Page:
    page = Page()
    qtbot.addWidget(page)
    page.resize(1200, 600)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.below.setFocus()
    return page


def test_it_lies_over_the_right_side_and_what_is_below_keeps_its_place(page: Page) -> None:
    before = page.below.geometry()
    page.sheet.come()
    assert page.below.geometry() == before
    assert page.childAt(QPoint(1150, 300)) in (page.sheet, page.inside)
    assert page.sheet.geometry().right() == page.rect().right()
    assert page.sheet.height() == page.height()
    page.resize(900, 500)
    assert page.sheet.geometry().right() == page.rect().right()
    assert page.sheet.height() == 500
    page.resize(300, 500)
    assert page.rect().contains(page.sheet.geometry()), "a narrow page is covered, and no more than that"
    page.resize(700, 500)
    assert page.sheet.geometry() == page.rect(), "no strip is left in which nothing can be read"


def test_esc_takes_it_away_and_gives_the_keys_back_to_who_had_them(page: Page, qtbot: QtBot) -> None:
    for before in (page.below, page.other):
        before.setFocus()
        page.sheet.come()
        assert page.inside.hasFocus()
        qtbot.keyClick(page.inside, Qt.Key.Key_Escape)
        assert page.sheet.isHidden()
        assert before.hasFocus()


def test_who_has_the_keys_outside_keeps_them(page: Page) -> None:
    page.sheet.come()
    page.other.setFocus()
    page.sheet.come()
    assert page.other.hasFocus(), "what is shown in an open sheet takes no keys away"
    page.sheet.leave()
    assert page.other.hasFocus()


def test_no_number_of_a_table_below_is_cut_at_its_edge(page: Page, qtbot: QtBot, qapp: QApplication) -> None:
    view = Watched("Scores", LIGHT, page)
    columns = tuple(Column(f"nDCG@1{at}", bar=at < 2) for at in range(12))
    view.show_table(Table("t", "T", columns, ([0.9027, 0.8888],) * 12))
    view.setGeometry(0, 100, 840, 200)
    view.show()
    qapp.processEvents()
    for turn in (page.sheet.come, page.sheet.leave, page.sheet.come):
        view.left = page.width()
        turn()
        qtbot.waitUntil(lambda: view.left == 0)
    for width in range(1200, 1350, 12):
        page.resize(width, 600)
        edge, image = page.sheet.x(), page.grab().toImage()
        for y in range(100, 200):
            assert len({image.pixel(edge - x, y) for x in range(1, 5)}) == 1, (width, y)
        below = view.horizontalHeader().height() + 99
        assert image.pixel(edge - 1, below) == image.pixel(4, below), "the line below the headings is whole"
