"""The title line of a card: what is cut when there is no room."""

from hypothesis import example, given
from hypothesis import strategies as st

from annotator.desktop.grade.card import shares

WIDTHS = st.integers(0, 2000)


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
