"""The program as a whole: what it loads, what it says, how it ends."""

import logging
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib import font_manager
from typer.testing import Result

from annotator.cli import say_nothing_of_fonts

ROOT = Path(__file__).parents[2]

Run = Callable[..., Result]

HEAVY = ("PySide6", "pandas", "sqlmodel", "scipy", "matplotlib")


def loaded_by(*words: str, heavy: tuple[str, ...] = HEAVY) -> set[str]:
    """Return which heavy libraries a command loads in a process of its own."""
    code = (
        "import sys\nfrom annotator.commands.program import app\n"
        "try:\n    app(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"sys.stderr.write('\\n' + ' '.join(one for one in {heavy!r} if one in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return set(done.stderr.rpartition("\n")[2].split())


def test_help_loads_no_heavy_library() -> None:
    assert loaded_by("--help", heavy=(*HEAVY, "numpy", "jinja2")) == set()


def test_evaluating_files_loads_no_heavy_library(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\n", "utf-8")
    (tmp_path / "run").write_text("q1 Q0 a 1 1.0 s\n", "utf-8")
    words = ("evaluate", "--qrels", str(tmp_path / "qrels"), "--run", str(tmp_path / "run"), "-m", "AP")
    assert loaded_by(*words, "--format", "csv") == set()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells of threads there")
def test_a_command_computes_in_one_thread_whatever_the_computer_has(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\n", "utf-8")
    (tmp_path / "run").write_text("q1 Q0 a 1 1.0 s\n", "utf-8")
    code = (
        "import os, sys\nfrom annotator.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('numpy' in sys.modules, len(os.listdir('/proc/self/task')), file=sys.stderr)"
    )
    words = ("evaluate", "--qrels", str(tmp_path / "qrels"), "--run", str(tmp_path / "run"), "-m", "AP")
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["True", "1"]


def test_every_command_is_explained_with_an_example(run: Run) -> None:
    from annotator.commands.program import app

    names = [one.name for one in app.registered_commands if not one.hidden]
    assert len(names) > 5
    for name in names:
        shown = run(str(name), "--help")
        assert shown.exit_code == 0
        assert f"annotator {name}" in shown.stdout.replace("\n", " "), name


def test_the_version_is_told(run: Run) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert run("--version").stdout == f"annotator {declared['version']}\n"
    assert declared["name"] != "annotator", "that name on the index is somebody else's"


def test_no_option_is_cut_in_a_terminal_of_eighty_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from annotator.commands.program import COMMANDS

    monkeypatch.setenv("COLUMNS", "80")
    for name in COMMANDS:
        options = [line for line in run(name, "--help").stdout.splitlines() if " --" in line]
        assert options, name
        assert not any("…" in line.partition("  ")[0] for line in map(str.strip, options)), name


def test_a_word_that_is_neither_command_nor_file_says_what_to_do(run: Run) -> None:
    result = run("search.annot")
    assert result.exit_code == 1
    assert "annotator new search.annot" in result.stderr
    assert "annotator --help" in result.stderr


@pytest.mark.parametrize("words", [("evalute",), ("evalute", "p.annot", "-m", "AP")])
def test_a_misspelt_command_is_wrong_usage_and_says_which_is_meant(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert "did you mean evaluate?" in " ".join(result.stderr.split())


def test_a_word_that_no_path_and_no_name_may_be_is_wrong_usage(run: Run) -> None:
    for words in (["a\0b"], ["check", "a\0b.annot"], ["report", "p.annot", "-o", "a\0b.md"]):
        result = run(*words)
        assert (result.exit_code, "U+0000" in result.stderr) == (2, True), result.output


def test_a_word_that_is_like_no_command_is_not_taken_for_a_project_with_options(run: Run) -> None:
    result = run("frobnicate", "p.annot", "-m", "AP")
    assert result.exit_code == 2
    assert "no command 'frobnicate'" in result.stderr


@pytest.mark.parametrize("content", [b"", b"no project at all", b"PK\x03\x04" + bytes(200)])
def test_a_foreign_file_is_refused_in_one_line(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "foreign.annot"
    file.write_bytes(content)
    result = run("evaluate", file)
    assert result.exit_code == 1
    assert "foreign.annot" in result.stderr
    assert file.read_bytes() == content


def test_the_window_opens_without_loading_the_commands(tmp_path: Path) -> None:
    project = tmp_path / "p.annot"
    project.touch()
    code = (
        "import sys\nfrom annotator import cli\nfrom annotator.desktop import app\n"
        "app.main = lambda words: print(words, 'typer' in sys.modules) or 0\ncli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(project)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"{[str(project)]} False"


def test_a_first_start_does_not_speak_of_fonts(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class AtOnce(threading.Timer):
        def start(self) -> None:
            self.function()

    monkeypatch.setattr(threading, "Timer", AtOnce)  # matplotlib speaks when five seconds have passed
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda *_, **__: [])
    monkeypatch.setattr(logging.getLogger("matplotlib.font_manager"), "filters", [])
    font_manager.FontManager()
    (said,) = caplog.messages
    say_nothing_of_fonts()
    font_manager.FontManager()
    logging.getLogger("matplotlib.font_manager").warning("findfont: not found")
    assert caplog.messages == [said, "findfont: not found"]
