"""Snapshots, scores as of an earlier moment, and what changed since."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import browse, data_import, history, judging, project_scores, snapshots
from annotator.project.changes_since import since
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.records import GoldAnswer, GoldList
from tests.project.scores import by

ONE = Options(measures=("CG@10",))


def grade(project: Project, candidate: str, value: int) -> None:
    key = next(one.key for one in browse.query(project, 1).candidates if one.id == candidate)
    judging.set_grade(project, 1, key, value)


def test_a_snapshot_keeps_the_scores_of_its_moment(project: Project, tmp_path: Path) -> None:
    grade(project, "d1", 3)
    before = project_scores.evaluate_project(project, ONE)
    snapshots.take_snapshot(by(project, "Ann"), "first round")
    grade(project, "d1", 5)
    grade(project, "d2", 1)
    project.use_annotator("Bob")
    grade(project, "d1", 0)
    (tmp_path / "alpha.run").write_text("q1 Q0 d8 1 2.0 alpha\n", "utf-8")
    data_import.run_import(
        project, data_import.plan_import(project, [tmp_path / "alpha.run"], ImportChoices(replace=True))
    )
    then = project_scores.evaluate_project(project, Options(measures=("CG@10",), as_of="first round"))
    assert then.scores.tolist() == before.scores.tolist()
    assert then.judged_at_10.tolist() == before.judged_at_10.tolist()  # type: ignore[union-attr]
    assert "first round" in then.notes[-1]
    assert "--as-of 'first round'" in then.provenance.command
    grade(project, "d2", 2)
    again = project_scores.evaluate_project(project, Options(measures=("CG@10",), as_of="first round"))
    assert again.provenance == then.provenance, "what came later changes no word of it"
    assert project_scores.evaluate_project(project, ONE).scores.tolist() != before.scores.tolist()


def test_a_snapshot_keeps_the_gold_answers_of_its_moment(answers: Project) -> None:
    exact = Options(measures=("EM",))
    snapshots.take_snapshot(by(answers, "Ann"), "then")
    judging.set_gold(answers, 2, GoldList("thor", (GoldAnswer("Infinity Gauntlet"),)))
    assert project_scores.evaluate_project(answers, exact).of("reader", "EM").tolist() == [1, 1]
    assert project_scores.evaluate_project(answers, Options(measures=("EM",), as_of="then")).of(
        "reader", "EM"
    ).tolist() == [1, 0]


def test_snapshots_are_listed_and_their_names_stand_for_one_state(project: Project) -> None:
    grade(project, "d1", 3)
    snapshots.take_snapshot(by(project, "Ann"), "one")
    snapshots.take_snapshot(by(project, "Ann"), "two")
    first, second = snapshots.snapshots(project)
    assert (first.name, first.judgments, first.systems) == ("one", 1, ("alpha", "beta"))
    assert second.time >= first.time
    for name in ("one", "  "):
        with pytest.raises(UserError):
            snapshots.take_snapshot(by(project, "Ann"), name)


def test_what_changed_since_a_snapshot_is_told_grade_by_grade(project: Project, tmp_path: Path) -> None:
    grade(project, "d1", 3)
    grade(project, "d3", 2)
    snapshots.take_snapshot(by(project, "Ann"), "then")
    grade(project, "d1", 5)
    grade(project, "d2", 0)
    (tmp_path / "gamma.run").write_text("q1 Q0 d8 1 2.0 gamma\n", "utf-8")
    data_import.run_import(project, data_import.plan_import(project, [tmp_path / "gamma.run"]))
    found = since(state_of(project), ONE, "then")
    assert [(one.candidate_id, one.before, one.after) for one in found.grades] == [
        ("d1", 3, 5),
        ("d2", None, 0),
    ]
    assert found.systems == ("gamma",)
    assert [(one.system, one.before, one.after) for one in found.scores] == [("alpha", 5, 7), ("beta", 5, 7)]


def test_a_date_is_a_moment_too(project: Project) -> None:
    grade(project, "d1", 3)
    today = datetime.now().astimezone().date().isoformat()
    assert project_scores.evaluate_project(
        project, Options(measures=("CG@10",), as_of=today)
    ).scores.tolist() == [[[3]], [[3]]]
    with pytest.raises(UserError, match="There was no system as of Fri 1999-01-01 23:59 "):
        project_scores.evaluate_project(project, Options(as_of="1999-01-01"))
    with pytest.raises(UserError, match="neither a snapshot nor a moment"):
        project_scores.evaluate_project(project, Options(as_of="last doomsday"))


def test_words_for_a_moment_are_local_time_and_mean_the_same_tomorrow(project: Project) -> None:
    grade(project, "d1", 3)
    days = [datetime.now().astimezone()]
    found = project_scores.evaluate_project(project, Options(measures=("CG@10",), as_of="today"))
    days.append(datetime.now().astimezone())  # after midnight, perhaps
    assert found.scores.tolist() == [[[3]], [[3]]]
    written = found.options.as_of
    local = next(day for day in days if written.startswith(f"{day:%Y-%m-%d}"))
    assert written == f"{local:%Y-%m-%d} 23:59{local.isoformat()[-6:]}"
    assert f"--as-of '{written}'" in found.provenance.command, "the words would mean another day tomorrow"
    assert found.notes[-1].endswith(f" as of {local:%a %Y-%m-%d} 23:59 {local:%Z}.")
    with pytest.raises(UserError, match="There was no system as of"):
        project_scores.evaluate_project(project, Options(as_of="2 hours ago"))


@pytest.mark.parametrize(
    ("words", "then"),
    [
        ("last Friday", "2026-10-23 23:59+02:00"),
        ("friday", "2026-10-23 23:59+02:00"),
        ("last Sunday", "2026-10-18 23:59+02:00"),
        ("Sat 9:05", "2026-10-24 09:05+02:00"),
        ("Yesterday  at 14:00", "2026-10-24 14:00+02:00"),
        ("today 02:15", "2026-10-25 02:15+02:00"),
        ("today", "2026-10-25 23:59+01:00"),
        ("10 hours ago", "2026-10-24 23:30+02:00"),
        ("1 week ago", "2026-10-18 08:30+02:00"),
        ("2026-10-20", "2026-10-20 23:59+02:00"),
        ("2026-10-20T17:30:05Z", "2026-10-20 19:30:05+02:00"),
    ],
)
def test_a_moment_is_read_on_the_day_when_the_clocks_go_back(
    words: str, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is Sunday 25 October 2026, 08:30 in Berlin."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert snapshots.written_out(words, now=datetime(2026, 10, 25, 8, 30, 12)) == then
        assert snapshots.written_out(then) == then
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_minute_lasts_to_its_end_and_a_snapshots_name_is_no_moment() -> None:
    asked = snapshots.milliseconds("2026-11-20 17:30+00:00")
    assert asked == datetime(2026, 11, 20, 17, 30, 59, 999_000, UTC).timestamp() * 1000
    assert (
        snapshots.written_out("yesterday", ("yesterday",)) == snapshots.in_words("yesterday") == "yesterday"
    )
    for words in ("", "now", "tomorrow", "last week", "yesterday 25:00", "99999999999 days ago", "doomsday"):
        with pytest.raises(UserError, match="neither a snapshot nor a moment; write last Friday"):
            snapshots.written_out(words)


def test_undone_grades_are_undone_in_the_past_as_well(project: Project) -> None:
    grade(project, "d1", 3)
    grade(project, "d1", 5)
    history.undo(project)
    snapshots.take_snapshot(by(project, "Ann"), "after undo")
    grade(project, "d1", 0)
    then = project_scores.evaluate_project(project, Options(measures=("CG@10",), as_of="after undo"))
    assert then.of("alpha", "CG@10").tolist() == [3]
