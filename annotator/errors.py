"""What may go wrong and can be told to the user; everything else is a bug.

UserError            shown as it is: what happened, what is safe, what to do
├── InputError       a file or text that was handed in cannot be taken; lists its problems
├── ChoiceError      an import can be taken once something more is said
├── MeasureError     a measure's name or parameter is not known
├── ProjectError     the project file cannot be opened or used
│   ├── LockedError  another program is writing to it
│   ├── DiskError    the disk is full, or reports an error
│   ├── NewerError   a newer version of Annotator made it
│   ├── DamagedError its content does not match its own hashes
│   ├── UnclearError a failing disk leaves open whether a step is stored
│   └── ReadOnlyError it was opened for reading only
├── MissingExtra     an optional part of Annotator is not installed
└── Stopped          the user cancelled; nothing was changed
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple


class UserError(Exception):
    """Something the user can be told in one or a few plain sentences."""


class Problem(NamedTuple):
    """One place in a file that cannot be taken: where, what is wrong, how to mend it."""

    file: str
    line: int | None
    column: int | None
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}"


class InputError(UserError):
    """A file cannot be taken; `problems` names each place, up to the limit the reader keeps."""

    def __init__(self, problems: Sequence[Problem], more: int = 0) -> None:
        self.problems = tuple(problems)
        self.more = more
        lines = [str(problem) for problem in self.problems]
        if more:
            lines.append(f"and {more} more")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type["InputError"], tuple[tuple[Problem, ...], int]]:
        """Travel from one process to another as what it was made of."""
        return type(self), (self.problems, self.more)


class ChoiceError(UserError):
    """What is imported is sound, but needs a word; `choices` names what can be said: grades, system, …"""

    def __init__(self, message: str, *choices: str) -> None:
        self.choices = choices
        super().__init__(message)


class MeasureError(UserError):
    """A measure's name or one of its parameters is not known."""


class ProjectError(UserError):
    """The project file cannot be opened or used as asked."""


class LockedError(ProjectError):
    """Another program is writing to the project."""


class DiskError(ProjectError):
    """The disk is full, or reports an error: nothing is said of what was to be read or written."""


class NewerError(ProjectError):
    """The project was made by a newer version."""


class DamagedError(ProjectError):
    """The project's content does not match its own hashes or structure."""


class UnclearError(ProjectError):
    """The disk failed in the last moment of a step: whether it is stored is not known, or not for good."""


class ReadOnlyError(ProjectError):
    """The project was opened for reading only."""


def how_to_install(extra: str) -> str:
    """Return the command that installs an optional part, and where; a bundle takes none in."""
    bundle = hasattr(sys, "frozen")
    where = "a clone of Annotator, for this program is a bundle" if bundle else "Annotator's folder"
    return f"pip install -e '.[{extra}]' in {where}"


class MissingExtra(UserError):
    """An optional part is not installed; the message holds the one command that installs it."""


class Stopped(UserError):
    """The user cancelled the work; nothing was changed."""
