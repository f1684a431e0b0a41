import math

import numpy as np
import pytest
from scipy import stats

from annotator.evaluation.power import power, queries_needed, smallest_difference


@pytest.mark.parametrize(("effect", "queries"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_the_queries_needed_for_small_medium_and_large_effects_are_the_tabled_ones(effect, queries):
    assert queries_needed(effect, 1.0) == queries
    assert power(queries, effect, 1.0) >= 0.8 > power(queries - 1, effect, 1.0)


def test_power_is_what_a_simulation_finds():
    drawn = np.random.default_rng(1).normal(0.1, 0.25, (20_000, 30))
    found = (stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05).mean()
    assert power(30, 0.1, 0.25) == pytest.approx(found, abs=0.01)


def test_the_smallest_difference_is_the_inverse_of_the_queries_needed():
    difference = smallest_difference(50, 0.2)
    assert queries_needed(difference, 0.2) == 50
    assert queries_needed(difference * 0.99, 0.2) > 50


def test_more_queries_never_lose_power_up_to_certainty():
    powers = [power(n, 0.1, 0.3) for n in (2, 5, 10, 50, 200, 1_000, 100_000)]
    assert powers == sorted(powers)
    assert powers[-1] == pytest.approx(1.0)


def test_what_cannot_be_answered_is_said():
    assert queries_needed(0.0, 0.2) is None
    assert queries_needed(1e-9, 0.2) is None
    assert power(1, 0.5, 0.1) == 0
    assert power(20, 0.0, 0.1) == 0.05
    assert queries_needed(0.1, 0.0) == 2
    assert math.isnan(smallest_difference(1, 0.2))
