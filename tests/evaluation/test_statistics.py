import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from annotator.errors import Stopped
from annotator.evaluation import statistics
from annotator.evaluation.statistics import (
    bootstrap_interval,
    corrected,
    describe,
    difference_of_means,
    effect_size,
    mean_interval,
    paired_p,
    tukey_hsd,
    wins_ties_losses,
)
from annotator.watch import Watch

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


@settings(max_examples=60, deadline=None)
@given(DIFFERENCES)
def test_p_values_equal_scipys(values):
    sample = np.array(values)
    if not sample.any():
        assert {paired_p(sample, test) for test in ("t", "wilcoxon", "sign", "randomisation")} == {1.0}
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        t = stats.ttest_1samp(sample, 0).pvalue
    assert paired_p(sample, "t") == pytest.approx(t, abs=1e-9)


def test_wilcoxons_p_is_scipys_exact_one_few_or_many_values():
    random = np.random.default_rng(8)
    for n in (3, 8, 14, 15, 40, 120):
        sample = np.append(random.normal(0.2, 1, n), 0.0)
        assert paired_p(sample, "wilcoxon") == pytest.approx(stats.wilcoxon(sample[:-1]).pvalue, abs=1e-12)


def test_wilcoxons_p_with_tied_ranks_is_that_of_all_sign_flips():
    # |values| 1 1 2: ranks 1.5 1.5 3; sums of signed ranks as far from 0 as 3: all but +-0
    assert paired_p([1.0, -1.0, 2.0], "wilcoxon") == 0.75


@pytest.mark.parametrize("values", [[0.1, 0.3, -0.2, 0.4], [0.5, 0.5, 0.0, -0.1, 0.2, 0.9], [1.0, -1.0]])
def test_the_randomisation_of_few_queries_is_exact(values):
    peer = stats.permutation_test((values,), np.sum, permutation_type="samples", n_resamples=math.inf)
    assert paired_p(values, "randomisation") == pytest.approx(peer.pvalue, abs=1e-9)


def test_the_randomisation_of_many_queries_comes_near_the_t_test():
    sample = np.random.default_rng(1).normal(0.1, 0.5, 100)
    assert paired_p(sample, "randomisation") == pytest.approx(paired_p(sample, "t"), abs=0.02)
    assert paired_p(sample, seed=7) == paired_p(sample, seed=7)


def test_the_smallest_p_of_a_drawn_randomisation_is_never_0():
    assert paired_p(np.full(50, 0.3) + np.linspace(0, 0.1, 50)) == pytest.approx(1 / (statistics.DRAWS + 1))


def test_the_sign_test_counts_only_which_is_better():
    assert paired_p([0.1, 0.2, 0.3, 0.4, -9.0, 0.0], "sign") == pytest.approx(0.375)


def test_one_query_proves_nothing():
    assert math.isnan(paired_p([0.5], "t"))
    assert math.isnan(effect_size([0.5]))


def test_differences_that_only_rounding_makes_are_none():
    noise = np.array([0.1 + 0.2 - 0.3] * 5)
    assert paired_p(noise, "t") == paired_p(noise, "sign") == 1.0
    assert effect_size(noise) == 0.0
    assert wins_ties_losses(noise) == (0, 5, 0)


def test_tukeys_test_between_two_systems_is_the_randomisation_test():
    random = np.random.default_rng(5)
    scores = random.random((2, 12))
    p = tukey_hsd(scores)
    assert p[0, 1] == p[1, 0] == pytest.approx(paired_p(scores[1] - scores[0]), abs=0.02)
    assert p.diagonal().tolist() == [1, 1]


def test_tukeys_test_finds_the_system_that_stands_out():
    random = np.random.default_rng(5)
    scores = random.random((4, 40)) * 0.3
    scores[3] += 0.3
    p = tukey_hsd(scores)
    assert (p[3, :3] < 0.001).all()
    assert (p[:3, :3] > 0.05).all()


def test_tukeys_test_can_be_stopped_between_portions_of_its_draws():
    asked = []

    def stop():
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(Stopped):
        tukey_hsd(np.random.default_rng(5).random((8, 3_000)), watch=Watch(should_stop=stop))
    assert len(asked) == 3


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
