"""The progress of long work, on stderr and only for a person who is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from annotator.project.project import Project

OnProgress = Callable[[int, int, str], None]


@contextmanager
def shown(what: str) -> Iterator[OnProgress | None]:
    """Give an `on_progress` that moves a bar on the terminal, or None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)

        def on_progress(done: int, total: int, label: str) -> None:
            progress.update(task, completed=done, total=total or None, description=label or what)

        yield on_progress


@contextmanager
def opened(path: Path, what: str) -> Iterator[tuple["Project", OnProgress | None]]:
    """Open a project to write to it, say so when it was brought up to date for that, and give progress."""
    from annotator.project.project import Project

    with shown(what) as on_progress, Project.open(path) as project:
        if project.upgraded:
            typer.echo(project.upgraded, err=True)
        yield project, on_progress
