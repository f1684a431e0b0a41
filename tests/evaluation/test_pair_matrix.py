"""All pairs as a square: antisymmetric, ordered by the means, marked and shaded alike on both sides."""

from dataclasses import replace

import numpy as np
import pytest

from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.pair_matrix import pair_matrix
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.metrics.catalogue import parse_all

SYSTEMS = ("a", "b", "c", "d")


@pytest.fixture(scope="module", params=range(3))
def result(request: pytest.FixtureRequest) -> EvaluationResult:
    """Return four systems over thirty queries, two of them far apart."""
    random = np.random.default_rng(request.param)
    scores = np.clip(
        random.random((4, 1, 30)) / 2 + random.permutation([0, 0.01, 0.1, 0.5])[:, None, None], 0, 1
    )
    return EvaluationResult(
        systems=SYSTEMS,
        measures=parse_all(["AP"]),
        query_ids=tuple(f"q{at}" for at in range(30)),
        scores=scores,
        counted=np.ones((4, 30), dtype=bool),
        options=Options(measures=("AP",)),
        provenance=Provenance("sample", "0.1.0"),
    )


def test_each_field_is_the_rows_mean_minus_the_columns(result: EvaluationResult) -> None:
    compared = compare_all(result, ComparisonChoice(test="t", correction="holm"))
    table = pair_matrix(compared, "AP")
    means = {name: result.mean(name, "AP") for name in SYSTEMS}
    assert list(table.data[0]) == sorted(SYSTEMS, key=lambda name: -means[name])
    most = max(means.values()) - min(means.values())
    significant = {frozenset((one.first, one.second)) for one in compared if one.significant}
    assert significant
    for row, cells in enumerate(table.rows):
        for at, column in enumerate(table.columns[1:], 1):
            pair = frozenset((str(cells[0]), column.title))
            assert column.shade == pytest.approx((-most, most))
            assert ((row, at) in table.marks) == (pair in significant)
            if len(pair) == 1:
                assert cells[at] is None
            else:
                assert cells[at] == pytest.approx(means[str(cells[0])] - means[column.title])
    assert "† p < 0.05" in table.caption
    assert "Holm over 6 comparisons" in table.caption
    assert "interval" not in table.caption, "none is shown"


def test_what_is_not_compared_has_no_value_and_no_sign_is_explained_that_is_not_there(
    result: EvaluationResult,
) -> None:
    compared = compare_all(result, ComparisonChoice(baseline="b", test="t"))
    table = pair_matrix([replace(one, p=1.0) for one in compared], "AP")
    known = {
        (str(cells[0]), column.title)
        for cells in table.rows
        for cell, column in zip(cells[1:], table.columns[1:], strict=True)
        if cell is not None
    }
    assert known == {pair for name in "acd" for pair in ((name, "b"), ("b", name))}
    assert not table.marks
    assert "†" not in table.caption
    assert len(pair_matrix([], "AP")) == 0
