"""The title line of a card: what is cut when there is no room."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from annotator.desktop.grade.card import fitted, shares

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
