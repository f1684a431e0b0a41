"""A project of several people on the command line: share, join."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.commands import choices, progress
from annotator.commands.output import file_option
from annotator.commands.speech import say
from annotator.text.times import local_time
from annotator.text.visible import telling

if TYPE_CHECKING:
    from annotator.project.sharing import Exchanged

Carrier = Annotated[
    str, typer.Argument(metavar="CARRIER", help="A folder that all of the team can reach, or postgresql://…")
]


def share(
    project: choices.ProjectFile,
    carrier: Annotated[
        str | None,
        typer.Argument(
            metavar="CARRIER", help="A folder that all of the team can reach, or postgresql://…; needed once."
        ),
    ] = None,
) -> None:
    """Share a project through a folder or a database: hand over what was done here, take in what others did.

    Examples:

    `annotator share search.annot /mnt/team/search`

    `annotator share search.annot`
    """
    from annotator.project import sharing

    with progress.opened(project, "Exchanging") as (opened, watch):
        if carrier is not None:
            done = sharing.share(opened, carrier, watch)
            say(sharing.SAID.format(address=carrier), err=True)
        else:
            done = sharing.exchange(opened, watch)
    _tell(done)


def join(
    carrier: Carrier,
    output: Annotated[
        Path | None, file_option("The new project file; default: named as the carrier.")
    ] = None,
) -> None:
    """Make a project file of your own from what a team shares, to work in it with them.

    Example: `annotator join /mnt/team/search -o search.annot`
    """
    from annotator.project import sharing

    path = output or Path(sharing.file_name(carrier))
    with progress.shown("Joining") as watch:
        done = sharing.join(carrier, path, watch)
    say(sharing.SAID.format(address=carrier), err=True)
    say(f"Made {path}.")
    _tell(done)


def _tell(done: "Exchanged") -> None:
    for one in done.people:
        say(f"{telling(one.name)}: {one.judged:,} judged, last on {local_time(one.time)}")
    for problem in done.problems:
        say(f"note: {problem}", err=True)
    say(done.sentence)
