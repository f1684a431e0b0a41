"""How wide the columns of a table are in the room there is."""

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.agreement.found import drawn
from annotator.desktop.results.column_widths import NARROWEST, Widths, widths_in
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import px
from annotator.evaluation.agreement import between
from annotator.evaluation.model_grades import against_person
from annotator.evaluation.model_tables import ModelPair, overview
from annotator.evaluation.result_table import Column, Table
from annotator.theme import LIGHT

PAGE = (1024 - 129) / 1.5
"""The width of a page in the smallest window with text of 150 %, at the normal text size."""

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


def test_models_grades_are_all_in_sight_in_a_small_window_with_large_text(qtbot: QtBot) -> None:
    grades = [(0, 5), (1, 3), (4, 2), (2, 4)] * 10
    pairs = [
        ModelPair("gpt-4o-2024-08-06", "Mara", between(person, model), against_person(model, person))
        for person, model in (zip(*grades, strict=True), zip(*grades[:7], strict=True))
    ]
    view = GridView("Models", LIGHT)
    qtbot.addWidget(view)
    view.show_table(drawn(overview(pairs)))
    assert view.room()[0] <= PAGE
