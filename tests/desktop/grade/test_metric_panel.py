"""The panel beside a query: whole ticks for whole gains, and no tile without a value."""

from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.metric_panel import NO_GAINS, NO_QUERY, GainCurve, MetricPanel, Tiles, ticks
from annotator.project.views import QueryPanel
from annotator.theme import LIGHT, STEPS


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


@pytest.mark.parametrize("width", range(180, 420, 30))
def test_no_id_of_the_ideal_ordering_breaks(qtbot: QtBot, width: int) -> None:
    panel = MetricPanel(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    names = ("waste/recycling-fees", "waste/bins-order", "a-b-c")
    order = tuple((name, at) for at, name in enumerate(names))
    panel.show_panel(QueryPanel(1, "sys", ("sys",), (), (1.0,), (1.0,), order))
    layout = QTextLayout(panel._ideal.text(), panel._ideal.font())
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
    layout.endLayout()
    lines = [layout.lineAt(at) for at in range(layout.lineCount())]
    shown = [layout.text()[one.textStart() : one.textStart() + one.textLength()] for one in lines]
    ids = [one for line in shown for one in line.replace("\u2060", "").replace("\xa0", "_").split()]
    assert ids == [f"{name}_({grade})" for name, grade in order]


@pytest.mark.parametrize("graded", [False, True])
def test_where_nothing_is_graded_no_gain_is_drawn_and_none_is_said_to_be_ideal(
    qtbot: QtBot, graded: bool
) -> None:
    panel = MetricPanel(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    order = (("d1", 0),) if graded else ()
    panel.show_panel(QueryPanel(1, "sys", ("sys",), (), (0.0,), (0.0,), order))
    panel.show()
    [curve] = panel.findChildren(GainCurve)
    said = [one.text() for one in panel.findChildren(QLabel) if one.isVisible()]
    assert curve.isVisible() is ("Ideal ordering" in said) is graded
    assert (NO_GAINS in said) is not graded
    panel.show_nothing()
    [why] = [one for one in panel.findChildren(QLabel) if one.isVisible()]
    assert why.text() == NO_QUERY
    assert (
        panel.rect()
        .adjusted(*(STEPS[2],) * 2, *(-STEPS[2],) * 2)
        .contains(why.geometry().translated(why.parentWidget().pos()))
    )
