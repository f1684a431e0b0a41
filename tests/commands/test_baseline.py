"""A baseline is compared with, whoever else is named."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result


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
