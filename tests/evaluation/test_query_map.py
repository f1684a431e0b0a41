"""The scores of every query under one measure: a column per system, the best first, between which shades."""

import dataclasses

import numpy as np
import pytest

from annotator.evaluation.query_map import by_query, shade_span
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.catalogue import parse_all


def test_systems_stand_by_their_mean_and_keep_their_scores(result: EvaluationResult) -> None:
    table = by_query(result, "nDCG@10")
    shaded = [at for at, one in enumerate(table.columns) if one.shade is not None]
    assert [table.columns[at].title for at in shaded] == ["new", "old"], "its mean is higher"
    assert all(table.columns[at].shade == (0.0, 1.0) for at in shaded)
    assert "mean 0.6875" in table.columns[shaded[0]].note
    for at in shaded:
        assert np.array_equal(table.data[at], result.of(table.columns[at].title, "nDCG@10"), equal_nan=True)
    assert list(table.data[0]) == list(result.query_ids)


def test_a_system_without_any_score_stands_last(result: EvaluationResult) -> None:
    scores = result.scores.copy()
    scores[result.systems.index("new")] = np.nan
    table = by_query(dataclasses.replace(result, scores=scores), "nDCG@10")
    assert [one.title for one in table.columns if one.shade is not None] == ["old", "new"]


@pytest.mark.parametrize(
    ("values", "span"),
    [([[1.5, 4.0], [0.5, np.nan]], (0.0, 4.0)), ([[np.nan] * 2] * 2, (0.0, 0.0)), ([[0, 0]] * 2, (0.0, 0.0))],
)
def test_a_measure_without_upper_end_is_shaded_up_to_what_was_reached(
    result: EvaluationResult, values: list[list[float]], span: tuple[float, float]
) -> None:
    scores = np.array(values, dtype=float)[:, None, :]
    one = dataclasses.replace(
        result, measures=parse_all(["DCG@10"]), scores=scores, query_ids=("q1", "q2"), query_texts=()
    )
    assert shade_span(one, 0) == span


def test_a_query_without_a_ranking_is_marked_and_the_caption_says_what_that_means(
    result: EvaluationResult,
) -> None:
    assert not by_query(result, "nDCG@10").marks
    assert by_query(result, "nDCG@10").caption == ""
    retrieved = np.full((2, 4), 10)
    retrieved[result.systems.index("old"), 3] = 0
    table = by_query(dataclasses.replace(result, retrieved=retrieved), "nDCG@10")
    assert {(row, table.columns[at].title) for row, at in table.marks} == {(3, "old")}
    assert "no ranking for the query (1 time): it counts as 0." in table.caption
    assert [one.title for one in table.columns] == ["Query", "Text", "new", "old", "Relevant", "Judged"]
