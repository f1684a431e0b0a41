"""Opening a project file as far as it can be: for writing, for reading only, or not at all."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import DamagedError, ProjectError, ReadOnlyError
from annotator.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from annotator.project.project import Project

Prepare = Callable[[], Path]
"""Makes or finds the file that is to be opened, in the storage thread."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An open project, its name, why it can only be read (empty when it need not), and who used it last."""

    path: Path
    project: "Project"
    name: str
    why: str = ""
    last: str = ""


class Unopened(ProjectError):
    """A file that cannot be opened: which, and the error that says why."""

    def __init__(self, path: Path, error: ProjectError) -> None:
        super().__init__(str(error))
        self.path = path
        self.error = error


def open_file(
    prepare: Prepare,
    who: Callable[[Path], str],
    read_only: bool = False,
    watch: Watch = UNWATCHED,
) -> Opened:
    """Open a project, for reading only where nothing can be written or it is damaged (`project.damage`).

    `who` grades in it, by its path.

    A large one may be `unproved` still. Raises Unopened when the file cannot be opened at all, and Stopped.
    The slow imports happen in the storage thread.
    """
    from annotator.project import browse, settings
    from annotator.project.project import Project

    path = prepare()
    annotator = who(path)
    why = f"{path.name} is open for reading only: grades are not taken." if read_only else ""
    watch = watch.saying("Opening was cancelled; nothing was changed.")
    try:
        try:
            project = Project.open(path, annotator, read_only, prove_later=True, watch=watch)
        except ReadOnlyError as error:
            why = str(error)
            project = Project.open(path, annotator, True, prove_later=True, watch=watch)
    except ProjectError as error:
        raise Unopened(path, error) from error
    try:
        name, last = settings.value_of(project, "name"), browse.last_person(project)
    except DamagedError:
        name, last = None, ""
    except BaseException:
        project.close()
        raise
    return Opened(path, project, name if isinstance(name, str) else path.stem, why, last)
