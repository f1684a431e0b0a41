"""A page of results that scrolls as a whole where there is too little height."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractSlider, QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.results.scrolled_page import LEAST_TABS, ScrolledPage
from annotator.desktop.results.tabs import Tabs


@pytest.mark.parametrize("high", [300, 500, 900])
def test_tabs_that_hold_something_high_come_to_rest(qtbot: QtBot, qapp: QApplication, high: int) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    page = ScrolledPage(whole)
    inside, tabs = QWidget(), Tabs(page.content)
    inside.setMinimumHeight(LEAST_TABS + 120)
    column(QLabel("What would change it, in words. " * 40, wordWrap=True), on=inside)
    tabs.add("first", lambda: inside)
    words = QLabel("A long sentence about two systems. " * 8, wordWrap=True)
    column(words, (tabs, 1), on=page.content)
    page.keep(tabs)
    page.resize(400, high)
    whole.resize(400, high)
    whole.show()
    qtbot.waitUntil(lambda: tabs.height() >= LEAST_TABS + 120)
    seen = set()
    for turn in range(20):
        page.content.updateGeometry()
        tabs.updateGeometry()
        qapp.processEvents()
        if turn > 9:
            seen.add((tabs.minimumHeight(), tabs.height(), page.verticalScrollBar().maximum()))
    assert len(seen) == 1


def test_what_gets_the_keys_from_elsewhere_comes_into_sight(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    page = ScrolledPage(whole)
    above, below, elsewhere = QPushButton("Above"), QPushButton("Below"), QPushButton("Elsewhere")
    room = QWidget()
    room.setMinimumHeight(900)
    column(above, room, below, on=page.content)
    column(elsewhere, (page, 1), on=whole)
    whole.resize(300, 400)
    whole.show()
    whole.activateWindow()
    qtbot.waitUntil(whole.isActiveWindow)
    elsewhere.setFocus()
    for one in (below, above):
        assert one.visibleRegion().isEmpty() or one is above
        one.setFocus()
        qtbot.waitUntil(lambda one=one: not one.visibleRegion().isEmpty())


def test_what_has_the_keys_stays_in_sight_when_the_page_grows_above_it(
    qtbot: QtBot, qapp: QApplication
) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    page = ScrolledPage(whole)
    words, has = QLabel("Above"), QPushButton("Has the keys")
    column(words, has, 1, on=page.content)
    column(page, on=whole)
    whole.resize(300, 300)
    whole.show()
    whole.activateWindow()
    qtbot.waitUntil(whole.isActiveWindow)
    has.setFocus()
    bar = page.verticalScrollBar()
    words.setMinimumHeight(600)  # as when scores have come
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    qtbot.waitUntil(lambda: has.visibleRegion().boundingRect().height() == has.height())
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    before = bar.maximum()
    words.setMinimumHeight(700)
    qtbot.waitUntil(lambda: bar.maximum() > before)
    qapp.processEvents()
    assert bar.value() == 0, "it stands where somebody scrolled it"


def test_a_tab_that_is_made_higher_when_chosen_comes_into_sight(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    page = ScrolledPage(whole)
    tabs, high, words = Tabs(page.content), QWidget(), QLabel("Above")
    words.setFixedHeight(150)
    tabs.add("first", QWidget)
    tabs.add("second", lambda: high)
    column(words, (tabs, 1), on=page.content, around=FLUSH)
    page.keep(tabs)
    column(page, on=whole)
    whole.resize(400, LEAST_TABS + 200)
    whole.show()
    tabs.look_at("second")
    QTimer.singleShot(20, high, lambda: high.setMinimumHeight(LEAST_TABS + 100))  # what it reads has come
    bar = page.verticalScrollBar()
    qtbot.waitUntil(lambda: 0 < bar.maximum() == bar.value())
    words.setText("What went wrong")
    words.setFixedHeight(160)
    page.bring(words)
    words.setFixedHeight(170)  # as when what is said takes its room a turn later
    QTimer.singleShot(20, page, lambda: page.setProperty("later", True))
    qtbot.waitUntil(lambda: bool(page.property("later")))
    assert not words.visibleRegion().isEmpty()
