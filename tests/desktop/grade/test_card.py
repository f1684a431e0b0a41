"""The title line of a card: what is cut when there is no room."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import BETWEEN
from annotator.desktop.grade.card import ROUNDING, Card, fitted, shares
from annotator.desktop.grade.grade_buttons import (
    GAP,
    MARGIN,
    GradeButton,
    button_rows,
    button_side,
    button_widths,
    place_in_rows,
)
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.passage import Marked
from annotator.desktop.grade.prepared import marked
from annotator.desktop.style import Weight, font
from annotator.desktop.window import Window
from annotator.grades import GRADES, MEANINGS
from annotator.project.views import CandidateView, JudgmentView, Placed, QueryView
from annotator.theme import LIGHT, STEPS

WIDTHS = st.integers(0, 2000)


@settings(deadline=None)
@given(room=WIDTHS, title=WIDTHS, place=WIDTHS)
@example(room=600, title=300, place=500)
def test_a_title_is_cut_last_and_never_runs_into_what_stands_behind_it(
    room: int, title: int, place: int
) -> None:
    wide, rest = shares(room, title, place)
    assert wide + rest <= room
    assert wide == title or wide >= room * 2 // 3
    if title + place <= room:
        assert (wide, rest) == (title, place)


@settings(max_examples=40, deadline=None)
@given(title=st.text("Fees at the rcyling", max_size=40), place=st.text("waste/recycling-fs", max_size=20))
def test_where_there_is_room_nothing_is_cut(qapp: QApplication, title: str, place: str) -> None:
    assert fitted(title, place, 2000) == (title, place)


def test_a_long_id_keeps_its_beginning_and_its_end_beside_a_title_that_is_whole(qapp: QApplication) -> None:
    title, place = fitted("Annual report", f"https://example.org/{'reports/' * 9}2024.html#section-4", 400)
    assert (title, place[:8], place[-3:]) == ("Annual report", "https://", "n-4")


def test_a_long_title_is_cut_with_an_ellipsis(qapp: QApplication) -> None:
    title, place = fitted("Fees at the recycling centre " * 9, "waste/recycling-fees", 400)
    assert title.endswith("…")
    assert place.startswith("waste")


@settings(max_examples=40, deadline=None)
@given(
    title=st.text("Fees at the rcyling", max_size=40),
    parts=st.lists(st.text("waste/01", min_size=1, max_size=20), min_size=1, max_size=3),
    room=st.integers(100, 500),
)
def test_behind_a_title_whole_parts_stand_or_the_first_as_far_as_it_tells_something(
    qapp: QApplication, title: str, parts: list[str], room: int
) -> None:
    shown, place = fitted(title, BETWEEN.join(parts), room)
    large, small = (
        QFontMetrics(font(13, Weight.DemiBold)).horizontalAdvance,
        QFontMetrics(font()).horizontalAdvance,
    )
    wholes = ["", *(BETWEEN.join(parts[:count]) for count in range(1, len(parts) + 1))]
    assert large(shown) + small(place) <= room
    if place in wholes[:-1]:
        more = wholes[wholes.index(place) + 1]
        assert large(title) + small(more) + 2 * ROUNDING > room, "there was no room"
        assert small(more) + ROUNDING > room // 3, "nor a third of the line"
    elif place != wholes[-1]:
        start, end = place.split("…")
        assert parts[0].startswith(start)
        assert parts[0].endswith(end)
        assert shown == title or 2 * (room - large(shown)) >= small(parts[0])
    assert place or shown == title or small("…") + large(shown) > room / 2


def test_no_card_stands_over_another_when_text_or_window_grow_and_shrink(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    cards = page.parts.cards

    def visible() -> list[Card]:
        return [one for one in cards.viewport().findChildren(Card) if one.isVisible()]

    for percent, width in ((75, 1280), (100, 1280), (90, 1000), (125, 1280), (75, 1400), (100, 900)):
        window.resize(width, 800)
        window.appearance.choose("light", percent)
        # one more is made ready below those in sight
        qtbot.waitUntil(lambda: not cards._soon.isActive(), timeout=20_000)
        places = [one.geometry() for one in visible()]
        assert len(places) > 1
        over = [(a, b) for at, a in enumerate(places) for b in places[at + 1 :] if a.intersects(b)]
        assert not over, (percent, width)
    window.appearance.choose("light", 100)


def test_a_document_without_a_title_is_named_once(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    for title, place in (("A title", "d7"), ("", "")):
        card = Card(LIGHT, parent)
        view = CandidateView(7, "d7", "document", title, text="Words", length=5)
        card.show_candidate(view, Marked("Words"), 1, (("",) * 6, ("",) * 6), "", True)
        assert (card._title(), card._place()) == (title or "d7", place)


def test_a_long_answer_is_read_once_and_a_short_one_names_its_passage(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    long = "Because the water gets hot everywhere.\nKettles have limescale. " * 9
    for text, passage, title in (
        (long, "", "Answer"),
        ("Tony Stark", "Tony Stark is the man inside.", "Tony Stark"),
        ("Tony Stark", "", "Tony Stark"),
    ):
        card = Card(LIGHT, parent)
        view = CandidateView(7, "a1", "answer", "", text=text, passage=passage)
        shown = marked(QueryView(1, "q", "?", (), "", {}, "", "", (), False, (view,), False), view)
        card.show_candidate(view, shown, 1, (("",) * 6, ("",) * 6), "", True)
        assert (card._title(), bool(shown.text)) == (title, title == "Answer" or bool(passage))


WORDS = st.lists(st.text("abcdefghil ", max_size=14), min_size=6, max_size=6)


def test_of_near_duplicates_little_is_said_where_the_title_would_be_cut(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    card = Card(LIGHT, parent)
    view = CandidateView(7, "d7", "document", "Heat pumps in old houses", text="Words", length=5)
    card.show_candidate(view, Marked("Words"), 1, (MEANINGS, ("",) * 6), "", True, near=(4, 7, 9))
    for width, chip in (
        (800, "near-duplicate of 4, 7, 9"),
        (340, "near 4, 7, 9"),
        (800, "near-duplicate of 4, 7, 9"),
    ):
        card.place(QRect(0, 0, width, 160))
        card.grab()
        assert card._chip == chip
        assert card._words == ("Heat pumps in old houses", "d7"), "whole"
    assert "near-duplicate of 4, 7, 9" in card.accessibleName()


def test_no_system_is_named_on_a_card_as_if_it_were_the_last(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    card = Card(LIGHT, parent)
    places = tuple(Placed(name, 3, 1.5) for name in ("title-match", "full-text", "hybrid"))
    view = CandidateView(7, "d7", "document", "Waste charges", text="Words", length=5, places=places)
    card.show_candidate(view, Marked("Words"), 1, (MEANINGS, ("",) * 6), "", True)
    told = set()
    for width in range(200, 801, 20):
        card.place(QRect(0, 0, width, 160))
        card.grab()
        assert card._words is not None
        _, *systems = card._words[1].replace("\xa0", " ").split(BETWEEN)
        told.add(tuple(one.split(" ")[0] for one in systems))
    assert told == {("+3",), ("title-match", "+2"), ("title-match", "full-text", "+1")}


def test_a_word_with_just_enough_room_on_its_button_is_not_cut(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)

    def ink(word: str, more: int) -> int:
        """Return how many pixels the word on a button with just enough room for it takes, or with `more`."""
        button = GradeButton(0, LIGHT, parent)
        button.word = word
        letters, digit = QFontMetrics(font(12)), QFontMetrics(font(13, Weight.Bold)).horizontalAdvance("0")
        button.resize(letters.horizontalAdvance(word) + digit + GAP + 2 * MARGIN + more, button_side())
        image = button.grab().toImage()
        dark = [
            x
            for x in range(6, image.width() - 6)
            for y in range(6, image.height() - 6)
            if image.pixelColor(x, y).lightness() < 120
        ]
        return max(dark) - min(dark)

    for word in MEANINGS:
        assert abs(ink(word, 0) - ink(word, 40)) <= 1, word
        assert ink(word, -20) < ink(word, 0), "and one without is"


@settings(max_examples=60, deadline=None)
@given(words=WORDS, room=st.integers(240, 900))
def test_no_meaning_is_cut_on_a_button_where_all_six_fit(
    qapp: QApplication, words: list[str], room: int
) -> None:
    widths = button_widths(words, room)
    letters, digit = QFontMetrics(font(12)), QFontMetrics(font(13, Weight.Bold)).horizontalAdvance("0")
    needed = [letters.horizontalAdvance(word) + digit + GAP + 2 * MARGIN for word in words]
    gaps = 5 * STEPS[0]
    if widths is None:
        assert sum(max(button_side(), one) for one in needed) + gaps > room
        if not any(words):
            return  # none stands on a button
        parent = QWidget()
        buttons = [GradeButton(grade, LIGHT, parent) for grade in GRADES]
        place_in_rows(buttons, words, room, QRect(0, 0, 0, button_side()))
        fits = [rows for rows in (2, 3) if max(needed) <= (room - (6 // rows - 1) * STEPS[0]) // (6 // rows)]
        assert len({one.y() for one in buttons}) == min(fits, default=2), "as few rows as show all words"
        assert all(one.geometry().right() < room for one in buttons)
        assert not fits or all(one.width() >= needs for one, needs in zip(buttons, needed, strict=True))
        parent.deleteLater()
        return
    assert button_rows(words, room) == 1
    assert sum(widths) + gaps <= room
    assert all(has >= max(needs, button_side()) for has, needs in zip(widths, needed, strict=True))


@pytest.mark.parametrize(("width", "percent", "rows"), [(1280, 100, 1), (1024, 150, 2)])
def test_the_card_in_front_stays_at_one_height_and_a_clicked_one_where_it_is(
    qtbot: QtBot, window: Window, page: GradePage, width: int, percent: int, rows: int
) -> None:
    window.resize(width, 600 + 200 * rows)
    window.appearance.choose("light", percent)
    QApplication.processEvents()
    cards = page.parts.cards

    def whole(position: int) -> None:
        """What the grades mean stands on the buttons, all within the card and below its text."""
        card = cards.card(position)
        buttons = [card.button(grade) for grade in GRADES]
        assert [button.word for button in buttons] == list(MEANINGS)
        assert len({button.y() for button in buttons}) == rows
        assert all(card.rect().contains(button.geometry()) for button in buttons)
        assert buttons[0].y() > card.passage.geometry().bottom()

    height = cards.card(0).y()
    count = len(page.flow.prepared.view.candidates)
    for position in range(1, count):
        qtbot.keyClick(cards, Qt.Key.Key_Down)
        qtbot.waitUntil(lambda at=position: page.flow.position == at, timeout=20_000)
        assert cards.card(position).y() == height
        whole(position)
        assert position == count - 1 or cards.card(position + 1).isVisible(), "the next one stands beneath"
    for _ in range(count - 2):
        qtbot.keyClick(cards, Qt.Key.Key_Up)
    assert cards.card(1).y() == height
    before = cards.card(2).y()
    qtbot.mouseClick(cards.card(2), Qt.MouseButton.LeftButton, pos=QPoint(300, 4))
    qtbot.waitUntil(lambda: page.flow.position == 2, timeout=20_000)
    assert cards.card(2).y() == before
    whole(2)
    qtbot.keyClick(cards, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.flow.position == 3, timeout=20_000)
    assert cards.card(3).y() == height
    whole(3)
    window.appearance.choose("light", 100)


def test_head_cards_and_strip_have_the_same_edges_at_every_width(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    for width in (1024, 1280, 1920, 2560):
        window.resize(width, 800)
        QApplication.processEvents()
        parts = page.parts
        left = parts.cards.mapTo(window, parts.cards.card(0).pos()).x()
        head = parts.head._where.mapTo(window, QPoint()).x()
        strip = parts.recent._title.mapTo(window, QPoint()).x()
        assert head == left == strip, width
        middle = parts.cards.mapTo(window, parts.cards.viewport().rect().center()).x()
        assert abs(left + parts.cards.card(0).width() // 2 - middle) <= 2, "in the middle"


@settings(max_examples=30, deadline=None)
@given(
    width=st.integers(440, 1000),
    marks=st.sets(st.sampled_from(["flag", "note", "rationale"])),
    state=st.sampled_from([None, "skipped"]),
)
@example(width=900, marks={"flag", "note", "rationale"}, state=None)
def test_a_mark_leaves_the_meanings_on_the_buttons_of_what_is_unjudged(
    qapp: QApplication, width: int, marks: set[str], state: str | None
) -> None:
    parent = QWidget()
    card = Card(LIGHT, parent)
    judged = JudgmentView(state=state, marks=dict.fromkeys(marks, "words"))
    view = CandidateView(7, "d7", "document", "A title", text="Words", length=5, judgment=judged)
    card.show_candidate(view, Marked("Words"), 1, (MEANINGS, ("",) * 6), "", True)
    card.set_current(True, True)
    card.place(QRect(0, 0, width, 160))
    room = width - 2 * STEPS[2]
    fit = state is None and button_widths(MEANINGS, room) is not None
    assert [button.word for button in card._buttons] == ([*MEANINGS] if fit else [""] * 6)
    assert card._buttons[-1].geometry().right() < STEPS[2] + room
    parent.deleteLater()
