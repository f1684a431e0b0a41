"""Removing what the program keeps of a project outside of its file."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from annotator import kept_files, unfinished
from annotator.errors import ProjectError
from annotator.project.share_record import ShareRecord
from annotator.storage.file import file_copies, file_lock, proof


@dataclass(frozen=True, slots=True)
class Found:
    """What is kept of a project, and how many backups are among it."""

    paths: tuple[Path, ...]
    backups: int


def kept_of(path: Path) -> Found:
    """Return what is kept of the project at a path; raises ProjectError where that cannot be told."""
    identity = file_copies.identity(path)
    if not identity:
        raise ProjectError(
            f"{path} does not say which project it is, so what is kept of it cannot be told apart. Nothing "
            f"was removed; backups are in {kept_files.place('backups')}."
        )
    moved = ShareRecord.of(identity, path).left  # records of this file under the names that it had before
    found = {*kept_files.of_project(identity, proof.name(path)), *moved}
    return Found(tuple(sorted(found)), len(file_copies.backups(identity)))


def forget(path: Path) -> Found:
    """Remove what is kept of the project at a path, of which nobody may have it open; the file itself stays.

    Raises LockedError while somebody writes to it, and ProjectError when something cannot be removed.
    """
    lock = file_lock.acquire(path, alone=False)
    try:
        found = kept_of(path)
        for what in kept_files.KEPT:
            unfinished.clear(kept_files.place(what))
        for one in found.paths:
            if one.is_dir():
                shutil.rmtree(one)
            else:
                one.unlink(missing_ok=True)
        return found
    except OSError as error:
        raise ProjectError(
            f"{error.filename} could not be removed ({error.strerror}), so not all is forgotten. The project "
            "is as it was; try again."
        ) from None
    finally:
        lock.close()
