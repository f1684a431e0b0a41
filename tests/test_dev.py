"""`./dev` says first what is wrong, and explains itself without setting anything up."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STAMP = "cat pyproject.toml constraints.txt dev | cksum"
FAILING = "def test_truth():\n    print('printed by the test')\n    assert 1 + 1 == 3\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a set-up checkout whose tools only say that they ran."""
    for name in ("dev", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    stamp = subprocess.run(["sh", "-c", STAMP], cwd=tmp_path, capture_output=True, text=True, check=True)
    (tmp_path / ".venv/set-up[test]").write_text(stamp.stdout)
    for tool in ("python", "ruff", "mypy", "uv"):
        stands_in(tmp_path, tool, f"echo {tool} ran")
    return tmp_path


def stands_in(checkout: Path, tool: str, does: str) -> None:
    (checkout / ".venv/bin" / tool).write_text(f"#!/bin/sh\n{does}\n")
    (checkout / ".venv/bin" / tool).chmod(0o755)


def dev(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(checkout / "dev"), *words]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("ruff", "Matters of style are not as they should be; nothing after them was checked."),
        ("mypy", "The types are not as they should be; nothing after them was checked."),
    ],
)
def test_the_reason_stands_above_what_a_check_printed(checkout: Path, tool: str, said: str) -> None:
    stands_in(checkout, tool, "echo a.py:1: wrong; exit 1")
    done = dev(checkout, "test")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [said, "a.py:1: wrong"]


def test_a_test_that_fails_ends_with_1_and_one_that_passes_with_0(checkout: Path) -> None:
    assert dev(checkout, "test").returncode == 0
    stands_in(checkout, "python", 'case "$*" in *pytest*) echo pytest ran; exit 1;; esac')
    done = dev(checkout, "test", "tests/text")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-2:] == ["pytest ran", "A test did not pass."]


def test_tests_of_the_window_without_qt_end_with_what_to_install(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_in(checkout, "python", 'case "$*" in *PySide6*) exit 1;; esac; echo python ran')
    stands_in(checkout, "id", "echo 1000")  # nobody who may install
    monkeypatch.setenv("PATH", f"{checkout / '.venv/bin'}:{os.environ['PATH']}")
    for named in ("tests/desktop", "tests/journeys/test_log.py"):
        done = dev(checkout, "test", named)
        (line,) = done.stdout.splitlines()
        assert (done.returncode, line.split("libglib")[0]) == (
            2,
            "Missing here: sudo apt-get install --no-install-recommends ",
        )
    done = dev(checkout, "test", "tests/text")
    assert (done.returncode, "python ran" in done.stdout.splitlines()) == (2, True)


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"], [], ["test", "--help"], ["test", "-h"]])
def test_dev_explains_itself_and_does_nothing_else(checkout: Path, words: list[str]) -> None:
    shutil.rmtree(checkout / ".venv")
    done = dev(checkout, *words)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split()[1] for line in lines if line.strip().startswith("./dev")] == [
        *("run", "test", "test", "bench", "pictures", "reference", "bundle"),
    ]
    assert not (checkout / ".venv").exists()


def test_why_tests_failed_stands_above_where_they_did(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(FAILING)
    (tmp_path / "test_two.py").write_text("def broken(:\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    command += ["--continue-on-collection-errors", "--rootdir", str(tmp_path), "-c", os.devnull]
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    lines = done.stdout.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("test_"))
    assert sorted(lines[first : first + 2]) == [
        "test_one.py::test_truth: assert (1 + 1) == 3",
        "test_two.py: SyntaxError: invalid syntax",
    ]
    assert first < next(at for at, line in enumerate(lines) if "printed by the test" in line)
    assert first < next(at for at, line in enumerate(lines) if line.startswith("====="))
