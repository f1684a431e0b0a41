"""The title line of a card: what is cut when there is no room."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.card import Card, fitted, shares
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.passage import Marked
from annotator.desktop.window import Window
from annotator.project.views import CandidateView
from annotator.theme import LIGHT

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


def test_a_long_title_is_cut_with_an_ellipsis(qapp: QApplication) -> None:
    title, place = fitted("Fees at the recycling centre " * 9, "waste/recycling-fees", 400)
    assert title.endswith("…")
    assert place.startswith("waste")


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
        card.show_candidate(view, Marked("Words"), 1, ("",) * 6, "", True)
        assert (card._title(), card._place()) == (title or "d7", place)
