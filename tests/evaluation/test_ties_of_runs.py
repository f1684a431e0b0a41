from dataclasses import replace

import numpy as np
import pytest

from annotator.evaluation.conventions_text import reach, ties
from annotator.evaluation.evaluator import Collection, evaluate
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.subsets import narrowed
from annotator.evaluation.tables import Rows, collect
from tests.metrics.throwaway import bare, offer

QRELS = [("q1", "a", 1), ("q2", "b", 2), ("q2", "c", 0)]
TIED = [("q1", "a", 1.0), ("q1", "b", 1.0), ("q1", "c", 1.0), ("q2", "b", 2.0), ("q2", "c", 1.0)]
UNTIED = [("q1", "a", 3.0), ("q1", "b", 2.0), ("q2", "c", 2.0), ("q2", "b", 1.0)]


def columns(rows: list[tuple[str, str, float]]) -> Rows:
    query, candidate, value = zip(*rows, strict=True)
    return Rows(np.array(query, dtype=object), np.array(candidate, dtype=object), np.array(value))


def evaluated(**options: object) -> EvaluationResult:
    runs = {"tied": columns(TIED), "untied": columns(UNTIED)}
    collection: Collection = collect(columns(QRELS), runs)
    asked = Options(**{"measures": ("RR", "AP"), **options})
    return evaluate(collection, asked, Provenance("test", "1"))


def test_ties_are_counted_and_bound_what_their_order_could_give() -> None:
    result = evaluated()
    assert result.tied is not None
    assert result.tied.tolist() == [[3, 0], [0, 0]]
    assert result.mean("tied", "RR") == pytest.approx((1 / 3 + 1) / 2)
    assert result.mean_by_ties("tied", "RR") == pytest.approx(((1 / 3 + 1) / 2, 1))
    assert result.mean_by_ties("untied", "RR") == pytest.approx((0.75, 0.75))


def test_only_judged_candidates_among_the_tied_leave_nothing_open() -> None:
    assert evaluated(judged_only=True).mean_by_ties("tied", "RR(judged_only=True)") == (1, 1)


def test_the_range_is_said_for_systems_with_ties_alone() -> None:
    assert ties(evaluated()) == [
        (
            "3 candidates of tied share their score with another; by their order alone: "
            "RR 0.6667 to 1.0000, AP 0.6667 to 1.0000."
        )
    ]
    assert ties(narrowed(evaluated(), {"q2"})) == []


def test_a_mean_that_no_order_moves_is_not_listed() -> None:
    assert ties(evaluated(measures=("RR", "NumRet"))) == [
        "3 candidates of tied share their score with another; by their order alone: RR 0.6667 to 1.0000."
    ]
    assert ties(evaluated(measures=("NumRet",))) == [
        "3 candidates of tied share their score with another; their order changes no digit shown."
    ]


def test_without_ties_there_is_no_range() -> None:
    collection = collect(columns(QRELS), {"untied": columns(UNTIED)})
    result = evaluate(collection, Options(measures=("RR",)), Provenance("test", "1"))
    assert result.tie_range is None
    assert result.mean_by_ties("untied", "RR") is None


def test_a_measure_that_does_not_claim_its_range_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, bare)
    result = evaluated(measures=("Bare@1", "RR"))
    assert result.mean("tied", "Bare@1") == pytest.approx(0.5)
    assert result.mean_by_ties("tied", "Bare@1") is None
    assert list(reach(result, "tied")) == ["RR"]
    assert "RR 0.6667 to 1.0000." in ties(result)[0]
    assert "Bare" not in ties(result)[0]


def test_a_range_is_over_the_queries_that_have_a_score() -> None:
    runs = {"tied": columns(TIED)}
    collection = replace(collect(columns(QRELS), runs), graded=np.array([True, False]))
    result = evaluate(collection, Options(measures=("RR",)), Provenance("test", "1"))
    assert result.mean("tied", "RR") == pytest.approx(1 / 3)
    assert result.mean_by_ties("tied", "RR") == pytest.approx((1 / 3, 1))
