"""Correlations as tables."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from annotator.evaluation.relating import KINDS, between_measures, between_orders, between_systems
from annotator.evaluation.results import EvaluationResult


def test_measures_are_related_over_the_queries_that_both_score(result: EvaluationResult) -> None:
    ((first, second, value, *_, n, caution),) = between_measures(result, "old").rows
    assert (first, second, n) == ("nDCG@10", "RR", 3)
    assert value == pytest.approx(1.0)
    assert "very small" in caution


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_systems_are_related_under_one_measure(result: EvaluationResult, kind: str) -> None:
    peers = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}
    table = between_systems(result, "nDCG@10", kind)
    x, y = result.of("old", "nDCG@10"), result.of("new", "nDCG@10")
    assert table.rows[0][:3] == ("old", "new", pytest.approx(float(peers[kind](x, y).statistic)))
    assert table.columns[2].title == KINDS[kind]


def test_a_query_that_does_not_count_is_left_out(result: EvaluationResult) -> None:
    fewer = dataclasses.replace(result, counted=np.array([[True] * 4, [True, True, True, False]]))
    assert between_systems(fewer, "nDCG@10").rows[0][6] == 3


def test_the_rankings_of_the_systems_are_related_by_tau_and_tau_ap(result: EvaluationResult) -> None:
    swapped = dataclasses.replace(result, scores=np.stack([result.scores[0] * 0.5, result.scores[1]]))
    ((*_, n, caution, tau_ap),) = between_orders(swapped).rows
    assert (n, tau_ap) == (2, 1.0)
    assert "very small" in caution


def test_equal_means_leave_the_correlation_of_the_rankings_undefined(result: EvaluationResult) -> None:
    (row,) = between_orders(result).rows
    assert np.isnan(row[2])
    assert "not defined" in row[7]
