"""What README and help show to be typed can be typed."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```\n(.*?)```", re.DOTALL)


def shown(page: Path) -> list[str]:
    """Return the commands on the sample that a page shows, in their order."""
    lines = [line for block in BLOCK.findall(page.read_text("utf-8")) for line in block.splitlines()]
    return [line for line in lines if line.startswith("annotator ") and "town.annot" in line]


def test_the_commands_on_the_sample_run_as_they_stand(
    run: Callable[..., Result],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """Those of the README; at night those of the help too."""
    monkeypatch.chdir(tmp_path)
    at_night = sorted((ROOT / "resources/help").glob("*.md")) if request.config.getoption("--nightly") else []
    commands = [line for page in (ROOT / "README.md", *at_night) for line in shown(page)]
    assert len(commands) > 3
    for line in dict.fromkeys(commands):
        done = run(*shlex.split(line)[1:])
        assert done.exit_code == 0, f"{line}: {done.output}"


def test_a_baseline_is_compared_with_also_where_it_is_not_among_the_systems_named(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "town.annot"
    assert run("sample", "site-search", "-o", path).exit_code == 0
    words = ("compare", path, "-m", "P@5", "--format", "csv", "--baseline", "full-text")
    alone, both = (
        run(*words, *named).stdout for named in (("-s", "hybrid"), ("-s", "full-text", "-s", "hybrid"))
    )
    assert alone == both
    assert alone.splitlines()[1].startswith("P@5,")
    done = run(
        "report", path, "-o", tmp_path / "r.csv", "--table", "tests", *words[2:4], *words[-2:], "-s", "hybrid"
    )
    assert done.exit_code == 0, done.output
    assert "full-text" in (tmp_path / "r.csv").read_text("utf-8")
