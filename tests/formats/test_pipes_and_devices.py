"""A pipe is not waited for and a device is not replaced: one clear line, at once."""

import os
import stat
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import UserError
from annotator.formats.registry import FORMATS, read_each, sniff
from annotator.formats.text_lines import open_bytes
from annotator.formats.whole_files import replacing, replacing_bytes
from annotator.project.import_preview import glance

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture(params=["pipe", "device"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a pipe without a writer, or a way to a device."""
    path = tmp_path / "odd.run"
    if request.param == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    return path


@pytest.mark.timeout(10)
def test_it_is_not_read(odd: Path) -> None:
    with pytest.raises(UserError, match="is a pipe or a device"):
        sniff(odd)
    with pytest.raises(UserError, match="is a pipe or a device"):
        open_bytes(odd)


@pytest.mark.timeout(10)
@pytest.mark.parametrize("key", FORMATS)
def test_it_is_not_read_in_any_format_that_is_asked_for(odd: Path, key: str) -> None:
    with pytest.raises(UserError, match="is a pipe or a device"):
        read_each([odd], key)
    assert "is a pipe or a device" in glance(odd, key).problem


@pytest.mark.timeout(10)
@pytest.mark.parametrize("way", [replacing, replacing_bytes])
def test_it_is_not_replaced(odd: Path, way: type) -> None:
    before = os.lstat(odd)[:3]  # whoever else uses the device changes its times
    with pytest.raises(UserError, match="nothing was written"), way(odd):
        raise AssertionError("nothing is begun")
    assert os.lstat(odd)[:3] == before
    assert os.listdir(odd.parent) in (["odd.run", "home"], ["home", "odd.run"])


@pytest.mark.timeout(60)
def test_no_command_waits_for_a_pipe(tmp_path: Path) -> None:
    pipes = tmp_path / "pipes"
    pipes.mkdir()
    for name in ("pipe.xlsx", "pipe.html", "pipe.parquet", "project.toml"):
        os.mkfifo(pipes / name)
    project, pipe, qrels = tmp_path / "p.annot", pipes / "pipe.xlsx", tmp_path / "qrels"
    qrels.write_text("q1 0 d1 1\n")
    for words in (
        ["new", project],
        *(["import", project, pipe, "--format", key] for key in ("xlsx", "parquet", "trec-run")),
        ["load", pipe, tmp_path / "other.annot"],
        ["backup", project, "-o", pipe],
        ["evaluate", "--qrels", pipe, "--run", pipe],
        ["measures", "-o", pipe],
        ["export", project, "--format", "csv", "-o", pipe],
        ["report", project, "-o", pipe.with_name("pipe.html")],
        *([verb, pipe] for verb in ("evaluate", "compare", "check", "history", "dump", "forget")),
        *([verb, pipe, "-o", tmp_path / "new.annot"] for verb in ("recover", "backup")),
        ["merge", project, pipe, "-o", tmp_path / "new.annot"],
        ["nuggets", project, pipe],
        ["import", project, pipe, "--format", "trec-rag"],
        *([verb, pipe.with_name("pipe.parquet")] for verb in ("evaluate", "compare")),
        ["partition", pipe, "-o", tmp_path / "parts"],
        ["evaluate", "--qrels", qrels, "--run", pipe.parent, "--part", "1/1", "-o", tmp_path / "s.parquet"],
        ["evaluate", "--qrels", qrels, "--run", pipe.with_name("pipe.parquet")],
        ["load", pipe.parent, tmp_path / "other.annot"],
        ["share", project, pipe],
    ):
        words = [*words, tmp_path / "dumped"] if words[0] == "dump" else words
        done = CliRunner().invoke(app, [str(one) for one in words])
        assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
        assert done.exit_code == (0 if words[0] == "new" else 1), (words, done.output)
        assert words[0] == "new" or len(done.output.splitlines()) == 1, done.output
        assert words[0] != "partition" or "is a pipe or a device" in done.output, done.output
    assert stat.S_ISFIFO(os.lstat(pipe).st_mode)
