"""What goes together, as one table."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from annotator.evaluation.correlation_tables import KINDS, together
from annotator.evaluation.result_table import Cell
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.catalogue import parse_all


def rows(result: EvaluationResult, what: str, kind: str = "spearman") -> list[tuple[Cell, ...]]:
    found = together(result, "nDCG@10", "old", kind).rows
    return [row[1:] for row in found if str(row[0]) == what]


def test_measures_are_related_over_the_queries_that_both_score(result: EvaluationResult) -> None:
    ((first, second, _, value, n, *_),) = rows(result, "measures, old")
    assert (first, second, n) == ("nDCG@10", "RR", 3)
    assert value == pytest.approx(1.0)
    assert "n = 3 is very small" in together(result, "nDCG@10", "old").caption


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_systems_are_related_under_one_measure(result: EvaluationResult, kind: str) -> None:
    peers = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}
    x, y = result.of("old", "nDCG@10"), result.of("new", "nDCG@10")
    value = pytest.approx(float(peers[kind](x, y).statistic))
    assert rows(result, "systems, nDCG@10", kind)[0][:4] == ("old", "new", KINDS[kind], value)


def test_a_query_that_does_not_count_is_left_out(result: EvaluationResult) -> None:
    fewer = dataclasses.replace(result, counted=np.array([[True] * 4, [True, True, True, False]]))
    assert rows(fewer, "systems, nDCG@10")[0][4] == 3


def test_the_orders_of_the_systems_are_related_by_tau_and_tau_ap(result: EvaluationResult) -> None:
    swapped = dataclasses.replace(result, scores=np.stack([result.scores[0] * 0.5, result.scores[1]]))
    tau, top = rows(swapped, "orders")
    assert tau[:4] == ("nDCG@10", "RR", "Kendall's tau-b", 1.0)
    assert top[2:5] == ("tau-AP", 1.0, 2)


def test_equal_means_leave_the_correlation_of_the_orders_undefined(result: EvaluationResult) -> None:
    tau, top = rows(result, "orders")
    assert np.isnan([tau[3], top[3]]).all()
    found = together(result, "nDCG@10", "old")
    without = int(np.isnan([row[4] for row in found.rows]).sum())
    assert f" {without} of {len(found)} coefficients (–) are not defined, because one side" in found.caption
    assert found.caption.count("not defined") == 1


def test_one_system_and_one_measure_have_nothing_to_go_with(result: EvaluationResult) -> None:
    alone = dataclasses.replace(
        result,
        systems=result.systems[:1],
        measures=result.measures[:1],
        scores=result.scores[:1, :1],
        counted=result.counted[:1],
    )
    assert len(together(alone, "nDCG@10", "old")) == 0


def test_many_measures_are_each_related_to_one_alone(result: EvaluationResult) -> None:
    names = [f"P@{k}" for k in range(1, 10)]
    many = dataclasses.replace(
        result, measures=parse_all(names), scores=np.repeat(result.scores, 5, 1)[:, :9]
    )
    found = together(many, "P@3", "old")
    related = [row[1:3] for row in found.rows if row[0] == "measures, old"]
    assert related == [("P@3", name) for name in names if name != "P@3"]
    assert "Each measure with P@3 alone" in found.caption


def test_a_p_of_a_coefficient_is_said_to_stand_alone(result: EvaluationResult) -> None:
    said = together(result, "nDCG@10", "old").caption
    assert "Each p is of its coefficient alone, not corrected for their number." in said
