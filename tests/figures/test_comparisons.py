"""The bars of the critical-difference diagram."""

import numpy as np

from annotator.figures.comparisons import groups


def test_systems_nearer_than_the_critical_difference_are_joined() -> None:
    assert groups(np.array([1.0, 1.4, 2.5, 2.9]), 0.5) == [(1.0, 1.4), (2.5, 2.9)]


def test_a_span_inside_another_is_not_drawn() -> None:
    assert groups(np.array([1.0, 1.2, 1.4]), 0.5) == [(1.0, 1.4)]


def test_systems_far_apart_share_no_bar() -> None:
    assert groups(np.array([1.0, 2.0, 3.0]), 0.5) == []
