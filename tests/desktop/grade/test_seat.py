"""Cards and full text side by side on wide windows; Space gives the text the whole width and back."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.elided import Elided
from annotator.desktop.grade.full_text_switch import NO_ROOM
from annotator.desktop.grade.page import GradePage
from annotator.desktop.window import Window
from tests.desktop.building import imported
from tests.desktop.conftest import OpenWindow, heard
from tests.desktop.grade.test_grading_loop import judgments, wait_for

WIDE, USUAL = (1920, 1080), (1280, 800)


@pytest.fixture
def wide(window: Window, page: GradePage, qtbot: QtBot) -> GradePage:
    window.resize(*WIDE)
    wait_for(qtbot, lambda: page.parts.seat.both)
    return page


def editor(page: GradePage) -> QPlainTextEdit:
    return next(one for one in page.parts.reader.findChildren(QPlainTextEdit) if one.isVisible())


def press(qtbot: QtBot, key: str | Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    qtbot.keyClick(QApplication.focusWidget(), key, *modifiers)


def shown(page: GradePage) -> tuple[bool, bool]:
    return page.parts.cards.isVisible(), page.parts.reader.isVisible()


def test_a_wide_window_shows_the_text_beside_the_cards_and_a_narrow_one_the_cards(
    qtbot: QtBot, window: Window, wide: GradePage
) -> None:
    assert shown(wide) == (True, True)
    assert wide.parts.reader.candidate == wide.flow.prepared.view.candidates[0]
    left = wide.parts.cards.geometry()
    assert left.right() < wide.parts.reader.geometry().left()
    window.resize(*USUAL)
    wait_for(qtbot, lambda: shown(wide) == (True, False))
    assert wide.parts.cards.width() == wide.parts.seat.width()
    assert window.focusWidget() is wide.parts.cards, "the keys go with what is in sight"


def test_moving_shows_the_other_text_at_once(qtbot: QtBot, wide: GradePage) -> None:
    for key, at in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Up, 1)):
        press(qtbot, key)
        candidate = wide.flow.prepared.view.candidates[at]
        assert editor(wide).toPlainText() == candidate.text, "in the same moment as the card"
        assert wide.flow.candidate == wide.parts.reader.candidate.key == candidate.key


def test_a_digit_grades_and_the_text_goes_on_with_the_card(qtbot: QtBot, wide: GradePage) -> None:
    press(qtbot, "4")
    wait_for(qtbot, lambda: judgments(wide)[0].grade == 4 and wide.flow.position == 1)
    assert wide.parts.reader.candidate.key == wide.flow.prepared.view.candidates[1].key
    place = [one.text() for one in wide.parts.reader.grades.findChildren(QLabel)]
    assert place == ["2 of 6"]
    qtbot.mouseClick(wide.parts.reader.grades.buttons[2], Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: judgments(wide)[1].grade == 2 and wide.flow.position == 2)


def test_the_next_query_stands_side_by_side_too(qtbot: QtBot, wide: GradePage) -> None:
    first = wide.flow.query
    press(qtbot, "n")
    wait_for(qtbot, lambda: wide.flow.query != first and wide.flow.ready)
    assert shown(wide) == (True, True)
    assert editor(wide).toPlainText() == wide.flow.prepared.view.candidates[wide.flow.position].text


def test_there_is_a_scroll_bar_where_a_card_is_out_of_sight(
    qtbot: QtBot, window: Window, wide: GradePage
) -> None:
    bar, beside = wide.parts.cards.verticalScrollBar(), wide.parts.cards.viewport().width()
    window.resize(WIDE[0], 3_000)
    wait_for(qtbot, lambda: wide.parts.seat.height() > 2_000)
    assert bar.isHidden()
    press(qtbot, Qt.Key.Key_Down)
    assert not bar.isHidden(), "the first card stands above what is in sight"
    press(qtbot, Qt.Key.Key_Up)
    assert bar.isHidden()
    window.resize(*WIDE)
    wait_for(qtbot, lambda: not bar.isHidden())
    assert wide.parts.cards.viewport().width() == beside, "nothing moves when it comes"


def test_space_gives_the_text_the_whole_width_and_back(qtbot: QtBot, wide: GradePage) -> None:
    press(qtbot, Qt.Key.Key_Space)
    assert shown(wide) == (False, True)
    assert wide.parts.reader.width() == wide.parts.seat.width()
    press(qtbot, Qt.Key.Key_Space)
    assert shown(wide) == (True, True)
    press(qtbot, Qt.Key.Key_Space)
    press(qtbot, Qt.Key.Key_Escape)
    assert shown(wide) == (True, True)


def test_w_takes_the_text_away_and_that_is_remembered(
    qtbot: QtBot, open_window: OpenWindow, window: Window, wide: GradePage
) -> None:
    press(qtbot, "w")
    assert shown(wide) == (True, False)
    path = window.session.path
    window.close()
    again = open_window(path)
    again.resize(*WIDE)
    page = again.pages[0]
    wait_for(qtbot, lambda: page.flow.ready and page.parts.seat.has_room)
    assert shown(page) == (True, False)
    press(qtbot, "w")
    assert shown(page) == (True, True)
    assert page.parts.reader.candidate.key == page.flow.candidate


def test_without_room_w_says_so_and_changes_nothing(qtbot: QtBot, window: Window, page: GradePage) -> None:
    qtbot.keyClick(page.parts.cards, "w")
    assert heard(window, NO_ROOM)
    assert page.parts.seat.wanted
    assert shown(page) == (True, False)


def test_ctrl_f_finds_in_the_text_and_from_the_cards_it_finds_queries(
    qtbot: QtBot, window: Window, wide: GradePage
) -> None:
    press(qtbot, "F", Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is wide.parts.reader.searched.line
    qtbot.keyClicks(window.focusWidget(), "nothing")
    assert wide.parts.reader.selection(0).text == "Nothing"
    press(qtbot, Qt.Key.Key_Escape)
    assert window.focusWidget() is editor(wide)
    press(qtbot, Qt.Key.Key_Escape)
    assert window.focusWidget() is wide.parts.cards
    assert shown(wide) == (True, True)
    press(qtbot, "F", Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.header.part.search


def test_pages_of_the_text_are_turned_by_key(qtbot: QtBot, wide: GradePage, window: Window) -> None:
    wide.parts.reader.show_rest("A line.\n" * 400)
    press(qtbot, Qt.Key.Key_PageDown)
    assert wide.parts.reader.place() > 0


def test_words_selected_on_a_card_count_and_not_those_selected_in_the_text_before(
    qtbot: QtBot, wide: GradePage
) -> None:
    text = editor(wide)
    text.selectAll()
    assert wide.reading.selected().text.startswith("About")
    passage = wide.parts.cards.card(0).passage
    qtbot.mousePress(passage, Qt.MouseButton.LeftButton, pos=QPoint(1, 8))
    passage._caret = passage.marked.text.index(" of ")
    qtbot.mouseRelease(passage, Qt.MouseButton.LeftButton, pos=QPoint(1, 8))
    chosen = passage.selection()
    assert chosen is not None
    assert wide.reading.selected().text == passage.marked.text[slice(*chosen)] != text.toPlainText()


def test_head_cards_text_and_strip_have_the_same_edges(qtbot: QtBot, window: Window, wide: GradePage) -> None:
    for size in (WIDE, (2560, 1440), (1640, 900), USUAL):
        window.resize(*size)
        QApplication.processEvents()
        parts = wide.parts
        card = parts.cards.card(0)
        assert parts.seat.both == (size != USUAL)
        left = at(card, parts.seat).x()
        last = parts.reader.grades if parts.seat.both else card
        right = at(last, parts.seat).x() + last.width()
        for above in (parts.head, parts.recent):
            around = above.layout().contentsMargins()
            assert (around.left(), parts.seat.width() - around.right()) == (left, right), size
    press(qtbot, Qt.Key.Key_Space)
    window.resize(1_024, 700)
    QApplication.processEvents()
    alone = parts.head.layout().contentsMargins()
    press(qtbot, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert parts.head.layout().contentsMargins() == alone, "nothing moves aside when the cards come back"


def test_a_long_text_begins_at_once_and_its_rest_follows(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    text = "".join(f"Line {number} about the river.\n" for number in range(20_000))
    files = {
        "queries.jsonl": json.dumps({"_id": "q1", "text": "rivers"}),
        "corpus.jsonl": "\n".join(
            json.dumps({"_id": name, "title": name, "text": body})
            for name, body in (("long", text), ("short", "A word."), ("none", ""))
        ),
        "one.run": "q1 Q0 long 1 3 s\nq1 Q0 short 2 2 s\nq1 Q0 none 3 1 s",
    }
    window = open_window(imported(tmp_path / "long", files))
    page = window.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    window.resize(*WIDE)
    wait_for(qtbot, lambda: page.parts.seat.both)
    names = [one.id for one in page.flow.prepared.view.candidates]
    page.flow.put_in_front(names.index("long"))
    beginning = page.parts.reader.shown_text()
    assert len(beginning) > 100
    assert text.startswith(beginning)
    wait_for(qtbot, lambda: page.parts.reader.shown_text().rstrip() == text.rstrip())
    page.parts.reader.scroll_to(15_000)
    page.flow.put_in_front(names.index("short"))
    assert page.parts.reader.shown_text() == "A word."
    page.flow.put_in_front(names.index("long"))
    wait_for(qtbot, lambda: page.parts.reader.place() == 15_000)
    page.flow.put_in_front(names.index("none"))
    assert page.parts.reader.shown_text() == ""


def test_a_title_of_many_lines_and_a_long_address_leave_the_text_its_room(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    title, address = "About rivers\n" * 40, "http://a.example/" + "x" * 900
    document = {"_id": "d1", "title": title, "text": "A river.", "metadata": {"url": address}}
    files = {
        "queries.jsonl": json.dumps({"_id": "q1", "text": "rivers"}),
        "corpus.jsonl": json.dumps(document),
        "one.run": "q1 Q0 d1 1 3 s",
    }
    window = open_window(imported(tmp_path / "long", files))
    page = window.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    window.resize(*USUAL)
    press(qtbot, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: shown(page) == (False, True))
    reader, whole = page.parts.reader, " ".join(title.split())
    assert editor(page).height() > reader.height() / 2
    assert page.parts.seat.minimumSizeHint().width() <= page.parts.seat.width()
    heading = next(one for one in reader.findChildren(Elided) if one.text() == whole)
    assert heading.shown().endswith("…")
    assert heading.toolTip() == whole
    assert any(address in one.toolTip() for one in reader.findChildren(QLabel))


def at(part: QWidget, whole: QWidget) -> QPoint:
    return part.mapTo(whole, QPoint(0, 0))
