"""One writer at a time: a lock that the kernel releases when the program dies.

The lock file stands in the user's state folder, named by the project file's device and inode, so the folder
of the project stays clean and a lock never travels with a copy. A note beside it says who holds it and since
when.
"""

import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_state_path

from annotator.errors import LockedError, ReadOnlyError


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes to a project: the user, the computer, the process, and since when (UTC seconds)."""

    user: str
    computer: str
    process: int
    since: float


def place(path: Path) -> Path:
    """Return the lock file of a project file."""
    status = path.stat()
    return user_state_path("annotator", appauthor=False) / "locks" / f"{status.st_dev}-{status.st_ino}.lock"


def holder(path: Path) -> Holder | None:
    """Return who was last known to write to a project file, None when nobody left a note."""
    try:
        return Holder(**json.loads(place(path).with_suffix(".json").read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


class Lock:
    """The right to write to one project file, held until `release`."""

    def __init__(self, lock: FileLock, note: Path) -> None:
        self.lock = lock
        self.note = note

    def release(self) -> None:
        """Let others write; a second release does nothing."""
        if self.lock.is_locked:
            self.note.unlink(missing_ok=True)
            self.lock.release()


def acquire(path: Path) -> Lock:
    """Take the lock of a project file, or raise LockedError that says who has it and since when.

    Raises ReadOnlyError where the user's folder takes no lock file.
    """
    file = place(path)
    lock = FileLock(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        raise LockedError(taken(path)) from None
    except OSError as error:
        raise ReadOnlyError(
            f"No lock can be made in {file.parent} ({error.strerror}), so {path.name} opens for reading "
            "only. Make that folder writable to grade."
        ) from None
    note = file.with_suffix(".json")
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "somebody"
    mine = {"user": user, "computer": socket.gethostname(), "process": os.getpid(), "since": time.time()}
    note.write_text(json.dumps(mine), "utf-8")
    return Lock(lock, note)


def taken(path: Path) -> str:
    """Return the sentence that says who has a project file and what can be done."""
    who = holder(path)
    if who is None:
        by = "another window or program"
    else:
        since = time.strftime("%H:%M on %d %B", time.localtime(who.since))
        by = f"{who.user} on {who.computer} (process {who.process}, since {since})"
    return (
        f"{path.name} is being used for writing by {by}. Everything stored is safe. Close it there, or open "
        "it here for reading only."
    )
