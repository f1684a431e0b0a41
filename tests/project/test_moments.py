"""Snapshots, scores as of an earlier moment, and what changed since."""

from datetime import datetime
from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import moments
from annotator.project.importing import ImportChoices
from annotator.project.project import Project
from annotator.project.since import since
from annotator.records import GoldAnswer, GoldList

ONE = Options(measures=("CG@10",))


def grade(project: Project, candidate: str, value: int) -> None:
    key = next(one.key for one in project.query(1).candidates if one.id == candidate)
    project.set_grade(1, key, value)


def test_a_snapshot_keeps_the_scores_of_its_moment(project: Project, tmp_path: Path) -> None:
    grade(project, "d1", 3)
    before = project.evaluate(ONE)
    moments.take_snapshot(project.store, "Ann", "first round")
    grade(project, "d1", 5)
    grade(project, "d2", 1)
    project.use_annotator("Bob")
    grade(project, "d1", 0)
    (tmp_path / "alpha.run").write_text("q1 Q0 d8 1 2.0 alpha\n", "utf-8")
    project.run_import(project.plan_import([tmp_path / "alpha.run"], ImportChoices(replace=True)))
    then = project.evaluate(Options(measures=("CG@10",), as_of="first round"))
    assert then.scores.tolist() == before.scores.tolist()
    assert then.judged_at_10.tolist() == before.judged_at_10.tolist()  # type: ignore[union-attr]
    assert "first round" in then.notes[-1]
    assert "--as-of 'first round'" in then.provenance.command
    assert project.evaluate(ONE).scores.tolist() != before.scores.tolist()


def test_a_snapshot_keeps_the_gold_answers_of_its_moment(answers: Project) -> None:
    exact = Options(measures=("EM",))
    moments.take_snapshot(answers.store, "Ann", "then")
    answers.set_gold(2, GoldList("thor", (GoldAnswer("Infinity Gauntlet"),)))
    assert answers.evaluate(exact).of("reader", "EM").tolist() == [1, 1]
    assert answers.evaluate(Options(measures=("EM",), as_of="then")).of("reader", "EM").tolist() == [1, 0]


def test_snapshots_are_listed_and_their_names_stand_for_one_state(project: Project) -> None:
    grade(project, "d1", 3)
    moments.take_snapshot(project.store, "Ann", "one")
    moments.take_snapshot(project.store, "Ann", "two")
    first, second = moments.snapshots(project.store)
    assert (first.name, first.judgments, first.systems) == ("one", 1, ("alpha", "beta"))
    assert second.time >= first.time
    for name in ("one", "  "):
        with pytest.raises(UserError):
            moments.take_snapshot(project.store, "Ann", name)


def test_what_changed_since_a_snapshot_is_told_grade_by_grade(project: Project, tmp_path: Path) -> None:
    grade(project, "d1", 3)
    grade(project, "d3", 2)
    moments.take_snapshot(project.store, "Ann", "then")
    grade(project, "d1", 5)
    grade(project, "d2", 0)
    (tmp_path / "gamma.run").write_text("q1 Q0 d8 1 2.0 gamma\n", "utf-8")
    project.run_import(project.plan_import([tmp_path / "gamma.run"]))
    found = since(project.store, ONE, "then")
    assert [(one.candidate_id, one.before, one.after) for one in found.grades] == [
        ("d1", 3, 5),
        ("d2", None, 0),
    ]
    assert found.systems == ("gamma",)
    assert [(one.system, one.before, one.after) for one in found.scores] == [("alpha", 5, 7), ("beta", 5, 7)]


def test_a_date_is_a_moment_too(project: Project) -> None:
    grade(project, "d1", 3)
    today = datetime.now().astimezone().date().isoformat()
    assert project.evaluate(Options(measures=("CG@10",), as_of=today)).scores.tolist() == [[[3]], [[3]]]
    with pytest.raises(UserError, match="There was no system as of 1999-01-01"):
        project.evaluate(Options(as_of="1999-01-01"))
    with pytest.raises(UserError, match="neither a snapshot nor a date"):
        project.evaluate(Options(as_of="last Friday"))


def test_undone_grades_are_undone_in_the_past_as_well(project: Project) -> None:
    grade(project, "d1", 3)
    grade(project, "d1", 5)
    project.undo()
    moments.take_snapshot(project.store, "Ann", "after undo")
    grade(project, "d1", 0)
    then = project.evaluate(Options(measures=("CG@10",), as_of="after undo"))
    assert then.of("alpha", "CG@10").tolist() == [3]
