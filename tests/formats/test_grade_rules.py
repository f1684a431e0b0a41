from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.formats.grade_rules import SKIP, parse


def mapped(rule: str, *values: int) -> list[int]:
    return parse(rule).apply(np.array(values)).tolist()


def test_cases_map_each_number() -> None:
    assert mapped("-1=skip, 0=0, 1=3, 2=5", 2, -1, 0, 1, 1) == [5, SKIP, 0, 3, 3]


def test_a_line_maps_the_ends_to_the_ends_and_halves_upwards() -> None:
    assert mapped("0..2=0..5", 0, 1, 2) == [0, 3, 5]
    assert mapped("0..3=0..5", 0, 1, 2, 3) == [0, 2, 3, 5]
    assert mapped("1..5=5..1", 1, 2, 3, 4, 5) == [5, 4, 3, 2, 1]
    assert mapped("-2..-1=0..1,7=5", -2, -1, 7) == [0, 1, 5]


@given(st.decimals(0, 4, places=3), st.sampled_from(["0..4=0..5", "0..4=5..0"]))
def test_a_decimal_on_a_line_goes_to_the_nearest_grade(value: Decimal, rule: str) -> None:
    if value == value.to_integral_value():
        return
    code = parse(rule).words.get(str(value))
    (grade,) = mapped(rule, code)
    exact = value * 5 / 4 if rule == "0..4=0..5" else 5 - value * 5 / 4
    assert abs(grade - exact) <= Decimal("0.5")
    assert grade >= exact or abs(grade - exact) < Decimal("0.5"), "halves go up"


def test_a_decimal_beside_all_lines_is_no_grade() -> None:
    assert parse("0..1=0..5").words.get("1.5") is None
    assert parse("0=0,1=5").words.get("0.5") is None
    assert mapped("0.5=3,Fair=2", *(parse("0.5=3,Fair=2").words.get(one) for one in ("0.5", "Fair"))) == [
        3,
        2,
    ]


def test_without_a_rule_the_scale_is_kept_and_the_rest_refused() -> None:
    assert mapped("", 0, 5, 3) == [0, 5, 3]
    with pytest.raises(UserError, match=r"-1, 6\. Nothing was imported"):
        parse("").apply(np.array([6, -1, 2]))


def test_a_number_without_a_case_is_refused() -> None:
    with pytest.raises(UserError, match="no rule maps them: 4"):
        parse("0=0,1=5").apply(np.array([0, 1, 4]))


def test_a_rule_is_turned_back_for_export() -> None:
    assert parse("-1=skip,0=0,1=3,2=5").back(np.array([5, 0, 3, SKIP])).tolist() == [2, 0, 1, -1]
    assert parse("0..2=0..5").back(np.array([0, 3, 5])).tolist() == [0, 1, 2]
    with pytest.raises(UserError, match="from no number to grade 4"):
        parse("0..2=0..5").back(np.array([0, 4]))


@pytest.mark.parametrize(
    "rule", ["1", "1=6", "a=b", "1=2,1=3", "2..0=0..5", "0..5=0..9", "1=", "0..9999=0..5"]
)
def test_a_rule_that_cannot_be_read_says_how_to_write_one(rule: str) -> None:
    with pytest.raises(UserError):
        parse(rule)


def test_nothing_maps_to_nothing() -> None:
    assert mapped("0=0") == []


def test_a_rule_says_what_it_does() -> None:
    assert parse("-1=skip,0=0,1..3=1..3,4=3,9=5").sentence == (
        "-1 → left out; 0 → grade 0; 1 → grade 1; 2 → grade 2; 3 to 4 → grade 3; 9 → grade 5; "
        "decimals from 1 to 3 → the nearest of 1 to 3. Any other number is refused."
    )
    assert parse("").sentence == "Grades are taken as they are: whole numbers from 0 to 5."


def test_a_rule_may_name_words_and_quote_those_with_a_comma() -> None:
    rule = parse('Highly Relevant=4, "Good, but late" = 3, not=skip, 0..1=0..5')
    assert {word: rule.cases[number] for word, number in rule.words.items()} == {
        "Highly Relevant": 4,
        "Good, but late": 3,
        "not": SKIP,
    }
    assert rule.apply(np.array([1, *rule.words.values(), 0])).tolist() == [5, 4, 3, SKIP, 0]
    assert rule.sentence == (
        "not → left out; 0 → grade 0; Good, but late → grade 3; Highly Relevant → grade 4; 1 → grade 5; "
        "decimals from 0 to 1 → the nearest of 0 to 5. Any other grade is refused."
    )
    with pytest.raises(UserError, match="'a b' twice"):
        parse("a b=1, a b=2")
    with pytest.raises(UserError, match="from no number to grade 4"):
        parse("Good=4").back(np.array([4]))
