"""Paired tests beside scipy's and beside all flips of the signs, their intervals beside their p-values."""

import math
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from annotator.errors import Stopped
from annotator.evaluation import paired_tests as ours
from annotator.evaluation.paired_tests import paired_p, paired_tests, rank_share, tukey_hsd
from annotator.evaluation.statistics import effect_size, mean_interval, wins_ties_losses
from annotator.watch import Watch

DIFFERENCES = st.lists(st.integers(-20, 20).map(lambda tenths: tenths / 10), min_size=2, max_size=12)
SEVERAL = st.integers(2, 9).flatmap(lambda n: st.lists(st.integers(-9, 9), min_size=n, max_size=n))


def flipped_p(values, shift):
    """The two-sided p of all sign flips of values - shift, written out."""
    shifted = np.array(values, float) - shift
    reached = [
        abs(np.dot(signs, shifted)) >= abs(shifted.sum()) - 1e-9
        for signs in product((-1, 1), repeat=len(shifted))
    ]
    return float(np.mean(reached))


@settings(max_examples=60)
@given(DIFFERENCES)
def test_p_values_equal_scipys(values):
    sample = np.array(values)
    if not sample.any():
        assert {paired_p(sample, test) for test in ("t", "wilcoxon", "sign", "randomisation")} == {1.0}
        return
    wins = int((sample > 0).sum())
    sign = stats.binomtest(wins, wins + int((sample < 0).sum())).pvalue
    assert paired_p(sample, "sign") == pytest.approx(sign)
    if np.ptp(sample) == 0:
        assert math.isnan(paired_p(sample, "t")), "no spread, no t: scipy warns and gives 0"
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        t = stats.ttest_1samp(sample, 0).pvalue
    assert paired_p(sample, "t") == pytest.approx(t, abs=1e-9)


@settings(max_examples=40)
@given(SEVERAL, st.sampled_from([0.2, 0.05, 0.01]))
def test_few_queries_are_flipped_in_every_way_and_the_interval_holds_what_is_not_rejected(values, level):
    found = paired_tests(values, level=level)[0]
    assert found.p == pytest.approx(flipped_p(values, 0))
    assert found.draws == 0
    for end, out in ((found.low, -1e-6), (found.high, 1e-6)):
        if math.isfinite(end):
            assert flipped_p(values, end) >= level - 1e-9
            assert flipped_p(values, end + out) < level
        else:
            assert flipped_p(values, math.copysign(1e6, end)) >= level
    assert (found.p < level) == (not found.low <= 0 <= found.high)
    assert found.floor == pytest.approx(min(flipped_p([1.0] * sum(map(bool, values)), 0), 1.0))


@pytest.mark.parametrize("values", [[0.1, 0.3, -0.2, 0.4], [0.5, 0.5, 0.0, -0.1, 0.2, 0.9], [1.0, -1.0]])
def test_the_randomisation_of_few_queries_is_scipys(values):
    peer = stats.permutation_test((values,), np.sum, permutation_type="samples", n_resamples=math.inf)
    assert paired_p(values, "randomisation") == pytest.approx(peer.pvalue, abs=1e-9)


@settings(max_examples=15)
@given(st.integers(17, 90), st.floats(-0.4, 0.4), st.integers(0, 999))
def test_drawn_flips_come_near_all_of_them_and_their_interval_excludes_0_where_p_is_small(n, shift, seed):
    sample = np.random.default_rng(seed).normal(shift, 1, n).round(1)
    found = paired_tests(sample)[0]
    assert (found.p < 0.05) == (not found.low <= 0 <= found.high)
    assert found.ended == (found.draws < ours.MOST_DRAWS)
    t, interval = paired_p(sample, "t"), mean_interval(sample)
    assert found.p == pytest.approx(t, abs=0.03)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=0.12)


def test_a_drawn_p_is_the_exact_one_but_for_chance(monkeypatch):
    sample = np.random.default_rng(5).normal(0.4, 1, 16)
    exact = paired_tests(sample)[0]
    monkeypatch.setattr(ours, "ALL_FLIPS", 2)
    drawn = paired_tests(sample)[0]
    spread = math.sqrt(exact.p * (1 - exact.p) / drawn.draws)
    assert drawn.draws > 10_000
    assert drawn.p == pytest.approx(exact.p, abs=4 * spread)
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), abs=0.02)


def test_what_many_flips_reach_is_drawn_less_often_and_its_p_is_besags_and_cliffords():
    found = paired_tests(np.random.default_rng(2).normal(0, 1, 40))[0]
    assert found.ended
    assert found.draws < ours.MOST_DRAWS
    assert found.p == ours.REACHED / found.draws
    clear = paired_tests(np.random.default_rng(2).normal(2, 1, 40))[0]
    assert (clear.draws, clear.ended) == (ours.MOST_DRAWS, False)
    assert clear.p == clear.floor == 1 / (ours.MOST_DRAWS + 1), "never 0"


def test_p_depends_on_the_seed_alone_not_on_what_is_tested_beside():
    rows = np.random.default_rng(1).normal(0.1, 0.5, (70, 50))
    assert paired_tests(rows)[66] == paired_tests(rows[66])[0] == paired_tests(rows[60:70])[6]
    assert paired_tests(rows[0], seed=7) == paired_tests(rows[0], seed=7) != paired_tests(rows[0])


def test_a_great_many_queries_are_drawn_less_often_and_say_so():
    assert ours.most_draws(100) == 99_999
    assert ours.most_draws(1_000_000) == 2_000
    assert ours.most_draws(10**9) == 999


def test_wilcoxons_p_is_scipys_exact_one_and_for_very_many_queries_its_approximation():
    random = np.random.default_rng(8)
    for n in (3, 8, 14, 15, 40, 120):
        sample = np.append(random.normal(0.2, 1, n), 0.0)
        peer = stats.wilcoxon(sample[:-1], method="exact").pvalue
        assert paired_p(sample, "wilcoxon") == pytest.approx(peer, abs=1e-12)
    tied = random.normal(0.1, 1, 300).round(1)
    assert paired_p(tied, "wilcoxon") == pytest.approx(
        stats.wilcoxon(tied, method="asymptotic").pvalue, abs=1e-12
    )


@settings(max_examples=40)
@given(SEVERAL)
def test_wilcoxons_p_with_tied_ranks_is_that_of_all_sign_flips(values):
    sample = np.array([one for one in values if one], float)
    if not len(sample):
        assert math.isnan(rank_share(values))
        return
    signed = np.sign(sample) * stats.rankdata(np.abs(sample))
    assert rank_share(values) == pytest.approx(signed[signed > 0].sum() / np.abs(signed).sum())
    assert paired_p(values, "wilcoxon") == pytest.approx(flipped_p(signed, 0))


def test_the_intervals_of_tests_that_do_not_look_at_means_are_students():
    sample = np.random.default_rng(3).normal(0.3, 1, 30)
    student = mean_interval(sample, 0.99)
    for test in ("t", "wilcoxon", "sign"):
        found = paired_tests(sample, test, level=0.01)[0]
        assert (found.low, found.high) == (student.low, student.high)


def test_no_interval_leaves_the_span_of_what_a_difference_can_be():
    found = paired_tests([0.5, 0.4, 0.9], span=(-1, 1))[0]
    assert (found.low, found.high) == (-1, 1)


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


def test_a_test_of_many_draws_can_be_stopped_between_portions_of_them():
    asked = []

    def stop():
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(Stopped):
        paired_tests(np.random.default_rng(5).random((1, 3_000)), watch=Watch(should_stop=stop))
    assert len(asked) == 3
    asked.clear()
    with pytest.raises(Stopped):
        tukey_hsd(np.random.default_rng(5).random((8, 3_000)), watch=Watch(should_stop=stop))
    assert len(asked) == 3


def test_tukeys_test_between_two_systems_is_the_randomisation_test():
    scores = np.random.default_rng(5).random((2, 12))
    p = tukey_hsd(scores).p
    assert p[0, 1] == p[1, 0] == pytest.approx(paired_p(scores[1] - scores[0]), abs=0.02)
    assert p.diagonal().tolist() == [1, 1]


def test_tukeys_test_finds_the_system_that_stands_out():
    scores = np.random.default_rng(5).random((4, 40)) * 0.3
    scores[3] += 0.3
    p = tukey_hsd(scores).p
    assert (p[3, :3] < 0.001).all()
    assert (p[:3, :3] > 0.05).all()


@settings(max_examples=15)
@given(st.integers(2, 5), st.integers(2, 30), st.sampled_from([0.1, 0.05, 0.01]), st.integers(0, 99))
def test_tukeys_p_is_below_the_level_exactly_where_the_difference_exceeds_its_range(systems, n, level, seed):
    scores = np.random.default_rng(seed).random((systems, n)).round(1)
    scores[0] += 0.4
    found = tukey_hsd(scores, level=level)
    apart = np.abs(scores.mean(axis=1)[:, None] - scores.mean(axis=1))
    assert ((found.p < level) == (apart > found.edge + 1e-12)).all()
    assert (found.p >= min(found.floor, 1) * 0.5).all()


def test_tukeys_range_comes_near_that_of_the_analysis_of_variance():
    """Of normal values without effects: Carterette's test and Tukey's, which scipy has for means alike."""
    scores = np.random.default_rng(1).normal(0, 1, (3, 200))
    residual = scores - scores.mean(axis=0)
    error = math.sqrt((residual**2).sum() / (2 * 199) / 200)
    assert tukey_hsd(scores).edge == pytest.approx(
        stats.studentized_range.ppf(0.95, 3, 398) * error, rel=0.03
    )


@pytest.mark.parametrize(("systems", "queries"), [(3, 60), (5, 100)])
def test_tukeys_p_values_come_near_those_of_the_studentised_range_over_blocks(systems, queries):
    """Where nothing stands far out: a large difference widens the range that shuffling gives."""
    random = np.random.default_rng(7)
    hard, apart = random.normal(0.5, 0.2, queries), random.normal(0, 0.01, (systems, 1))
    scores = hard + random.normal(0, 0.1, (systems, queries)) + apart
    means = scores.mean(axis=1)
    left = scores - scores.mean(axis=0) - means[:, None] + scores.mean()
    freedom = (systems - 1) * (queries - 1)
    error = math.sqrt((left**2).sum() / freedom / queries)
    peer = stats.studentized_range.sf(np.abs(means[:, None] - means) / error, systems, freedom)
    found = tukey_hsd(scores)
    assert found.p == pytest.approx(peer, abs=0.03)
    assert found.spread == pytest.approx(error * math.sqrt(2 * queries))
