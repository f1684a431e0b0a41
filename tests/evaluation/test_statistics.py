import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from annotator.evaluation.statistics import (
    bootstrap_interval,
    corrected,
    describe,
    difference_of_means,
    effect_size,
    mean_interval,
    share_interval,
    wins_ties_losses,
)

DIFFERENCES = st.lists(st.integers(-20, 20).map(lambda tenths: tenths / 10), min_size=2, max_size=12)


def test_the_mean_interval_is_students():
    values = [0.2, 0.5, 0.9, 0.4, 0.7]
    low, high = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    assert mean_interval(values) == pytest.approx((0.54, low, high, 5))


def test_no_value_has_no_mean_and_one_value_no_interval():
    assert math.isnan(mean_interval([]).value)
    assert mean_interval([0.5])[0] == bootstrap_interval([0.5])[0] == 0.5
    assert math.isnan(mean_interval([0.5]).low)
    assert math.isnan(bootstrap_interval([]).high)


def test_the_bootstrap_agrees_with_scipys_and_repeats_under_its_seed():
    values = np.random.default_rng(3).random(40) ** 2
    ours = bootstrap_interval(values)
    peer = stats.bootstrap((values,), np.mean, method="percentile", rng=np.random.default_rng(9))
    assert (ours.low, ours.high) == pytest.approx(peer.confidence_interval, abs=0.004)
    assert ours == bootstrap_interval(values)
    assert ours != bootstrap_interval(values, seed=2)


def test_the_bootstrap_takes_any_statistic():
    values = np.arange(31.0)
    assert bootstrap_interval(values, lambda drawn: np.median(drawn, axis=1)).value == 15


def test_a_description_holds_the_quartiles():
    found = describe([1, 2, 3, 4, 5])
    assert (found.lowest, found.lower_quartile, found.median, found.upper_quartile, found.highest) == (
        1,
        2,
        3,
        4,
        5,
    )
    assert found.deviation == pytest.approx(1.5811388)
    assert math.isnan(describe([]).median)


def test_holm_bonferroni_and_benjamini_hochberg_of_a_worked_example():
    p = [0.01, 0.04, 0.03, math.nan, 0.005]
    assert corrected(p, "bonferroni") == pytest.approx([0.04, 0.16, 0.12, math.nan, 0.02], nan_ok=True)
    assert corrected(p, "holm") == pytest.approx([0.03, 0.06, 0.06, math.nan, 0.02], nan_ok=True)
    assert corrected(p, "bh") == pytest.approx([0.02, 0.04, 0.04, math.nan, 0.02], nan_ok=True)
    assert corrected(p, "none") == pytest.approx(p, nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_corrections_keep_order_and_bounds(p):
    assert corrected(p, "bh") == pytest.approx(stats.false_discovery_control(p), abs=1e-12)
    bonferroni, holm = corrected(p, "bonferroni"), corrected(p, "holm")
    assert (holm <= bonferroni + 1e-15).all()
    assert (holm >= np.array(p) - 1e-15).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(holm[order]) >= 0).all()


def test_the_effect_size_is_the_mean_over_the_deviation_of_the_differences():
    assert effect_size([1, 2, 3]) == pytest.approx(2.0)
    assert math.isnan(effect_size([0.2, 0.2, 0.2]))


def test_wins_ties_and_losses_are_counted():
    assert wins_ties_losses([0.3, 0.0, -0.1, 0.2]) == (2, 1, 1)
    assert wins_ties_losses([]) == (0, 0, 0)


def test_two_groups_are_compared_by_welchs_interval():
    random = np.random.default_rng(4)
    first, second = random.normal(2, 1, 12), random.normal(3, 2, 30)
    peer = stats.ttest_ind(second, first, equal_var=False).confidence_interval(0.95)
    found = difference_of_means(first, second)
    assert (found.low, found.high, found.n) == pytest.approx((peer.low, peer.high, 42))
    assert difference_of_means([1, 1], [3, 3]) == (2, 2, 2, 4)
    assert math.isnan(difference_of_means([], [1]).value)
    assert math.isnan(difference_of_means([1], [2, 3]).low)


def test_the_interval_of_a_mean_ends_where_its_range_ends():
    values = [1.0, 1.0, 0.9]
    free = mean_interval(values)
    assert free.high > 1
    assert mean_interval(values, span=(0, 1)) == (free.value, free.low, 1, 3)
    assert describe(values, span=(0, 1)).mean.high == 1


@given(st.integers(0, 60), st.integers(1, 60), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_interval_of_a_share_is_scipys_exact_one(count, of, level):
    count = min(count, of)
    peer = stats.binomtest(count, of).proportion_ci(level, "exact")
    found = share_interval(count, of, level)
    assert (found.value, found.low, found.high) == pytest.approx((count / of, peer.low, peer.high), abs=1e-9)


def test_no_count_at_all_has_no_share():
    assert math.isnan(share_interval(0, 0).value)
