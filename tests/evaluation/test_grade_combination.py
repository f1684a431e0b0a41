from collections import Counter
from statistics import median_high, median_low
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.evaluation.grade_combination import RULE_NAMES, SENTENCES, combine
from annotator.evaluation.options import CombiningRule


def one(grades, rule, times=None):
    """The combined grade of a single pair."""
    return combine([7] * len(grades), grades, times or range(len(grades)), rule)[1].tolist()[0]


@pytest.mark.parametrize(
    ("rule", "grades", "expected"),
    [
        ("median", [5, 0, 3], 3),
        ("median", [1, 4], 1),
        ("upper-median", [1, 4], 4),
        ("upper-median", [5, 0, 3], 3),
        ("latest", [5, 1, 3], 3),
        ("mean", [2, 3], 3),
        ("mean", [0, 0, 1], 0),
        ("majority", [5, 5, 0, 0, 3], 0),
        ("majority", [4, 4, 1], 4),
        ("max", [2, 5, 0], 5),
        ("min", [2, 5, 1], 1),
    ],
)
def test_each_rule_does_what_its_sentence_says(rule, grades, expected):
    assert one(grades, rule) == expected


def test_the_latest_is_the_one_given_last_not_the_one_read_last():
    assert one([5, 1], "latest", times=[20, 10]) == 5
    assert one([5, 1], "latest", times=[10, 10]) == 1


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=25))
def test_pairs_are_combined_each_for_itself(rows):
    pairs, grades = [pair for pair, _ in rows], [grade for _, grade in rows]
    per_pair = {pair: [grade for other, grade in rows if other == pair] for pair in sorted(set(pairs))}
    plain = {
        "median": median_low,
        "upper-median": median_high,
        "latest": lambda given: given[-1],
        "mean": lambda given: int(sum(given) / len(given) + 0.5),
        "majority": lambda given: min(given, key=lambda grade: (-Counter(given)[grade], grade)),
        "max": max,
        "min": min,
    }
    for rule, function in plain.items():
        keys, combined = combine(pairs, grades, range(len(rows)), rule)
        assert keys.tolist() == list(per_pair)
        assert combined.tolist() == [function(given) for given in per_pair.values()]


def test_every_rule_is_put_in_words():
    assert list(SENTENCES) == list(RULE_NAMES) == list(get_args(CombiningRule))
