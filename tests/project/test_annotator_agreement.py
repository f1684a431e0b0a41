from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import browse, history, judging, project_scores
from annotator.project.adjudication import adjudicate, disagreements
from annotator.project.annotator_agreement import agreement, ranking_effect, tables
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_report
from annotator.project.state import state_of
from tests.project.scores import by

ANN = {("q1", "d1"): 5, ("q1", "d2"): 0, ("q1", "d3"): 1, ("q2", "d5"): 3, ("q2", "d6"): 3}
BEN = {("q1", "d1"): 0, ("q1", "d2"): 1, ("q1", "d3"): 5, ("q2", "d5"): 3}


@pytest.fixture
def graded(project: Project) -> Project:
    """The project of ducks, graded by Ann and by Ben who disagree, and by Cleo who only looked."""
    for name, given in (("Ann", ANN), ("Ben", BEN)):
        project.use_annotator(name)
        for key in browse.query_keys(project).tolist():
            view = browse.query(project, key)
            for candidate in view.candidates:
                if (view.id, candidate.id) in given:
                    judging.set_grade(project, key, candidate.key, given[view.id, candidate.id])
    project.use_annotator("Cleo")
    return project


def test_everybody_who_graded_is_compared_with_everybody_else(graded: Project) -> None:
    found = agreement(state_of(graded))
    assert found.annotators == ("Ann", "Ben")
    ((pair),) = found.pairs
    assert (pair.first, pair.second, pair.with_model) == ("Ann", "Ben", False)
    assert pair.agreement.n == 4
    assert pair.agreement.confusion[5, 0] == pair.agreement.confusion[3, 3] == 1
    assert found.overall[0].value == 0.25
    assert "not enough data" in found.overall[0].said


def test_queries_with_the_least_agreement_come_first(graded: Project) -> None:
    found = agreement(state_of(graded)).queries
    assert [(one.query_id, one.items, one.mean_range) for one in found] == [("q1", 3, 10 / 3), ("q2", 1, 0)]


def test_the_queue_of_disagreements_starts_with_the_furthest_apart_and_names_nobody(graded: Project) -> None:
    queue = disagreements(state_of(graded))
    assert [(one.query_id, one.candidate_id, one.grades) for one in queue] == [
        ("q1", "d1", (0, 5)),
        ("q1", "d3", (1, 5)),
        ("q1", "d2", (0, 1)),
    ]
    assert [one.candidate_id for one in disagreements(state_of(graded), at_least=4)] == ["d1", "d3"]


def test_an_adjudicated_grade_leaves_the_queue_and_wins_over_the_rule(graded: Project) -> None:
    worst = disagreements(state_of(graded))[0]
    before = project_scores.evaluate_project(graded, Options(measures=("CG@1",), systems=("alpha",))).of(
        "alpha", "CG@1"
    )[0]
    change = adjudicate(by(graded, "Cleo"), worst.query, worst.candidate, 4, "both misread it")
    assert (change.before, change.after) == (None, 4)
    assert worst.candidate_id not in [one.candidate_id for one in disagreements(state_of(graded))]
    assert disagreements(state_of(graded), with_settled=True)[0].settled == 4
    after = project_scores.evaluate_project(graded, Options(measures=("CG@1",), systems=("alpha",))).of(
        "alpha", "CG@1"
    )[0]
    assert (before, after) == (0, 4)
    [line] = history.history(graded, limit=1)
    assert (line.annotator, line.said) == ("Cleo", "settled by grade 4: d1 (both misread it)")
    assert "Cleo" not in [one.name for one in browse.annotators(graded) if one.decided]
    assert "Cleo" not in agreement(state_of(graded)).annotators


def test_an_adjudication_can_be_taken_back(graded: Project) -> None:
    worst = disagreements(state_of(graded))[0]
    adjudicate(by(graded, "Cleo"), worst.query, worst.candidate, 4)
    adjudicate(by(graded, "Cleo"), worst.query, worst.candidate, None)
    assert disagreements(state_of(graded))[0] == worst


def test_undo_takes_back_what_one_did_last_be_it_a_grade_or_what_settles(graded: Project) -> None:
    graded.use_annotator("Ann")
    worst, second, _ = disagreements(state_of(graded))
    adjudicate(by(graded, "Ann"), worst.query, worst.candidate, 4)
    judging.set_grade(graded, second.query, second.candidate, 2)
    adjudicate(by(graded, "Ann"), worst.query, worst.candidate, 3)
    told = [history.undo(graded) for _ in range(3)]
    assert [(one.kind, one.said) for one in told if one] == [
        ("adjudication", "Undone: settled by grade 3: d1"),
        ("grade", "Undone: grade 2 of d3"),
        ("adjudication", "Undone: settled by grade 4: d1"),
    ]
    assert [(one.before, one.after) for one in told[::2] if one] == [(3, 4), (4, None)]
    assert disagreements(state_of(graded))[:2] == [worst, second], "her own grades are as they were"
    again = history.redo(graded)
    assert again is not None
    assert (again.said, again.after) == ("Done again: settled by grade 4: d1", 4)


def test_what_somebody_else_settled_is_not_undone(graded: Project) -> None:
    worst = disagreements(state_of(graded))[0]
    adjudicate(by(graded, "Cleo"), worst.query, worst.candidate, 4)
    graded.use_annotator("Dora")
    assert history.undo(graded) is None
    adjudicate(by(graded, "Dora"), worst.query, worst.candidate, 1)
    graded.use_annotator("Cleo")
    with pytest.raises(UserError, match="somebody else"):
        history.undo(graded)


def test_only_grades_settle(graded: Project) -> None:
    with pytest.raises(UserError, match="7 is not a grade"):
        adjudicate(by(graded, "Cleo"), 1, 1, 7)


def test_the_ranking_of_the_systems_is_shown_by_annotator(graded: Project) -> None:
    found = ranking_effect(state_of(graded), Options(measures=("CG@1",)))
    assert found.systems == ("alpha", "beta")
    by_name = dict(zip(found.annotators, found.means, strict=True))
    assert by_name["Ann"] == (4, 2)
    assert by_name["Ben"][0] < by_name["Ben"][1]
    ((first, second, tau),) = found.taus
    assert (first, second, tau.value) == ("Ann", "Ben", -1)


def test_who_graded_none_of_the_chosen_queries_ranks_no_system(graded: Project) -> None:
    graded.use_annotator("Ben")
    key = browse.key_of(graded, "q2")
    for candidate in browse.query(graded, key).candidates:
        judging.clear(graded, key, candidate.key)
    options = Options(measures=("CG@1",), queries=("q2",))
    assert ranking_effect(state_of(graded), options).annotators == ("Ann",)
    assert tables(state_of(graded), options), "the report of one query that one of two annotators graded"
    both = ranking_effect(state_of(graded), Options(measures=("CG@1",), queries=("q1", "q2")))
    assert both.annotators == ("Ann", "Ben")


def test_without_grades_there_is_nothing_to_say(project: Project) -> None:
    found = agreement(state_of(project))
    assert (found.annotators, found.pairs, found.queries) == ((), (), ())
    assert found.overall == ()
    assert disagreements(state_of(project)) == []
    with pytest.raises(UserError, match="Nobody has graded"):
        ranking_effect(state_of(project), Options())


def test_models_are_never_mixed_with_people_silently(graded: Project) -> None:
    key = browse.query_keys(graded).tolist()[0]
    candidate = browse.query(graded, key).candidates[0]
    value = {"state": "graded", "grade": 2}
    subject = (browse.query(graded, key).id, candidate.id)
    graded.store.record("gpt", "grade", subject, value, annotator_kind="model")
    found = agreement(state_of(graded))
    assert found.annotators == ("Ann", "Ben", "gpt")
    assert {pair.with_model for pair in found.pairs if "gpt" in (pair.first, pair.second)} <= {True}
    assert found.overall[0].value == 0.25
    assert len(disagreements(state_of(graded))) == 3


def test_a_report_shows_agreement_with_numbers_for_names_unless_names_are_asked_for(
    graded: Project, tmp_path: Path
) -> None:
    options = Options(measures=("CG@1",))
    coefficients, confusion, rankings = tables(state_of(graded), options)
    assert {row[:2] for row in coefficients.rows} == {("everybody", ""), ("annotator 1", "annotator 2")}
    assert confusion.title == "Judgments of annotator 1 against those of annotator 2"
    assert [one.title for one in rankings.columns[1::3]] == ["annotator 1", "annotator 2"]
    assert [row[:3] for row in rankings.rows] == [("alpha", 4.0, 1), ("beta", 2.0, 2)]
    assert tables(state_of(graded), options, named=True)[1].title == "Judgments of Ann against those of Ben"
    write_report(graded, tmp_path / "report.md", options, Choice("markdown"))
    written = (tmp_path / "report.md").read_text("utf-8")
    assert "Gwet's AC2" in written
    assert "Ben" not in written


def test_a_report_for_somebody_blind_is_silent_on_agreement(graded: Project, tmp_path: Path) -> None:
    options = Options(measures=("CG@1",))
    write_report(graded, tmp_path / "report.md", options, Choice("markdown"), only={"q1"})
    assert "Gwet" not in (tmp_path / "report.md").read_text("utf-8")


def test_one_annotator_agrees_with_nobody(project: Project) -> None:
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
    assert tables(state_of(project), Options()) == []
