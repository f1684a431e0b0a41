"""How wide the columns of a table are in the room there is."""

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from annotator.desktop.results.column_widths import NARROWEST, Widths, widths_in
from annotator.desktop.style import px
from annotator.evaluation.result_table import Column, Table

COLUMN = st.tuples(st.sampled_from(["text", "number"]), st.integers(20, 150), st.integers(0, 400))


@settings(max_examples=60, deadline=None)
@given(columns=st.lists(COLUMN, min_size=1, max_size=7), more=st.integers(0, 900))
def test_all_columns_are_in_sight_wherever_there_is_room_for_the_least_of_each(
    qapp: QApplication, columns: list[tuple[str, int, int]], more: int
) -> None:
    table = Table("t", "T", tuple(Column(str(at), one[0]) for at, one in enumerate(columns)), ())
    least = [one for _, one, _ in columns]
    wide = [one + longer for _, one, longer in columns]
    room = sum(least) + more
    widths = widths_in(room, table, Widths(least, wide, wide))
    assert sum(widths) <= room
    assert all(few <= width for few, width in zip(least, widths, strict=True))


def test_a_short_text_gives_its_empty_room_to_a_long_one_that_is_cut(qapp: QApplication) -> None:
    table = Table("t", "T", (Column("Query", "text"), Column("Candidate", "text"), Column("Settled")), ())
    full = [px(NARROWEST), 400, 70]
    assert widths_in(40 + 150 + 70, table, Widths([40, 80, 70], full, full)) == [40, 150, 70]
