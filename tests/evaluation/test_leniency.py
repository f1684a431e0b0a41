"""Leniency and scatter of annotators, beside scipy and a plain loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotator.evaluation.leniency import leniencies, leniency_table

TABLES = st.lists(st.lists(st.integers(-1, 5), min_size=3, max_size=3), min_size=1, max_size=12)


@given(TABLES)
def test_a_deviation_is_the_own_grade_minus_the_mean_of_the_others(table):
    for at, found in enumerate(leniencies(("ann", "bob", "eve"), table)):
        deviations = []
        for row in table:
            others = [grade for place, grade in enumerate(row) if place != at and grade >= 0]
            if row[at] >= 0 and others:
                deviations.append(row[at] - sum(others) / len(others))
        n = len(deviations)
        assert found.mean.n == found.scatter.n == n
        if n > 1:
            assert found.mean.value == pytest.approx(np.mean(deviations), abs=1e-12)
            assert found.scatter.value == pytest.approx(np.std(deviations, ddof=1), abs=1e-12)
        if n > 1 and np.ptp(deviations) > 1e-9:
            ends = stats.t.interval(0.95, n - 1, np.mean(deviations), stats.sem(deviations))
            assert (found.mean.low, found.mean.high) == pytest.approx(ends)


def test_the_interval_of_the_scatter_is_scipys_bootstrap():
    random = np.random.default_rng(4)
    others = random.integers(0, 6, 400)
    own = np.clip(others + random.integers(-1, 3, 400), 0, 5)
    found, _ = leniencies(("ann", "bob"), np.stack([own, others], axis=1))
    peer = stats.bootstrap(
        (own - others,), lambda one, axis: np.std(one, ddof=1, axis=axis), method="percentile", rng=1
    ).confidence_interval
    assert (found.scatter.low, found.scatter.high) == pytest.approx((peer.low, peer.high), abs=0.02)
    assert found.mean.low > 0, "who adds half a grade on average is lenient"


def test_who_is_strict_with_one_is_lenient_for_the_other_and_few_items_show_no_number():
    table = [[1, 3], [2, 3], [-1, 4], [0, -1]]
    ann, bob = leniencies(("ann", "bob"), table)
    assert (ann.mean.value, bob.mean.value) == (-1.5, 1.5)
    few = leniency_table([ann, bob])
    assert few.rows[0] == ("ann beside bob", *[None] * 6, 2, "not enough data: 30 items are needed")
    enough = leniency_table(list(leniencies(("ann", "bob"), table * 20)))
    assert enough.rows[0][1] == -1.5
    assert enough.rows[0][7:] == (40, "")
    assert math.isnan(leniencies(("ann",), [[3], [4]])[0].mean.value)


@given(TABLES, st.sampled_from([("ann", "bob"), ("ann", "bob", "eve")]))
def test_two_people_who_mirror_each_other_have_one_row_and_others_one_each(table, names):
    found = [one for one in leniencies(names, [row[: len(names)] for row in table]) if one.mean.n]
    shown = leniency_table(found)
    rows = [row[0] for row in shown.rows]
    together = {row for row in range(len(table)) if sum(grade >= 0 for grade in table[row][: len(names)]) > 1}
    if len(found) == 2 and together:
        first, second = (one.annotator for one in found)
        assert rows == [f"{first} beside {second}"]
        assert "Two alone mirror each other" in shown.caption
    else:
        assert rows == [one.annotator for one in found]
        assert "mirror" not in shown.caption
