"""Looking after a project in a process of its own, so that no grade waits for it.

The process reads a snapshot of the file, taken a few pages at a time: the project file itself is locked for
about a millisecond at once. From then on it has a low priority. It ends when its standard input does,
which the system closes in whatever way the window ends.
"""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from annotator import kept_files
from annotator.errors import LockedError, ProjectError, UserError
from annotator.project import maintenance
from annotator.project.maintenance import Care
from annotator.storage.file import file_copies
from annotator.watch import UNWATCHED, Watch

LOOK_SECONDS = 0.05
"""How often the waiting thread looks whether to stop."""

GRACE_SECONDS = 1.0
"""So long the process has to put away what it began when it shall end."""

PREFIX = ".looking-after-"
"""How the name of a folder for a snapshot begins; it stands beside the backups."""

LOW_PRIORITY = 10
"""What is added to the niceness: a window gets about ten times the share of a busy processor."""

PROGRAM = (
    "import sys; sys.path[:] = sys.argv[3:]; from annotator.project.background_check import main as m; m()"
)


def look_after(path: Path, watch: Watch = UNWATCHED) -> Care:
    """Check, back up and index a project in another process, and wait for that one's end.

    Raises what the process raised for the user, and Stopped soon after somebody asks to stop.
    """
    place = file_copies.folder("")
    try:
        kept_files.made(place)
        for left in place.glob(f"{PREFIX}*"):  # by a power cut
            with suppress(FileNotFoundError):  # another window's, ready by now
                if time.time() - left.stat().st_mtime > file_copies.DAY:
                    shutil.rmtree(left, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    except OSError as error:
        raise ProjectError(
            f"{place} cannot be written to ({error.strerror}), so the project was neither checked nor backed "
            "up. Grades are stored nevertheless; make that folder writable."
        ) from None
    try:
        return _run(path, folder, watch.saying(maintenance.LEFT_OUT))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(path: Path, folder: Path, watch: Watch) -> Care:
    for name in ("said", "outcome"):
        kept_files.new(folder / name)
    with (folder / "said").open("wb") as output:
        child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path.absolute()), str(folder), *sys.path],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    try:
        while True:
            watch.look()
            with suppress(subprocess.TimeoutExpired):
                child.wait(LOOK_SECONDS)
                break
    finally:
        _end(child)
    outcome = folder / "outcome"
    if not outcome.stat().st_size:
        raise RuntimeError((folder / "said").read_text("utf-8", "replace"))
    care: Care | UserError = pickle.loads(outcome.read_bytes())
    if isinstance(care, UserError):
        raise care
    return care


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Let a process end, and wait until it has."""
    assert child.stdin is not None
    child.stdin.close()
    try:
        child.wait(2 * GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def main() -> None:
    """Be the process: `sys.argv` names the project file and a folder for the snapshot and the outcome."""
    path, folder = Path(sys.argv[1]), Path(sys.argv[2])
    alone = threading.Event()
    threading.Thread(target=_end_with_the_window, args=(alone, folder), daemon=True).start()
    outcome: Care | UserError
    try:
        copy = folder / path.name
        watch = Watch(should_stop=alone.is_set)
        _snapshot(path, copy, alone, watch)
        if hasattr(os, "nice"):  # only now: nobody shall wait for a lock that a process of low priority holds
            os.nice(LOW_PRIORITY)
        outcome = maintenance.look_after(copy, path, watch)
    except UserError as error:
        outcome = error
    if alone.is_set():
        shutil.rmtree(folder, ignore_errors=True)
    else:
        (folder / "outcome").write_bytes(pickle.dumps(outcome))


def _snapshot(path: Path, copy: Path, alone: threading.Event, watch: Watch) -> None:
    """Copy the file once no long step, as an import is, holds it."""
    while True:
        try:
            file_copies.snapshot(path, copy, watch)
            return
        except LockedError:
            if alone.wait(GRACE_SECONDS):
                raise


def _end_with_the_window(alone: threading.Event, folder: Path) -> None:
    os.read(0, 1)  # waits for the end: nobody writes
    alone.set()
    time.sleep(GRACE_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
