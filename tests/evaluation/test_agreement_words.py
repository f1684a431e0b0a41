"""Alpha in words: the share of chance's disagreement by brute force, and on which side its interval lies."""

from itertools import combinations

import numpy as np
import pytest

from annotator.evaluation.agreement import Coefficient
from annotator.evaluation.agreement_words import RELIABLE, TENTATIVE, alpha_in_words


def coefficient(value: float, low: float, high: float, n: int = 100) -> Coefficient:
    return Coefficient("Krippendorff's alpha, ordinal", value, low, high, n)


def test_alpha_is_what_is_left_of_the_disagreement_of_chance() -> None:
    """The share is observed by expected disagreement, counted pair by pair for grades alike or not."""
    random = np.random.default_rng(4)
    first = random.integers(0, 4, 200)
    second = np.where(random.random(200) < 0.7, first, random.integers(0, 4, 200))
    every = np.concatenate([first, second])
    observed = np.mean(first != second)
    expected = np.mean([a != b for a, b in combinations(every.tolist(), 2)])
    share = observed / expected
    said = alpha_in_words(coefficient(1 - share, 0.5, 0.9))
    assert said.startswith(
        f"The annotators differ {share:.0%} as much as judgments dealt out by chance would"
    )


def test_less_agreement_than_by_chance_is_more_than_all_of_it() -> None:
    assert "differ 120% as much" in alpha_in_words(coefficient(-0.2, -0.3, -0.1))


@pytest.mark.parametrize(
    ("low", "high", "said", "not_said"),
    [
        (0.85, 0.95, "is at least 0.8", "0.667"),
        (RELIABLE, 0.95, "is at least 0.8", "0.667"),
        (0.7, 0.75, "lies between 0.667 and 0.8", "inside"),
        (TENTATIVE, 0.75, "lies between 0.667 and 0.8", "inside"),
        (0.2, 0.5, "lies below 0.667", "inside"),
        (0.6, 0.7, "the interval has 0.667 inside", "has 0.667 and"),
        (0.7, 0.9, "the interval has 0.8 inside", "0.667 and 0.8 inside"),
        (0.5, 0.9, "the interval has 0.667 and 0.8 inside", " lies "),
    ],
)
def test_the_customary_values_are_named_as_the_interval_lies(
    low: float, high: float, said: str, not_said: str
) -> None:
    words = alpha_in_words(coefficient((low + high) / 2, low, high)).partition("weigh more.")[2]
    assert said in words
    assert not_said not in words


def test_where_there_is_no_alpha_nothing_is_said_of_it() -> None:
    assert alpha_in_words(coefficient(0.9, 0.8, 1.0, n=5)) == ""
    assert alpha_in_words(coefficient(np.nan, np.nan, np.nan)) == ""
    assert alpha_in_words(coefficient(0.5, np.nan, np.nan)).endswith("weigh more.")
