"""A wheel built from the checkout works elsewhere: it finds its icons, help and samples."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "resources" / "pictures"
"""Those of the README, which nobody sees who installs a wheel."""

BUILD = """
import sys
from hatchling.builders.wheel import WheelBuilder
print(next(WheelBuilder(".").build(directory=sys.argv[1])))
"""

START = """
import annotator
assert "installed" in annotator.__file__
from annotator.cli import main
main()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return Path(done.stdout.strip().splitlines()[-1])


def test_every_file_of_the_package_the_resources_and_the_samples_is_in_the_wheel(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    listed = [
        str(path.relative_to(ROOT))
        for folder in ("annotator", "resources", "sample_projects")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and path.parent != PICTURES
    ]
    expected = {name if name.startswith("annotator/") else f"annotator/_data/{name}" for name in listed}
    assert {"annotator/cli.py", "annotator/_data/sample_projects/site-search/project.toml"} <= expected
    assert expected - inside == set()
    assert [name for name in inside if "/pictures/" in name] == []


def test_the_installed_wheel_evaluates_a_sample_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(installed)}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", START, *words],
            cwd=elsewhere,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    project = run("sample", "site-search").strip()
    assert Path(project).is_file()
    assert "nDCG@10" in run("evaluate", project)
