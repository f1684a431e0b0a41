"""One's own earlier grades, asked again."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import repeating
from annotator.project.agreement import tables
from annotator.project.project import Project
from annotator.project.repeating import due, grade_again, self_agreement
from annotator.project.views import UNJUDGED


@pytest.fixture
def graded(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """All candidates graded by Ann, who is asked all again but the two newest."""
    monkeypatch.setattr(repeating, "FRESH", 2)
    project.set_setting("repeat_share", 1.0)
    for key in project.query_keys().tolist():
        for candidate in project.query(key).candidates:
            project.set_grade(key, candidate.key, candidate.key % 6)
    return project


def grades(project: Project) -> dict[tuple[int, int], int | None]:
    return {
        (key, one.key): one.judgment.grade
        for key in project.query_keys().tolist()
        for one in project.query(key).candidates
    }


def waiting(project: Project) -> list[tuple[int, int]]:
    return list(due(project.store, "Ann"))


def names(project: Project, pair: tuple[int, int]) -> list[tuple[str, str]]:
    view = project.query(pair[0])
    return [(view.id, one.id) for one in view.candidates if one.key == pair[1]]


def test_the_share_of_the_older_grades_is_asked_again_always_the_same_ones(graded: Project) -> None:
    everything = waiting(graded)
    assert len(everything) == len(grades(graded)) - 2
    assert everything == waiting(graded)
    graded.set_setting("repeat_share", 0.4)
    some = waiting(graded)
    assert 0 < len(some) < len(everything)
    assert set(some) < set(everything)
    assert list(due(graded.store, "Ben")) == []


def test_what_is_said_again_changes_no_grade_and_is_not_asked_a_third_time(graded: Project) -> None:
    before, first = grades(graded), waiting(graded)[0]
    change = grade_again(graded.store, "Ann", *first, 5, 1_200)
    assert change.before == before[first]
    assert grades(graded) == before
    assert first not in waiting(graded)
    line = graded.history(limit=1)[0]
    assert line.said == f"grade 5 when asked again for {line.candidate_id}"
    assert (line.query_id, line.candidate_id) in names(graded, first)
    assert line.milliseconds == 1_200


def test_nothing_is_asked_again_unless_the_project_says_so(graded: Project) -> None:
    graded.set_setting("repeat_share", None)
    assert waiting(graded) == []
    assert graded.next_again() is None


def test_what_is_asked_again_does_not_tell_the_first_grade_nor_what_others_gave(graded: Project) -> None:
    query, _ = waiting(graded)[0]
    me = graded.annotator
    graded.use_annotator("Somebody else")
    for one in graded.query(query).candidates:
        graded.set_grade(query, one.key, 1)
    graded.use_annotator(me)
    graded.set_setting("show_others", True)
    assert graded.query(query).revealed
    assert all(one.others for one in graded.query(query).candidates)
    view = graded.next_again()
    assert view is not None
    assert view.again
    assert not view.revealed
    assert [(view.key, one.key) for one in view.candidates] == sorted(
        (pair for pair in waiting(graded) if pair[0] == query),
        key=[(query, one.key) for one in graded.query(query).candidates].index,
    )
    assert all((one.judgment, one.places, one.others) == (UNJUDGED, (), ()) for one in view.candidates)


def test_undo_takes_back_what_was_said_again_and_redo_says_it_again(graded: Project) -> None:
    before, first = grades(graded), waiting(graded)[0]
    graded.grade_again(*first, 5)
    change = graded.undo()
    assert change is not None
    assert (change.kind, change.query, change.candidate) == ("repeat", *first)
    assert change.said.startswith("Undone: what was asked again for d")
    assert first in waiting(graded)
    assert self_agreement(graded.state(), "Ann").n == 0
    graded.redo()
    assert first not in waiting(graded)
    assert self_agreement(graded.state(), "Ann").n == 1
    graded.undo()
    assert first in waiting(graded)
    assert grades(graded) == before


def test_an_annotator_who_says_the_same_again_agrees_with_themselves(graded: Project) -> None:
    before = grades(graded)
    asked = waiting(graded)
    for at, one in enumerate(asked):
        same = before[one] or 0
        grade_again(graded.store, "Ann", *one, same if at else (same + 1) % 6)
    found = self_agreement(graded.state(), "Ann")
    assert found.n == len(asked)
    assert found.coefficients[0].value == pytest.approx(1 - 1 / len(asked))
    assert self_agreement(graded.state(), "Ben").n == 0
    (table,) = tables(graded.state(), Options())
    assert table.rows[0][:3] == ("annotator 1", "asked again", "Same grade")


def test_only_graded_candidates_and_only_grades_are_taken(graded: Project) -> None:
    first = waiting(graded)[0]
    with pytest.raises(UserError, match="6 is not a grade"):
        grade_again(graded.store, "Ann", *first, 6)
    with pytest.raises(UserError, match="nothing to ask again"):
        grade_again(graded.store, "Ben", *first, 3)


def test_the_ledger_with_repeats_is_sound(graded: Project, tmp_path: Path) -> None:
    first = waiting(graded)[0]
    scores = graded.evaluate(Options(measures=("CG@3",))).scores
    grade_again(graded.store, "Ann", *first, 5)
    assert (graded.evaluate(Options(measures=("CG@3",))).scores == scores).all()
    graded.undo()
    graded.redo()
    path = graded.path
    graded.close()
    assert "is sound" in CliRunner().invoke(app, ["check", str(path)]).output
    twin, copy = tmp_path / "twin", tmp_path / "copy.annot"
    assert CliRunner().invoke(app, ["dump", str(path), str(twin)]).exit_code == 0
    assert CliRunner().invoke(app, ["load", str(twin), str(copy)]).exit_code == 0
    with Project.open(copy, annotator="Ann") as loaded:
        assert self_agreement(loaded.state(), "Ann").n == 1
