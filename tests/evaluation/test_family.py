"""What is compared, as one value: what it holds, and that its short name tells it from any other."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.evaluation.comparison_tables import comparisons, how_tested
from annotator.evaluation.comparison_tables import tests as for_programs
from annotator.evaluation.family import Family
from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.statistics import CORRECTIONS, OVER, TESTS
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
        tags=tuple((("odd", "even")[at % 2],) for at in range(queries)),
    )


CHOICES = st.builds(
    ComparisonChoice,
    st.sampled_from([None, "s0", "s1"]),
    st.sampled_from(TESTS),
    st.sampled_from(CORRECTIONS),
    st.sampled_from([0.05, 0.01]),
    st.sampled_from(OVER),
    st.booleans(),
)


@given(CHOICES, CHOICES)
def test_two_choices_have_one_name_exactly_when_they_compare_the_same(
    one: ComparisonChoice, other: ComparisonChoice
) -> None:
    result = result_of(3)
    first, second = Family.of(result, one), Family.of(result, other)
    assert (first == second) == (first.identity == second.identity)

    def meant(choice: ComparisonChoice) -> ComparisonChoice:
        return replace(choice, correction="none", over="measure") if choice.test == "tukey" else choice

    assert (first == second) == (meant(one) == meant(other))


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


def test_many_systems_are_compared_by_every_measure() -> None:
    found = compare_all(result_of(9), ComparisonChoice(test="t"))
    assert len(found) == 3 * 36
    assert {one.comparisons for one in found} == {36}


def test_what_only_counts_or_is_no_mean_takes_no_part_and_the_table_says_so() -> None:
    names = ("NumRet", "nDCG@10", "GMAP")
    result = replace(result_of(2), measures=parse_all(names))
    assert Family.of(result).measures == ("nDCG@10",)
    found = compare_all(result)
    assert "Not compared, because it counts or is no mean over queries: NumRet, GMAP." in (
        comparisons(found).caption
    )
    with pytest.raises(UserError, match="cannot be compared by NumRet: it counts"):
        Family.of(replace(result, measures=parse_all(names[:1]), scores=result.scores[:, :1]))


def test_a_level_and_what_to_correct_over_are_checked() -> None:
    with pytest.raises(UserError, match="between 0 and 1, such as"):
        Family.of(result_of(2), ComparisonChoice(alpha=5))
    with pytest.raises(UserError, match="one of measure, all, not 'tag'"):
        Family.of(result_of(2), ComparisonChoice(over="tag"))
    with pytest.raises(UserError, match="nothing to compare by tag"):
        Family.of(replace(result_of(2), tags=()), ComparisonChoice(by_tag=True))


def test_a_choice_fits_a_result_that_lost_its_baseline() -> None:
    choice = ComparisonChoice("gone", "t", "bh")
    assert choice.fitting(("a", "b")) == ComparisonChoice("a", "t", "bh")
    assert choice.fitting(("a", "gone")) == choice


@settings(max_examples=30)
@given(CHOICES)
def test_beside_each_p_stand_its_test_correction_and_size_in_words_and_in_data(
    choice: ComparisonChoice,
) -> None:
    found = compare_all(result_of(3), choice)
    table = for_programs(found)
    rows = [dict(zip([one.name for one in table.columns], row, strict=True)) for row in table.rows]
    for one, row in zip(found, rows, strict=True):
        assert {field.name for field in fields(ComparisonChoice)} <= row.keys()
        assert (row["p"], row["test"], row["baseline"]) == (one.p, choice.test, choice.baseline or "")
        assert row["correction"] == ("none" if choice.test == "tukey" else choice.correction)
        every = choice.baseline is None or choice.test == "tukey"
        times = 1 if choice.test == "tukey" else (2 if choice.by_tag else 1)
        times *= len(NAMES) if choice.over == "all" and choice.test != "tukey" else 1
        assert row["comparisons"] == (3 if every else 2) * times
        assert (row["alpha"], row["by_tag"]) == (choice.alpha, "yes" if choice.by_tag else "no")
        assert row["identity"] == one.identity
        assert f"{row['comparisons']} comparisons" in how_tested(found)
        assert how_tested(found) in comparisons(found).caption
    assert found[0].identity in comparisons(found).caption
