"""Means over the queries of each tag."""

import dataclasses

import numpy as np

from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import by_tag


def test_a_query_with_two_tags_counts_under_both(result: EvaluationResult) -> None:
    means = by_tag(result, "nDCG@10")
    assert means.tags == ("long", "short")
    assert means.counts == (2, 2)
    assert means.values.tolist() == [[0.375, 0.75], [0.625, 0.5]]


def test_a_tag_whose_queries_have_no_value_has_no_mean(result: EvaluationResult) -> None:
    lonely = dataclasses.replace(result, tags=((), (), (), ("alone",)))
    assert np.isnan(by_tag(lonely, "RR").values).all()
