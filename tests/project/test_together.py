"""Several candidates in one action: what it gives and leaves, undo, history, copies, blindness."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.evaluation import conventions_text
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.result_table import Table
from annotator.figures.catalogue import FIGURES
from annotator.project import (
    annotator_agreement,
    browse,
    figure_data,
    history,
    judging,
    maintenance,
    model_agreement,
    self_agreement,
    text_twin,
    thresholds,
)
from annotator.project.blindness import HIDDEN
from annotator.project.leniency import lenient
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.report_files import Choice, write_report
from annotator.project.settings import set_setting
from annotator.project.snapshots import take_snapshot
from annotator.project.state import earlier, state_of
from annotator.project.thresholds import confusion_table, rates_table, sweep_table
from annotator.project.views import Change, JudgmentView
from annotator.records import Dataset, JudgmentTable
from annotator.storage.care.integrity import check
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger.events import all_events
from annotator.storage.reads import lookup
from annotator.storage.reads.states import State
from annotator.text.counts import counted
from tests.project.conftest import copied


def views(project: Project, query: int = 1) -> dict[int, JudgmentView]:
    """Return what the annotator says of a query's candidates, in the order of their keys."""
    return {
        one.key: one.judgment for one in sorted(browse.query(project, query).candidates, key=lambda c: c.key)
    }


def rest(project: Project, query: int = 1) -> Change:
    return judging.grade_rest(project, query, views(project, query))


def grades(project: Project, query: int = 1) -> list[int | None]:
    return [one.grade for one in views(project, query).values()]


def test_the_rest_is_0_and_what_was_said_already_stays(project: Project) -> None:
    graded, skipped, unsure, flagged, other = views(project)
    judging.set_grade(project, 1, graded, 4)
    judging.skip(project, 1, skipped)
    judging.cannot_tell(project, 1, unsure, "too long")
    judging.set_mark(project, 1, flagged, "flag", True)
    change = rest(project)
    assert change.said == "Given: grade 0 for the rest of “wild ducks”: 2 candidates"
    assert change.more_decided == len(change.judgments) == 2
    now = views(project)
    assert [now[one].state for one in (graded, skipped, unsure)] == ["graded", "skipped", "cannot_tell"]
    assert [(now[one].grade, now[one].how) for one in (graded, flagged, other)] == [
        (4, ""),
        (0, "rest"),
        (0, "rest"),
    ]
    assert now[flagged].marks == {"flag": True}
    assert [now[one].milliseconds for one in (flagged, other)] == [None, None]


def test_nothing_is_recorded_when_nothing_is_left(project: Project) -> None:
    rest(project)
    head = project.store.head()
    assert rest(project).said == "Nothing of it is left undecided."
    assert project.store.head() == head


def test_who_decides_anew_decided_alone_also_on_the_same_grade(project: Project) -> None:
    rest(project)
    first = next(iter(views(project)))
    before = views(project)[first]
    judging.set_grade(project, 1, first, 0, milliseconds=900)
    after = views(project)[first]
    assert (before.how, after.how, after.grade, after.milliseconds) == ("rest", "", 0, 900)
    assert history.undo(project) is not None
    assert views(project)[first] == before


def test_a_mark_changes_nothing_of_how_it_was_given(project: Project) -> None:
    rest(project)
    first = next(iter(views(project)))
    judging.set_mark(project, 1, first, "note", "read it after all")
    assert views(project)[first].how == "rest"


def test_undo_takes_all_of_it_back_after_a_restart_and_redo_gives_it_again(project: Project) -> None:
    before = views(project)
    rest(project)
    given_then = views(project)
    project.close()
    with Project.open(project.path, "Ann") as again:
        undone = history.undo(again)
        assert undone is not None
        assert undone.said == "Undone: grade 0 for the rest of “wild ducks”: 5 candidates"
        assert undone.more_decided == -5
        assert views(again) == before
    with Project.open(project.path, "Ann") as again:
        redone = history.redo(again)
        assert redone is not None
        assert redone.more_decided == 5
        assert views(again) == given_then
        assert check(again.store.db) == []


def test_the_history_shows_one_line_for_each_action_and_what_became_of_each_candidate(
    project: Project,
) -> None:
    rest(project)
    history.undo(project)
    history.redo(project)
    first = next(iter(views(project)))
    for lines in (history.history(project), history.history(project, 1)):
        told = [line.said for line in lines if line.task == "together"]
        assert told == [
            "done again: grade 0 for the rest of q1: 5 candidates",
            "undone: grade 0 for the rest of q1: 5 candidates",
            "grade 0 for the rest of q1: 5 candidates",
        ]
        assert not [line for line in lines if line.task == "grade"]
    name = next(one.id for one in browse.query(project, 1).candidates if one.key == first)
    assert [(line.said, line.undone) for line in history.history(project, 1, first)] == [
        (f"grade 0 of {name}, given with the rest", False),
        (f"no grade of {name}, given with the rest", False),
        (f"grade 0 of {name}, given with the rest", True),
    ]


def test_the_last_grades_are_those_given_one_by_one(project: Project) -> None:
    first = next(iter(views(project)))
    judging.set_grade(project, 1, first, 3)
    rest(project)
    assert [one.candidate for one in history.recent(project)] == [first]


def test_who_is_blind_does_not_read_that_a_colleague_gave_the_rest(project: Project) -> None:
    rest(project)
    project.use_annotator("Ben")
    (line,) = [one for one in history.history(project, as_seen=True) if one.task == "together"]
    assert line.said == HIDDEN
    judging.grade_rest(project, 1, views(project))
    assert HIDDEN not in [one.said for one in history.history(project, as_seen=True)]


@given(st.sets(st.integers(0, 4), max_size=3), st.sets(st.integers(0, 4), min_size=1, max_size=4))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undo_takes_back_what_still_stands_and_passes_over_what_an_import_changed_since(
    ducks: Path, graded: set[int], brought: set[int]
) -> None:
    with TemporaryDirectory() as folder, Project.open(copied(ducks, Path(folder)), "Ann") as project:
        keys = [*views(project)]
        names = {one.key: one.id for one in browse.query(project, 1).candidates}
        for at in graded:
            judging.set_grade(project, 1, keys[at], 5)
        rest(project)
        ids = [names[keys[at]] for at in sorted(brought)]
        zeros = np.zeros(len(ids), np.int32)
        table = JudgmentTable(
            ["q1"], ids, zeros, np.arange(len(ids), dtype=np.int32), zeros.astype(np.int64) + 2
        )
        how = Import("Ann", "test", "person", replace=True)
        import_dataset(project.store, Dataset(judgments=table), how)
        stood = set(range(5)) - graded - brought
        assume(stood)
        for _ in range(2):
            changed = history.undo(project)
            assert changed is not None
            assert {*changed.judgments} == {keys[at] for at in stood}
            assert (
                changed.said
                == f"Undone: grade 0 for the rest of “wild ducks”: {counted(len(stood), 'candidate')}"
            )
            expected = [2 if at in brought else 5 if at in graded else None for at in range(5)]
            assert grades(project) == expected
            history.redo(project)
        assert grades(project) == [0 if one is None else one for one in expected]
        assert check(project.store.db) == []


def test_every_event_of_it_has_one_time_so_that_no_moment_lies_in_between(project: Project) -> None:
    take_snapshot(project, "before")
    rest(project)
    take_snapshot(project, "after")
    with project.store.reading() as db:
        times = {one.time for one in all_events(db) if one.how == "rest"}
    assert len(times) == 1
    judging.set_grade(project, 1, next(iter(views(project))), 4)
    state = state_of(project)
    assert [len(earlier(state, name).judged.grade) for name in ("before", "after")] == [0, 5]
    then = earlier(state, "after").judged
    assert (then.grade.tolist(), then.how.tolist()) == ([0] * 5, [1] * 5)
    assert sorted(state.judged.how.tolist()) == [0, 1, 1, 1, 1]


def test_it_counts_in_scores_as_any_grade_does(project: Project) -> None:
    first, *others = views(project)
    judging.set_grade(project, 1, first, 3)
    rest(project)
    assert all(one.how == "rest" for key, one in views(project).items() if key != first)
    scores = values(project)
    for one in others:
        judging.set_grade(project, 1, one, 0)
    assert all(one.how == "" for one in views(project).values())
    assert values(project) == scores


def values(project: Project) -> list[float]:
    """Return the mean scores of both systems."""
    result = evaluate_project(project, Options(measures=("AP", "nDCG@10", "Judged@3")))
    return [result.mean(system, one.name) for system in result.systems for one in result.measures]


def test_a_dump_and_a_merge_keep_it_and_undo_works_there(project: Project, tmp_path: Path) -> None:
    rest(project)
    before = views(project)
    text_twin.dump(project, tmp_path / "text")
    text_twin.load(tmp_path / "text", tmp_path / "loaded.annot").close()
    shutil.copy(project.path, tmp_path / "copy.annot")
    judging.set_grade(project, 2, next(iter(views(project, 2))), 3)
    project.close()
    maintenance.merge(project.path, tmp_path / "copy.annot", tmp_path / "merged.annot")
    for name, undos in (("loaded", 1), ("merged", 2)):
        with Project.open(tmp_path / f"{name}.annot", "Ann") as other:
            assert views(other) == before
            told = [history.undo(other) for _ in range(undos)]
            assert [one.more_decided for one in told if one is not None] == [-1, -5][-undos:]
            assert grades(other) == [None] * 5
            assert check(other.store.db) == []


CG = Options(measures=("CG@2",))

GRADES = st.lists(st.none() | st.integers(0, 5), min_size=5, max_size=5)
"""What somebody decides on of the five candidates of the first query, before the rest is 0."""


def decide(project: Project, who: str, decided: list[int | None], alone: bool | None) -> None:
    """Grade the first candidates; then the rest is 0 in one action, one by one (`alone`), or left (None)."""
    project.use_annotator(who)
    left = [*decided]
    for query in browse.query_keys(project).tolist():
        if not left:
            break
        for key in views(project, query):
            grade = left.pop(0)
            if grade is not None or alone:
                judging.set_grade(project, query, key, grade or 0)
        if alone is False:
            rest(project, query)


def without_words(tables: list[Table]) -> list[object]:
    """Return the cells alone: captions say how many were left out."""
    return [(one.key, one.rows) for one in tables]


def or_why_not(verb: Callable[[], object]) -> object:
    """Return what a verb finds, or why there is nothing to find."""
    try:
        return verb()
    except UserError as problem:
        return str(problem)


def held(state: State, together: bool) -> dict[str, str]:
    """Return all that holds Ann, Ben and a model against each other or against matches, in words."""
    found = annotator_agreement.agreement(state, together=together)
    models = model_agreement.against_people(state, CG, together=together)
    subject = figure_data.judging_subject(state, True, agreed=found, together=together)

    def against(name: str) -> object:
        classified = thresholds.annotator_against_annotator(state, name, "Ann", 3, together)
        return classified.confusion, classified.sweep

    def of_matches() -> object:
        matched = thresholds.match_against_grades(state, GoldMatch("f1", 0.5), 3, Options(), together)
        return matched.confusion, matched.sweep

    parts: dict[str, object] = {
        "agreement": (found.overall, [(one.first, one.agreement) for one in found.pairs], found.queries),
        "models": without_words(models.tables),
        "leniency": without_words(lenient(state, together=together)),
        "figures": (subject.grade_counts, subject.intervals, subject.confusion and subject.confusion.counts),
        "effect": or_why_not(
            lambda: without_words([annotator_agreement.ranking_effect(state, CG, together=together).table()])
        ),
        "threshold": [or_why_not(partial(against, name)) for name in ("Ben", "gpt")],
        "matches": or_why_not(of_matches),
    }
    return {name: str(part) for name, part in parts.items()}


def held_after(
    folder: Path, made: Path, both: list[list[int | None]], alone: bool | None, together: bool
) -> dict[str, str]:
    """Return the same of a project of their own, where a model gives every candidate grade 3."""
    folder.mkdir()
    with Project.open(copied(made, folder), "Ann") as project:
        project.use_annotator("Ann")
        for query in browse.query_keys(project).tolist():
            view = browse.query(project, query)
            for candidate in view.candidates:
                value = {"state": "graded", "grade": 3}
                project.store.record("gpt", "grade", (view.id, candidate.id), value, annotator_kind="model")
        for who, decided in zip(("Ann", "Ben"), both, strict=True):
            decide(project, who, decided, alone)
        return held(state_of(project), together)


@pytest.mark.parametrize("made", ["ducks", "heroes"])
@given(both=st.lists(GRADES, min_size=2, max_size=2))
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_people_are_held_against_others_without_them_or_on_request_as_if_each_had_been_decided_on(
    request: pytest.FixtureRequest, made: str, both: list[list[int | None]]
) -> None:
    assume(all(any(grade is not None for grade in one) for one in both))
    path = request.getfixturevalue(made)
    with TemporaryDirectory() as folder:
        place = Path(folder)
        without = held_after(place / "a", path, both, None, False)
        assert held_after(place / "b", path, both, False, False) == without
        everything = held_after(place / "c", path, both, True, False)
        assert held_after(place / "d", path, both, False, True) == everything


def test_a_caption_says_how_many_are_left_out_wherever_people_are_held_against_others(
    project: Project,
) -> None:
    decide(project, "Ann", [3, 1, 2, 0, None], False)
    decide(project, "Ben", [3, 2, None, 0, None], False)
    decide(project, "Cleo", [3, 2, 2, 0, 0], None)
    state = state_of(project)
    words = "3 grades given with the rest of a query or with a near-duplicate are left out."
    agreed = annotator_agreement.agreement(state)
    found = thresholds.annotator_against_annotator(state, "Ben", "Ann", 3)
    tables = [
        *lenient(state),
        annotator_agreement.ranking_effect(state, CG).table(),
        *(make(found) for make in (confusion_table, rates_table, sweep_table)),
    ]
    subject = figure_data.judging_subject(state, True, agreed=agreed)
    said = [FIGURES[key].said_of(subject) for key in ("grades", "confusion", "agreement")]
    for caption in (*(one.caption for one in tables), *said):
        assert caption.endswith(words)
    asked = figure_data.judging_subject(state, True, together=True)
    assert FIGURES["grades"].said_of(asked).endswith("near-duplicate count, too.")


def test_how_many_were_left_out_is_said_where_agreement_is(project: Project) -> None:
    for who, decided in (("Ann", [3, 1, None, 0, None]), ("Ben", [2, 1, None, None, None])):
        decide(project, who, decided, False)
    words = "5 grades given with the rest of a query or with a near-duplicate"
    state = state_of(project)
    assert annotator_agreement.agreement(state).together == f"{words} are left out."
    assert annotator_agreement.agreement(state, together=True).together == f"{words} count, too."
    table, *_ = annotator_agreement.tables(state, Options(measures=("CG@1",)))
    assert table.caption.endswith(f"{words} are left out.")
    assert annotator_agreement.agreement(earlier_than_all(project)).together == ""


def earlier_than_all(project: Project) -> State:
    """Return the state before anything was graded."""
    state = state_of(project)
    return replace(state, judged=state.judged.where(state.judged.grade < 0))


def test_reports_name_who_gave_how_many_and_keep_the_pseudonyms(project: Project, tmp_path: Path) -> None:
    decide(project, "Ann", [3, 1, None, 0, None], False)
    decide(project, "Ben", [2, 1, 0, 0, None], None)
    keys = [*views(project)]
    judging.grade_near_duplicates(project, 1, keys[0], [keys[4]])
    for named, (ann, ben) in ((False, ("annotator 1", "annotator 2")), (True, ("Ann", "Ben"))):
        path = tmp_path / "report.md"
        choice = Choice("markdown", named=named)
        write_report(project, path, Options(measures=("CG@1",)), choice)
        text = path.read_text("utf-8")
        assert (
            f"Grades that nobody decided on one by one: {ann} gave 2 with the rest of a query; {ben} gave 1 "
            "with a near-duplicate. They count in scores; times leave them out"
        ) in text
        assert named or "Ben" not in text


def test_a_report_of_a_project_without_them_says_nothing_of_them(project: Project) -> None:
    decide(project, "Ann", [3, 1, 0, 0, 2], None)
    result = evaluate_project(project, Options(measures=("CG@1",)))
    assert result.provenance.together == ((0, 0),)
    assert not [line for line in conventions_text.provenance(result) if "one by one" in line]


def test_they_take_no_time_are_not_asked_again_and_show_no_drift_and_no_shift(project: Project) -> None:
    set_setting(project, "repeat_share", 1.0)
    decide(project, "Ann", [5, None, None, None, None], False)
    for number in range(25):  # so that none is too fresh to be asked again
        judging.set_grade(
            project, 2, browse.query(project, 2).candidates[0].key, number % 6, milliseconds=700
        )
    state = state_of(project)
    with state.rows() as db:
        assert len(lookup.times_taken(db, state.until)) == 25
        assert len(lookup.given_grades(db, state.until)[0]) == 1 + 25
    asked = [candidate for query, candidate in self_agreement.due(project) if query == 1]
    assert asked == [next(iter(views(project)))]
    subject = figure_data.judging_subject(state, named=True)
    assert subject.grade_counts["Ann"] == [1, 0, 0, 0, 0, 1]
    assert sum(number for *_, number in subject.drifts["Ann"]) == 2
