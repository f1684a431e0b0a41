"""One's own earlier grades, asked again."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import browse, history, judging, project_scores, settings
from annotator.project import self_agreement as repeating
from annotator.project.annotator_agreement import tables
from annotator.project.project import Project
from annotator.project.self_agreement import due, grade_again, self_agreement
from annotator.project.state import state_of
from annotator.project.views import UNJUDGED
from tests.project.scores import by


@pytest.fixture
def blindly(project: Project) -> dict[int, list[int]]:
    """The candidates of each query in the order in which they are judged first."""
    keys = browse.query_keys(project).tolist()
    return {key: [one.key for one in browse.query(project, key).candidates] for key in keys}


@pytest.fixture
def graded(project: Project, blindly: dict[int, list[int]], monkeypatch: pytest.MonkeyPatch) -> Project:
    """All candidates graded by Ann, who is asked all again but the two newest."""
    monkeypatch.setattr(repeating, "FRESH", 2)
    settings.set_setting(project, "repeat_share", 1.0)
    for key, candidates in blindly.items():
        for candidate in candidates:
            judging.set_grade(project, key, candidate, candidate % 6)
    return project


def grades(project: Project) -> dict[tuple[int, int], int | None]:
    return {
        (key, one.key): one.judgment.grade
        for key in browse.query_keys(project).tolist()
        for one in browse.query(project, key).candidates
    }


def waiting(project: Project) -> list[tuple[int, int]]:
    return list(due(by(project, "Ann")))


def names(project: Project, pair: tuple[int, int]) -> list[tuple[str, str]]:
    view = browse.query(project, pair[0])
    return [(view.id, one.id) for one in view.candidates if one.key == pair[1]]


def test_the_share_of_the_older_grades_is_asked_again_always_the_same_ones(graded: Project) -> None:
    everything = waiting(graded)
    assert len(everything) == len(grades(graded)) - 2
    assert everything == waiting(graded)
    settings.set_setting(graded, "repeat_share", 0.4)
    some = waiting(graded)
    assert 0 < len(some) < len(everything)
    assert set(some) < set(everything)
    assert list(due(by(graded, "Ben"))) == []


def test_what_is_said_again_changes_no_grade_and_is_not_asked_a_third_time(graded: Project) -> None:
    before, first = grades(graded), waiting(graded)[0]
    change = grade_again(by(graded, "Ann"), *first, 5, 1_200)
    assert change.before == before[first]
    assert grades(graded) == before
    assert first not in waiting(graded)
    line = history.history(graded, limit=1)[0]
    assert line.said == f"grade 5 when asked again for {line.candidate_id}"
    assert (line.query_id, line.candidate_id) in names(graded, first)
    assert line.milliseconds == 1_200


def test_nothing_is_asked_again_unless_the_project_says_so(graded: Project) -> None:
    settings.set_setting(graded, "repeat_share", None)
    assert waiting(graded) == []
    assert repeating.next_again(graded) is None


def test_what_is_asked_again_tells_neither_first_grades_nor_ranks_nor_what_others_gave(
    graded: Project, blindly: dict[int, list[int]]
) -> None:
    query, _ = waiting(graded)[0]
    me = graded.annotator
    graded.use_annotator("Somebody else")
    for one in browse.query(graded, query).candidates:
        judging.set_grade(graded, query, one.key, 1)
    graded.use_annotator(me)
    settings.set_setting(graded, "show_others", True)
    assert browse.query(graded, query).revealed
    assert all(one.others for one in browse.query(graded, query).candidates)
    assert [one.key for one in browse.query(graded, query).candidates] != blindly[query], "by rank"
    view = repeating.next_again(graded)
    assert view is not None
    assert view.again
    assert not view.revealed
    mine = {candidate for of, candidate in waiting(graded) if of == query}
    assert [one.key for one in view.candidates] == [one for one in blindly[query] if one in mine]
    assert all((one.judgment, one.places, one.others) == (UNJUDGED, (), ()) for one in view.candidates)


def test_undo_takes_back_what_was_said_again_and_redo_says_it_again(graded: Project) -> None:
    before, first = grades(graded), waiting(graded)[0]
    repeating.grade_again(graded, *first, 5)
    change = history.undo(graded)
    assert change is not None
    assert (change.kind, change.query, change.candidate) == ("repeat", *first)
    assert change.said.startswith("Undone: what was asked again for d")
    assert first in waiting(graded)
    assert self_agreement(state_of(graded), "Ann").n == 0
    history.redo(graded)
    assert first not in waiting(graded)
    assert self_agreement(state_of(graded), "Ann").n == 1
    history.undo(graded)
    assert first in waiting(graded)
    assert grades(graded) == before


def test_an_annotator_who_says_the_same_again_agrees_with_themselves(graded: Project) -> None:
    before = grades(graded)
    asked = waiting(graded)
    for at, one in enumerate(asked):
        same = before[one] or 0
        grade_again(by(graded, "Ann"), *one, same if at else (same + 1) % 6)
    found = self_agreement(state_of(graded), "Ann")
    assert found.n == len(asked)
    assert found.coefficients[0].value == pytest.approx(1 - 1 / len(asked))
    assert self_agreement(state_of(graded), "Ben").n == 0
    (table,) = tables(state_of(graded), Options())
    assert table.rows[0][:3] == ("annotator 1", "asked again", "Same grade")


def test_only_graded_candidates_and_only_grades_are_taken(graded: Project) -> None:
    first = waiting(graded)[0]
    with pytest.raises(UserError, match="6 is not a grade"):
        grade_again(by(graded, "Ann"), *first, 6)
    with pytest.raises(UserError, match="nothing to ask again"):
        grade_again(by(graded, "Ben"), *first, 3)


def test_the_ledger_with_repeats_is_sound(graded: Project, tmp_path: Path) -> None:
    first = waiting(graded)[0]
    scores = project_scores.evaluate_project(graded, Options(measures=("CG@3",))).scores
    grade_again(by(graded, "Ann"), *first, 5)
    assert (project_scores.evaluate_project(graded, Options(measures=("CG@3",))).scores == scores).all()
    history.undo(graded)
    history.redo(graded)
    path = graded.path
    graded.close()
    assert "is sound" in CliRunner().invoke(app, ["check", str(path)]).output
    twin, copy = tmp_path / "twin", tmp_path / "copy.annot"
    assert CliRunner().invoke(app, ["dump", str(path), str(twin)]).exit_code == 0
    assert CliRunner().invoke(app, ["load", str(twin), str(copy)]).exit_code == 0
    with Project.open(copy, annotator="Ann") as loaded:
        assert self_agreement(state_of(loaded), "Ann").n == 1
