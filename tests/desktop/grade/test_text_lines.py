"""The lines of full texts: 24 pixels apart in any script, and laid out only where one looks."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextBlock, QTextLine
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextBrowser
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.text_lines import HEIGHT, column_width, space_lines, space_paragraphs
from annotator.desktop.style import px
from annotator.text.direction import from_the_right

WORDS = ("river", "Ödön", "ירושלים", "القاهرة", "東京は日本の首都", "😀", "สวัสดี", "", "a" * 90)


@pytest.fixture
def text(qtbot: QtBot) -> QPlainTextEdit:
    text = QPlainTextEdit()
    qtbot.addWidget(text)
    text.setReadOnly(True)
    space_lines(text)
    text.resize(400, 300)
    text.show()
    return text


def lines_of(block: QTextBlock) -> list[QTextLine]:
    return [block.layout().lineAt(at) for at in range(block.layout().lineCount())]


def blocks(text: QPlainTextEdit) -> list[QTextBlock]:
    return [text.document().findBlockByNumber(at) for at in range(text.document().blockCount())]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join), min_size=1, max_size=6))
def test_lines_stand_as_far_apart_as_they_should_in_any_script(
    text: QPlainTextEdit, paragraphs: list[str]
) -> None:
    text.setPlainText("\n".join(paragraphs))
    QApplication.processEvents()
    layout = text.document().documentLayout()
    for block in blocks(text):
        place = layout.blockBoundingRect(block)  # lays it out, also where it is out of sight
        lines = lines_of(block)
        rooms = [max(HEIGHT, line.height() + 2) for line in lines]
        for at, line in enumerate(lines):
            left = line.width() - line.naturalTextWidth() if from_the_right(block.text()) else 0
            margin = text.document().documentMargin()
            assert line.position().x() == pytest.approx(margin + left, abs=1), (
                "it begins where one begins to read"
            )
            above = (rooms[at] - line.height()) / 2
            assert line.y() == pytest.approx(sum(rooms[:at]) + above), "letters in the middle of their line"
        last = text.document().documentMargin() if not block.next().isValid() else 0
        assert place.height() == pytest.approx(sum(rooms) + last, abs=1)
        assert layout.blockBoundingRect(block) == place, "asked again it stands where it stood"


def test_a_click_reaches_the_letter_it_is_on(text: QPlainTextEdit) -> None:
    text.setPlainText("one two three four five six seven eight nine ten " * 4 + "\n\nלמה ירושלים\nlast")
    QApplication.processEvents()
    for position in range(0, len(text.toPlainText()), 7):
        cursor = text.textCursor()
        cursor.setPosition(position)
        place = text.cursorRect(cursor)
        if text.viewport().rect().contains(place):
            assert text.cursorForPosition(place.center() + QPoint(1, 0)).position() == position


def test_only_what_is_in_sight_of_a_large_text_is_laid_out(text: QPlainTextEdit) -> None:
    text.setPlainText("A line about rivers, and about bridges over them in towns.\n" * 40_000)
    QApplication.processEvents()
    laid_out = [block for block in blocks(text) if block.layout().lineCount()]
    assert 0 < len(laid_out) < 60
    text.verticalScrollBar().setValue(20_000)
    QApplication.processEvents()
    first = text.cursorForPosition(QPoint(5, 5)).block()
    assert first.blockNumber() > 10_000
    assert lines_of(first)[0].y() >= 1


def test_lines_of_rich_texts_stand_as_far_apart_and_headings_further(qtbot: QtBot) -> None:
    browser = QTextBrowser()
    qtbot.addWidget(browser)
    browser.resize(300, 300)
    browser.setHtml("<h1>Large</h1><p>" + "words " * 60 + "</p><ul><li>" + "item " * 40 + "</li></ul>")
    space_paragraphs(browser.document())
    browser.show()
    QApplication.processEvents()
    block, found = browser.document().begin(), []
    while block.isValid():
        ys = [line.y() for line in lines_of(block)]
        found += [later - earlier for earlier, later in pairwise(ys)]
        block = block.next()
    assert len(found) > 5
    assert min(found) >= HEIGHT
    assert sorted(found)[len(found) // 2] == pytest.approx(HEIGHT, abs=1)


def test_a_column_is_wide_enough_for_its_letters(text: QPlainTextEdit) -> None:
    ten, seventy = column_width(text, 10), column_width(text, 70)
    assert seventy - ten == pytest.approx(6 * (ten - px(44)), abs=6)
