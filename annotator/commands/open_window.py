"""The window: `annotator PROJECT`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from annotator.errors import UserError


def open_window(
    project: Annotated[
        Path | None, typer.Argument(help="A project file; without one, the welcome page.")
    ] = None,
) -> None:
    """Open the window.

    Example: `annotator my-search.annot`
    """
    if project is not None and not os.path.exists(project):
        raise UserError(
            f"There is no project {str(project)!r}, and no command of that name; "
            f"`annotator new {project}` makes a project, `annotator --help` lists the commands."
        )
    from annotator.desktop import app

    raise typer.Exit(app.main([str(project)] if project is not None else []))
