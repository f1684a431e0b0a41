"""Opening a project file as far as it can be: for writing, for reading only, or not at all."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import DamagedError, ProjectError, ReadOnlyError

if TYPE_CHECKING:
    from annotator.project.project import Project

Prepare = Callable[[], Path]
"""Makes or finds the file that is to be opened, in the storage thread."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An open project, its name, and a sentence that says why it can only be read, empty when it need not.

    `damaged` says that the reason is that part of it cannot be read.
    """

    path: Path
    project: "Project"
    name: str
    why: str = ""
    damaged: bool = False


class Unopened(ProjectError):
    """A file that cannot be opened: which, and the error that says why."""

    def __init__(self, path: Path, error: ProjectError) -> None:
        super().__init__(str(error))
        self.path = path
        self.error = error


def open_file(prepare: Prepare, annotator: str, read_only: bool = False) -> Opened:
    """Open a project, for reading only where nothing can be written or part of it is damaged.

    Raises Unopened when the file cannot be opened at all. The slow imports happen in the storage thread.
    """
    from annotator.project.project import Project

    path = prepare()
    damaged = False
    why = f"{path.name} is open for reading only: grades are not taken." if read_only else ""
    try:
        try:
            project = Project.open(path, annotator, read_only)
        except (ReadOnlyError, DamagedError) as error:
            why, damaged = str(error), isinstance(error, DamagedError)
            project = Project.open(path, annotator=annotator, read_only=True)
    except ProjectError as error:
        raise Unopened(path, error) from error
    try:
        name = project.setting("name")
        if not isinstance(name, str):
            raise DamagedError(f"{path.name} is damaged: its name is none. Restore a backup, or recover it.")
        return Opened(path, project, name, why, damaged)
    except DamagedError as error:
        project.stop_writing()
        return Opened(path, project, path.stem, str(error), damaged=True)
    except BaseException:
        project.close()
        raise
