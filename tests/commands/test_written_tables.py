"""Beside every table that goes into a file stands the head of the ledger that it is from."""

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow.parquet
import pytest
from typer.testing import Result

import annotator
from annotator import commands
from annotator.formats.beside import metadata_of
from annotator.project.project import Project
from tests.storage.projects import fill

Run = Callable[..., Result]

TABLES: dict[str, tuple[str, ...]] = {
    "scores": ("evaluate", "PROJECT", "-m", "P@5", "--per-query", "--format", "csv"),
    "scores as text": ("evaluate", "PROJECT", "-m", "P@5"),
    "agreement": ("agreement", "PROJECT", "--format", "json"),
    "report": ("report", "PROJECT", "-m", "P@5", "--table", "summary"),
    "a plan": ("audit", "PROJECT", "first", "-m", "P@5", "--baseline", "bm25", "-s", "dense"),
    "data": ("export", "PROJECT", "--format", "csv"),
}

DOORS = {
    "commands/printout.put_exactly": "every table that a command prints",
    "project/coverage.write_judging_list": "what is to be judged",
    "project/report_files._written": "reports",
    "project/shown_files.write_table": "a table on a page of the window",
    "project/data_export.export": "data in any format",
    "project/nugget_files.write_nuggets": "nuggets",
}
"""Who writes files from a project, and beside them where these come from."""

OTHERS = {
    "project/report_files.write_bundle": "the script for trec_eval bears the head",
    "project/data_export.write": "`export` and `write_bundle` call it",
    "project/score_files.write_scores": "a file of scores bears all that was known, the head too",
    "project/text_twin.dump": "plain text of everything holds the ledger itself",
    "project/text_twin._written": "a file of that",
    "project/shown_files.write_figure": "a figure is no table",
    "project/partition.partition": "what becomes parts is runs in files, of no project",
    "project/kept_parts.keep": "parts of a file of scores, until all are there; of no project",
}
"""Who else writes a file, and why nothing is said beside it."""

RETURNING = {"project/report_files", "reports/report_formats"}
"""Where a report's format returns what is written elsewhere."""

WRITERS = {"replacing", "replacing_bytes", "replacing_all", "write_with_origin", "say_beside"}


def callers() -> dict[str, set[str]]:
    """Return the functions outside of the formats that write a file, each with the writers it calls."""
    root = Path(annotator.__file__).parent
    found: dict[str, set[str]] = {}
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root).with_suffix("").as_posix()
        code = path.read_text("utf-8")
        if place.startswith("formats/") or not (
            any(one in code for one in WRITERS) or "format_named" in code or "FORMATS[" in code
        ):
            continue
        for function in ast.walk(ast.parse(code)):
            if isinstance(function, ast.FunctionDef):
                calls = [one.func for one in ast.walk(function) if isinstance(one, ast.Call)]
                names = {one.id for one in calls if isinstance(one, ast.Name)} & WRITERS
                of_format = [
                    one
                    for one in calls
                    if isinstance(one, ast.Attribute)
                    and one.attr == "write"
                    and ast.unparse(one.value).startswith(("layout", "FORMATS[", "format_named("))
                ]
                if names or (of_format and place not in RETURNING):
                    found[f"{place}.{function.name}"] = names
    return found


def test_who_writes_a_file_from_a_project_says_beside_it_where_it_comes_from() -> None:
    found = callers()
    assert found.keys() == DOORS.keys() | OTHERS.keys(), "declare a new one, and what it bears"
    assert {
        one for one, calls in found.items() if calls & {"write_with_origin", "say_beside"}
    } == DOORS.keys()


def test_no_command_opens_a_project_but_where_its_head_is_noted() -> None:
    modules = Path(commands.__path__[0]).glob("*.py")
    assert {one.stem for one in modules if "Project.open(" in one.read_text("utf-8")} == {
        "choices",
        "progress",
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
    path, _ = project
    target = tmp_path / "table.csv"
    words = [path if one == "PROJECT" else one for one in TABLES[what]]
    result = run(*words, "-o", target)
    assert result.exit_code == 0, result.output
    with Project.open(path, read_only=True) as opened:
        head = opened.store.head()
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


def test_scores_in_a_file_bear_the_head_and_so_do_tables_of_them(
    run: Run, project: tuple[Path, str], tmp_path: Path
) -> None:
    path, head = project
    scores, table = tmp_path / "scores.parquet", tmp_path / "table.csv"
    assert run("evaluate", path, "-m", "P@5", "-o", scores).exit_code == 0
    assert head in pyarrow.parquet.read_metadata(scores).metadata[b"annotator"].decode()
    assert run("evaluate", scores, "--format", "csv", "-o", table).exit_code == 0
    assert head in metadata_of(table).read_text("utf-8")


def test_what_is_said_of_a_table_is_of_this_one_is_ours_and_is_no_data(
    run: Run, project: tuple[Path, str], tmp_path: Path
) -> None:
    table, (path, _) = tmp_path / "table.csv", project
    assert run("measures", "--format", "csv", "-o", table).exit_code == 0
    metadata_of(table).write_text("mine")
    assert run("measures", "--format", "csv", "-o", table).exit_code == 0
    refused = run("agreement", path, "-o", table)
    assert (refused.exit_code, metadata_of(table).read_text()) == (1, "mine")
    assert "table.csv is written, but not where it comes from: table.csv-metadata.json lies" in refused.stderr
    metadata_of(table).unlink()
    assert run("agreement", path, "-o", table).exit_code == 0
    no_data = run("import", path, metadata_of(table))
    assert "says where table.csv comes from, and holds nothing to import; leave it out" in no_data.stderr
    assert run("measures", "-o", table).exit_code == 0
    assert not metadata_of(table).exists()
