"""In every dialog Tab goes through the fields and buttons as they stand on screen."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QStyle, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import COMMANDS
from annotator.desktop.dialog import Dialog
from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.grade.grade_buttons import GradeButton
from annotator.desktop.grade.page import GradePage
from annotator.desktop.project_settings import ProjectSettings
from annotator.desktop.results.measure_chooser import MeasureChooser
from annotator.desktop.safety.export_dialog import ExportDialog
from annotator.desktop.window import Window
from annotator.project.project import Project
from annotator.project.views import Filters
from tests.desktop.conftest import PATIENCE, OpenWindow

OPENING = (
    *("imports", "baseline", "aggregate", "export_data", "snapshot", "backups", "annotator"),
    *("project_settings", "project_history", "import", "keys", "help"),
    *("note", "query_note", "cannot_tell", "history"),
)
"""The commands that open a dialog of ours; `open`, `new` and `merge` ask for a file first."""


@pytest.mark.parametrize("name", OPENING)
def test_tab_goes_through_a_dialog_as_it_is_read(
    qtbot: QtBot, window: Window, page: GradePage, name: str
) -> None:
    assert name in {one.name for one in COMMANDS}
    assert in_reading_order(visited(qtbot, opened(qtbot, page, name)))


@pytest.mark.parametrize("width", [1_280, 1_000])
def test_tab_goes_round_the_grade_page_column_by_column_whatever_came_when(
    qtbot: QtBot, window: Window, page: GradePage, width: int
) -> None:
    window.resize(width, 800)
    page.show_filtered(Filters(states=("unjudged",)))  # whose chip comes later than all others
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: page.flow.position == 1 and page.flow.ready, timeout=PATIENCE)
    parts = page.parts

    def only_in_front() -> bool:
        """Say whether a card that goes out of sight at this moment has given its buttons' turn up."""
        buttons = [one for one in parts.cards.findChildren(GradeButton) if one.isVisible()]
        asked = [one for one in buttons if one.focusPolicy() != Qt.FocusPolicy.NoFocus]
        return all(parts.cards.card(1).isAncestorOf(one) for one in asked)

    qtbot.waitUntil(only_in_front, timeout=PATIENCE)
    columns = [window.bar, window.header, *([parts.side] if parts.folded else [parts.filter_bar, parts.list])]
    columns += [parts.head, parts.middle, parts.recent, *([] if parts.folded else [parts.side])]
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        parts.cards.setFocus()
        seen: list[QWidget] = []
        while (one := QApplication.focusWidget()) not in seen:
            seen.append(one)
            qtbot.keyClick(one, key)
        assert one is parts.cards, "it comes round"
        if key == Qt.Key.Key_Backtab:
            seen = seen[:1] + seen[:0:-1]
        top = next(at for at, one in enumerate(seen) if window.bar.isAncestorOf(one))
        seen = seen[top:] + seen[:top]
        among = [next(at for at, part in enumerate(columns) if part in (one, *_around(one))) for one in seen]
        assert among == sorted(among), [named(one) for one in seen]
        assert {*among} >= {*range(len(columns))} - {columns.index(parts.recent)}
        for number in {*among}:
            inside = [one for at, one in zip(among, seen, strict=True) if at == number]
            assert in_reading_order([(at_window(one), named(one)) for one in inside])
        assert [one for one in seen if isinstance(one, GradeButton)] == [parts.cards.card(1).button(0)]


def test_tab_never_goes_to_candidates_that_are_out_of_sight(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    Project.create(tmp_path / "empty.annot", "Empty", annotator="ann").close()
    window = open_window(tmp_path / "empty.annot")
    qtbot.waitUntil(lambda: window.pages[0].parts.message.title == "No queries yet", timeout=PATIENCE)
    seen = [window.header.findChildren(QPushButton)[0]]
    seen[0].setFocus()
    while len(seen) < 2 or seen[-1] is not seen[0]:
        qtbot.keyClick(seen[-1], Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget())
        assert seen[-1].isVisible(), [*map(named, seen)]


def at_window(one: QWidget) -> QRect:
    return QRect(one.mapTo(one.window(), QPoint()), one.size())


def _around(one: QWidget) -> Iterator[QWidget]:
    while (one := one.parentWidget()) is not None:
        yield one


def test_tab_goes_through_the_measure_chooser_as_it_is_read(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    window.stack.show_page(1)
    front = window.pages[1]
    assert isinstance(front, EvaluatePage)
    stops = [
        one for one in window.bar.findChildren(QToolButton) if one.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert [named(one) for one in stops] == ["QToolButton Evaluate page"], "of the pages that in front"
    menu = front.options.queries.menu()
    assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu), (
        "never wider than a screen"
    )
    front.options.measures.click()
    chooser = in_front(qtbot)
    assert isinstance(chooser, MeasureChooser)
    places = visited(qtbot, chooser)
    assert len(places) >= 6
    assert in_reading_order(places)


def test_the_settings_begin_with_the_name_and_go_on_with_the_depth(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    dialog = opened(qtbot, page, "project_settings")
    assert isinstance(dialog, ProjectSettings)
    assert QApplication.focusWidget() is dialog.name
    qtbot.keyClick(dialog.name, Qt.Key.Key_Tab)
    assert dialog.pool_depth.hasFocus()
    qtbot.keyClicks(dialog.pool_depth, "7")
    assert dialog.values()["pool_depth"] == 7
    assert dialog.values()["meanings"] == list(dialog._now["meanings"])


def test_parts_that_come_later_have_their_turn_where_they_stand(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    dialog = opened(qtbot, page, "export_data")
    assert isinstance(dialog, ExportDialog)
    for at in range(dialog.format.count()):
        dialog.format.setCurrentIndex(at)
        QApplication.processEvents()
        assert in_reading_order(visited(qtbot, dialog)), dialog.format.itemText(at)


def opened(qtbot: QtBot, page: GradePage, name: str) -> Dialog:
    """Give the command of a dialog and return it once the keys are in it."""
    page.surroundings.actions[name].trigger()
    return in_front(qtbot)


def in_front(qtbot: QtBot) -> Dialog:
    """Return the dialog that is in front, once the keys are in it."""

    def there() -> bool:
        front = QApplication.activeModalWidget()
        return isinstance(front, Dialog) and front.isVisible() and QApplication.focusWidget() is not None

    qtbot.waitUntil(there, timeout=PATIENCE)
    front = QApplication.activeModalWidget()
    assert isinstance(front, Dialog)
    front.activateWindow()
    qtbot.waitUntil(front.isActiveWindow, timeout=PATIENCE)
    return front


def visited(qtbot: QtBot, dialog: Dialog) -> list[tuple[QRect, str]]:
    """Press Tab from the top on until it comes round, and return the places where the keys were."""
    dialog.focusNextPrevChild(True)
    start = one = QApplication.focusWidget()
    seen: list[QWidget] = []
    while one is not None and one not in seen:
        seen.append(one)
        qtbot.keyClick(one, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
        if QApplication.focusWidget() is one:  # a text in which Tab is a letter
            dialog.focusNextPrevChild(True)
        one = QApplication.focusWidget()
    assert one is start, "it comes round"
    places = [(QRect(each.mapTo(dialog, QPoint()), each.size()), named(each)) for each in seen]
    top = min(range(len(places)), key=lambda at: (places[at][0].top() // 8, places[at][0].left()))
    return places[top:] + places[:top]


def in_reading_order(places: Sequence[tuple[QRect, str]]) -> bool:
    """Say whether no part comes behind one that stands below it, or at its right in the same line."""
    wrong = [
        (one, following)
        for (a, one), (b, following) in pairwise(places)
        if (a.top() < b.bottom() and b.top() < a.bottom() and b.left() < a.left())
        or (b.bottom() <= a.top() and b.left() < a.right())
    ]
    assert wrong == [], [name for _, name in places]
    return bool(places)


def named(one: QWidget) -> str:
    return f"{type(one).__name__} {one.accessibleName()}"
