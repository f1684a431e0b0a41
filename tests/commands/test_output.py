"""`-o` is one thing in every command: the place that is written to, and nothing else has that letter."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from annotator.project.data_export import targets
from tests.reference import commands

COMMANDS = commands()


def words_of(command: Any) -> set[str]:
    return {word for one in command.params for word in one.opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_prints_a_table_can_write_it_and_the_letter_is_a_place_everywhere(name: str) -> None:
    options = {word: one for one in COMMANDS[name].params for word in one.opts}
    assert ("-o" in options) == ("--output" in options)
    if "--format" in options and name not in ("import", "new"):
        assert "-o" in options, "what is printed in a format can be written to a file"
    if "-o" in options:
        assert options["-o"] is options["--output"]
        assert options["-o"].metavar in ("FILE", "PATH", None)
        assert "rite" in options["-o"].help or "file" in options["-o"].help


FOLDERS = ("export", "report", "partition", "model export")
"""The commands that may write one."""


@pytest.mark.parametrize(
    "name", [name for name, one in COMMANDS.items() if name not in FOLDERS and "-o" in words_of(one)]
)
def test_a_folder_is_refused_by_its_name_where_one_file_is_written(
    run: Callable[..., Result], tmp_path: Path, name: str
) -> None:
    here = tmp_path / "here"
    (here / "there").mkdir(parents=True)
    for named in ("there", "there/", "new/"):
        done = run(*name.split(), "-o", f"{here}/{named}")
        assert done.exit_code == 2
        assert "is a folder; name a file in it" in " ".join(done.stderr.replace("│", " ").split())
    assert [one.name for one in here.iterdir()] == ["there"]


def test_an_export_writes_a_folder_or_a_file_as_its_format_is_and_a_report_either(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    project, out = tmp_path / "p.annot", tmp_path / "out"
    assert run("sample", "site-search", "-o", project).exit_code == 0
    for one in targets():
        for named in ("out/new/", "out/there", "out/way/new.x"):
            (out / "there").mkdir(parents=True)
            words = ["export", project, "--format", one.key, "-s", "hybrid", "-o", f"{tmp_path}/{named}"]
            done = run(*words)
            path = tmp_path / named
            if one.folder or named == "out/way/new.x":
                assert (done.exit_code == 0) == path.exists(), (one.key, done.output)
                assert done.exit_code or path.is_dir() == one.folder
            else:
                assert done.exit_code == 2, (one.key, named)
                assert [each.name for each in out.rglob("*")] == ["there"]
            shutil.rmtree(out)
    for named in ("trec.eval/", "folder"):
        assert run("report", project, "-m", "P@5", "-o", f"{tmp_path}/{named}").exit_code == 0
        assert (tmp_path / named / "evaluate.sh").is_file()
    assert run("report", project, "-m", "P@5", "-o", f"{tmp_path}/new/way/r.json").exit_code == 0
    assert (tmp_path / "new/way/r.json").is_file()


@pytest.mark.parametrize(
    ("listing", "recording"),
    [
        ("backup --list", "backup --restore x"),
        ("imports", "imports --undo x"),
        ("assign", "assign --nobody --lead x"),
        ("practice", "practice -q x"),
        ("snapshot", "snapshot x"),
        ("audit", ""),
    ],
)
def test_a_list_of_nothing_is_written_too_and_what_prints_none_names_no_file(
    run: Callable[..., Result], tmp_path: Path, listing: str, recording: str
) -> None:
    project, file = tmp_path / "p.annot", tmp_path / "list.txt"
    assert run("new", project).exit_code == 0
    before = project.read_bytes()
    name, *words = listing.split()
    done = run(name, project, *words, "-o", file)
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    assert file.is_file()
    if recording:
        name, *words = recording.split()
        file.unlink()
        done = run(name, project, *words, "-o", file)
        assert done.exit_code == 2
        assert "no table is printed here" in done.stderr
        assert not file.exists()
        assert project.read_bytes() == before


@pytest.mark.parametrize("words", [["formats"], ["measures"], ["measures", "AP"], ["sample"]])
def test_lists_are_written_to_a_file_too(
    run: Callable[..., Result], tmp_path: Path, words: list[str]
) -> None:
    words += ["--format", "csv"] if words != ["sample"] else []
    printed = run(*words).stdout
    assert run(*words, "-o", tmp_path / "list.csv").stdout == ""
    assert (tmp_path / "list.csv").read_text("utf-8") == printed
