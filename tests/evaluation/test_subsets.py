"""Means over the queries of each tag."""

import dataclasses

import numpy as np

from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import by_tag, narrowed


def test_a_query_with_two_tags_counts_under_both(result: EvaluationResult) -> None:
    means = by_tag(result, "nDCG@10")
    assert means.tags == ("long", "short")
    assert means.counts == (2, 2)
    assert means.values.tolist() == [[0.375, 0.75], [0.625, 0.5]]


def test_a_tag_whose_queries_have_no_value_has_no_mean(result: EvaluationResult) -> None:
    lonely = dataclasses.replace(result, tags=((), (), (), ("alone",)))
    assert np.isnan(by_tag(lonely, "RR").values).all()


def test_a_narrowed_result_knows_nothing_of_the_other_queries(result: EvaluationResult) -> None:
    part = narrowed(result, {"q2", "q3"})
    assert part.query_ids == ("q2", "q3")
    assert part.query_texts == ("second", "third")
    assert part.scores.shape == (2, 2, 2)
    assert part.mean("old", "nDCG@10") == 0.375
    assert part.relevant is not None
    assert part.relevant.tolist() == [1, 3]
    assert part.judged_at_10 is not None
    assert part.judged_at_10.tolist() == [[1.0, 0.5], [0.9, 0.5]]
    assert part.tied is None
    assert part.left_out == ()
