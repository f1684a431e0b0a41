"""A wheel built from the checkout works elsewhere: it opens its window, samples and help from any folder."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ELSEWHERE = tuple(ROOT / "resources" / name for name in ("pictures", "bundle", "notebooks"))
"""Folders for the README, and for who makes a bundle: nobody needs them who installs a wheel."""

BUILD = """
import sys
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
for builder in (WheelBuilder, SdistBuilder):
    print(next(builder(".").build(directory=sys.argv[1])))
"""

START = """
import annotator
assert "installed" in annotator.__file__
from annotator.cli import main
main()
"""

WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication
from annotator.desktop.app import make_window
from annotator.desktop.help import HelpDialog
import annotator
assert "installed" in annotator.__file__
app = QApplication(["annotator", "-style", "fusion"])
window = make_window(app, Path(sys.argv[1]))
waiting = QEventLoop()
window.project_opened.connect(waiting.quit)
window.show()
waiting.exec()
print(window.windowTitle())
print("icon", not window.windowIcon().pixmap(64, 64).isNull())
print("font", app.font().family())
dialog = HelpDialog(window)
for number in range(dialog.titles.count()):
    dialog.titles.setCurrentRow(number)
    print("help", dialog.titles.item(number).text(), len(dialog.text.toPlainText()) > 500)
window.close()
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a wheel and an sdist of the checkout."""
    words = [sys.executable, "-c", BUILD, str(tmp_path_factory.mktemp("built"))]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    wheel, sdist = done.stdout.strip().splitlines()[-2:]
    return Path(wheel), Path(sdist)


@pytest.fixture(scope="module")
def wheel(built: tuple[Path, Path]) -> Path:
    return built[0]


def run(where: Path, *words: object, **more: str) -> str:
    """Run a program in an empty folder and return what it prints."""
    where.mkdir(exist_ok=True)
    done = subprocess.run(
        list(map(str, words)),
        cwd=where,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=1_200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def shows_everything(python: Path, where: Path, **more: str) -> None:
    """Open a sample and every page of the help in a window of an installed program."""
    project = run(where, python, "-c", START, "sample", "site-search", **more).strip()
    assert "nDCG@10" in run(where, python, "-c", START, "evaluate", project, **more)
    (title, *shown) = run(where, python, "-c", WINDOW, project, **more).splitlines()
    assert title == "Site search of Linden Bay – Annotator"
    assert shown[:2] == ["icon True", "font Hanken Grotesk"]
    pages = list((ROOT / "resources" / "help").glob("*.md"))
    assert len(shown[2:]) == len(pages) + 1  # third-party software, as it is installed
    assert [one for one in shown[2:] if not one.endswith(" True")] == []


def test_every_file_of_the_package_the_resources_and_the_samples_is_in_the_wheel(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    listed = [
        str(path.relative_to(ROOT))
        for folder in ("annotator", "resources", "sample_projects")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and path.parent not in ELSEWHERE
    ]
    expected = {name if name.startswith("annotator/") else f"annotator/_data/{name}" for name in listed}
    assert {"annotator/cli.py", "annotator/_data/sample_projects/site-search/project.toml"} <= expected
    assert expected - inside == set()
    assert [name for name in inside if "/pictures/" in name or "/bundle/" in name] == []


def test_the_sdist_gives_the_same_wheel(built: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, sdist = built
    with tarfile.open(sdist) as archive:
        careful = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not in 3.11.2, Debian 12's
        archive.extractall(tmp_path, **careful)
    (source,) = tmp_path.glob("relevance_annotator-*")
    assert {"CONTRIBUTING.md", "constraints.txt", "dev"} <= {one.name for one in source.iterdir()}
    again = Path(run(source, sys.executable, "-c", BUILD, tmp_path / "again").splitlines()[-2])
    contents = [
        {one.filename: one.CRC for one in zipfile.ZipFile(each).infolist()} for each in (wheel, again)
    ]
    assert contents[0] == contents[1]


@pytest.mark.qt
def test_the_installed_wheel_shows_window_samples_and_help_in_another_folder(
    wheel: Path, tmp_path: Path
) -> None:
    pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    shows_everything(Path(sys.executable), tmp_path / "any where", PYTHONPATH=str(tmp_path / "installed"))


def by_pip(wheel: Path, where: Path) -> Path:
    venv.create(where, with_pip=True)
    run(where, where / "bin" / "python", "-m", "pip", "install", "-q", wheel)
    return where / "bin"


def by_uv(wheel: Path, where: Path) -> Path:
    uv = Path(sys.executable).with_name("uv")
    run(where, uv, "tool", "install", "-q", wheel, UV_TOOL_DIR=str(where), UV_TOOL_BIN_DIR=str(where))
    return where / "relevance-annotator" / "bin"


def by_pipx(wheel: Path, where: Path) -> Path:
    uv = Path(sys.executable).with_name("uv")
    run(
        where,
        uv,
        "tool",
        "run",
        "-q",
        "pipx",
        "install",
        wheel,
        PIPX_HOME=str(where),
        PIPX_BIN_DIR=str(where),
    )
    return where / "venvs" / "relevance-annotator" / "bin"


@pytest.mark.qt
@pytest.mark.parametrize("install", [by_pip, by_uv, by_pipx])
def test_the_wheel_is_installed_into_an_empty_environment(
    wheel: Path, tmp_path: Path, install: Callable[[Path, Path], Path], request: pytest.FixtureRequest
) -> None:
    if not request.config.getoption("--nightly"):
        pytest.skip("each fetches half a gigabyte; --nightly does")
    where = install(wheel, tmp_path / "installed")
    assert run(tmp_path, where / "annotator", "--version").startswith("annotator 0.")
    shows_everything(where / "python", tmp_path / "any where")
