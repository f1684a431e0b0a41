"""Aspects: what a project asks beside the grade is judged, settled, combined and evaluated as grades are."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from annotator import api
from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.figures.catalogue import FIGURES
from annotator.project import (
    adjudication,
    annotator_agreement,
    blindness,
    browse,
    changes_since,
    history,
    judged_by,
    judging,
    project_scores,
    text_twin,
)
from annotator.project.adjudication import adjudicate, disagreements
from annotator.project.annotator_agreement import agreement
from annotator.project.data_export import ExportChoices, outlook
from annotator.project.figure_data import judging_subject
from annotator.project.leniency import lenient
from annotator.project.model_agreement import against_people
from annotator.project.project import Project
from annotator.project.settings import set_setting, usual_options, value_of
from annotator.project.snapshots import take_snapshot
from annotator.project.state import state_of
from annotator.storage.care import integrity, merger
from annotator.storage.store import Store
from annotator.theme import LIGHT
from tests.project.scores import by
from tests.project.test_annotator_agreement import ANN, BEN

FAITHFUL = {
    "name": "Faithful",
    "meaning": "Does it say what its sources say?",
    "values": ["no", "partly", "yes"],
}
SIX = {"name": "Six", "meaning": "", "values": list("abcdef")}
OF_FAITHFUL = Options(measures=("CG@1",), judged_by="Faithful")


def asking(project: Project, *aspects: dict[str, object]) -> None:
    """Let a project ask for these aspects."""
    set_setting(project, "aspects", [{"asked": True, **one} for one in aspects])


def keys(project: Project, query: str, candidate: str) -> tuple[int, int]:
    """Return the keys of a query and of one of its candidates."""
    key = browse.key_of(project, query)
    return key, next(one.key for one in browse.query(project, key).candidates if one.id == candidate)


@pytest.fixture
def rated(project: Project) -> Project:
    """The project of ducks, whose three documents Ann and Ben rated for faithfulness; of d1 they disagree."""
    asking(project, FAITHFUL)
    for name, levels in (("Ann", (2, 1, 0)), ("Ben", (0, 1, 0))):
        for candidate, level in zip(("d1", "d2", "d3"), levels, strict=True):
            judging.rate(by(project, name), *keys(project, "q1", candidate), "Faithful", level)
    return project


def test_no_file_takes_what_is_said_under_an_aspect_which_an_export_says(project: Project) -> None:
    told = "TREC run cannot hold what people said under questions of the project's own."
    asking(project, FAITHFUL)
    assert told not in outlook(project, "trec-run", ExportChoices())[1]
    judging.rate(project, *keys(project, "q1", "d1"), "Faithful", 2)
    assert told in outlook(project, "trec-run", ExportChoices())[1]


def test_figures_and_tables_have_the_levels_of_an_aspect_and_its_words(rated: Project) -> None:
    rated.store.record("gpt", "rating", ("q1", "d1", "Faithful"), {"grade": 2}, annotator_kind="model")
    state = judged_by.by(state_of(rated), "Faithful")
    subject = judging_subject(state, named=False, agreed=agreement(state))
    assert subject.grade_counts == {"annotator 1": [1, 1, 1], "annotator 2": [2, 1, 0], "gpt": [0, 0, 1]}
    assert subject.ticks[1:] == (["0 no", "1 partly", "2 yes"], "level")
    assert subject.confusion is not None
    assert (subject.confusion.rows, subject.confusion.counts.shape) == (["0 no", "1 partly", "2 yes"], (3, 3))
    models = against_people(state, Options())
    tables = [*models.tables, *lenient(state)]
    told = [models.said, *(text for one in tables for text in (one.title, one.caption))]
    told += [text for one in tables for column in one.columns for text in (column.title, column.note)]
    assert not [text for text in told if "grade" in text.casefold()]
    assert [len(one) for one in tables if one.key.startswith("model-grades")] == [3, 3]
    FIGURES["grades"].draw(subject, LIGHT).figure.canvas.draw()


def test_what_is_said_under_an_aspect_counts_as_the_same_grades_would(project: Project) -> None:
    asking(project, SIX)
    for name, given in (("Ann", ANN), ("Ben", BEN)):
        for pair, grade in given.items():
            judging.set_grade(by(project, name), *keys(project, *pair), grade)
            judging.rate(project, *keys(project, *pair), "Six", grade)
    for name in ("", "Six"):
        adjudicate(project, *keys(project, "q1", "d3"), 4, "read twice", judged_by=name)
    by_grades, by_six = (state_of(project, Options(judged_by=name)) for name in ("", "Six"))
    measures = Options(measures=("nDCG@10", "AP", "ERR(max_rel=5)@20"))
    assert by_six.levels == 6
    apart = [replace(one, ending=()) for one in disagreements(by_six)]
    assert (apart, len(apart)) == (disagreements(by_grades), 2)
    for verb in (lambda one: agreement(one).queries, lambda one: agreement(one).overall):
        assert repr(verb(by_six)) == repr(verb(by_grades))
    for rule in ("median", "latest", "max"):
        scores = [
            project_scores.evaluated(one, replace(measures, combine=rule)).scores.tolist()
            for one in (by_grades, by_six)
        ]
        assert scores[0] == scores[1]
    effects = [annotator_agreement.ranking_effect(one, measures).means for one in (by_grades, by_six)]
    assert effects[0] == effects[1]


def test_agreement_of_few_values_is_that_of_as_many_levels(rated: Project) -> None:
    found = agreement(state_of(rated, OF_FAITHFUL))
    assert found.annotators == ("Ann", "Ben")
    assert found.pairs[0].agreement.confusion.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    frame = api.agreement(rated, judged_by="Faithful")
    same = frame[(frame["coefficient"] == "Same grade") & (frame["first"] == "Ann")]
    assert same["items"].tolist() == [3]


def test_what_is_settled_wins_and_is_undone_alone(rated: Project) -> None:
    (apart,) = disagreements(state_of(rated, OF_FAITHFUL))
    assert (apart.query_id, apart.candidate_id, apart.grades) == ("q1", "d1", (0, 2))
    adjudicate(rated, apart.query, apart.candidate, 1, "half of it", judged_by="Faithful")
    assert disagreements(state_of(rated, OF_FAITHFUL)) == []
    assert disagreements(state_of(rated)) == []
    assert adjudication.shown(rated, apart.query, apart.candidate, "Faithful")[2] == "half of it"
    assert score(rated, "alpha") == 1  # d1 is its first one
    assert history.undo(rated).said == "Undone: Faithful settled by 1: d1 (half of it)"  # type: ignore[union-attr]
    assert score(rated, "alpha") == 0  # the lower one of 0 and 2
    with pytest.raises(UserError, match="3 is no level of Faithful"):
        adjudicate(rated, apart.query, apart.candidate, 3, judged_by="Faithful")


def score(project: Project, system: str, options: Options = OF_FAITHFUL) -> float:
    """Return the mean level of what a system ranks first."""
    return project_scores.evaluate_project(project, options).mean(system, "CG@1")


def test_a_moment_one_annotator_and_a_rule_are_chosen_as_for_grades(rated: Project) -> None:
    take_snapshot(rated, "before")
    judging.rate(by(rated, "Ben"), *keys(rated, "q1", "d1"), "Faithful", 2)
    assert score(rated, "alpha") == 2
    assert score(rated, "alpha", replace(OF_FAITHFUL, as_of="before")) == 0
    then = replace(OF_FAITHFUL, as_of="before")
    assert score(rated, "alpha", replace(then, annotator="Ann")) == 2
    assert score(rated, "alpha", replace(then, combine="max")) == 2
    since = changes_since.since(state_of(rated, OF_FAITHFUL), OF_FAITHFUL, "before")
    assert since.then.mean("alpha", "CG@1") == 0
    assert usual_options(rated, Options(judged_by="Faithful")).measures == ("CG@1", "P(rel=2)@1")


def test_a_result_says_what_its_levels_mean_and_how_to_make_it_again(rated: Project) -> None:
    result = project_scores.evaluate_project(rated, OF_FAITHFUL)
    assert result.provenance.judged_by == "Faithful: 0 no, 1 partly, 2 yes"
    assert result.provenance.combining.startswith("the median of the annotators' levels, the lower")
    assert "--judged-by Faithful" in result.provenance.command
    again = api.evaluate(rated, measures="CG@1", judged_by="Faithful")
    assert again.mean("CG@1", "alpha") == result.mean("alpha", "CG@1")


def test_undo_takes_it_back_and_the_history_tells_it_in_the_words_of_then(rated: Project) -> None:
    asking(rated, {**FAITHFUL, "values": ["no", "in part", "yes"]})
    here = keys(rated, "q1", "d2")
    assert judging.rate(rated, *here, "Faithful", 1).after == 1
    lines = [one.said for one in history.history(rated, *here)]
    assert lines == ["Faithful: in part for d2", "Faithful: partly for d2", "Faithful: partly for d2"]
    undone = history.undo(rated)
    assert undone is not None
    assert (undone.before, undone.after) == (1, 1)
    assert rated.store.value("Ben", "rating", ("q1", "d2", "Faithful"))["as"] == "partly"
    judging.rate(rated, *here, "Faithful", None)
    assert score(rated, "alpha", replace(OF_FAITHFUL, annotator="Ben")) == 0
    assert len(state_of(rated, OF_FAITHFUL).judged.grade) == 5


def test_the_same_value_again_is_no_event(rated: Project) -> None:
    head = rated.store.head()
    judging.rate(rated, *keys(rated, "q1", "d2"), "Faithful", 1)
    assert rated.store.head() == head


def test_who_is_blind_sees_nothing_of_what_others_said(rated: Project) -> None:
    query, candidate = keys(rated, "q1", "d1")
    lines = history.history(by(rated, "Ann"), query, candidate, as_seen=True)
    assert [one.said for one in lines] == [blindness.HIDDEN, "Faithful: yes for d1"]
    assert lines[0].blind
    blindness.unblind(rated, query)
    judging.rate(rated, query, candidate, "Faithful", 1)
    assert not history.history(rated, query, candidate)[0].blind


def test_nothing_that_is_said_changes_a_score_by_grades(rated: Project) -> None:
    judging.set_grade(rated, *keys(rated, "q1", "d1"), 3)
    before = project_scores.evaluate_project(rated).scores.tolist()
    judging.rate(rated, *keys(rated, "q1", "d1"), "Faithful", 2)
    assert project_scores.evaluate_project(rated).scores.tolist() == before


def test_it_goes_through_text_and_merges(rated: Project, tmp_path: Path) -> None:
    text_twin.dump(rated, tmp_path / "text")
    text_twin.load(tmp_path / "text", tmp_path / "loaded.annot").close()
    with Project.open(tmp_path / "loaded.annot") as loaded:
        judging.rate(by(loaded, "Cleo"), *keys(loaded, "q1", "d1"), "Faithful", 1)
    rated.store.close()
    assert merger.merge(rated.path, tmp_path / "loaded.annot", tmp_path / "both.annot").conflicts == ()
    with Store.open(tmp_path / "both.annot") as store:
        assert integrity.check(store.db) == []
        assert agreement(state_of(Project(store), OF_FAITHFUL)).annotators == ("Ann", "Ben", "Cleo")


@pytest.mark.parametrize(
    ("aspects", "wrong"),
    [
        ([{**FAITHFUL, "values": ["no", "yes"]}], "Somebody has judged by Faithful already"),
        ([], "Somebody has judged by Faithful already"),
        ([FAITHFUL, {**SIX, "values": ["only"]}], "Six has 1 values; name 2 to 6"),
        ([FAITHFUL, {**SIX, "values": list("abcdefg")}], "Six has 7 values; name 2 to 6"),
        ([FAITHFUL, {**SIX, "values": ["a", "a"]}], "Two values of Six are the same"),
        ([FAITHFUL, FAITHFUL], "The name Faithful is taken"),
        ([FAITHFUL, {**SIX, "name": "Grade"}], "The name Grade is taken"),
        ([FAITHFUL, {**SIX, "name": " "}], "An aspect has no name"),
        ([FAITHFUL, {**SIX, "meaning": "a\x00b"}], "This cannot be saved: the aspect Six holds the control"),
        ([FAITHFUL, {**SIX, "values": ["a", "b" * 61]}], "is longer than 60 characters"),
    ],
)
def test_aspects_that_cannot_be_are_refused_and_nothing_changes(
    rated: Project, aspects: Sequence[dict[str, object]], wrong: str
) -> None:
    before = value_of(rated, "aspects")
    with pytest.raises(UserError, match=wrong):
        asking(rated, *aspects)
    assert value_of(rated, "aspects") == before


def test_an_aspect_or_a_value_that_is_not_there_is_refused(rated: Project) -> None:
    here = keys(rated, "q1", "d1")
    with pytest.raises(UserError, match="There is no aspect 'Fluent' here; there are: Faithful"):
        judging.rate(rated, *here, "Fluent", 1)
    with pytest.raises(UserError, match="3 is no value of Faithful; they go from 0 to 2"):
        judging.rate(rated, *here, "Faithful", 3)
    with pytest.raises(UserError, match="nothing called 'Fluent' to judge by here; there are: Faithful"):
        state_of(rated, Options(judged_by="Fluent"))
