"""Text is broken into lines as wide as there is room for; another theme visits each widget once."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFontDatabase, QFontMetrics
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.controls import combo, offer
from annotator.desktop.elided import Elided
from annotator.desktop.search_field import HINT, SHORT, SearchField
from annotator.desktop.style import WEIGHTS, Appearance, breakable, font, prose, wrapped
from annotator.theme import FONT, LIGHT

WORDS = st.text("abc  \n", max_size=80)


@settings(max_examples=60, deadline=None)
@given(text=WORDS, width=st.integers(40, 300), most=st.integers(1, 3))
def test_no_line_is_wider_than_the_room_and_there_are_no_more_than_asked(
    qapp: QApplication, text: str, width: int, most: int
) -> None:
    metrics = QFontMetrics(font(13))
    lines = wrapped(text, metrics, width, most)
    assert len(lines) <= most
    assert all(metrics.horizontalAdvance(line) <= width for line in lines)
    if "…" not in "".join(lines):
        assert " ".join(lines) == " ".join(text.split())


@pytest.mark.parametrize(("most", "whole"), [(1, False), (2, False), (3, True)])
def test_a_question_too_long_for_its_lines_ends_in_an_ellipsis(
    qapp: QApplication, most: int, whole: bool
) -> None:
    metrics = QFontMetrics(font(13))
    width = metrics.horizontalAdvance("What is the full…")
    lines = wrapped("What is the full name of Iron Man?", metrics, width, most)
    assert len(lines) == most
    assert lines[-1].endswith("Man?" if whole else "…")


@settings(max_examples=60, deadline=None)
@given(width=st.integers(60, 300))
def test_words_that_fit_are_never_cut_while_there_are_lines(qapp: QApplication, width: int) -> None:
    question = "What is the plural of torus?"
    assert " ".join(wrapped(question, QFontMetrics(font(13)), width, 9)) == question


@settings(max_examples=40, deadline=None)
@given(
    parts=st.lists(st.text("abc ", min_size=1, max_size=12), min_size=1, max_size=8),
    width=st.integers(20, 400),
)
def test_of_a_line_of_parts_those_without_room_are_left_out_whole(
    qapp: QApplication, parts: list[str], width: int
) -> None:
    line = Elided("muted", None, " · ")
    line.setText(" · ".join(parts))
    line.resize(width, 20)
    line.show()
    fitting = [
        " · ".join(parts[:count])
        for count in range(1, len(parts) + 1)
        if line.fontMetrics().horizontalAdvance(" · ".join(parts[:count])) < width
    ]
    if fitting:
        assert line.shown() in (fitting[-1], " · ".join(parts[: len(fitting) + 1])), (
            "Qt may cut what just fits"
        )
    else:
        assert line.shown().endswith("…") or line.shown() == parts[0]
    assert line.toolTip() == ("" if line.shown() == line.text() else line.text())
    line.hide()
    line.deleteLater()


def test_an_empty_search_field_says_what_it_finds_in_as_many_words_as_fit(qtbot: QtBot) -> None:
    field = SearchField(LIGHT, None)
    qtbot.addWidget(field)
    field.show()
    for width, words in ((120, SHORT), (260, HINT), (120, SHORT)):
        field.resize(width, 30)
        assert field.placeholderText() == words
    assert field.accessibleName() == HINT


@settings(max_examples=40, deadline=None)
@given(st.text("ab ß語و", max_size=60))
def test_a_long_word_breaks_anywhere_and_nothing_else_changes(text: str) -> None:
    assert breakable(text).replace("\u200b", "") == text
    assert ("\u200b" in breakable(text)) == any(
        len(run) > 28 for word in text.split() for run in word.split("語")
    )


def test_what_is_wrong_takes_no_room_while_nothing_is(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    wrong = prose("", "danger", page)
    page.show()
    seen = [wrong.isVisible()]
    for say in (lambda: wrong.setText("No such file."), wrong.clear):
        say()
        seen.append(wrong.isVisible())
    assert seen == [False, True, False]


def test_a_long_name_breaks_at_its_joints() -> None:
    name = "bm25-with_query.expansion-and/reranking"
    assert breakable(name).split("\u200b") == ["bm25-", "with_", "query.", "expansion-", "and/", "reranking"]
    assert breakable("bm25-with_query") == "bm25-with_query"
    assert breakable(f"/{name}").startswith("/\u2060bm25-\u200b"), "no root stands alone"


def test_an_equation_stays_on_its_line() -> None:
    assert (
        breakable("of 3 queries; p = 0.905, x < -1") == "of 3 queries; p\u00a0=\u00a00.905, x\u00a0<\u00a0-1"
    )
    assert breakable("a = b < c") == "a = b < c"
    assert breakable("give --no-answer-from, -o") == "give -\u2060-\u2060no-\u2060answer-\u2060from, -\u2060o"


def test_a_label_with_a_long_word_widens_nothing(qapp: QApplication) -> None:
    label = prose(breakable("w" * 80))
    assert label.minimumSizeHint().width() < 200 < prose("w" * 80).minimumSizeHint().width()


class StyleChanges(QObject):
    """Counts how often widgets are told that their style is another."""

    def __init__(self) -> None:
        super().__init__()
        self.times: Counter[int] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange:
            self.times[id(watched)] += 1
        return False


def test_a_widget_deep_within_others_is_styled_anew_no_more_often(qapp: QApplication, qtbot: QtBot) -> None:
    looks = Appearance(qapp, "light")
    outer = inner = QWidget()
    qtbot.addWidget(outer)
    for _ in range(12):
        inner = QWidget(inner)
    outer.show()
    changes = StyleChanges()
    inner.installEventFilter(changes)
    looks.choose("dark")
    assert 1 <= changes.times[id(inner)] <= 3, "once without the old sheet, once with the new one"
    looks.choose("light")


def test_the_text_font_is_there_in_its_weights(qapp: QApplication) -> None:
    Appearance(qapp, "light")
    assert set(WEIGHTS) <= set(QFontDatabase.styles(FONT))


def test_check_marks_and_arrows_of_menus_grow_with_the_text(qapp: QApplication, qtbot: QtBot) -> None:
    looks, seen = Appearance(qapp, "light"), []
    for percent in (100, 150):
        looks.choose("light", percent)
        menu = QMenu()
        qtbot.addWidget(menu)
        ticked = menu.addAction("")
        ticked.setCheckable(True)
        ticked.setChecked(True)
        menu.addMenu("")
        image = menu.grab().toImage()
        ground = image.pixel(image.width() // 2, image.height() // 2)
        for entry in menu.actions():
            box = menu.actionGeometry(entry)
            points = ((x, y) for x in range(box.left(), box.right()) for y in range(box.top(), box.bottom()))
            seen.append(sum(image.pixel(*point) != ground for point in points))
    looks.choose("light", 100)
    assert 0 < 1.3 * seen[0] < seen[2]
    assert 0 < 1.3 * seen[1] < seen[3]


def test_a_list_is_as_wide_as_what_it_offers_now(qtbot: QtBot) -> None:
    box = combo("Systems", lambda _: None)
    qtbot.addWidget(box)
    widths = []
    for name in ("a", "a-very-long-name-of-a-system", "a"):
        offer(box, [name])
        widths.append(box.sizeHint().expandedTo(box.minimumSizeHint()).width())
    assert widths[0] == widths[2] < widths[1]
