import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from annotator.evaluation.correlations import correlation, tau_ap

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=15)


@settings(max_examples=60, deadline=None)
@given(PAIRS)
def test_coefficients_and_p_values_equal_scipys(pairs):
    x, y = np.array(pairs, float).T
    for kind, peer in (
        ("spearman", stats.spearmanr),
        ("pearson", stats.pearsonr),
        ("kendall", stats.kendalltau),
    ):
        found = correlation(x, y, kind)
        assert found.n == len(pairs)
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            assert math.isnan(found.value)
            assert "not defined" in found.caution
        else:
            value, p = peer(x, y)
            if kind != "kendall" and abs(value) > 1 - 1e-12:  # scipy's p is that of a value rounded below 1
                p = 0.0
            assert (found.value, found.p) == pytest.approx((value, p), abs=1e-9, nan_ok=True)
            assert math.isnan(found.low) or found.low - 1e-9 <= found.value <= found.high + 1e-9


def test_taus_p_value_is_scipys_for_many_values_tied_or_not():
    random = np.random.default_rng(3)
    for n, most in ((30, 10**6), (33, 10**6), (34, 10**6), (60, 7), (200, 10**6)):
        x, y = random.integers(0, most, (2, n)).astype(float)
        for other in (y, x + y, -x):
            found = correlation(x, other, "kendall")
            assert (found.value, found.p) == pytest.approx(tuple(stats.kendalltau(x, other)), abs=1e-9)


def test_pearsons_interval_is_scipys():
    x = np.arange(20.0)
    y = x + np.random.default_rng(2).normal(0, 5, 20)
    peer = stats.pearsonr(x, y).confidence_interval(0.95)
    found = correlation(x, y, "pearson")
    assert (found.low, found.high) == pytest.approx(peer, abs=1e-9)


def test_spearmans_interval_of_a_worked_example():
    # r = 0.5, n = 28: z = 0.549306, standard error sqrt(1.125 / 25) = 0.212132
    found = correlation(*_with_rank_correlation(0.5, 28), "spearman")
    z, se = math.atanh(found.value), math.sqrt((1 + found.value**2 / 2) / 25)
    assert (found.low, found.high) == pytest.approx(
        (math.tanh(z - 1.959964 * se), math.tanh(z + 1.959964 * se))
    )


def _with_rank_correlation(wanted, n):
    random = np.random.default_rng(4)
    x = np.arange(float(n))
    y = min((random.permutation(n) for _ in range(500)), key=lambda y: abs(stats.spearmanr(x, y)[0] - wanted))
    return x, y


def test_pairs_with_a_missing_side_are_left_out_and_the_number_says_so():
    found = correlation([1, 2, 3, math.nan], [1, 3, 2, 9], "kendall")
    assert found.n == 3
    assert found.value == pytest.approx(1 / 3)


def test_two_pairs_have_a_direction_and_no_interval():
    found = correlation([1, 2], [5, 3])
    assert (found.value, found.p) == (-1.0, 1.0)
    assert math.isnan(found.low)


@pytest.mark.parametrize(("n", "said"), [(5, "very small"), (20, "is small"), (30, "")])
def test_a_small_number_is_said_in_words(n, said):
    values = np.random.default_rng(1).random((2, n))
    assert said in correlation(*values).caution
    assert bool(said) == bool(correlation(*values).caution)


def test_tau_ap_weighs_an_error_at_the_top_more_than_one_at_the_bottom():
    truth = [4, 3, 2, 1]
    assert tau_ap(truth, truth) == 1
    assert tau_ap(truth, truth[::-1]) == -1
    # swapped at the top: shares 0, 1, 1; at the bottom: 1, 1, 2/3
    assert tau_ap(truth, [3, 4, 2, 1]) == pytest.approx(1 / 3)
    assert tau_ap(truth, [4, 3, 1, 2]) == pytest.approx(2 * (8 / 3) / 3 - 1)


def test_tau_ap_counts_a_tie_of_the_reference_half():
    # shares 1/2 and 1
    assert tau_ap([2, 2, 1], [3, 2, 1]) == 0.5
    assert tau_ap([2, 2, math.nan, 1], [3, 2, 4, 1]) == 0.5, "a pair with a NaN is left out"


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5))
def test_tau_ap_of_tied_items_is_its_mean_over_their_orders_and_nan_where_all_are_tied(pairs):
    truth, shown = zip(*pairs, strict=True)
    values = []
    for order in permutations(range(len(pairs))):
        if any(shown[above] < shown[below] for above, below in pairwise(order)):
            continue
        shares = [
            sum(
                1 if truth[above] > truth[item] else 0.5 * (truth[above] == truth[item])
                for above in order[:at]
            )
            / at
            for at, item in enumerate(order)
            if at
        ]
        values.append(2 * sum(shares) / len(shares) - 1 if shares else math.nan)
    expected = sum(values) / len(values) if len(set(truth)) > 1 < len(set(shown)) else math.nan
    assert tau_ap(truth, shown) == pytest.approx(expected, nan_ok=True)
    assert math.isnan(tau_ap(truth, shown)) == math.isnan(correlation(truth, shown, "kendall").value)
