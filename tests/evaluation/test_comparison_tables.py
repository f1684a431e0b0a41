"""Comparisons as tables."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import studentized_range

from annotator.evaluation.comparison_tables import (
    comparisons,
    contrasts,
    in_numbers,
    marked,
    orders,
    planning,
)
from annotator.evaluation.equivalence import equivalences
from annotator.evaluation.options import ComparisonChoice, Test
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.power import queries_needed, smallest_difference
from annotator.evaluation.result_table import intervals_below
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import TESTS
from annotator.evaluation.summary_tables import summary
from tests.evaluation.test_comparison import evaluated


def far_apart(result: EvaluationResult) -> EvaluationResult:
    """The same systems with forty queries on which the second is always better."""
    count = 40
    noise = np.random.default_rng(3).normal(0, 0.01, (2, 2, count))
    scores = np.array([0.2, 0.6]).reshape(2, 1, 1) + noise
    return dataclasses.replace(
        result,
        scores=scores,
        counted=np.ones((2, count), dtype=bool),
        query_ids=tuple(f"q{at}" for at in range(count)),
        query_texts=(),
        judged_at_10=None,
        retrieved=None,
    )


def test_a_comparison_says_who_wins_how_often(result: EvaluationResult) -> None:
    table = comparisons(compare_all(result))
    first = dict(zip([one.title for one in table.columns], table.rows[0], strict=True))
    assert first["Measure"] == "nDCG@10"
    assert first["Difference"] == 0.25
    differences = result.of("new", "nDCG@10") - result.of("old", "nDCG@10")
    assert (first["First"], first["Second"]) == ("old", "new")
    assert first["d_z"] == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert "Differences and d_z are second minus first." in table.caption
    assert (first["Wins"], first["Ties"], first["Losses"]) == (2, 1, 1)
    assert "Randomisation test at the level 0.05." in table.caption


def test_on_screen_the_interval_stands_below_its_difference(result: EvaluationResult) -> None:
    found = compare_all(result)
    whole = comparisons(found)
    table = intervals_below(whole, "difference")
    assert [one.key for one in whole.columns if one not in table.columns] == ["low", "high"]
    assert table.columns[5].key == "difference"
    assert table.intervals == {(row, 5): (cells[6], cells[7]) for row, cells in enumerate(whole.rows)}
    assert [row[:6] for row in table.rows] == [row[:6] for row in whole.rows]


def test_a_significant_difference_is_marked_in_the_summary(result: EvaluationResult) -> None:
    apart = far_apart(result)
    table = marked(summary(apart), apart, compare_all(apart))
    assert table.marks == {(0, 1): "†", (0, 2): "†"}
    assert "† differs from the best of its column" in table.caption
    assert marked(summary(result), result, compare_all(result)).marks == {}


def test_queries_stand_by_the_size_of_their_contrast(result: EvaluationResult) -> None:
    table = contrasts(result, "nDCG@10", "old", "new")
    assert [row[0] for row in table.rows] == ["q4", "q1", "q3", "q2"]
    assert [row[4] for row in table.rows] == [1.0, -0.5, 0.5, 0.0]


def test_the_place_of_each_system_under_each_measure(result: EvaluationResult) -> None:
    assert orders(far_apart(result)).rows == [("old", 2, 2), ("new", 1, 1)]


def test_nothing_compared_is_an_empty_table() -> None:
    assert len(comparisons([])) == 0


def test_planning_says_what_so_many_queries_can_show_at_the_level_of_each_comparison(
    result: EvaluationResult,
) -> None:
    apart = far_apart(result)
    one = compare_all(apart, ComparisonChoice(over="all"))[0]
    assert one.corrected_level == 0.025
    row = planning([one]).rows[0]
    assert (*row[:4], row[5]) == ("nDCG@10", "old", "new", 40, 0.025)
    assert row[6] == pytest.approx(smallest_difference(40, one.deviation, level=0.025))
    assert len(row) == 7, "the difference that was found is none to plan with"
    (found, *_) = equivalences(apart, [one], 0.005)
    asked = planning([one], [found]).rows[0]
    needed = queries_needed(0.005, one.deviation, level=0.025)
    assert asked[7:] == (0.005, needed, found.p_second, found.p_first, found.p_equivalent)
    assert found.p_second < 0.05 < found.p_first, "the second is the better one"
    assert asked[8] > queries_needed(0.005, one.deviation)


TENTHS = st.integers(0, 10).map(lambda one: one / 10)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(TENTHS, min_size=n, max_size=n), min_size=2, max_size=3)
    ),
    st.sampled_from(TESTS),
    st.sampled_from((None, 0.03, 2.0)),
)
def test_no_difference_that_the_measure_cannot_have_is_planned_with(
    scores: list[list[float]], test: Test, margin: float | None
) -> None:
    result = evaluated(scores)
    found = compare_all(result, ComparisonChoice(test=test))
    matters = equivalences(result, found, margin) if margin and test != "tukey" else []
    table = planning(found, matters)
    names = [column.name for column in table.columns]
    for row in table.rows:
        cells = dict(zip(names, row, strict=True))
        visible, why = cells["visible"], cells.get("caution", "")
        assert visible is None or 0 < float(visible) <= 1  # type: ignore[arg-type]
        assert visible is not None or why, "a dash has its reason"
        if matters:
            assert cells["needed"] is not None or why
            assert margin == 0.03 or cells["needed"] is None


def test_planning_by_tag_names_the_tag(result: EvaluationResult) -> None:
    found = compare_all(result, ComparisonChoice(by_tag=True))
    table = planning(found)
    assert [row[:2] for row in table.rows] == [(one.tag, one.measure) for one in found]
    assert table.columns[0].name == "tag"
    assert not any(column.name == "tag" for column in planning(compare_all(result)).columns)


def test_tukeys_power_is_near_what_simulated_studies_find() -> None:
    """A difference that planning says is found in 4 of 5 studies is found about so often by scipy's range."""
    random, systems, queries = np.random.default_rng(5), 3, 40
    first = evaluated(random.random((systems, queries)) * 0.5)
    (one, *_) = compare_all(first, ComparisonChoice(test="tukey"))
    cells = dict(zip([each.name for each in planning([one]).columns], planning([one]).rows[0], strict=True))
    scores = first.scores[:, 0, :]
    noise = one.spread / np.sqrt(2)
    rest = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    assert noise**2 == pytest.approx((rest**2).sum() / (queries - 1) / (systems - 1))
    drawn = random.normal(0, noise, (4_000, systems, queries)) + random.normal(0, 1, (4_000, 1, queries))
    drawn[:, 1] += float(cells["visible"])  # type: ignore[arg-type]
    means = drawn.mean(axis=2)
    left = (
        drawn - drawn.mean(axis=1, keepdims=True) - means[..., None] + drawn.mean(axis=(1, 2))[:, None, None]
    )
    freedom = (systems - 1) * (queries - 1)
    square = (left**2).sum(axis=(1, 2)) / freedom
    edge = studentized_range.ppf(0.95, systems, freedom) * np.sqrt(square / queries)
    assert (np.abs(means[:, 1] - means[:, 0]) > edge).mean() == pytest.approx(0.8, abs=0.04)


def test_systems_with_the_same_mean_share_a_place(result: EvaluationResult) -> None:
    table = orders(dataclasses.replace(result, scores=np.full_like(result.scores, 0.1)))
    assert table.rows == [("old", 1, 1), ("new", 1, 1)]


@pytest.mark.parametrize("turned", [False, True])
def test_wins_and_effect_are_those_of_the_system_that_is_said_to_be_ahead(
    result: EvaluationResult, turned: bool
) -> None:
    found = compare_all(far_apart(result))
    one = found[0].turned() if turned else found[0]
    said = in_numbers(one, found)
    assert "new is better than old" in one.sentence
    assert "new wins 40, ties 0, loses 0 of 40 queries" in said
    assert f"effect size d_z {abs(one.effect):.2f} (new minus old)" in said
    assert said.startswith(f"{one.first} {one.first_mean:.4f} · {one.second} ")
