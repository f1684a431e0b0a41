"""A new project file: written in a hidden folder beside its place, and put there in one step."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from annotator.errors import ProjectError, UserError
from annotator.storage.file import file_lock, proof


@contextmanager
def taking_place(path: Path, mode: int | None) -> Iterator[Path]:
    """Yield an empty file that stands at `path` once this ends well; nothing does before, or after an error.

    It has its name already, for messages, and the `mode` if one is given. Raises ProjectError where a file is
    there, or none can be written.
    """
    refuse_taken(path)
    folder = path.with_name(f".{path.name[:60]}.{secrets.token_hex(4)}.part")
    part = folder / path.name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        drop_abandoned(path)
        folder.mkdir()
        part.touch()
        if mode is not None:
            part.chmod(mode)
        yield part
        put(part, path)
    except OSError as error:
        raise ProjectError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
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


def drop_abandoned(path: Path) -> None:
    """Delete what programs that were killed had begun to write for `path`, and nobody has open."""
    for folder in path.parent.glob(f".{escape(path.name[:60])}.????????.part"):
        part = folder / path.name
        with suppress(OSError, UserError):
            if part.exists():
                file_lock.acquire(part).close()
                shutil.rmtree(folder, ignore_errors=True)
            else:
                folder.rmdir()  # which leaves what is written for another name that begins alike
