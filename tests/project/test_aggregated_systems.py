"""Systems are put together into a new one that can be judged and compared."""

from pathlib import Path

import numpy as np
import pytest

from annotator.errors import ChoiceError, UserError
from annotator.evaluation.options import Options
from annotator.project import browse, judging, project_scores
from annotator.project.aggregated_systems import RULES, combine_annotators, combine_systems
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query, RunTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.reads import arrays, holdings
from tests.project.scores import by

VOTES = {"first": "ABC", "second": "ACB", "third": "BAC"}


def run_of(system: str, ranking: str) -> RunTable:
    """Return one system's ranking of one query."""
    places = np.arange(len(ranking), dtype=np.int32)
    return RunTable(
        system, ["q"], list(ranking), np.zeros(len(ranking), np.int32), places, places + 1, order_rule="given"
    )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return the tutorial's three voters as three systems."""
    made = Project.create(tmp_path / "p.annot", "Votes", "Ada")
    runs = [run_of(system, ranking) for system, ranking in VOTES.items()]
    documents = [Document(one) for one in "ABC"]
    import_dataset(
        made.store, Dataset([Query("q", "best?")], documents, runs=runs), Import("Ada", "t", "person")
    )
    return made


def ranking(project: Project, system: str) -> list[tuple[str, float]]:
    """Return a system's candidates of the one query with their scores, best first."""
    with project.store.reading() as db:
        run = next(run for run in holdings.runs(db) if run.name == system)
        known, ids = arrays.external_ids(db, "candidate")
        ((_, candidates, _, scores),) = arrays.rankings(db, run.key)
        return [
            (ids[at], score) for at, score in zip(np.searchsorted(known, candidates), scores, strict=True)
        ]


@pytest.mark.parametrize(
    ("rule", "points"), [("borda", [5, 3, 1]), ("borda+1", [8, 6, 4]), ("copeland", [2, 0, -2])]
)
def test_the_tutorials_votes_elect_a_then_b_then_c(project: Project, rule: str, points: list[float]) -> None:
    with project:
        combine_systems(by(project, "Ada"), list(VOTES), rule, name="elected")  # type: ignore[arg-type]
        assert ranking(project, "elected") == list(zip("ABC", points, strict=True))


def test_every_rule_makes_a_system_named_after_it(project: Project) -> None:
    with project:
        for rule in RULES:
            combine_systems(by(project, "Ada"), ["first", "third"], rule)
        names = [system.name for system in browse.contents(project).systems]
        assert names[3:] == [f"{rule}-first-third" for rule in RULES]


def test_the_new_system_is_evaluated_like_any_other(project: Project) -> None:
    with project:
        change = combine_systems(by(project, "Ada"), list(VOTES), "rrf", name="fused", top_k=2)
        rows, left_out = change.said.split(". ")
        assert rows == "fused: 2 ranked candidates for 1 query (rrf of first, second, third)"
        assert left_out == "A ranking gives nothing to what it leaves out."
        key = browse.query_keys(project)[0]
        best = next(one for one in browse.query(project, int(key)).candidates if one.id == "A")
        judging.set_grade(project, int(key), best.key, 5)
        result = project_scores.evaluate_project(project, Options(("RR",)))
        assert dict(zip(result.systems, result.scores[:, 0, 0].tolist(), strict=True)) == {
            "first": 1,
            "second": 1,
            "third": 0.5,
            "fused": 1,
        }


def test_what_is_not_there_or_already_there_is_refused(project: Project) -> None:
    with project:
        with pytest.raises(UserError, match="at least two"):
            combine_systems(by(project, "Ada"), ["first", "first"])
        with pytest.raises(UserError, match="no system 'fourth'"):
            combine_systems(by(project, "Ada"), ["first", "fourth"])
        combine_systems(by(project, "Ada"), ["first", "second"], name="fused")
        with pytest.raises(ChoiceError, match="fused"):
            combine_systems(by(project, "Ada"), ["first", "third"], name="fused")
        combine_systems(by(project, "Ada"), ["first", "third"], name="fused", replace=True)


GRADES = {"Ada": {"A": 5, "B": 3, "C": 0}, "Ben": {"A": 4, "B": 5, "C": 1}, "Cleo": {"A": 5, "B": 4, "C": 0}}


def test_annotators_who_disagree_become_a_consensus_ranking(project: Project) -> None:
    with project:
        for name, grades in GRADES.items():
            project.use_annotator(name)
            view = browse.query(project, browse.query_keys(project).tolist()[0])
            for candidate in view.candidates:
                judging.set_grade(project, view.key, candidate.key, grades[candidate.id])
        change = combine_annotators(by(project, "Ada"), list(GRADES), name="consensus")
        assert "borda of Ada, Ben, Cleo" in change.said
        assert ranking(project, "consensus") == [("A", 5), ("B", 4), ("C", 0)]


def test_only_annotators_who_graded_can_be_put_together(project: Project) -> None:
    with project:
        with pytest.raises(UserError, match="Nobody called 'Ben' has graded here"):
            combine_annotators(by(project, "Ada"), ["Ben", "Cleo"])
        with pytest.raises(UserError, match="at least two annotators"):
            combine_annotators(by(project, "Ada"), ["Ben", "Ben"])
