"""The panel beside a query: whole ticks for whole gains, and no tile without a value."""

from itertools import pairwise
from math import ceil

from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.metric_panel import MetricPanel, Tiles, ticks
from annotator.project.views import QueryPanel
from annotator.theme import LIGHT


@given(most=st.one_of(st.integers(1, 10**6), st.floats(1, 10**6)))
def test_ticks_are_whole_even_and_reach_the_highest_gain(most: float) -> None:
    levels = ticks(most)
    assert levels[0] == 0
    assert levels[-1] >= most
    steps = {b - a for a, b in pairwise(levels)}
    assert len(steps) == 1
    assert 2 <= len(levels) <= 5
    assert levels[-1] <= 2 * ceil(most) or levels[-1] <= 4, "no more than half is empty"


def test_a_measure_that_does_not_apply_has_no_tile(qtbot: QtBot) -> None:
    panel = MetricPanel(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    values = (("nDCG@10", 0.5), ("AP", 0.0), ("EM", None), ("TokenF1", None))
    panel.show_panel(QueryPanel(1, "sys", ("sys",), values, (1.0,), (2.0,), ()))
    [tiles] = panel.findChildren(Tiles)
    assert tiles.accessibleName() == "Scores: nDCG@10 0.500, AP 0.000"
