"""`annotator import --column`: which column of a table holds what."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from annotator.project import browse
from annotator.project.project import Project

Run = Callable[..., Result]


def test_columns_with_names_of_their_own_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "made.csv").write_text("frage,treffer,urteil\nq1,d1,4\nq1,d2,0\n")
    path = tmp_path / "p.annot"
    run("new", path, "--name", "Search")
    words = [f"--column={one}" for one in ("query_id=frage", "document_id=treffer", "grade=urteil")]
    refused = run("import", path, tmp_path / "made.csv")
    assert refused.exit_code == 1
    assert "made.csv:1: has no column for the query's or document's id, only frage, treffer" in refused.stderr
    assert "say what they hold, such as query_id=frage" in refused.stderr
    done = run("import", path, tmp_path / "made.csv", *words)
    assert done.exit_code == 0, done.stderr
    with Project.open(path, read_only=True) as project:
        assert sum(one.graded for one in browse.annotators(project)) == 2


def test_a_wrong_role_column_or_form_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "made.csv").write_text("query_id,document_id,urteil\nq1,d1,4\n")
    path = tmp_path / "p.annot"
    run("new", path, "--name", "Search")
    role = run("import", path, tmp_path / "made.csv", "--column", "note=urteil")
    assert role.exit_code == 1
    assert "no role 'note'" in role.stderr
    name = run("import", path, tmp_path / "made.csv", "--column", "grade=label")
    assert "no column 'label'" in name.stderr
    assert run("import", path, tmp_path / "made.csv", "--column", "grade").exit_code == 2
