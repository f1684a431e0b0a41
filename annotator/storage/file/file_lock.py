"""One writer at a time, whoever it is: a lock on the project file itself, which the kernel releases at death.

It lies on a byte of the page that SQLite keeps free for its own locks and never stores anything in, beyond
the bytes that those take, so both go side by side, readers go on reading, and whoever can write to the file
sees it: another user of this computer, and another computer where a network folder passes locks on. It
belongs to one open descriptor, not to the process as SQLite's POSIX locks do, of which the process loses all
when it closes any descriptor of the file: so none is opened on a file that is held here, and that of a lock
is closed last. A note beside the file, for people alone, says who holds it and since when.
"""

import errno
import getpass
import json
import os
import socket
import stat
import struct
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from annotator.errors import LockedError, ProjectError, ReadOnlyError

BYTE = 0x4000_0000 + 512
"""The byte that is locked: https://www.sqlite.org/fileformat.html#the_lock_byte_page."""

How = Literal["alone", "beside", "off"]

TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)

if sys.platform == "win32":
    import msvcrt

    def switch(descriptor: int, how: How) -> None:
        """Lock or unlock the byte for this descriptor at once; raises OSError."""
        os.lseek(descriptor, BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK if how == "off" else msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    KINDS = {"alone": fcntl.F_WRLCK, "beside": fcntl.F_RDLCK, "off": fcntl.F_UNLCK}

    def switch(descriptor: int, how: How) -> None:
        """Lock or unlock the byte for this descriptor at once; raises OSError."""
        kind = KINDS[how]
        if sys.platform == "darwin":  # bsd/sys/fcntl.h; Python names no such command there
            fcntl.fcntl(descriptor, 90, struct.pack("qqihh", BYTE, 1, 0, kind, os.SEEK_SET))
        else:
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", kind, os.SEEK_SET, BYTE, 1, 0))


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes to a project: the user, the computer, the process, and since when (UTC seconds)."""

    user: str
    computer: str
    process: int
    since: float


HELD: set[tuple[int, int]] = set()
"""Device and inode of the files that are held by this process."""


def inode(path: Path) -> tuple[int, int]:
    """Return by what a file is known whatever its name is."""
    status = path.stat()
    return status.st_dev, status.st_ino


def note_of(path: Path) -> Path:
    """Return where the note of who holds a project file lies."""
    real = path.resolve()
    return real.with_name(f".{real.name}.writer")


def holder(path: Path) -> Holder | None:
    """Return who left a note of writing to a project file, None when nobody did."""
    note = note_of(path)
    try:
        if not stat.S_ISREG(note.lstat().st_mode):
            return None
        with note.open(encoding="utf-8") as file:
            who = Holder(**json.loads(file.read(1_000)))
        time.localtime(who.since)
        return who if f"{who.user}{who.computer}{who.process}".isprintable() else None
    except (OSError, ValueError, TypeError, OverflowError, RecursionError):
        return None


class Lock:
    """The right to write to one project file until `release`; `missing` says why it binds nobody else."""

    def __init__(self, path: Path, descriptor: int, alone: bool) -> None:
        self.key = inode(path)
        self.note = note_of(path) if alone else None
        self.descriptor = descriptor
        self.missing = ""
        self.held = True

    def leave_note(self) -> None:
        """Say beside the file who holds it, to whoever can read the file, where that can be."""
        assert self.note is not None
        with suppress(OSError):
            mine = Holder(user(), socket.gethostname(), os.getpid(), time.time())
            self.note.unlink(missing_ok=True)
            mode = stat.S_IMODE(os.fstat(self.descriptor).st_mode) & 0o666
            file = os.open(self.note, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(file, "w", encoding="utf-8") as text:
                text.write(json.dumps(asdict(mine)))
            self.note.chmod(mode)

    def release(self) -> None:
        """Let others write; a second release does nothing."""
        if self.held:
            self.held = False
            if self.note:
                HELD.discard(self.key)
                with suppress(OSError):
                    self.note.unlink(missing_ok=True)
            with suppress(OSError):
                switch(self.descriptor, "off")

    def close(self) -> None:
        """Let others write, and close the descriptor, after all that this process reads the file by."""
        self.release()
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def user() -> str:
    """Return the name of the user, or their number."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # as of a container's user who has no name
        return f"user {os.getuid()}" if sys.platform != "win32" else "somebody"


def held(path: Path) -> bool:
    """Tell whether this process writes to a file."""
    return inode(path) in HELD if HELD and path.exists() else False


def acquire(path: Path, *, alone: bool = True) -> Lock:
    """Take the lock of a project file, or raise LockedError that says who has it and since when.

    Without `alone` it keeps writers away, not others who take it so, and needs no right to write. Where the
    file system has no such locks the lock's `missing` says so. Raises ReadOnlyError when the file cannot be
    written to.
    """
    if held(path):
        raise LockedError(taken(path))
    try:
        binary = getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, binary | (os.O_RDWR if alone else os.O_RDONLY))
    except OSError as error:
        if not alone:
            raise ProjectError(f"{path.name} cannot be read ({error.strerror}).") from None
        raise ReadOnlyError(
            f"{path.name} cannot be written to ({error.strerror}). It can be opened for reading; to grade, "
            "save a copy in a folder of your own."
        ) from None
    lock = Lock(path, descriptor, alone)
    try:
        switch(descriptor, "alone" if alone else "beside")
    except OSError as error:
        if error.errno in TAKEN:
            os.close(descriptor)
            raise LockedError(taken(path)) from None
        lock.missing = (
            f"The folder of {path.name} takes no locks ({error.strerror}), so nothing keeps others from "
            "writing to the file while it is open here: see to it that nobody does."
        )
    if not os.path.samestat(os.fstat(descriptor), path.stat()):  # replaced between opening and locking
        lock.held = False
        lock.close()
        return acquire(path, alone=alone)
    if alone:
        HELD.add(lock.key)
        lock.leave_note()
    return lock


def taken(path: Path) -> str:
    """Return the sentence that says who has a project file and what can be done."""
    who = holder(path)
    if who is None:
        by = "another window or program"
    else:
        since = time.strftime("%H:%M on %d %B", time.localtime(who.since))
        by = (
            f"{who.user} on {who.computer} (process {who.process}, since {since}), as the note beside it says"
        )
    return (
        f"“{path.name}” is being used for writing by {by}. Everything stored is safe. Close it there, or "
        "open it here for reading only."
    )
