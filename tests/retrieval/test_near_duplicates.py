"""Near-duplicates are those of the rule, pair by pair."""

import re
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.retrieval import near_duplicates
from annotator.retrieval.near_duplicates import RULE

WORDS = ("duck", "Duck", "DUCK,", "grey", "straße", "STRASSE", "–", "«a»", "3.14", "日本", "🦆", "don't")


def near(texts: list[str]) -> list[tuple[int, ...]]:
    return near_duplicates.near_duplicates(texts)


def runs(text: str) -> set[tuple[str, ...]]:
    """Return the runs of five words of a text, or the text as one run where it has fewer words."""
    words = re.findall(r"\w+", text.casefold())
    return {tuple(words[at : at + 5]) for at in range(max(len(words) - 4, 1))} if words else set()


def by_brute_force(texts: list[str]) -> list[tuple[int, ...]]:
    sets = list(map(runs, texts))
    found: list[list[int]] = [[] for _ in texts]
    for one, other in combinations(range(len(texts)), 2):
        either = sets[one] | sets[other]
        if either and Fraction(len(sets[one] & sets[other]), len(either)) >= Fraction(9, 10):
            found[one].append(other)
            found[other].append(one)
    return [tuple(sorted(some)) for some in found]


def test_the_rule_is_said_as_it_is() -> None:
    assert "at least 90 % of their runs of 5 words" in RULE


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=8))
def test_short_texts_equal_brute_force(texts: list[str]) -> None:
    assert near(texts) == by_brute_force(texts)


@given(st.lists(st.text(max_size=40), max_size=6))
def test_any_texts_equal_brute_force(texts: list[str]) -> None:
    assert near(texts) == by_brute_force(texts)


@pytest.mark.parametrize("seed", range(12))
def test_long_texts_with_few_words_changed_equal_brute_force(seed: int) -> None:
    """Of some texts, copies with words changed, cut off and added: about as many near as not."""
    random = Random(seed)
    vocabulary = [f"w{number}" for number in range(random.choice((3, 40, 2_000)))]
    texts: list[list[str]] = []
    for _ in range(40):
        if texts and random.random() < 0.7:
            copy = list(random.choice(texts))
            for _ in range(random.randrange(4)):
                at = random.randrange(len(copy))
                copy[at : at + random.randrange(3)] = random.choices(vocabulary, k=random.randrange(3))
            texts.append(copy or ["w"])
        else:
            texts.append(random.choices(vocabulary, k=random.randrange(4, 120)))
    joined = [" ".join(words) for words in texts]
    random.shuffle(joined)
    expected = by_brute_force(joined)
    assert near(joined) == expected
    assert 0 < sum(map(len, expected)) < 40 * 39


def test_exactly_nine_tenths_is_near_and_anything_less_is_not() -> None:
    """Of two texts with 18 and 19 runs in common and one more each, one pair is at 18/20, one at 19/21."""
    base = [f"w{number}" for number in range(22)]
    for common, expected in ((17, False), (18, True)):
        words = base[: common + 4]
        texts = [" ".join([*words, "left"]), " ".join([*words, "right"])]
        assert (len(runs(texts[0]) & runs(texts[1])), len(runs(texts[0]) | runs(texts[1]))) == (
            common,
            common + 2,
        )
        assert (near(texts) == [(1,), (0,)]) is expected


def test_no_text_and_texts_without_words_have_none() -> None:
    assert near([]) == []
    assert near(["", " ", "…", "–"]) == [()] * 4


def test_a_thousand_times_the_same_text_are_each_others() -> None:
    found = near(["the same words in every one of these texts"] * 1_000)
    assert all(len(others) == 999 and at not in others for at, others in enumerate(found))
