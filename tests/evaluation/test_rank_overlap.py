"""Rank-biased overlap beside its definition, summed to where nothing is left."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.evaluation.rank_overlap import rank_overlap

RANKINGS = st.lists(st.integers(0, 12), min_size=1, max_size=9, unique=True)


def summed(first: list[int], second: list[int], p: float) -> float:
    """(1 - p) times the sum of p^(d - 1) times the agreement at depth d, as the paper takes it to go on."""
    short, long = sorted((first, second), key=len)
    s, whole = len(short), len(long)
    shared_short = len(set(short) & set(long[:s]))
    total = 0.0
    for depth in range(1, 3_000):
        if depth <= s:
            agreement = len(set(short[:depth]) & set(long[:depth])) / depth
        elif depth <= whole:
            assumed = shared_short * (depth - s) / s  # the short list goes on as it agreed so far
            agreement = (len(set(short) & set(long[:depth])) + assumed) / depth
        total += (1 - p) * p ** (depth - 1) * agreement
    return total


@given(RANKINGS, RANKINGS, st.sampled_from([0.3, 0.8, 0.9, 0.98]))
def test_it_is_the_sum_over_all_depths(first: list[int], second: list[int], p: float) -> None:
    found = rank_overlap(first, second, p)
    assert found == pytest.approx(summed(first, second, p), abs=1e-9)
    assert found == pytest.approx(rank_overlap(second, first, p))
    assert rank_overlap(first, first, p) == pytest.approx(1)
    assert rank_overlap(first, [one + 100 for one in second], p) == 0


def test_a_worked_value_and_an_empty_ranking() -> None:
    # agreements 1, 1/2, 2/3, and 2/3 from there on, at p = 1/2
    assert rank_overlap([1, 2, 3], [1, 3, 4], 0.5) == pytest.approx(1 / 2 + 1 / 8 + 2 / 3 / 8 + 2 / 3 / 8)
    assert math.isnan(rank_overlap([], [1]))
