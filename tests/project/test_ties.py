from dataclasses import replace

import numpy as np
import pytest

from annotator.evaluation.options import Options
from annotator.evaluation.stating import ties as said_of_ties
from annotator.project import ties
from annotator.project.project import Project
from annotator.records import Dataset, Query
from tests.project.conftest import add, run_table

RR = Options(measures=("RR",))


@pytest.fixture
def tied(project: Project) -> Project:
    """Add a system that gives the same score to the first three of four candidates, and grade one of them."""
    table = run_table("tied", {"q9": ["d4", "d3", "d2", "d1"], "q3": ["d1", "d2"]})
    scores = np.where(table.rank < 4, 2.0, 1.0)
    scores[table.query == table.query_ids.index("q3")] = [5.0, 4.0]
    add(project, Dataset(queries=[Query("q9", "geese")], runs=[replace(table, score=scores)]))
    key = {row.id: row.key for row in project.query_rows(project.query_keys())}["q9"]
    keys = {one.id: one.key for one in project.query(key).candidates}
    project.set_grade(key, keys["d3"], 4)
    return project


def test_the_order_of_equal_scores_bounds_a_project_s_scores(tied: Project) -> None:
    result = tied.evaluate(RR)
    assert result.tied is not None
    assert dict(zip(result.systems, result.tied[:, 0].tolist(), strict=True)) == {
        "alpha": 0,
        "beta": 0,
        "tied": 3,
    }
    assert result.mean("tied", "RR") == 0.5
    assert result.mean_by_ties("tied", "RR") == pytest.approx((1 / 3, 1))


def test_a_run_in_its_own_order_has_no_ties(project: Project) -> None:
    table = run_table("own", {"q1": ["d2", "d1"]})
    add(project, Dataset(runs=[replace(table, score=np.ones(2), order_rule="given")]))
    keys = {one.id: one.key for one in project.query(1).candidates}
    project.set_grade(1, keys["d1"], 4)
    result = project.evaluate(RR)
    assert result.tied is not None
    assert not result.tied.any()
    assert result.tie_range is None


def test_a_long_run_of_which_little_is_judged_has_its_ties(
    tied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "MOST_ROWS", 4)  # the run has six rows, the judged query's ranking four
    result = tied.evaluate(RR)
    assert result.tied is not None
    assert result.tied.tolist() == [[0], [0], [3]]


def test_very_long_rankings_are_not_looked_through(tied: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "MOST_ROWS", 3)
    result = tied.evaluate(RR)
    assert result.tied is not None
    assert result.tied.tolist() == [[0], [0], [-1]]
    assert result.tie_range is None
    assert result.notes == ("Ties were not counted for tied: their rankings hold more than 3 candidates.",)


def test_a_system_whose_ties_are_not_counted_hides_no_other_s(
    tied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = run_table("short", {"q9": ["d2", "d3"]})
    add(tied, Dataset(runs=[replace(table, score=np.ones(2))]))
    monkeypatch.setattr(ties, "MOST_ROWS", 3)
    result = tied.evaluate(RR)
    assert said_of_ties(result) == [
        "2 candidates of short share their score with another; by their order alone: RR 0.5000 to 1.0000."
    ]
    assert result.mean_by_ties("tied", "RR") is None
