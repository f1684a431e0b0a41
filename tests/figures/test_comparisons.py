"""What figures of comparisons draw: bars of critical differences, leniency, calibration, by their lines."""

from dataclasses import replace

import numpy as np
import pytest

from annotator.evaluation.critical_difference import critical_difference, friedman, mean_ranks
from annotator.evaluation.subsets import narrowed
from annotator.figures.comparisons import calibration, critical_differences, groups, leniency
from annotator.figures.fitting import fit
from annotator.figures.subject import Subject
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
        bars = [line for line in axes.lines if line.get_linewidth() == 4]
        scores = result.scores[:, result.position("P@5"), :]
        p, apart = friedman(scores), critical_difference(3, scores.shape[1], level)
        assert (p < level) == told
        expected = groups(np.sort(mean_ranks(scores)), apart) if told else []
        assert [tuple(line.get_xdata()) for line in bars] == expected
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
