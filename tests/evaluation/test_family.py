"""What is compared, as one value: what it holds, and that its short name tells it from any other."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.evaluation.comparison import compare_all
from annotator.evaluation.comparison_tables import comparisons
from annotator.evaluation.comparison_tables import tests as for_programs
from annotator.evaluation.family import Family
from annotator.evaluation.options import FEW_SYSTEMS, ComparisonChoice, Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.statistics import CORRECTIONS, TESTS
from annotator.evaluation.subsets import narrowed
from annotator.metrics.catalogue import parse_all

NAMES = ("nDCG@10", "AP(rel=2)", "RR")


def result_of(systems: int, options: Options = Options(), queries: int = 12) -> EvaluationResult:
    shape = systems, len(NAMES), queries
    return EvaluationResult(
        systems=tuple(f"s{at}" for at in range(systems)),
        measures=parse_all(NAMES),
        query_ids=tuple(f"q{at}" for at in range(queries)),
        scores=np.random.default_rng(systems).random(shape).round(2),
        counted=np.ones((systems, queries), dtype=bool),
        options=options,
        provenance=Provenance("made", "0"),
    )


CHOICES = st.builds(
    ComparisonChoice,
    st.sampled_from([None, "s0", "s1"]),
    st.sampled_from(TESTS),
    st.sampled_from(CORRECTIONS),
    st.sampled_from(["", "RR"]),
)


@given(CHOICES, CHOICES, st.sampled_from([3, 8]))
def test_two_choices_have_one_name_exactly_when_they_compare_the_same(
    one: ComparisonChoice, other: ComparisonChoice, systems: int
) -> None:
    result = result_of(systems)
    first, second = Family.of(result, one), Family.of(result, other)
    assert (first == second) == (first.identity == second.identity)

    def by(choice: ComparisonChoice) -> str:
        return (choice.by or "nDCG@10") if systems > FEW_SYSTEMS else ""

    def correction(choice: ComparisonChoice) -> str:
        return "none" if choice.test == "tukey" else choice.correction

    same = (one.baseline, one.test, correction(one), by(one)) == (
        *(other.baseline, other.test, correction(other)),
        by(other),
    )
    assert (first == second) == same


@pytest.mark.parametrize(
    "changed",
    [
        {"annotator": "Bo"},
        {"combine": "max"},
        {"as_of": "before"},
        {"seed": 2},
        {"judged_only": True},
        {"rel": 3},
    ],
)
def test_whose_grades_count_when_and_how_is_part_of_what_is_compared(changed: dict[str, object]) -> None:
    usual, other = (Family.of(result_of(3, options)) for options in (Options(), Options(**changed)))
    assert usual.identity != other.identity


def test_other_queries_are_another_comparison_and_words_for_the_same_ones_are_not() -> None:
    whole = result_of(3)
    some = narrowed(whole, {"q1", "q2", "q3"})
    asked = replace(some, options=Options(queries=("q3", "q2", "q1")))
    assert Family.of(whole).identity != Family.of(some).identity == Family.of(asked).identity
    typed = replace(whole, options=Options(measures=("ndcg_cut_10", "map(rel=2)", "recip_rank")))
    assert Family.of(typed) == Family.of(whole)


def test_the_name_stays_the_same_in_another_program() -> None:
    """It is printed beside numbers that are read years later: neither a hash seed nor an order moves it."""
    assert Family.of(result_of(3)).identity == Family.of(result_of(3)).identity
    assert len({Family.of(result_of(count)).identity for count in range(2, 10)}) == 8
    assert set(Family.of(result_of(3)).identity) <= set("0123456789abcdef")


def test_with_many_systems_one_measure_is_compared_and_the_table_says_so() -> None:
    few, many = result_of(FEW_SYSTEMS), result_of(FEW_SYSTEMS + 1)
    assert Family.of(few).measures == ("nDCG@10", "AP(rel=2)", "RR")
    assert "one measure is compared" not in comparisons(compare_all(few)).caption
    assert Family.of(many).measures == ("nDCG@10",)
    found = compare_all(many, ComparisonChoice(by="map(rel=2)"))
    assert {one.measure for one in found} == {"AP(rel=2)"}
    said = comparisons(found).caption
    assert "With more than 6 systems one measure is compared, here AP(rel=2)." in said
    with pytest.raises(UserError, match="P@5 was not evaluated"):
        Family.of(many, ComparisonChoice(by="P@5"))


def test_a_choice_fits_a_result_that_lost_its_baseline() -> None:
    choice = ComparisonChoice("gone", "t", "bh", "P@5")
    assert choice.fitting(("a", "b"), NAMES) == ComparisonChoice("a", "t", "bh")
    assert choice.fitting(("a", "gone"), ("P@5",)) == choice


@given(CHOICES)
def test_beside_each_p_stand_its_test_correction_and_size_in_words_and_in_data(
    choice: ComparisonChoice,
) -> None:
    found = compare_all(result_of(3), choice)
    table = for_programs(found)
    rows = [dict(zip([one.name for one in table.columns], row, strict=True)) for row in table.rows]
    for one, row in zip(found, rows, strict=True):
        assert {field.name for field in fields(ComparisonChoice)} - {"by"} <= row.keys()
        assert (row["p"], row["test"], row["baseline"]) == (one.p, choice.test, choice.baseline or "")
        assert row["correction"] == ("none" if choice.test == "tukey" else choice.correction)
        pairs = 3 if choice.baseline is None or choice.test == "tukey" else 2
        assert row["comparisons"] == pairs * (1 if choice.test == "tukey" else len(NAMES))
        assert row["identity"] == one.identity
        assert f"{row['comparisons']} comparisons" in one.test_in_words
        assert one.test_in_words in comparisons(found).caption
    assert found[0].identity in comparisons(found).caption
