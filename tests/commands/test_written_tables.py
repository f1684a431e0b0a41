"""Beside every table that goes into a file stands the head of the ledger that it is from."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from annotator.formats.beside import metadata_of
from annotator.project.project import Project
from tests.storage.projects import fill

Run = Callable[..., Result]

TABLES: dict[str, tuple[str, ...]] = {
    "scores": ("evaluate", "PROJECT", "-m", "P@5", "--per-query", "--format", "csv"),
    "scores as text": ("evaluate", "PROJECT", "-m", "P@5"),
    "tests": ("compare", "PROJECT", "-m", "P@5", "--format", "csv"),
    "agreement": ("agreement", "PROJECT", "--format", "json"),
    "coverage": ("coverage", "PROJECT", "-m", "P@5", "--format", "csv"),
    "history": ("history", "PROJECT", "--format", "csv"),
    "report": ("report", "PROJECT", "-m", "P@5", "--table", "summary"),
}


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, str]:
    """Return a project and its ledger head."""
    path = tmp_path / "p.annot"
    with Project.create(path, "Tables", annotator="Ana") as made:
        fill(made.store)
        return path, made.store.head()


@pytest.mark.parametrize("what", TABLES)
def test_beside_a_table_stands_from_which_head_it_is(
    run: Run, project: tuple[Path, str], tmp_path: Path, what: str
) -> None:
    path, head = project
    target = tmp_path / "table.csv"
    words = [path if one == "PROJECT" else one for one in TABLES[what]]
    result = run(*words, "-o", target)
    assert result.exit_code == 0, result.output
    told = json.loads(metadata_of(target).read_text("utf-8"))
    assert told["url"] == "table.csv"
    assert head in " ".join(told["dc:provenance"])
    assert head not in target.read_text("utf-8")
    assert run("check", path, "--contains", head).exit_code == 0


def test_the_table_itself_stays_what_other_programs_read(
    run: Run, project: tuple[Path, str], tmp_path: Path
) -> None:
    target = tmp_path / "table.csv"
    printed = run(*(project[0] if one == "PROJECT" else one for one in TABLES["scores"])).stdout
    run(*(project[0] if one == "PROJECT" else one for one in TABLES["scores"]), "-o", target)
    assert target.read_text("utf-8") == printed
    assert list(pd.read_csv(target).columns)[:4] == ["system", "query", "measure", "value"]


def test_a_table_of_files_has_nothing_beside_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "one.run").write_text("q1 Q0 d1 1 2.5 one\n")
    words = ("evaluate", "--qrels", tmp_path / "qrels", "--run", tmp_path / "one.run", "-m", "AP")
    assert run(*words, "-o", tmp_path / "table.csv").exit_code == 0
    assert not metadata_of(tmp_path / "table.csv").exists()
