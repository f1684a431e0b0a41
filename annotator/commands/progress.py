"""The progress of long work, on stderr and only for a person who is looking."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.commands.output import ORIGIN
from annotator.commands.speech import say
from annotator.text.visible import visible
from annotator.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from annotator.project.project import Project


@contextmanager
def shown(what: str) -> Iterator[Watch]:
    """Give a watch that moves a bar on the terminal; where there is no terminal nobody looks on."""
    if not sys.stderr.isatty():
        yield UNWATCHED
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)

        def move(done: int, total: int, label: str) -> None:
            progress.update(
                task, completed=done, total=total or None, description=escape(visible(label or what))
            )

        yield Watch(on_progress=move)


@contextmanager
def opened(path: Path, what: str) -> Iterator[tuple["Project", Watch]]:
    """Open a project to write to it, say so when it was brought up to date for that, and give a watch."""
    from annotator.project.project import Project
    from annotator.project.written_from import written_from

    with shown(what) as watch, Project.open(path, watch=watch).proved() as project:
        if project.told:
            say(project.told, err=True)
        yield project, watch
        ORIGIN.set((written_from(project),))
