"""What is exported on the command line is what pytrec_eval then scores alike."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
import pytrec_eval
from typer.testing import Result

from annotator.project import adjudication, browse, judging, settings
from annotator.project.project import Project
from annotator.tasks import CombiningRule

Run = Callable[..., Result]


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    """Two runs, one of a name with a blank, and three annotators who agree on nothing."""
    (tmp_path / "a.run").write_text("q Q0 x 1 3.0 a\nq Q0 y 2 2.0 a\nq Q0 z 3 1.0 a\n")
    (tmp_path / "b.csv").write_text("query_id,document_id,system,rank\nq,z,b two,1\nq,y,b two,2\n")
    path = tmp_path / "p.annot"
    assert run("new", path).exit_code == 0
    assert run("import", path, tmp_path / "a.run", tmp_path / "b.csv").exit_code == 0
    for who, grades in (
        ("Ann", {"x": 0, "y": 5, "z": 1}),
        ("Bo", {"x": 4, "y": 1, "z": 1}),
        ("Cy", {"x": 4}),
    ):
        with Project.open(path, who) as opened:
            for one in browse.query(opened, 1).candidates:
                if one.id in grades:
                    judging.set_grade(opened, 1, one.key, grades[one.id])
    return path


@pytest.mark.parametrize("rule", get_args(CombiningRule))
def test_the_rule_of_the_project_makes_the_grades_that_leave(run: Run, project: Path, rule: str) -> None:
    with Project.open(project, "Ann") as opened:
        settings.set_setting(opened, "combining", rule)
    out = project.with_name("out.json")
    written = []
    for words in ((), ("--combine", rule)):
        assert run("export", project, "-o", out, "--format", "dict-json", *words).exit_code == 0
        written.append(out.read_text())
    assert written[0] == written[1]
    assert ('"y":5' in written[0]) == (rule in ("upper-median", "max")), "5 and 1"


@pytest.mark.parametrize("system", ["a", "b two"])
def test_judgments_and_runs_leave_for_pytrec_eval_one_file_each(run: Run, project: Path, system: str) -> None:
    qrels, ranked = project.with_name("qrels.json"), project.with_name("one.run.json")
    for path, words in ((qrels, ()), (ranked, ("-s", system))):
        done = run("export", project, "-o", path, "--format", "dict-json", *words)
        assert "the runs are left out, or the judgments where the file's name says run" in done.stderr
    evaluator = pytrec_eval.RelevanceEvaluator(json.loads(qrels.read_text()), {"map", "recip_rank"})
    peer = evaluator.evaluate(json.loads(ranked.read_text()))["q"]
    words = ("evaluate", project, "-s", system, "-m", "AP", "-m", "RR", "--format", "json")
    ours = json.loads(run(*words).stdout)["systems"][system]["all"]
    assert ours == pytest.approx({"AP": peer["map"], "RR": peer["recip_rank"]})


def test_several_runs_for_one_dict_are_refused_and_say_how(run: Run, project: Path) -> None:
    done = run("export", project, "-o", project.with_name("every.run.json"), "--format", "dict-json")
    assert done.exit_code == 1
    assert not project.with_name("every.run.json").exists()


def test_a_folder_for_trec_eval_says_which_systems_are_called_otherwise(run: Run, project: Path) -> None:
    assert run("report", project, "-o", project.with_name("bundle")).exit_code == 0
    script = (project.with_name("bundle") / "evaluate.sh").read_text()
    assert "# The system 'b two' is called b_two: blanks cannot stand in its name.\n" in script
    assert "The system 'a' " not in script


def test_grades_that_were_settled_leave_as_settled(run: Run, project: Path) -> None:
    with Project.open(project, "Lead") as opened:
        key = next(one.key for one in browse.query(opened, 1).candidates if one.id == "x")
        adjudication.adjudicate(opened, 1, key, 2)
    out = project.with_name("out.qrels")
    assert run("export", project, "-o", out, "--format", "trec-qrels").exit_code == 0
    assert "q 0 x 2\n" in out.read_text()
