"""The preset cQA as the tables that community question answering prints."""

import numpy as np
import pytest

from annotator.evaluation.cqa import cqa_of, cqa_tables
from annotator.evaluation.evaluating import Collection, SystemRows, evaluate
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.subsets import narrowed
from annotator.metrics.collection import Ranked
from annotator.metrics.cqa import cqa_table
from annotator.reports.contents import Material, csv_tables, summary

RANKINGS = {
    "standard": [[0, 1, 0], [0, 0, 0], [5, 0, 3], [0, 0, 2]],
    "stemming": [[4, 0, 0], [0, 2, 0], [5, 3, 0], [0, 0, 2]],
}


def result_of(*measures: str, rel: int = 1) -> EvaluationResult:
    """Evaluate two systems' rankings of four questions."""
    systems = tuple(SystemRows(name, Ranked.of_rankings(grades)) for name, grades in RANKINGS.items())
    collection = Collection(("q1", "q2", "q3", "q4"), systems)
    return evaluate(collection, Options(measures, rel=rel), Provenance("lab", "1"))


@pytest.mark.parametrize("rel", [1, 3])
def test_the_tables_are_those_of_the_kernel(rel: int) -> None:
    found = cqa_of(result_of("cQA", rel=rel))
    for name, grades in RANKINGS.items():
        expected = cqa_table(Ranked.of_rankings(grades), 15, rel)
        for part in ("queries", "avgrec", "map", "mrr"):
            assert getattr(found[name], part) == pytest.approx(getattr(expected, part))
        for part in ("rec1", "acc", "ac1", "ac2"):
            assert np.allclose(getattr(found[name], part), getattr(expected, part))


def test_systems_stand_side_by_side_for_every_k() -> None:
    means, at_k = cqa_tables(result_of("cQA"))
    assert [column.title for column in means.columns] == ["System", "MRR", "MAP", "AvgRec", "Questions"]
    assert list(means.data[0]) == ["standard", "stemming"]
    assert [column.title for column in at_k.columns][:5] == [
        "k",
        "REC-1 standard",
        "ACC standard",
        "AC1 standard",
        "AC2 standard",
    ]
    assert list(at_k.data[0]) == list(range(1, 16))
    assert list(at_k.data[4])[:3] == [1, 2, 4]
    assert list(at_k.data[8])[:3] == [2, 4, 5]


def test_other_measures_have_no_such_tables() -> None:
    assert cqa_tables(result_of("nDCG@10", "RR")) == ()
    assert cqa_tables(result_of("Success@1", "P@1", "RR@1", "AP@1", "NumRelRet")) == ()


def test_only_the_queries_that_are_shown_count() -> None:
    found = cqa_of(narrowed(result_of("cQA"), {"q1", "q3"}))
    assert found["standard"].queries == 2
    assert found["standard"].mrr == pytest.approx(75)


def test_the_report_holds_the_tables() -> None:
    result = result_of("cQA")
    assert [table.key for table in summary(Material(result)).tables][-2:] == ["cqa", "cqa-at-k"]
    assert len(csv_tables(Material(result))["cqa-at-k"]) == 15
