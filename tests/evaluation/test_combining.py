"""Grades of several annotators as one: worked examples, and a plain restatement on random grades."""

import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.evaluation.combining import SENTENCES, combine

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=25)
PLAIN = {
    "median": statistics.median_low,
    "latest": lambda grades: grades[-1],
    "mean": lambda grades: int(statistics.fmean(grades) + 0.5),
    "majority": lambda grades: min(statistics.multimode(grades)),
    "max": max,
    "min": min,
}


@pytest.mark.parametrize(
    ("rule", "expected"), [("median", 1), ("latest", 0), ("mean", 2), ("majority", 1), ("max", 5), ("min", 0)]
)
def test_each_rule_on_one_pair(rule: str, expected: int) -> None:
    grades = np.array([5, 1, 3, 1, 0])
    pairs, combined = combine(np.full(5, 8), grades, np.array([4, 1, 2, 3, 9]), rule)  # type: ignore[arg-type]
    assert (pairs.tolist(), combined.tolist()) == ([8], [expected])


def test_the_median_of_two_is_the_lower() -> None:
    assert combine(np.array([1, 1]), np.array([4, 2]), np.zeros(2, int), "median")[1].tolist() == [2]


@pytest.mark.parametrize("rule", SENTENCES)
@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_many_pairs_at_once_are_each_pair_alone(rule: str, rows: list[tuple[int, int]]) -> None:
    pair = np.array([one for one, _ in rows], dtype=np.int64)
    grade = np.array([one for _, one in rows], dtype=np.int64)
    pairs, combined = combine(pair, grade, np.arange(len(rows)), rule)  # type: ignore[arg-type]
    expected = {one: PLAIN[rule]([g for p, g in rows if p == one]) for one in sorted(set(pair.tolist()))}
    assert dict(zip(pairs.tolist(), combined.tolist(), strict=True)) == expected
