"""Practice queries on the command line: marked by a lead, listed, left out of what is printed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from annotator.project import samples
from annotator.project.project import Project
from annotator.project.state import state_of

Run = Callable[..., Result]


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A copy of the sample with twenty queries, judged by two people."""
    return Path(shutil.copy(samples.copied("site-search"), tmp_path / "town.annot"))


def marked(path: Path) -> list[str]:
    with Project.open(path, read_only=True) as project:
        return [one.id for one in state_of(project).practice.values()]


def test_a_lead_marks_queries_and_lets_them_count_again(run: Run, town: Path) -> None:
    assert "No query is for practice" in run("practice", town).stdout
    refused = run("practice", town, "-q", "s01")
    assert (refused.exit_code, "--lead NAME" in refused.stderr) == (1, True)
    done = run("practice", town, "-q", "s01", "-q", "s03", "--lead", "Mara")
    assert done.stdout.splitlines()[1:] == [
        "s01 is for practice and counts in nothing from now on.",
        "s03 is for practice and counts in nothing from now on.",
    ]
    rows = json.loads(run("practice", town, "--format", "json").stdout)
    assert [row["query"] for row in rows] == ["s01", "s03"] == marked(town)
    scores = run("evaluate", town, "-m", "AP", "--per-query", "--format", "csv")
    assert not {"s01", "s03"} & {line.split(",")[1] for line in scores.stdout.splitlines() if "," in line}
    assert "2 practice queries are left out." in scores.stderr
    again = run("practice", town, "-q", "s03", "--count-again", "--lead", "Mara")
    assert again.stdout == "s03 counts again from now on.\n"
    assert marked(town) == ["s01"]


@pytest.mark.parametrize("wrong", ["s99", "", "s01\n"])
def test_when_one_cannot_be_marked_none_is(run: Run, town: Path, wrong: str) -> None:
    run("practice", town, "-q", "s05", "--lead", "Mara")
    before = town.read_bytes()
    refused = run("practice", town, "-q", "s01", "-q", wrong, "--lead", "Mara")
    assert refused.exit_code == 1
    assert town.read_bytes() == before
    assert marked(town) == ["s05"]


def test_a_practice_query_that_a_system_does_not_rank_is_in_no_overlap(
    run: Run, town: Path, tmp_path: Path
) -> None:
    few = tmp_path / "few.run"
    few.write_text("s02 Q0 x 1 1.0 few\n", encoding="utf-8")
    assert run("import", town, few).exit_code == 0
    assert run("practice", town, "-q", "s01", "--lead", "Mara").exit_code == 0
    done = run("compare", town, "--overlap", "0.9", "--format", "csv")
    assert done.exit_code == 0, done.output
    assert "few" in done.stdout
    assert "s01" not in done.output
