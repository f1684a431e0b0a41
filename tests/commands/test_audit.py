"""`annotator audit`: a plan, its blocks, a look, all by commands."""

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from annotator.project import audit_result, judging
from annotator.project.audit_plan import plan_called
from annotator.project.project import Project
from annotator.project.state import state_of

Run = Callable[..., Result]


def sample(run: Run, folder: Path) -> Path:
    path = folder / "town.annot"
    run("sample", "site-search", "-o", str(path))
    return path


def planned(run: Run, project: Path, *words: str) -> Result:
    return run("audit", str(project), "spring", "--baseline", "full-text", "-s", "hybrid", *words)


def test_a_plan_is_made_judged_and_looked_at(run: Run, tmp_path: Path) -> None:
    project = sample(run, tmp_path)
    assert "There is no plan yet; make one: annotator audit" in run("audit", str(project)).output
    made = planned(run, project, "-m", "P@5", "--seed", "4")
    assert made.exit_code == 0
    assert "Plan spring:" in made.output
    assert "skip and can't tell count as grade 0" in made.output
    start = run("audit", str(project), "spring").output
    assert start.count("that matter judged") == start.count("nothing is drawn yet") == 1
    assert "of the 20 queries of the plan it uses 14 (in 6 nothing is judged)." in start
    compared = run("compare", str(project), "-s", "full-text", "-s", "hybrid", "-m", "P@5").output
    assert compared.splitlines()[0] in start
    run("audit", str(project), "spring", "-o", str(tmp_path / "said.txt"))
    assert (tmp_path / "said.txt").read_text("utf-8") == start
    assert "full-text hybrid" in " ".join(run("audit", str(project)).output.split())
    block = json.loads(run("audit", str(project), "spring", "--next", "--format", "json").output)
    rows = block
    assert 0 < len(rows) <= 50
    assert run("audit", str(project), "spring", "--look").stderr.startswith("This block is not done yet.")
    with Project.open(project, annotator="Mara") as opened:
        state = state_of(opened)
        for one in audit_result.block_of(state, plan_called(state, "spring"))[1]:
            judging.set_grade(opened, one.query, one.candidate, 3)
    looked = run("audit", str(project), "spring", "--look")
    assert "1 block of spring closed" in looked.stderr
    words = " ".join(looked.output.split())
    assert f"{len(rows)} of" in words
    assert (
        "the risk that this is wrong is at most 5%" in words or "Everything that matters is judged" in words
    )


def test_a_plan_needs_a_name_and_a_system_and_refuses_what_it_cannot_prove(run: Run, tmp_path: Path) -> None:
    project = sample(run, tmp_path)
    assert run("audit", str(project), "--baseline", "full-text").exit_code == 2
    for words in (
        ("spring", "-s", "hybrid"),
        ("spring", "--risk", "0.01"),
        ("spring", "--means"),
        ("--look",),
        ("spring", "--look", "--next"),
        ("spring", "--baseline", "full-text", "-s", "hybrid", "--look"),
    ):
        assert run("audit", str(project), *words).exit_code == 2, words
    refused = planned(run, project, "-m", "AP@10")
    assert refused.exit_code == 1
    assert "AP@10 is no sum of gains by rank" in refused.stderr
    assert "there are: none yet" in run("audit", str(project), "spring").stderr
