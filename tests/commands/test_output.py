"""`-o` is one thing in every command: the place that is written to, and nothing else has that letter."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.test_documented import commands

COMMANDS = commands()


@pytest.mark.parametrize("name", COMMANDS)
def test_what_prints_a_table_can_write_it_and_the_letter_is_a_place_everywhere(name: str) -> None:
    options = {word: one for one in COMMANDS[name].params for word in one.opts}
    assert ("-o" in options) == ("--output" in options)
    if "--format" in options and name not in ("import", "new"):
        assert "-o" in options, "what is printed in a format can be written to a file"
    if "-o" in options:
        assert options["-o"] is options["--output"]
        assert options["-o"].type.name == "path"
        assert "rite" in options["-o"].help or "file" in options["-o"].help


@pytest.mark.parametrize("words", [["formats"], ["measures"], ["measures", "AP"]])
def test_lists_are_written_to_a_file_too(
    run: Callable[..., Result], tmp_path: Path, words: list[str]
) -> None:
    printed = run(*words, "--format", "csv").stdout
    assert run(*words, "--format", "csv", "-o", tmp_path / "list.csv").stdout == ""
    assert (tmp_path / "list.csv").read_text("utf-8") == printed
