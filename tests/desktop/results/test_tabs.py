"""Tabs that are made when they are looked at."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStyleOptionTab, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.results.tabs import Tabs
from annotator.desktop.style import Appearance
from annotator.theme import STEPS

Said = list[str]


@pytest.fixture
def said() -> Said:
    """What was made and filled, in order."""
    return []


@pytest.fixture
def tabs(qtbot: QtBot, said: Said) -> Tabs:
    tabs = Tabs()
    qtbot.addWidget(tabs)

    def make(title: str) -> QWidget:
        said.append(f"{title} made")
        return QLabel(title)

    for title in ("first", "second"):
        tabs.add(title, lambda title=title: make(title), lambda title=title: said.append(f"{title} filled"))
    tabs.show()
    return tabs


def test_a_tab_is_made_when_it_is_looked_at_and_filled_once_for_each_news(tabs: Tabs, said: Said) -> None:
    assert said == ["first made"], "there is nothing to fill it with yet"
    tabs.refill()
    tabs.look_at("second")
    tabs.look_at("first")
    tabs.look_at("second")
    assert said == ["first made", "first filled", "second made", "second filled"]
    tabs.refill()
    tabs.look_at("first")
    assert said[4:] == ["second filled", "first filled"]


def test_what_is_looked_at_is_there_at_once(tabs: Tabs) -> None:
    tabs.look_at("second")
    assert [one.text() for one in tabs.findChildren(QLabel) if one.isVisible()] == ["second"]


def test_a_tab_that_is_not_offered_gives_way_to_the_next(tabs: Tabs, said: Said) -> None:
    tabs.refill()
    tabs.offer("first", False)
    assert tabs.currentIndex() == tabs.place("second")
    assert said[-1] == "second filled"


def test_titles_that_have_no_room_are_in_a_menu_with_all_that_are_offered(tabs: Tabs, said: Said) -> None:
    tabs.resize(600, 200)
    assert tabs.every.isHidden()
    tabs.resize(90, 200)
    assert tabs.every.isVisible()
    arrows = tabs.tabBar().findChildren(QToolButton)
    assert {one.focusPolicy() for one in arrows} == {Qt.FocusPolicy.NoFocus}, "nobody sees them"
    menu = tabs.every.menu()
    menu.aboutToShow.emit()
    assert [(one.text(), one.isChecked()) for one in menu.actions()] == [("first", True), ("second", False)]
    menu.actions()[1].trigger()
    assert said[-1] == "second made"
    tabs.offer("first", False)
    menu.aboutToShow.emit()
    assert [one.text() for one in menu.actions()] == ["second"]


@pytest.mark.parametrize("percent", [100, 150])
def test_choosing_a_tab_moves_no_other(qtbot: QtBot, look: Appearance, percent: int) -> None:
    look.choose(percent=percent)
    tabs = Tabs()
    qtbot.addWidget(tabs)
    for title in ("Queries", "What would change it", "Measures and conventions", "Power"):
        tabs.add(title, QWidget)
    tabs.resize(1600, 200)
    tabs.show()
    places = set()
    for at in range(tabs.count()):
        tabs.setCurrentIndex(at)
        bar = tabs.tabBar()
        places.add(tuple(bar.tabRect(one).getRect() for one in range(bar.count())))
    assert len(places) == 1
    look.choose(percent=100)
    image = tabs.grab().toImage()
    rows = range(8, bar.height() - 8)
    inked = (x for x in range(60) if len({image.pixel(x, y) for y in rows}) > 1)
    assert abs(next(inked) - STEPS[2]) <= 3, "the first title begins where the page does"


def test_the_title_of_a_tab_that_is_cut_is_left_out(tabs: Tabs) -> None:
    def titles() -> list[str]:
        options = [QStyleOptionTab() for _ in range(tabs.count())]
        for at, option in enumerate(options):
            bar.initStyleOption(option, at)
        return [one.text for one in options]

    bar = tabs.tabBar()
    tabs.resize(bar.sizeHint().width() + 80, 80)
    assert titles() == ["first", "second"]
    while "second" in (shown := titles()) and tabs.width() > 0:
        tabs.resize(tabs.width() - 1, 80)
    assert shown == ["first", ""]


def test_what_stands_behind_makes_no_tab_higher(qtbot: QtBot) -> None:
    tabs, high = Tabs(), QWidget()
    qtbot.addWidget(tabs)
    high.setMinimumHeight(500)
    tabs.add("first", QWidget)
    tabs.add("second", lambda: high)
    tabs.show()
    low = tabs.minimumSizeHint().height()
    tabs.look_at("second")
    tabs.resize(400, tabs.minimumSizeHint().height())
    assert tabs.currentWidget().height() == 500
    tabs.look_at("first")
    assert tabs.minimumSizeHint().height() == low
