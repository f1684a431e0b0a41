import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator import api
from annotator.errors import Stopped
from annotator.evaluation.conventions_text import ties as said_of_ties
from annotator.evaluation.options import Options
from annotator.project import browse, data_import, judging, project_scores, tie_counter
from annotator.project.project import Project
from annotator.records import Dataset, Query
from annotator.storage.reads import arrays
from annotator.watch import Watch
from tests.project.conftest import add, run_table

RR = Options(measures=("RR",))


@pytest.fixture
def tied(project: Project) -> Project:
    """Add a system that gives the same score to the first three of four candidates, and grade one of them."""
    table = run_table("tied", {"q9": ["d4", "d3", "d2", "d1"], "q3": ["d1", "d2"]})
    scores = np.where(table.rank < 4, 2.0, 1.0)
    scores[table.query == table.query_ids.index("q3")] = [5.0, 4.0]
    add(project, Dataset(queries=[Query("q9", "geese")], runs=[replace(table, score=scores)]))
    key = {row.id: row.key for row in browse.query_rows(project, browse.query_keys(project))}["q9"]
    keys = {one.id: one.key for one in browse.query(project, key).candidates}
    judging.set_grade(project, key, keys["d3"], 4)
    return project


def test_the_order_of_equal_scores_bounds_a_project_s_scores(tied: Project) -> None:
    result = project_scores.evaluate_project(tied, RR)
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
    keys = {one.id: one.key for one in browse.query(project, 1).candidates}
    judging.set_grade(project, 1, keys["d1"], 4)
    result = project_scores.evaluate_project(project, RR)
    assert result.tied is not None
    assert not result.tied.any()
    assert result.tie_range is None


def test_a_long_run_of_which_little_is_judged_has_its_ties(
    tied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tie_counter, "MOST_ROWS", 4)  # the run has six rows, the judged query's ranking four
    result = project_scores.evaluate_project(tied, RR)
    assert result.tied is not None
    assert result.tied.tolist() == [[0], [0], [3]]


def test_very_long_rankings_are_looked_through_only_when_asked(
    tied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = project_scores.evaluate_project(tied, RR).mean_by_ties("tied", "RR")
    monkeypatch.setattr(tie_counter, "MOST_ROWS", 3)
    result = project_scores.evaluate_project(tied, RR)
    assert result.tied is not None
    assert result.tied.tolist() == [[0], [0], [-1]]
    assert result.tie_range is None
    assert "Ties were not counted for tied: " in " ".join(result.notes)
    counted = project_scores.evaluate_project(tied, replace(RR, count_ties=True))
    assert counted.tied is not None
    assert counted.tied.tolist() == [[0], [0], [3]]
    assert counted.mean_by_ties("tied", "RR") == known
    assert "Ties" not in " ".join(counted.notes)
    assert counted.provenance.command.endswith("--count-ties")


def test_the_ties_of_systems_that_nobody_chose_are_neither_counted_nor_missed(
    tied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tie_counter, "MOST_ROWS", 3)
    looked: list[int] = []
    monkeypatch.setattr(arrays, "tied", lambda db, run, query: looked.append(run))
    result = project_scores.evaluate_project(tied, replace(RR, systems=("alpha",), count_ties=True))
    assert result.systems == ("alpha",)
    assert "Ties" not in " ".join(result.notes)
    assert not looked


def test_counting_ties_tells_how_far_it_is_can_be_stopped_and_is_done_once(
    tied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tie_counter, "MOST_ROWS", 3)
    asked = replace(RR, count_ties=True)
    told: list[str] = []

    def tell(done: int, total: int, what: str) -> None:
        told.append(f"{what}, {done} of {total}")

    with pytest.raises(Stopped):
        project_scores.evaluate_project(tied, asked, watch=Watch("", tell, lambda: True))
    assert not tied.store.tied
    first = project_scores.evaluate_project(tied, asked, watch=Watch(on_progress=tell))
    assert "Counting the ties of tied, 0 of 1" in told
    monkeypatch.setattr(arrays, "tied", None)  # not looked for again
    again = project_scores.evaluate_project(tied, asked)
    assert again.mean_by_ties("tied", "RR") == first.mean_by_ties("tied", "RR") is not None


@given(st.data())
@settings(max_examples=40)
def test_a_project_bounds_ties_as_files_do(data: st.DataObject) -> None:
    """The same rankings, stored with their scores, against what is found of columns in memory."""
    scores = data.draw(
        st.lists(
            st.lists(st.sampled_from([3.0, 2.5, 2.0, 1e-9, -1.0]), min_size=1, max_size=8),
            min_size=1,
            max_size=3,
        )
    )
    names = [[f"d{at}" for at in range(len(one))] for one in scores]
    run = {f"q{at}": dict(zip(names[at], one, strict=True)) for at, one in enumerate(scores)}
    grades = st.integers(0, 3)
    qrels = {f"q{at}": {name: data.draw(grades) for name in one[::2]} for at, one in enumerate(names)}
    measures = ["RR", "nDCG@3", "AP"]
    expected = api.evaluate(qrels, {"tied": run}, measures).result
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        path.write_text(json.dumps(run))
        (Path(folder) / "qrels.json").write_text(json.dumps(qrels))
        with Project.create(Path(folder) / "p.annot", "Ties", annotator="mara") as project:
            files = [path, Path(folder) / "qrels.json"]
            data_import.run_import(project, data_import.plan_import(project, files))
            found = project_scores.evaluate_project(project, Options(measures=tuple(measures)))
    assert found.tied is not None
    assert expected.tied is not None
    assert found.tied.tolist() == expected.tied.tolist()
    for measure in measures:
        assert found.mean_by_ties(found.systems[0], measure) == expected.mean_by_ties("tied", measure)


def test_a_system_whose_ties_are_not_counted_hides_no_other_s(
    tied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = run_table("short", {"q9": ["d2", "d3"]})
    add(tied, Dataset(runs=[replace(table, score=np.ones(2))]))
    monkeypatch.setattr(tie_counter, "MOST_ROWS", 3)
    result = project_scores.evaluate_project(tied, RR)
    assert said_of_ties(result) == [
        "2 candidates of short share their score with another; by their order alone: RR 0.5000 to 1.0000."
    ]
    assert result.mean_by_ties("tied", "RR") is None
