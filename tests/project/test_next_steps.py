"""What can be done next follows from what a project holds, and is never told of what is not there."""

from pathlib import Path

import pytest

from annotator.project import browse, data_import, judging
from annotator.project.next_steps import next_steps
from annotator.project.project import Project

TEXTS = "query_id,query,document_id,text\nq1,What?,d1,That.\n"
RUN = "q1 Q0 d1 1 2.0 a\nq1 Q0 d2 2 1.0 a\n"


@pytest.mark.parametrize(
    ("files", "steps"),
    [
        ({}, []),
        ({"queries.csv": "query_id,query\nq1,What?\n"}, []),
        ({"documents.csv": "document_id,text\nd1,That.\n"}, []),
        ({"texts.csv": TEXTS}, ["baseline"]),
        ({"a.run": RUN}, ["grade"]),
        ({"texts.csv": TEXTS, "a.run": RUN}, ["grade"]),
        ({"x.qrels": "q1 0 d1 3\n"}, ["grade"]),
        ({"a.run": RUN, "x.qrels": "q1 0 d1 3\n"}, ["grade", "evaluate"]),
        (
            {"g.csv": "query_id,gold\nq1,That\n", "p.csv": "query_id,answer,system\nq1,This,a\n"},
            ["grade", "evaluate"],
        ),
        ({"g.csv": "query_id,gold\nq1,That\n", "a.run": RUN}, ["grade"]),
    ],
)
def test_what_comes_next_follows_from_what_is_there(
    tmp_path: Path, files: dict[str, str], steps: list[str]
) -> None:
    with made(tmp_path, files) as project:
        assert [one.what for one in next_steps(project)] == steps


def test_what_is_graded_waits_no_longer(tmp_path: Path) -> None:
    with made(tmp_path, {"a.run": RUN}) as project:
        assert [one.why for one in next_steps(project)] == ["2 candidates wait for your grade."]
        query = browse.key_of(project, "q1")
        first, second = browse.query(project, query).candidates
        judging.set_grade(project, query, first.key, 3)
        assert [one.why for one in next_steps(project)] == [
            "1 candidate waits for your grade.",
            "Scores of 1 system from judgments.",
        ]
        judging.set_grade(project, query, second.key, 0)
        assert [one.what for one in next_steps(project)] == ["evaluate"]


def made(folder: Path, files: dict[str, str]) -> Project:
    """Return a project that imported files."""
    project = Project.create(folder / "p.annot", "P", "ann")
    paths = [folder / name for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text)
    if paths:
        data_import.run_import(project, data_import.plan_import(project, paths))
    return project
