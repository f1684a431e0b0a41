"""Mean ranks and Nemenyi's critical difference, against Demšar's printed table."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotator.evaluation.critical_difference import critical_difference, friedman, mean_ranks


@pytest.mark.parametrize(("systems", "quantile"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_the_quantile_is_the_printed_one(systems: int, quantile: float) -> None:
    apart = critical_difference(systems, 14)
    assert apart == pytest.approx(quantile * math.sqrt(systems * (systems + 1) / 84), abs=1e-3)


@pytest.mark.parametrize("systems", [2, 7, 40])
def test_the_quantile_is_scipys(systems: int) -> None:
    quantile = stats.studentized_range.ppf(0.95, systems, math.inf) / math.sqrt(2)
    apart = quantile * math.sqrt(systems * (systems + 1) / (6 * 20))
    assert critical_difference(systems, 20) == pytest.approx(apart, abs=1e-9)


def test_nothing_can_be_told_apart_without_queries() -> None:
    assert critical_difference(3, 0) == math.inf


def test_ties_share_their_ranks() -> None:
    scores = np.array([[0.9, 0.5], [0.9, 0.7], [0.1, 0.1]])
    assert mean_ranks(scores).tolist() == [1.75, 1.25, 3.0]


@given(st.integers(3, 6), st.integers(2, 12), st.integers(0, 10_000))
def test_friedmans_p_is_scipys_ties_included(systems: int, queries: int, seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 4, (systems, queries)).astype(float)
    if (scores == scores[0]).all():
        assert friedman(scores) == 1
        return
    assert friedman(scores) == pytest.approx(stats.friedmanchisquare(*scores).pvalue, abs=1e-12)


def test_systems_that_no_query_tells_apart_do_not_differ() -> None:
    assert friedman(np.full((3, 5), 0.5)) == friedman(np.zeros((3, 0))) == friedman(np.zeros((1, 4))) == 1
