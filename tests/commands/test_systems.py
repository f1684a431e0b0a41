"""`annotator retrieve`: the project's own documents become a system."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from annotator.project.project import Project
from annotator.records import Dataset, Document, Query
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import

Run = Callable[..., Result]


def made(path: Path) -> Path:
    """Make a project with a query and two documents that share its stem alone."""
    documents = [Document("d1", "", "throwing hammers"), Document("d2", "", "a shield")]
    with Project.create(path, "Search", "Ada") as project:
        data = Dataset([Query("q1", "thrown hammer shield")], documents=documents)
        import_dataset(project.store, data, Import("Ada", "test", "person"))
    return path


def test_stemming_finds_more_than_the_standard_analyser(run: Run, tmp_path: Path) -> None:
    path = made(tmp_path / "p.annot")
    standard = run("retrieve", path)
    stemming = run("retrieve", path, "--analyzer", "stemming", "--system", "stems", "--lucene")
    assert "bm25-standard: 1 ranked candidate for 1 query (BM25 k1=0.9 b=0.4" in standard.stdout
    assert "stems: 2 ranked candidates for 1 query (BM25 k1=1.2 b=0.75" in stemming.stdout


def test_a_system_that_is_there_is_a_users_error(run: Run, tmp_path: Path) -> None:
    path = made(tmp_path / "p.annot")
    assert run("retrieve", path).exit_code == 0
    again = run("retrieve", path)
    assert again.exit_code == 1
    assert "bm25-standard" in again.stderr
    assert run("retrieve", path, "--replace", "--top", "1").exit_code == 0


def test_an_unknown_analyzer_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    assert run("retrieve", made(tmp_path / "p.annot"), "--analyzer", "magic").exit_code == 2


def test_systems_are_put_together_under_a_name(run: Run, tmp_path: Path) -> None:
    path = made(tmp_path / "p.annot")
    run("retrieve", path)
    run("retrieve", path, "--analyzer", "stemming")
    words = ("aggregate", path, "-s", "bm25-standard", "-s", "bm25-stemming", "--rule", "borda")
    assert run(*words, "--name", "both").stdout.startswith("both: 2 ranked candidates for 1 query (borda of")
    assert run("aggregate", path, "-s", "bm25-standard").exit_code == 1
    assert run(*words, "--rule", "magic").exit_code == 2
