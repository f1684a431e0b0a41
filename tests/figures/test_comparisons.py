"""What figures of comparisons draw: bars of critical differences, leniency, calibration, by their lines."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation

from annotator.evaluation.critical_difference import critical_difference, friedman, mean_ranks
from annotator.evaluation.subsets import narrowed
from annotator.figures.comparisons import calibration, critical_differences, groups, intervals, leniency
from annotator.figures.fitting import fit
from annotator.figures.subject import Interval, Subject
from annotator.theme import LIGHT


def test_systems_nearer_than_the_critical_difference_are_joined() -> None:
    assert groups(np.array([1.0, 1.4, 2.5, 2.9]), 0.5) == [(1.0, 1.4), (2.5, 2.9)]


def test_a_span_inside_another_is_not_drawn() -> None:
    assert groups(np.array([1.0, 1.2, 1.4]), 0.5) == [(1.0, 1.4)]


def test_systems_far_apart_share_no_bar() -> None:
    assert groups(np.array([1.0, 2.0, 3.0]), 0.5) == []


@pytest.mark.parametrize("level", [0.05, 0.001])
def test_no_bar_tells_systems_apart_or_joins_them_where_friedmans_test_finds_nothing(
    subject: Subject, level: float
) -> None:
    """The same systems over all queries, and over three of them."""
    few = narrowed(subject.evaluated, {"q1", "q2", "q3"})
    for result, told in ((subject.evaluated, True), (few, False)):
        drawn = critical_differences(replace(subject, result=result, level=level), LIGHT)
        (axes,) = drawn.figure.axes
        bars = [line for line in axes.lines if line.get_solid_capstyle() == "round"]
        scores = result.scores[:, result.position("P@5"), :]
        p, apart = friedman(scores), critical_difference(3, scores.shape[1], level)
        assert (p < level) == told
        expected = groups(np.sort(mean_ranks(scores)), apart) if told else []
        assert [tuple(line.get_xdata()) for line in bars] == expected
        assert axes.get_xlim() == (1, 3), "three systems have no mean rank elsewhere"
        words = axes.get_xlabel()
        assert (f"Nemenyi's critical difference at {100 * level:g}%: {apart:.2f}" in words) == told
        assert (f"at {100 * level:g}% no system is told from another" in words) != told


def test_leniency_and_scatter_are_drawn_from_end_to_end_at_the_place_of_their_name(subject: Subject) -> None:
    drawn = leniency(subject, LIGHT)
    drawn.figure.draw_without_rendering()
    names, beside = drawn.figure.axes
    place = {one.get_text(): at for at, one in zip(names.get_yticks(), names.get_yticklabels(), strict=True)}
    assert list(place) == ["ann", "bob & co"]
    assert place["ann"] > place["bob & co"], "the first on top"
    for axes, rows in ((names, subject.lenient), (beside, subject.scatter)):
        across = {line.get_ydata()[0]: line for line in axes.lines if len(set(line.get_xdata())) > 1}
        points = {line.get_ydata()[0]: line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"}
        for one in rows:
            assert list(across[place[one.label]].get_xdata()) == [one.low, one.high]
            assert points[place[one.label]] == one.value
    (nought,) = (line for line in names.lines if line.get_linestyle() == "--")
    assert set(nought.get_xdata()) == {0}
    drawn.figure.set_size_inches(4, 4)
    fit(drawn.figure)
    drawn.figure.draw_without_rendering()
    left, right = (axes.xaxis.label.get_window_extent() for axes in (names, beside))
    assert left.x1 < right.x0, "what stands below the one does not run into what stands below the other"


def test_a_calibrated_model_would_stand_on_the_line_and_each_mean_on_its_interval(subject: Subject) -> None:
    (axes,) = calibration(subject, LIGHT).figure.axes
    (ideal,) = (line for line in axes.lines if line.get_linestyle() == "--")
    assert list(ideal.get_xdata()) == list(ideal.get_ydata()) == [0, 5]
    points = {line.get_label(): line for line in axes.lines if line is not ideal}
    for bars, (name, rows) in zip(axes.collections, subject.calibration.items(), strict=True):
        line = points[name]
        assert [round(float(x)) for x in line.get_xdata()] == [grade for grade, *_ in rows]
        assert list(line.get_ydata()) == [mean for _, _, mean, _, _ in rows]
        ends = [
            part for part in map(np.asarray, bars.get_segments()) if np.isfinite(part).all() and len(part)
        ]
        wanted = [(low, high) for *_, low, high in rows if low == low]
        assert [tuple(part[:, 1]) for part in ends] == wanted
        at = {float(x) for x in line.get_xdata()}
        assert {float(x) for part in ends for x in part[:, 0]} <= at


def test_names_of_twenty_systems_do_not_lie_over_each_other_where_the_figure_has_its_least_height(
    subject: Subject,
) -> None:
    result, random = subject.evaluated, np.random.default_rng(3)
    names = tuple(f"bm25-with-query-expansion-run-{at:02}-of-the-winter-campaign" for at in range(20))
    scores = random.random((20, *result.scores.shape[1:])) + np.arange(20)[:, None, None] / 40
    many = replace(result, systems=names, scores=scores, counted=np.ones((20, 60), dtype=bool))
    drawn = critical_differences(replace(subject, result=many, pair=None), LIGHT)
    drawn.figure.set_size_inches(4.5, drawn.least)
    fit(drawn.figure)
    canvas = FigureCanvasAgg(drawn.figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    words = [one for one in drawn.figure.findobj(Annotation) if isinstance(one, Annotation)]
    assert len({one.get_text().partition(" (")[0] for one in words}) == 20
    boxes = [one.get_window_extent(canvas.get_renderer()) for one in words]  # type: ignore[no-untyped-call]
    assert not [at for at in range(19) if boxes[at].y0 < boxes[at + 1].y1 - 1]
    bars = [
        one.get_window_extent() for one in drawn.figure.axes[0].lines if one.get_solid_capstyle() == "round"
    ]
    assert len(bars) > 1
    assert not [at for at in range(len(bars) - 1) if bars[at].y1 > bars[at + 1].y0]


@pytest.mark.parametrize(
    "wide", [565, 640]
)  # pixels at which axes alone cut one off, and ran one into another
def test_no_number_below_a_panel_is_cut_off_or_runs_into_another(subject: Subject, wide: int) -> None:
    names = ("Mara", "Jonas", "Anneliese von der Heydt", "Kim")
    lenient = ((-0.04, -0.32, 0.25), (-0.48, -0.83, -0.13), (0.24, -0.07, 0.53), (0.01, -0.28, 0.3))
    scatter = ((1.81, 1.62, 1.99), (1.58, 1.27, 1.87), (2.03, 1.82, 2.22), (1.99, 1.76, 2.18))
    both = [
        [Interval(*row) for row in zip(names, *zip(*of, strict=True), strict=True)]
        for of in (lenient, scatter)
    ]
    figure = leniency(replace(subject, lenient=both[0], scatter=both[1]), LIGHT).figure
    figure.set_size_inches(wide / figure.dpi, 4)
    fit(figure)
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    below = [tick for axes in figure.axes for tick in axes.xaxis.get_major_ticks()]
    seen = [
        tick.label1.get_window_extent()
        for tick in below
        if tick.axes.viewLim.x0 <= tick.get_loc() <= tick.axes.viewLim.x1
    ]
    assert len(seen) >= 3
    assert all(one.x0 >= 0 and one.x1 <= wide for one in seen)
    assert all(left.x1 + 2 < right.x0 for left, right in pairwise(seen))


def test_a_pair_is_named_in_full_where_there_is_room_and_takes_less_than_half_where_there_is_none(
    subject: Subject,
) -> None:
    pair = "Mara Lindqvist – Anneliese von der Heydt"
    for inches, whole in ((12.0, True), (4.0, False)):
        figure = intervals(replace(subject, intervals=[Interval(pair, 0.5, 0.4, 0.6)]), LIGHT).figure
        figure.set_size_inches(inches, 3)
        fit(figure)
        (name,) = figure.axes[0].get_yticklabels()
        assert (name.get_text() == pair) == whole
        assert name.get_window_extent().width <= 0.45 * figure.bbox.width
