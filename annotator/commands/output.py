"""What `-o` names in every command: the file that is written, or the folder where there are several."""

import os
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import typer

ORIGIN = ContextVar[tuple[str, ...]]("origin", default=())
"""Where what this command writes comes from, a sentence each; none where from no project."""


def a_file(named: str) -> Path:
    """Return the file that is named; ends with wrong usage for a folder, which none is written as."""
    if is_folder(named):
        raise typer.BadParameter(f"{named} is a folder; name a file in it", param_hint="--output")
    return Path(named)


def is_folder(named: str) -> bool:
    """Say whether a folder is named: one that is there, or a name that ends as folders' names do."""
    return named.endswith(tuple(filter(None, (os.sep, os.altsep)))) or Path(named).is_dir()


def file_option(says: str) -> Any:
    """Return the option `-o` of a command that writes one file, with its help."""
    return typer.Option("--output", "-o", metavar="FILE", parser=a_file, help=says)


def no_output(output: Path | None) -> None:
    """End with wrong usage where a file is named for what records something and prints no table."""
    if output is not None:
        raise typer.BadParameter("no table is printed here to be written", param_hint="--output")
