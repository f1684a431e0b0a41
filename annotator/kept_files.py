"""What the program keeps outside of project files: what, where, and that other users cannot read it.

Everything lies in Annotator's own folders among the user's, which nobody else may enter, in files that nobody
else may read. What a person asks to be written (a report, an export, a new project) is no such file: it has
the mode that the person's umask says.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

PRIVATE = 0o600


class Kept(NamedTuple):
    """One kind of file that is kept: in which of the user's folders, its name there, what it holds.

    `of_project` is the pattern of what belongs to one project, with its `{identity}`; empty where nothing can
    be told to be one project's. Of the window's choices the window knows which are.
    """

    folder: Literal["data", "cache", "config", "state"]
    name: str
    holds: str
    of_project: str = ""


KEPT = {
    "backups": Kept(
        "data",
        "backups",
        "backups of each project, and files as they were before an interrupted step was taken back",
        "{identity}",
    ),
    "shared": Kept(
        "data",
        "shared",
        "where a project's file is shared, and which segments were seen there",
        "{identity}-{path}.json",
    ),
    "models": Kept("data", "models", "language models that you made; nothing of a project"),
    "search": Kept("cache", "search", "an index of the words of a project's texts", "{identity}-*"),
    "proved": Kept("cache", "proved", "size and times of large files that passed the check", "{path}*"),
    "arriving": Kept(
        "cache", "arriving", "what a shared project's imports brought, until all of it is there", "{identity}"
    ),
    "vectors": Kept("cache", "vectors", "numbers that models made of texts, by the texts' hashes"),
    "icons": Kept("cache", "icons", "drawings; nothing of a project"),
    "window": Kept(
        "config", "window.ini", "choices, the projects opened last by path and name, who grades in them"
    ),
    "log": Kept("state", "annotator.log", "what the program did, without any text or name of a project"),
}
"""All that is kept. The help shows it, and `annotator forget` goes by it."""


def top(folder: str) -> Path:
    """Return Annotator's own folder among the user's `data`, `cache`, `config` or `state`."""
    import platformdirs

    find = {
        "data": platformdirs.user_data_path,
        "cache": platformdirs.user_cache_path,
        "config": platformdirs.user_config_path,
        "state": platformdirs.user_state_path,
    }
    return find[folder]("annotator", appauthor=False)


def place(what: str) -> Path:
    """Return where a kind of file is kept; it need not exist."""
    return top(KEPT[what].folder) / KEPT[what].name


def made(folder: Path) -> Path:
    """Return a folder inside Annotator's own, made if it is missing, where nobody else may enter."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for one in map(top, {kept.folder for kept in KEPT.values()}):
        if folder.is_relative_to(one) and one.stat().st_mode & 0o077:
            with suppress(PermissionError):
                one.chmod(0o700)
    return folder


def new(path: Path, mode: int = PRIVATE) -> None:
    """Make an empty file of exactly this mode where none is, to be written by whoever opens it."""
    with suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode & PRIVATE)
        os.close(descriptor)
        if mode & ~PRIVATE:
            path.chmod(mode)


def put(path: Path, content: str) -> None:
    """Write a file of Annotator's own whole, in place of one that is there; raises OSError."""
    from annotator import unfinished  # with what makes names by chance: not before the window is painted

    with unfinished.folder_in(made(path.parent)) as begun:
        new(begun / path.name)
        (begun / path.name).write_text(content, "utf-8")
        os.replace(begun / path.name, path)


def mode_of(path: Path) -> int:
    """Return who may read and write a copy of a file: who may the file, and the owner in any case."""
    return path.stat().st_mode & 0o666 | PRIVATE


def of_project(identity: str, path: str) -> Iterator[Path]:
    """Yield what is kept of a project: of all its copies by its identity, of one by its path's hash."""
    for what, kept in KEPT.items():
        if kept.of_project:
            yield from place(what).glob(kept.of_project.format(identity=identity, path=path))
