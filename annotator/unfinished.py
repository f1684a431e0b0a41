"""What is being written, in a hidden folder beside its place, and what a program that was killed left.

A folder of this kind holds a lock, which its program has as long as it lives, and what is written in a folder
of its own; the lock comes first and goes last. So one whose lock can be had, or in which nothing is, is
abandoned, and whoever writes beside it next deletes it: on the same computer, for services that copy files
from one to another do not carry locks. Where the file system has no locks none is deleted.
"""

import hashlib
import os
import secrets
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK = "writer"
CONTENT = "new"

if sys.platform == "win32":
    import msvcrt

    def take(descriptor: int) -> None:
        """Lock a file at once; raises OSError."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def take(descriptor: int) -> None:
        """Lock a file at once; raises OSError, BlockingIOError where another has the lock."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def computer() -> str:
    """Return by what the folders of this user on this computer are known."""
    who = f"{socket.gethostname()}\0{os.path.expanduser('~')}"
    return hashlib.sha256(who.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def there(place: Path, begun_by: str = "?" * 8) -> list[Path]:
    """Return the folders inside a folder in which something is being written, or was: by a computer."""
    found = place.glob(f".{begun_by}-????????.part")
    return [one for one in found if one.is_dir() and not one.is_symlink()]


def clear(place: Path) -> None:
    """Delete what was abandoned inside a folder, as far as that can be done."""
    for abandoned in there(place, computer()):
        _drop_abandoned(abandoned)


@contextmanager
def folder_in(place: Path) -> Iterator[Path]:
    """Yield a new folder inside `place`, to write in what is then moved there; it goes at the end.

    Nobody else may enter it. What was abandoned there is deleted first. Raises OSError.
    """
    clear(place)
    folder, lock = _begun(place)
    try:
        (folder / CONTENT).mkdir(mode=0o700)
        yield folder / CONTENT
    finally:
        _drop(folder, lock)


def _begun(place: Path) -> tuple[Path, int]:
    """Return a new folder and its lock; anew where somebody was faster, who took it for abandoned."""
    while True:
        folder = place / f".{computer()}-{secrets.token_hex(4)}.part"
        folder.mkdir(mode=0o700)
        try:
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except FileNotFoundError:
            continue
        except OSError:
            with suppress(OSError):
                _delete(Path.rmdir, folder)
            raise
        try:
            take(lock)
        except BlockingIOError:
            os.close(lock)
            continue
        except OSError:  # no locks are to be had here
            pass
        if (folder / LOCK).exists():
            return folder, lock
        os.close(lock)


def _drop_abandoned(folder: Path) -> None:
    with suppress(OSError):
        try:
            lock = os.open(folder / LOCK, os.O_RDWR)
        except FileNotFoundError:
            folder.rmdir()  # which fails, as it should, once there is something in it
            return
        try:
            take(lock)
        except OSError:
            os.close(lock)
        else:
            _drop(folder, lock)


def _drop(folder: Path, lock: int) -> None:
    """Delete a folder, for who has its lock, as far as that can be done."""
    with suppress(OSError):
        try:
            _delete(shutil.rmtree, folder / CONTENT)
            # While it is held, so that who takes it next sees that it is gone. Windows deletes no open file,
            # and below none that somebody else has opened.
            with suppress(PermissionError):
                _delete(Path.unlink, folder / LOCK)
        finally:
            os.close(lock)
        _delete(Path.unlink, folder / LOCK)
        _delete(Path.rmdir, folder)


def _delete(how: Callable[[Path], object], path: Path) -> None:
    """Delete what may be there; a second time where that fails, for a disk may fail for a moment."""
    for last in (False, True):
        try:
            how(path)
        except FileNotFoundError:
            return
        except OSError:
            if last:
                raise
        else:
            return
