"""Another theme or text size: what is in sight follows at once, a hidden page when it is shown."""

import shiboken6
from PySide6.QtCore import SIGNAL, QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.choice import Choice
from annotator.desktop.grade.page import GradePage
from annotator.desktop.pages import PAGES
from annotator.desktop.theme_change import KNOWN, POLISHED, _while_there
from annotator.desktop.window import Window
from tests.desktop.conftest import PATIENCE
from tests.desktop.test_style import StyleChanges
from tests.journeys.day import at_rest


def picture(window: Window, number: int, qtbot: QtBot) -> QImage:
    """Return what a page looks like once nothing moves on it any more.

    Without the scroll bars: how far there is to scroll is known when all was once in sight.
    """
    window.stack.show_page(number)
    page = window.pages[number]
    seen = [QImage()]

    def still() -> bool:
        image = page.grab().toImage()
        painter = QPainter(image)
        for bar in page.findChildren(QScrollBar):
            if bar.isVisible():
                painter.fillRect(QRect(bar.mapTo(page, QPoint()), bar.size()), Qt.GlobalColor.black)
        painter.end()
        seen.append(image)
        return at_rest(window) and seen[-1] == seen[-2]

    qtbot.waitUntil(still, timeout=PATIENCE)
    return seen[-1]


def test_every_page_looks_as_if_qt_had_styled_all_at_once(
    window: Window, qapp: QApplication, qtbot: QtBot
) -> None:
    before = {number: picture(window, number, qtbot) for number in range(len(PAGES))}
    window.stack.show_page(0)
    window.appearance.choose("dark")
    window.appearance.choose("dark", 125)
    later = {number: picture(window, number, qtbot) for number in range(len(PAGES))}

    def all_styled() -> bool:
        """Say whether Qt passes over no widget: what is hidden follows in turns of its own."""
        return all(one.testAttribute(POLISHED) for one in window.findChildren(QWidget))

    qtbot.waitUntil(all_styled, timeout=PATIENCE)
    sheet = qapp.styleSheet()
    qapp.setStyleSheet("")
    qapp.setStyleSheet(sheet)
    for number, image in later.items():
        assert image == picture(window, number, qtbot), PAGES[number].name
        assert image != before[number]


def test_another_theme_visits_what_is_in_sight_and_a_hidden_page_when_it_is_shown(
    window: Window, qtbot: QtBot
) -> None:
    for number in (1, 0):
        window.stack.show_page(number)
        qtbot.waitUntil(lambda: at_rest(window), timeout=PATIENCE)
    seen, hidden = window.pages[0], window.pages[1].findChildren(QWidget)[0]
    changes = StyleChanges()
    for one in (seen, hidden):
        one.installEventFilter(changes)
    window.appearance.choose("dark")
    window.appearance.choose("light")
    window.appearance.choose("dark")
    assert changes.times[id(seen)] >= 3
    assert changes.times[id(hidden)] == 0
    window.stack.show_page(1)
    assert changes.times[id(hidden)] == 1
    window.stack.show_page(0)
    window.stack.show_page(1)
    assert changes.times[id(hidden)] == 1


def test_a_list_of_choices_follows_in_a_turn_of_its_own_before_it_is_opened(
    window: Window, page: GradePage, qtbot: QtBot
) -> None:
    choice = next(one for one in page.findChildren(Choice) if one.isVisible())
    window.appearance.choose("dark", 200)
    assert choice.testAttribute(POLISHED)
    assert not choice.view().testAttribute(POLISHED)
    qtbot.waitUntil(lambda: choice.view().testAttribute(POLISHED), timeout=PATIENCE)
    assert choice.view().font().pixelSize() == choice.font().pixelSize()
    window.appearance.choose("light", 100)


def test_the_style_sheet_hears_of_the_end_of_every_widget_it_styled(
    window: Window, page: GradePage, qtbot: QtBot
) -> None:
    """What it did not hear of it takes for the next dialog at that address, whose ground is black then."""
    for theme in ("dark", "light"):
        window.appearance.choose(theme)
        styled = [one for one in window.findChildren(QWidget) if one.testAttribute(KNOWN)]
        assert len(styled) > 50
        assert [one for one in styled if not one.receivers(SIGNAL("destroyed(QObject*)"))] == []


def test_what_qt_made_and_deleted_before_its_turn_is_not_touched(qapp: QApplication) -> None:
    menu = QMenu()
    menu.addMenu("more")
    (made_by_qt,) = menu.findChildren(QMenu)
    there = _while_there(made_by_qt)
    assert there == [made_by_qt]
    shiboken6.delete(menu)
    assert there == []
