"""A result as tables: the numbers of the summary, per query, by tag, what is unjudged."""

import dataclasses

import numpy as np
import pytest

from annotator.evaluation import summary_tables
from annotator.evaluation.conventions_text import conventions
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.catalogue import parse_all


def column(table: Table, title: str) -> list[object]:
    at = [one.title for one in table.columns].index(title)
    return [row[at] for row in table.rows]


def test_the_summary_holds_the_means_with_their_intervals(result: EvaluationResult) -> None:
    table = summary_tables.summary(result)
    assert column(table, "System") == ["old", "new"]
    assert column(table, "nDCG@10") == [0.4375, 0.6875]
    assert column(table, "RR") == [0.5, 0.5], "the query without a value is not in the mean"
    assert column(table, "Judged@10") == pytest.approx([0.675, 0.625])
    low, high = table.intervals[0, 1]
    assert low < 0.4375 < high


def test_estimates_have_one_row_per_system_and_measure(result: EvaluationResult) -> None:
    table = summary_tables.estimates(result)
    assert [row[:2] for row in table.rows] == [
        ("old", "nDCG@10"),
        ("old", "RR"),
        ("new", "nDCG@10"),
        ("new", "RR"),
    ]
    assert column(table, "Median")[0] == 0.375
    assert column(table, "Queries") == [4, 3, 4, 3]


def test_a_measure_that_scores_no_query_has_no_estimate(result: EvaluationResult) -> None:
    empty = dataclasses.replace(result, scores=np.full_like(result.scores, np.nan))
    assert column(summary_tables.estimates(empty), "Mean") == [None] * 4
    assert all(np.isnan(summary_tables.summary(empty).data[1]))


def test_a_geometric_mean_has_no_interval_of_the_arithmetic_one(result: EvaluationResult) -> None:
    other = dataclasses.replace(result, measures=parse_all(["GMAP", "RR"]))
    table = summary_tables.summary(other)
    assert (0, 1) not in table.intervals
    assert table.caption == "Means over the queries, with 95% intervals; of GMAP the geometric mean."
    assert "judgments; of GMAP the geometric mean; nothing" in conventions(other)[-1]
    assert column(summary_tables.estimates(other), "95% low")[0] is None


def test_every_query_has_a_row_with_each_system_under_each_measure(result: EvaluationResult) -> None:
    table = summary_tables.per_query(result)
    assert [one.title for one in table.columns[2:6]] == ["nDCG@10 old", "nDCG@10 new", "RR old", "RR new"]
    assert column(table, "nDCG@10 new") == [0.5, 0.5, 0.75, 1.0]
    assert column(table, "Relevant") == [2, 1, 3, 0]


def test_tags_stand_under_each_system(result: EvaluationResult) -> None:
    assert ("long", "nDCG@10", 0.375, 0.625, 2) in summary_tables.tags(result).rows


def test_what_is_unjudged_is_counted(result: EvaluationResult) -> None:
    table = summary_tables.unjudged(result)
    assert column(table, "With unjudged") == [2, 3]
    assert column(table, "No ranking") == [0, 0]
    counted = np.array([[True, True, True, True], [True, True, False, True]])
    left = dataclasses.replace(result, counted=counted, left_out=(("q8", "why"), ("q9", "why")))
    assert column(summary_tables.unjudged(left), "Left out") == [2, 3]


def test_empty_ranks_are_told_from_unjudged_ones(result: EvaluationResult) -> None:
    """One system answers 4 queries with 10, 10, 5 and 2 candidates, of which 10, 9, 5 and 1 are judged."""
    short = dataclasses.replace(
        result,
        retrieved=np.array([[10, 10, 5, 2], [30, 10, 5, 1]]),
        judged_at_10=np.array([[1.0, 0.9, 0.5, 0.1], [1.0, 1.0, 0.5, 0.1]]),
    )
    table = summary_tables.unjudged(short)
    assert column(table, "Judged@10") == pytest.approx([2.5 / 4, 2.6 / 4])
    assert column(table, "Unjudged@10") == pytest.approx([0.2 / 4, 0])
    assert column(table, "Empty@10") == pytest.approx([1.3 / 4, 1.4 / 4])
    assert column(table, "With unjudged") == [2, 0]
    assert "unjudged and empty together are 1" in table.caption
    of_texts = summary_tables.unjudged(dataclasses.replace(short, judged_at_10=None))
    assert column(of_texts, "Judged@10") == [None, None]
    assert "judged" not in of_texts.caption, "nothing is said of what is not shown"
    assert "without a ranking" in of_texts.caption


def test_headings_and_glossary_say_what_a_measure_cannot_see_with_its_proof(result: EvaluationResult) -> None:
    """The example of the catalogue itself is proved in the tests of every measure."""
    proof = "The grades 3 2 have the same nDCG as 3 2 0 0 0."
    heading = next(one for one in summary_tables.summary(result).columns if one.title == "nDCG@10")
    assert heading.note.endswith(proof)
    assert any(proof in row[3] for row in summary_tables.glossary(result).rows)


def test_the_queries_of_a_system_say_whether_they_count_and_why_not(result: EvaluationResult) -> None:
    chosen = dataclasses.replace(
        result,
        options=dataclasses.replace(result.options, skip_without_relevant=True, fully_judged_to=10),
        counted=np.array([[True, True, False, False]] * 2),
    )
    table = summary_tables.counting(chosen, "new", {"q9": "ninth", "q1": "another"})
    assert table.rows == [
        ("q9", "ninth", "it has no judgment", None, None, None),
        ("q1", "first", "counts", 10, 0, 0),
        ("q2", "second", "counts", 9, 1, 0),
        ("q3", "third", "left out: not all judged to rank 10", 5, 5, 0),
        ("q4", "fourth", "left out: nothing is relevant", 1, 9, 0),
    ]
    assert table.caption == "2 count in the means of new, 3 do not."


def test_a_measure_that_is_a_share_is_shown_with_decimals_and_a_count_without(
    result: EvaluationResult,
) -> None:
    shares = dataclasses.replace(result, measures=parse_all(["Judged@10", "NumRelRet"]))
    assert [one.decimals for one in summary_tables.summary(shares).columns[1:3]] == [4, 0]
    assert [one.decimals for one in summary_tables.per_query(shares).columns[2:6]] == [4, 4, 0, 0]
