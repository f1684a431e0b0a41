from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import MeasureError
from annotator.project import browse, judging
from annotator.project.project import Project
from tests.project import scores


def test_an_answer_is_explained_against_every_wording(answers: Project) -> None:
    found = scores.explain_answer(answers, "reader", "iron", "TokenF1")
    assert [row.wording for row in found.rows] == ["Tony Stark", "Anthony Edward Stark"]
    assert [row.decides for row in found.rows] == [True, False]
    assert found.value == 1


def test_systems_of_documents_have_no_answers_to_explain(project: Project) -> None:
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
    with pytest.raises(MeasureError, match="ranks documents"):
        scores.explain_answer(project, "alpha", "q1", "EM")


def test_an_unknown_system_is_named(answers: Project) -> None:
    with pytest.raises(MeasureError, match="no system 'other' here; there are: reader"):
        scores.explain_answer(answers, "other", "iron", "EM")


def test_the_command_line_explains_answers_too(heroes: Path) -> None:
    words = ["explain", str(heroes), "-s", "reader", "-q", "thor", "-m", "TopAcc(match='f1')@3"]
    shown = CliRunner().invoke(app, words)
    assert shown.exit_code == 0, shown.output
    assert "thor, reader: TopAcc(match='f1')@3 = 1.0000" in shown.output
    assert "Mjolnir" in shown.output
    assert "The predictions at ranks 1 to 3 count." in " ".join(shown.output.split())
