"""Assigning on the command line, and how far everybody is."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from annotator.project import assignments, browse, history, judging, samples
from annotator.project.project import Project

Run = Callable[..., Result]


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A copy of the sample with twenty queries."""
    return Path(shutil.copy(samples.copied("site-search"), tmp_path / "town.annot"))


def rows(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout[result.stdout.index("[") :])


def test_three_people_get_twenty_queries_with_an_overlap_of_two(run: Run, town: Path) -> None:
    to = ("--to", "Ann", "--to", "Bo", "--to", "Cy", "--judgments", 2)
    tried = run("assign", town, *to, "--dry-run", "--format", "json")
    assert "Nothing is assigned" in run("assign", town).stdout
    refused = run("assign", town, *to)
    assert refused.exit_code == 1
    assert "--lead NAME" in refused.stderr
    done = run("assign", town, *to, "--lead", "Di", "--format", "json")
    assert done.stdout.startswith("Di has the role of lead now. It is a convention between honest people")
    assert "Assigned 20 queries to 3 people." in done.stdout
    assert rows(done) == rows(tried)
    assert sorted(row["queries"] for row in rows(done)) == [13, 13, 14]
    again = run("assign", town, *to, "--lead", "Di")
    assert again.stdout.startswith("This is so already; nothing was changed.")
    with Project.open(town, annotator="Bo") as project:
        now = assignments.assignment(project)
        assert [len(names) for names in now.people.values()] == [2] * 20
        views = [browse.query(project, key) for key in browse.query_keys(project).tolist()]
        query = next(one for one in views if one.candidates and "Bo" in now.people[one.id])
        for one in query.candidates:
            judging.set_grade(project, query.key, one.key, 2)
        judged = len(query.candidates)
        assert [line.said for line in history.history(project, limit=judged + 2)[-2:]] == [
            "assigned 20 queries to Ann, Bo, Cy (2 judgments a candidate)",
            "took the role of lead",
        ]
    shown = run("assign", town, "--format", "json")
    assert [(row["name"], row["complete"], row["decided"]) for row in rows(shown)] == [
        ("Ann", 0, 0),
        ("Bo", 1, judged),
        ("Cy", 0, 0),
    ]
    assert [row["last"] is None for row in rows(shown)] == [True, False, True]
    assert shown.stderr == "Every query is assigned.\n"


def test_shares_are_parts_or_numbers_and_are_taken_back(run: Run, town: Path) -> None:
    words = ("assign", town, "--lead", "Ann", "--anew", "--format", "json")
    parts = rows(run(*words, "--to", "Mara=60", "--to", "a=b=40"))
    assert {row["name"]: row["queries"] for row in parts} == {"Mara": 12, "a=b": 8}
    numbers = rows(run(*words, "--to", "Mara=3", "--to", "Jonas=2", "--numbers"))
    assert {row["name"]: row["queries"] for row in numbers} == {"Mara": 3, "Jonas": 2}
    assert run("assign", town).stderr == "15 queries are assigned to nobody.\n"
    assert run("assign", town, "--lead", "Ann", "--nobody").stdout == "Nothing is assigned any more.\n"
    assert run("assign", town, "--nobody", "--dry-run").exit_code == 2


@pytest.mark.parametrize("name", ["", "a\tb"])
def test_a_name_that_nobody_can_have_leaves_the_project_as_it_was(run: Run, town: Path, name: str) -> None:
    run("assign", town, "--lead", "Ann", "--to", "Bo")
    before = town.read_bytes()
    refused = run("assign", town, "--lead", "Ann", "--to", name)
    assert refused.exit_code == 1
    assert "cannot be used" in refused.stderr
    assert town.read_bytes() == before
