"""Which systems are preferred, by the judgments of a state: who counts, what is settled, what is left out."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table
from annotator.project import browse, judging
from annotator.project.adjudication import adjudicate
from annotator.project.preference_strengths import needed, tables
from annotator.project.preferences import prefer, side_by_side, to_prefer
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_report
from annotator.project.snapshots import take_snapshot
from annotator.project.state import state_of
from tests.project.scores import by
from tests.project.test_preferences import answered, say_better, texts_of

ANSWERS = {
    "red": {"q1": "r1", "q2": "same", "q3": "r3", "q4": "r4", "q5": "r5"},
    "green": {"q1": "g1", "q2": "same", "q3": "g3", "q4": "g4"},
    "blue": {"q1": "b1", "q5": "b5"},
}


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Project]:
    """Three systems of which Ann prefers red three times and green once, and leaves two pairs open."""
    with Project.create(tmp_path / "answers.annot", "Answers", annotator="Ann") as made:
        answered(made, ANSWERS)
        for better, worse in (("r1", "g1"), ("r3", "g3"), ("g4", "r4"), ("r5", "b5")):
            say_better(made, "Ann", better, worse)
        yield made


def found(project: Project, **options: object) -> list[Table]:
    asked = Options(**options)  # type: ignore[arg-type]
    return tables(state_of(project, asked), asked)


def wins(project: Project, **options: object) -> list[tuple[object, ...]]:
    return found(project, **options)[1].rows


def test_each_pair_of_systems_is_compared_by_what_was_said_of_their_answers(answers: Project) -> None:
    assert wins(answers) == [("red", None, 2, 1), ("green", 1, None, None), ("blue", 0, None, None)]
    strong = found(answers)[0]
    assert [row[0] for row in strong.rows] == ["red", "green", "blue"]
    assert [row[4:7] for row in strong.rows] == [(3, 0, 1), (1, 0, 2), (0, 0, 1)]
    assert [row[1:4] for row in strong.rows] == [(None, None, None)] * 3, "blue never won"
    assert "each time one of red, green stood beside blue, the former was preferred" in strong.caption
    assert "Left out: 1 pair of the same answer, and 2 pairs that nobody judged." in strong.caption
    two = found(answers, systems=("red", "green"))[0]
    assert [row[1] for row in two.rows] == pytest.approx([np.log(2) / 2, -np.log(2) / 2])


def test_annotators_share_a_comparison_a_model_counts_alone_and_what_is_settled_wins(
    answers: Project,
) -> None:
    say_better(answers, "Ben", "g1", "r1")
    assert wins(answers)[0] == ("red", None, 1.5, 1)
    assert wins(answers, annotator="Ben") == [("red", None, 0), ("green", 1, None)]
    with answers.store.writing():
        first = next(one for one in to_prefer(answers).pairs if one.subject[0] == "q3")
        level = {"grade": 1, "as": "equal", "left": first.subject[1]}
        answers.store.record("model:x", "preference", first.subject, level, annotator_kind="model")
    assert wins(answers)[0] == ("red", None, 1.5, 1)
    assert "Judgments by models are left out: model:x." in found(answers)[0].caption
    assert wins(answers, annotator="model:x")[0] == ("red", None, 0.5)
    apart = next(
        one for one in to_prefer(answers).pairs if {"r1", "g1"} == {*texts_of(side_by_side(answers, one))}
    )
    take_snapshot(answers, "then")
    seen = side_by_side(answers, apart)
    first_is_red = texts_of(seen)[seen.keys.index(apart.first)] == "r1"
    better = 0 if first_is_red else 2
    adjudicate(answers, apart.query, apart.first, better, judged_by="preference", ending=apart.subject[2:])
    assert wins(answers)[0] == ("red", None, 2, 1)
    assert "Settled: 1 comparison." in found(answers)[0].caption
    assert wins(answers, as_of="then")[0] == ("red", None, 1.5, 1)


def test_which_side_each_one_prefers_is_told_of_what_stood_there(answers: Project) -> None:
    for two in to_prefer(by(answers, "Lefty")).pairs:
        prefer(answers, two.query, *side_by_side(answers, two).keys, "left")
    for two in to_prefer(by(answers, "Fair")).pairs[:2]:
        prefer(answers, two.query, *side_by_side(answers, two).keys, "equal")
    rows = {row[0]: row[1:] for row in found(answers)[2].rows}
    assert rows["Lefty"][:3] == (6, 0, 0)
    assert rows["Lefty"][-1] == pytest.approx(2 * 0.5**6)
    assert rows["Fair"][:3] == (0, 2, 0)
    assert sum(rows["Ann"][:3]) == 4


def test_the_command_line_and_notebooks_tell_the_same(answers: Project) -> None:
    answers.store.close()
    run = CliRunner()
    shown = run.invoke(app, ["preferences", str(answers.path)])
    assert "Strengths by preference" in shown.stdout
    assert "Whether a side is favoured" in shown.stdout
    printed = run.invoke(app, ["preferences", str(answers.path), "--show", "wins", "--format", "csv"])
    assert printed.stdout.splitlines() == [
        "system,red,green,blue",
        "red,,2.0,1.0",
        "green,1.0,,",
        "blue,0.0,,",
    ]
    frame = api.preferences(answers.path, ("red", "green"))
    assert frame["won"].tolist() == [2, 1]
    assert frame["strength"].tolist() == pytest.approx([np.log(2) / 2, -np.log(2) / 2])
    with pytest.raises(UserError, match="There is no table 'best'"):
        api.preferences(answers.path, show="best")  # type: ignore[arg-type]


def test_a_report_tells_of_preferences_without_names(answers: Project, tmp_path: Path) -> None:
    key = to_prefer(answers).pairs[0].query
    judging.set_grade(answers, key, browse.query(answers, key).candidates[0].key, 3)
    for one in (answers, by(answers, "Ben")):
        say_better(one, one.annotator, "r3", "g3")
    choice = Choice(format="json", sections=("preferences",))
    write_report(answers, tmp_path / "report.json", Options(measures=("P@1",)), choice)
    sections = json.loads((tmp_path / "report.json").read_text("utf-8"))["sections"]
    section = next(one for one in sections if one["key"] == "preferences")
    strong, matrix, sides = section["tables"]
    assert matrix["rows"][0] == ["red", None, 2, 1]
    assert [row[0] for row in sides["rows"]] == ["annotator 1", "annotator 2"]
    assert strong["key"] == "preferences"


def test_where_nothing_is_said_or_nothing_of_two_systems_that_is_told(answers: Project) -> None:
    alone = Options(systems=("red",))
    with pytest.raises(UserError, match="between what two of these systems rank first"):
        needed(state_of(answers, alone), alone)
    then = Options(as_of="2020-01-01")
    with pytest.raises(UserError, match="Nobody had by then said which"):
        needed(state_of(answers, then), then)
