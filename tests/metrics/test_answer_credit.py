import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.metrics.answer_credit import credit_gold
from annotator.metrics.answers import AnswerTable

THOR = [["Mjolnir"], ["Stormbreaker"], ["Jarnbjorn"]]


def credited(texts, gold, *, unanswerable=False, **options):
    """Grades in rank order and the sorted judged grades of one query."""
    table = AnswerTable.build([0] * len(texts), range(1, len(texts) + 1), texts, [gold], [unanswerable])
    result = credit_gold(table, **options)
    return result.grade.tolist(), sorted(result.judged_grade.tolist(), reverse=True)


def test_gold_order_gains_of_the_three_weapons():
    grades, judged = credited(["Infinity Gauntlet", "Mjolnir", "Stormbreaker"], THOR, gains="gold-order")
    assert grades == [0, 3, 2]
    assert judged == [3, 2, 1, 0]
    gains = np.array([0, 3, 2]) / np.log2([2, 3, 4])
    ideal = np.array([3, 2, 1]) / np.log2([2, 3, 4])
    assert gains.sum() / ideal.sum() == pytest.approx(0.607492, abs=1e-6)


def test_a_gold_answer_is_credited_once_at_its_first_hit():
    assert credited(["mjolnir", "the Mjolnir"], THOR) == ([1, 0], [1, 1, 1, 0])


def test_crediting_all_counts_every_hit_and_makes_room_for_it():
    assert credited(["mjolnir", "the Mjolnir"], THOR, credit="all") == ([1, 1], [1, 1, 1, 1])


def test_a_prediction_takes_the_most_preferred_gold_answer_that_is_left():
    gold = [["New York"], ["New York City"]]
    options = {"match": "overlap", "gains": "gold-order"}
    assert credited(["York", "New", "City"], gold, **options) == ([2, 1, 0], [2, 1, 0])
    assert credited(["City", "New"], gold, **options) == ([1, 2], [2, 1])


def test_the_threshold_is_part_of_the_match():
    assert credited(["Stark"], [["Tony Stark"]], match="f1", threshold=2 / 3)[0] == [1]
    assert credited(["Stark"], [["Tony Stark"]], match="f1", threshold=0.7)[0] == [0]


def test_for_an_unanswerable_question_the_empty_answer_is_the_gold_answer():
    assert credited(["x", "", "the"], [], unanswerable=True) == ([0, 1, 0], [1, 0, 0])
    assert credited(["x", "", "the"], [], unanswerable=True, credit="all") == ([0, 1, 1], [1, 1, 0])
    assert credited(["x"], [], unanswerable=True) == ([0], [1, 0])


def test_without_predictions_the_gold_answers_can_still_be_missed():
    assert credited([], THOR) == ([], [1, 1, 1])
    assert credited([], []) == ([], [])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["Mjolnir", "mjolnir!", "Stormbreaker", "x", ""]), max_size=8),
    st.sampled_from(["once", "all"]),
    st.sampled_from(["binary", "gold-order"]),
)
def test_what_is_credited_is_always_among_what_is_judged(texts, credit, gains):
    grades, judged = credited(texts, THOR, credit=credit, gains=gains)
    assert all(grades.count(grade) <= judged.count(grade) for grade in set(grades))
    if credit == "once":
        assert sum(grade > 0 for grade in judged) == 3
