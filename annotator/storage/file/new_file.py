"""A new project file: written in a hidden folder beside its place, and put there in one step."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator import unfinished
from annotator.errors import ProjectError
from annotator.storage.file import proof


@contextmanager
def taking_place(path: Path, mode: int | None) -> Iterator[Path]:
    """Yield an empty file that stands at `path` once this ends well; nothing does before, or after an error.

    It has its name already, for messages, and the `mode` if one is given. Raises ProjectError where a file is
    there, or none can be written.
    """
    refuse_taken(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.folder_in(path.parent) as new:
            part = new / path.name
            part.touch()
            if mode is not None:
                part.chmod(mode)
            yield part
            put(part, path)
    except OSError as error:
        raise ProjectError(
            f"{path} cannot be written ({error.strerror}), so no file was made. Choose another place."
        ) from None
    proof.keep(path, proof.stamp(path))


def put(part: Path, path: Path) -> None:
    """Give a complete file its place, in which no other may be."""
    try:
        os.link(part, path)  # unlike a renaming, this never replaces a file
    except OSError:  # something is there, or the file system knows no second name, as on a stick
        refuse_taken(path)
        part.rename(path)


def refuse_taken(path: Path) -> None:
    """Raise ProjectError where a file is."""
    if path.exists():
        raise ProjectError(f"{path} exists already. Choose another name, or open it.")
