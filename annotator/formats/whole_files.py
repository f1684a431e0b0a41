"""Writing a file whole or not at all."""

import contextlib
import errno
import gzip
import io
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast
from urllib.parse import quote, unquote

from annotator import unfinished
from annotator.errors import UserError
from annotator.records import Dataset, RunTable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

BUFFER = 1 << 16

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says of a disk, or of one's share of it, that is full."""


class _Watched(io.BufferedWriter):
    """A new file that tells how much was written to it."""

    def __init__(self, path: Path, step: Callable[[int], None]) -> None:
        super().__init__(io.FileIO(path, "x"), BUFFER)
        self._step = step
        self._written = 0

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write, once `step` has let it."""
        self._step(self._written)
        written = super().write(data)
        self._written += written
        return written


@contextlib.contextmanager
def replacing(path: Path, step: Callable[[int], None] | None = None) -> Iterator[TextIO]:
    """Yield a UTF-8 text file that takes the place of `path` as in `replacing_bytes`.

    Line ends are written as given.
    """
    with replacing_bytes(path, step) as plain, io.TextIOWrapper(plain, "utf-8", newline="") as text:
        yield text


@contextlib.contextmanager
def replacing_bytes(path: Path, step: Callable[[int], None] | None = None) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `path` once it is complete and synced.

    `step(bytes)` is told what was written so far whenever a buffer is full; it may raise. A name that ends in
    `.gz` is packed, without a time inside. Who may read the old file may read the new one. Folders on the way
    are made. When anything fails the old file stays as it was. Raises UserError for what cannot be written.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise UserError(f"{path} is a pipe or a device, not a file to replace; nothing was written.")
    missing = [one for one in (path.parent, *path.parent.parents) if not one.exists()]
    folder_for(path.parent)
    try:
        with unfinished.folder_in(path.parent) as new:
            part = new / path.name
            with contextlib.ExitStack() as opened:
                plain: BinaryIO = opened.enter_context(_Watched(part, step) if step else part.open("xb"))
                if path.suffix == ".gz":
                    packed = gzip.GzipFile("", "wb", fileobj=plain, mtime=0)
                    plain = cast(BinaryIO, opened.enter_context(packed))
                yield plain
            with part.open("r+b") as written:
                os.fsync(written.fileno())
            if path.exists():
                shutil.copymode(path, part)
            os.replace(part, path)
    except OSError as error:
        room = "make room there or " if error.errno in NO_ROOM else ""
        raise UserError(
            f"{path.name} could not be written ({why(error)}), so nothing was put in its place; "
            f"{room}choose another place."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            for folder in missing:
                folder.rmdir()  # which fails, as it should, once there is something in it


@contextlib.contextmanager
def replacing_all(folder: Path, first: str = "", before: Iterable[Path] = ()) -> Iterator[Path]:
    """Yield a new folder inside `folder`, which is made if need be: its files take their places at the end.

    The file called `first` is the first that does. Of the files `before`, written there earlier, those that
    are not written anew are removed. When anything fails before that all old files stay as they
    were. Raises UserError when they cannot be written, at once where nothing can be written there at all.
    """
    new = not folder.exists()
    untouched = "nothing was changed"
    try:
        with unfinished.folder_in(folder_for(folder)) as part:
            yield part
            files = {folder / one.relative_to(part): one for one in part.rglob("*") if one.is_file()}
            for old in set(before) - files.keys():
                old.unlink(missing_ok=True)
                untouched = "some of its files are gone; write it again"
            for target, file in sorted(files.items(), key=lambda one: (one[0].name != first, one)):
                folder_for(target.parent)
                os.replace(file, target)
                untouched = "some of its files are new; write it again"
    except OSError as error:
        raise UserError(f"{folder} could not be written ({why(error)}): {untouched}.") from error
    finally:
        with contextlib.suppress(OSError):
            if new:
                folder.rmdir()  # which fails, as it should, once there is something in it


def why(error: OSError) -> str:
    """Return in the system's words why something failed; libraries put their own around them."""
    return os.strerror(error.errno) if error.errno else str(error.strerror or error)


def folder_for(path: Path) -> Path:
    """Return a folder that exists, made if need be; raises UserError when it cannot be made."""
    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file, and a folder is to be written; name another.")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder {path} cannot be made ({error.strerror}).") from error
    return path


def only_run(dataset: Dataset, answers: bool) -> RunTable:
    """Return the one run of a dataset for a file that holds one; raises UserError otherwise."""
    what = "answers" if answers else "documents"
    runs = [run for run in dataset.runs if run.ids_of_answers == answers]
    if len(runs) != 1:
        there = len(runs) or "none"
        raise UserError(f"This format holds one system's {what}; there are {there}. Export one system.")
    return runs[0]


def stem(path: Path) -> str:
    """Return a file's name without `.gz` and without its last ending: `runs/bm25.run.gz` is `bm25`."""
    name = path.name.removesuffix(".gz")
    return Path(name).stem or name


def file_name(name: str) -> str:
    """Return a name that is safe as part of a file's: odd characters become `%2F` and the like; it is cut
    where it is too long.
    """
    return quote(name, safe=" ")[:180]


def named_by(path: Path, prefix: str) -> str:
    """Return the name that `file_name` made part of a file's name after a prefix."""
    return unquote(stem(path).removeprefix(prefix)) or stem(path)
