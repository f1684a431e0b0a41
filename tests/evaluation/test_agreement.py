import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from annotator.evaluation.agreement import Patterns, _gwet, among, between, drift
from tests.examples import examples

NONE = -1


def named(coefficients):
    return {one.name: one.value for one in coefficients}


def test_krippendorffs_own_example_of_four_observers_and_twelve_units():
    # Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), reliability data with missing values
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
    found = named(among(np.array(observers).T))
    assert found["Krippendorff's alpha, nominal"] == pytest.approx(0.743, abs=5e-4)
    assert found["Krippendorff's alpha, ordinal"] == pytest.approx(0.815, abs=5e-4)
    assert found["Krippendorff's alpha, interval"] == pytest.approx(0.849, abs=5e-4)


def test_fleiss_own_kind_of_example_of_fourteen_raters():
    counts = [
        *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]),
        *([7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
    ]
    table = [np.repeat(np.arange(5), row) for row in counts]
    found = named(among(table))
    assert found["Fleiss' kappa"] == pytest.approx(0.210, abs=5e-4)
    assert found["Same grade"] == pytest.approx(0.378, abs=5e-4)


def test_gwets_example_where_kappa_is_negative_though_nearly_all_agree():
    # Gwet 2008: 118 and 2 agreements of 125, kappa below 0, AC1 0.94
    first = [0] * 118 + [0] * 5 + [1] * 2
    second = [0] * 118 + [1] * 5 + [0] * 2
    patterns = Patterns.of(np.stack([first, second], axis=1), levels=2)
    assert _gwet(patterns.counts, patterns.times[None].astype(float), "none") == pytest.approx(
        [0.9408], abs=5e-5
    )
    found = named(between(first, second, levels=2).coefficients)
    assert found["Cohen's kappa"] == pytest.approx(-0.0234, abs=5e-5)


def test_ac2_with_quadratic_weights_of_a_worked_example():
    # two raters, grades 0 1 2: (0, 0) (1, 2) (2, 2) (0, 2); weights 1, 3/4, 0
    # observed (1 + 3/4 + 1 + 0) / 4; shares 3/8 1/8 4/8; chance 6 / 6 * sum of share * (1 - share)
    found = named(between([0, 1, 2, 0], [0, 2, 2, 2], levels=3).coefficients)
    observed, chance = 2.75 / 4, 6 / 6 * (15 + 7 + 16) / 64
    assert found["Gwet's AC2, quadratic"] == pytest.approx((observed - chance) / (1 - chance))


@settings(max_examples=examples(20, 50), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30))
def test_cohens_kappas_equal_scikit_learns(pairs):
    first, second = map(list, zip(*pairs, strict=True))
    found = between(first, second)
    values = named(found.coefficients)
    assert values["Same grade"] == pytest.approx(np.mean([a == b for a, b in pairs]))
    assert found.confusion.sum() == found.n == len(pairs)
    for name, weights in (("", None), (", linear", "linear"), (", quadratic", "quadratic")):
        value = values[f"Cohen's kappa{name}"]
        if len({*first, *second}) == 1:
            assert math.isnan(value)
        else:
            peer = cohen_kappa_score(first, second, labels=range(6), weights=weights)
            assert value == pytest.approx(peer, abs=1e-9)


@settings(max_examples=examples(20, 50), deadline=None)
@given(st.lists(st.lists(st.integers(-1, 5), min_size=3, max_size=3), min_size=3, max_size=20))
def test_who_is_who_does_not_matter_among_many(table):
    there = [one.value for one in among(table)]
    back = [one.value for one in among(np.array(table)[::-1, ::-1])]
    assert there == pytest.approx(back, nan_ok=True, abs=1e-9)
    assert all(math.isnan(value) or value <= 1 + 1e-9 for value in there)


def test_perfect_agreement_is_1_under_every_coefficient():
    grades = [0, 1, 2, 3, 4, 5] * 6
    assert set(named(between(grades, grades).coefficients).values()) == {1.0}


def test_one_grade_for_everything_leaves_kappa_and_alpha_undefined_and_says_so():
    found = {one.name: one for one in between([3] * 40, [3] * 40).coefficients}
    assert found["Cohen's kappa"].said == "Cohen's kappa: not defined, because every grade is the same"
    assert math.isnan(found["Krippendorff's alpha, ordinal"].value)
    assert found["Gwet's AC2, quadratic"].value == 1


def test_below_thirty_items_there_is_not_enough_data():
    few = between([1] * 28 + [2, -1], [1] * 28 + [1, 5])
    assert few.n == 29
    assert few.coefficients[1].said.endswith(
        "not enough data (29 items judged by two or more; 30 are needed)"
    )
    assert not few.coefficients[1].enough


def test_without_a_common_item_nothing_is_known():
    found = between([1, -1], [-1, 2])
    assert found.n == 0
    assert all(math.isnan(one.value) and one.n == 0 for one in found.coefficients)
    assert math.isnan(found.coefficients[-1].value)
    assert among(np.zeros((0, 3)))[0].n == 0


def test_spearmans_rho_between_two_annotators_is_scipys():
    random = np.random.default_rng(6)
    first = random.integers(0, 6, 80)
    second = np.clip(first + random.integers(-2, 3, 80), 0, 5)
    rho = between(first, second).coefficients[-1]
    assert (rho.name, rho.n) == ("Spearman's rho", 80)
    assert rho.value == pytest.approx(float(stats.spearmanr(first, second).statistic))
    assert rho.low < rho.value < rho.high
    assert math.isnan(between(first, np.full(80, 3)).coefficients[-1].value)


def test_the_interval_holds_the_value_narrows_with_more_items_and_repeats():
    random = np.random.default_rng(2)
    first = random.integers(0, 6, 400)
    second = np.clip(first + random.integers(-1, 2, 400), 0, 5)
    few, many = between(first[:40], second[:40]), between(first, second)
    for one, other in zip(few.coefficients, many.coefficients, strict=True):
        assert one.low <= one.value <= one.high
        assert other.high - other.low < one.high - one.low
    assert few.coefficients == between(first[:40], second[:40]).coefficients


def test_agreement_by_grade_is_the_share_of_the_firsts_grades_repeated():
    by_grade = between([0, 0, 5, 5], [0, 1, 5, 5]).by_grade
    assert by_grade.tolist()[0] == 0.5
    assert by_grade.tolist()[5] == 1
    assert np.isnan(by_grade[1:5]).all()


def test_drift_shows_the_mean_along_the_positions():
    assert drift([3, 1, 2, 4], [3, 1, 1, 5], bins=2) == [(1.5, 1.0, 2), (3.5, 4.0, 2)]
    assert drift([], []) == []
