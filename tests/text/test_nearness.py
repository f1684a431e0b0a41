from difflib import SequenceMatcher

import pytest

from annotator.text import nearness
from annotator.text.nearness import near_misses


def test_a_text_that_already_matches_is_no_near_miss():
    assert near_misses(["N.Y.C.", "the NYC"], ["NYC"]) == []


def test_spellings_and_longer_forms_are_offered_nearest_first():
    offered = near_misses(["Boston", "Tony", "Stark Tony", "Tony Starck"], ["Tony Stark"])
    assert [text for text, _ in offered] == ["Stark Tony", "Tony Starck", "Tony"]


def test_the_empty_answer_is_never_offered():
    assert near_misses(["", "the"], ["Thor"]) == []
    assert near_misses(["Thor"], [""]) == []


def test_long_and_many_texts_take_a_bounded_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters are compared by a method that takes the square of their number, or more."""
    steps: list[int] = []

    class Counted(SequenceMatcher[str]):
        def ratio(self) -> float:
            steps.append(len(self.a) * len(self.b))
            return super().ratio()

    monkeypatch.setattr(nearness, "SequenceMatcher", Counted)
    long, short = "ab " * 20_000, [f"a wording of some words, number {number}" for number in range(100)]
    assert near_misses([long, "Tony Starck"], [long[3:] + "b", "Tony Stark"])[-1][0] == "Tony Starck"
    near_misses([f"another {one}" for one in short], short)
    assert 0 < sum(steps) <= 2 * nearness.STEPS
