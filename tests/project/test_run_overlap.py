"""How alike the systems of a project rank: over which queries, in the report, before anything is judged."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import data_import, report_material
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_report
from annotator.project.report_material import gathered
from annotator.project.run_overlap import overlap
from annotator.project.state import state_of
from tests.evaluation.test_rank_overlap import summed

MakeRuns = Callable[[dict[str, dict[str, list[int]]]], Project]
RANKING = st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True)
RUNS = st.dictionaries(
    st.sampled_from(["one", "two", "three"]),
    st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), RANKING, min_size=1),
    min_size=2,
)


def project_of(folder: Path, runs: dict[str, dict[str, list[int]]]) -> Project:
    """Return a project of rankings alone."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "p.annot"
    path.unlink(missing_ok=True)
    project = Project.create(path, "Unjudged", annotator="ann")
    for name, rankings in runs.items():
        file = folder / f"{name}.run"
        lines = [
            f"{query} Q0 d{one} {rank} {100 - rank} {name}\n"
            for query, ranking in rankings.items()
            for rank, one in enumerate(ranking, 1)
        ]
        file.write_text("".join(lines))
        data_import.run_import(project, data_import.plan_import(project, [file]))
    return project


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS, st.sampled_from([0.5, 0.9]), st.sets(st.sampled_from(["q1", "q2", "q3"])))
def test_it_is_the_mean_over_the_queries_that_both_rank(tmp_path, runs, p, kept) -> None:
    with project_of(tmp_path, runs) as project:
        found = overlap(state_of(project), p=p, only=kept)
        assert len(found) == len(runs) * (len(runs) - 1) // 2
        for first, second, value, _, _, queries in found.rows:
            both = runs[first].keys() & runs[second].keys() & kept
            assert queries == len(both)
            if both:
                values = [summed(runs[first][one], runs[second][one], p) for one in both]
                assert value == pytest.approx(np.mean(values), abs=1e-9)


def test_a_report_of_what_nobody_judged_says_how_alike_the_systems_rank(tmp_path, monkeypatch) -> None:
    runs = {name: {"q1": [1, 2, 3], "q2": [3, last]} for name, last in (("a", 1), ("b", 2), ("c", 4))}
    with project_of(tmp_path, runs) as project:
        choice = Choice("csv", table="overlap")
        write_report(project, tmp_path / "overlap.csv", Options(), choice)
        with (tmp_path / "overlap.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert [(row["first"], row["second"], row["queries"]) for row in rows] == [
            ("a", "b", "2"),
            ("a", "c", "2"),
            ("b", "c", "2"),
        ]
        whole = gathered(state_of(project), Options(), Choice())
        assert overlap(state_of(project)).rows == whole.overlap.rows
        two = gathered(state_of(project), Options(systems=("a", "c")), Choice())
        assert [row[:2] for row in two.overlap.rows] == [("a", "c")]

        monkeypatch.setattr(report_material, "MOST_RANKINGS", 5)
        assert "6 pairs of rankings" in gathered(state_of(project), Options(), Choice()).overlap
        asked = gathered(state_of(project), Options(), Choice(sections=("overlap",)))
        assert len(asked.overlap) == 3, "who asks for it gets it"


def test_one_system_alone_has_no_such_section(tmp_path) -> None:
    with project_of(tmp_path, {"a": {"q1": [1]}}) as project:
        assert gathered(state_of(project), Options(), Choice()).overlap == ""
        with pytest.raises(UserError, match="takes two systems"):
            overlap(state_of(project))
