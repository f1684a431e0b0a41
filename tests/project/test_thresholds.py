"""Thresholds as classifiers."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import UserError
from annotator.evaluation.options import GoldMatch, Options
from annotator.metrics.classification import Confusion
from annotator.project import browse, judging
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.project.thresholds import annotator_against_annotator, match_against_grades

GRADES = {"the Tony Stark": 5, "Stark": 4, "Infinity Gauntlet": 0, "Mjolnir": 2}


@pytest.fixture
def graded(answers: Project) -> Project:
    """The questions of heroes, four of five answers graded."""
    for key in browse.query_keys(answers).tolist():
        for candidate in browse.query(answers, key).candidates:
            if candidate.text in GRADES:
                judging.set_grade(answers, key, candidate.key, GRADES[candidate.text])
    return answers


def test_exact_match_is_held_against_grades_from_3_on(graded: Project) -> None:
    found = match_against_grades(state_of(graded), GoldMatch("em"), 3, Options())
    assert found.confusion == Confusion(tp=1, fp=1, fn=1, tn=1)
    assert found.n == 4
    assert (found.truth, found.predicted) == ("grade 3 or higher", "em 1 or higher (squad1)")


def test_the_sweep_shows_every_threshold_of_the_match(graded: Project) -> None:
    found = match_against_grades(state_of(graded), GoldMatch("f1", 0.5), 3, Options())
    assert [threshold for threshold, _ in found.sweep] == pytest.approx([0, 2 / 3, 1])
    assert found.confusion == found.sweep[1][1] == Confusion(tp=2, fp=1, fn=0, tn=1)


def test_one_annotator_is_held_against_another(graded: Project) -> None:
    graded.use_annotator("Ben")
    for key in browse.query_keys(graded).tolist():
        judging.set_grade(graded, key, browse.query(graded, key).candidates[0].key, 3)
    shared = annotator_against_annotator(state_of(graded), "Ben", "Ann", 3)
    assert shared.confusion.fn == shared.confusion.tn == 0
    assert 1 <= shared.n <= 2
    with pytest.raises(UserError, match="Nobody called 'Cleo'"):
        annotator_against_annotator(state_of(graded), "Cleo", "Ann", 3)


def test_without_graded_answers_there_is_nothing_to_hold_against(answers: Project) -> None:
    with pytest.raises(UserError, match="grade some answers first"):
        match_against_grades(state_of(answers), GoldMatch(), 3, Options())


def test_the_command_line_prints_the_rates_and_what_is_undefined(graded: Project, tmp_path: Path) -> None:
    path = graded.path
    graded.close()
    shown = CliRunner().invoke(
        app, ["classify", str(path), "--rel", "1", "--threshold", "2", "--format", "csv"]
    )
    assert shown.exit_code == 0, shown.output
    assert 'mcc,0.0,"undefined, shown as 0"' in shown.output
    swept = CliRunner().invoke(app, ["classify", str(path), "--match", "f1", "--sweep", "--format", "csv"])
    assert swept.stdout.splitlines()[0].startswith("threshold,tp,fp,fn,tn,precision")
    assert len(swept.stdout.splitlines()) == 4
