"""The bars of the critical-difference diagram."""

from dataclasses import replace

import numpy as np
import pytest

from annotator.evaluation.critical_difference import critical_difference, friedman, mean_ranks
from annotator.evaluation.subsets import narrowed
from annotator.figures.comparisons import critical_differences, groups
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
