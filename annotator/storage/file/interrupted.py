"""A file beside which a journal lies: what an interrupted step left, or something that is not the file's.

SQLite takes every journal beside a file for the file's own and writes its pages into it, also one of an
earlier state, which destroys a sound file; a write-ahead log likewise, which this program never makes. So
nothing is rolled back on trust. A file that passes the whole check without the journal does not need it. Else
both are copied and the copy is rolled back: when that passes the check and is at most one step behind, the
journal belongs to the file.
"""

import atexit
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from annotator import kept_files
from annotator.errors import DamagedError, ProjectError, ReadOnlyError
from annotator.storage.care import integrity
from annotator.storage.file import access, file_lock, layout, proof


class Verdict(Enum):
    """Which state is sound: the file as it stands, the file with its last step taken back, or neither."""

    FILE = auto()
    JOURNAL = auto()
    NEITHER = auto()


PREFIX = "interrupted "
"""Of the names of folders that keep files as they were; see `file_copies.kept_steps`."""

NO_NEED = "it does not need: the file matches its hashes without it"
NO_HELP = "Beside {name} lies {journal}, and the file matches its hashes neither with it nor without."
CUT_OFF = "The last step in {name} was interrupted, so it was never acknowledged"

WHEN_READ = {
    Verdict.FILE: f"Beside {{name}} lies {{journal}}, which {NO_NEED}. Both were left as they are.",
    Verdict.JOURNAL: f"{CUT_OFF}. It is left out here; the file and {{journal}} were left as they are.",
    Verdict.NEITHER: f"{NO_HELP} Both were left as they are.",
}
WHEN_WRITTEN = {
    Verdict.FILE: f"Beside {{name}} lay {{journal}}, which {NO_NEED}. It was put aside into {{kept}}.",
    Verdict.JOURNAL: f"{CUT_OFF}; it was taken back. The file and {{journal}} as they were are in {{kept}}.",
    Verdict.NEITHER: f"{NO_HELP} Both were left as they are: restore a backup, or recover what is sound.",
}


@dataclass(frozen=True, slots=True)
class Settled:
    """A private copy of a file, without what lay beside it, and what it is."""

    path: Path
    verdict: Verdict
    note: str


KNOWN: dict[tuple[object, ...], Settled] = {}
"""What was settled in this program, by the path and the stamps of file and journal."""


def beside(path: Path) -> list[Path]:
    """Return the journal and the write-ahead log that lie beside a file."""
    both = path.with_name(f"{path.name}-journal"), access.log_of(path)
    return [one for one in both if os.path.isfile(one) and one.stat().st_size]


def reading(path: Path) -> sqlite3.Connection:
    """Return a connection that reads a project file, a private copy where a journal lies beside it."""
    try:
        return access.connect(path)
    except access.InterruptedFile:
        return access.connect(settled(path).path)


def note(path: Path) -> str:
    """Return what is to be said to who reads a file, empty where nothing lies beside it."""
    known = KNOWN.get(key(path)) if beside(path) else None
    return known.note if known else ""


def key(path: Path) -> tuple[object, ...]:
    """Return what a file and what lies beside it are known by."""
    return path.absolute(), *(proof.stamp(one) for one in (path, *beside(path)))


def settled(path: Path) -> Settled:
    """Copy a file and what lies beside it, and find out in the copy which state is sound.

    Raises LockedError when another program writes to it, which has to end its step itself.
    """
    if known := KNOWN.get(key(path)):
        return known
    lock = file_lock.acquire(path, alone=False)
    try:
        return settle(path)
    finally:
        lock.close()


def settle(path: Path) -> Settled:
    """Do what `settled` says, for who holds the lock."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="annotator-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return _settle(path, folder)
    except OSError as error:
        raise ProjectError(
            f"A journal lies beside {path.name}, so it is read from a private copy, which could not be "
            f"written in {tempfile.gettempdir()} ({error.strerror}). Nothing was changed; free some space."
        ) from None


def _settle(path: Path, folder: Path) -> Settled:
    this, others = key(path), beside(path)
    alone, rolled = folder / path.name, folder / "rolled back" / path.name
    copy_privately(path, alone)
    wrong = findings(alone)
    found = alone, Verdict.NEITHER if wrong else Verdict.FILE
    journal = path.with_name(f"{path.name}-journal")
    if wrong and journal in others:
        rolled.parent.mkdir()
        copy_privately(path, rolled)
        copy_privately(journal, rolled.with_name(journal.name))
        with suppress(sqlite3.DatabaseError):
            roll_back(rolled)
        still = findings(rolled)
        if not still and counter(alone) - counter(rolled) in (0, 1):
            found = rolled, Verdict.JOURNAL
        elif len(still) < len(wrong):
            found = rolled, Verdict.NEITHER
    said = WHEN_READ[found[1]].format(name=path.name, journal=" and ".join(one.name for one in others))
    KNOWN[this] = Settled(*found, said)
    return KNOWN[this]


def copy_privately(path: Path, copy: Path) -> None:
    """Copy the bytes of a file into one that others cannot read."""
    kept_files.new(copy)
    shutil.copyfile(path, copy)


def roll_back(path: Path) -> None:
    """Let SQLite write the journal's pages into the file."""
    db = access.connect(path, write=True)
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    finally:
        db.close()


def findings(path: Path) -> list[str]:
    """Return what is wrong with a file beside which nothing lies."""
    try:
        db = access.connect(path)
        try:
            return layout.differences(db) or [str(one) for one in integrity.check(db)]
        finally:
            db.close()
    except (sqlite3.DatabaseError, OSError):
        return ["it cannot be read"]


def counter(path: Path) -> int:
    """Return how often a file was written, as SQLite counts in its header."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(28)[24:], "big")


def put_in_order(path: Path, folder: Callable[[str], Path]) -> str:
    """Take back a step that a crash interrupted, or put aside a journal that the file does not need.

    For who holds the lock. What is changed is kept first, in the folder of the project's backups; what was
    done is returned in words. Raises DamagedError when neither makes the file sound, and nothing is changed.
    """
    try:
        access.connect(path).close()
        return ""
    except access.InterruptedFile:
        found = settle(path)
    others = beside(path)
    names = " and ".join(one.name for one in others)
    if found.verdict is Verdict.NEITHER:
        raise DamagedError(WHEN_WRITTEN[found.verdict].format(name=path.name, journal=names))
    db = access.connect(found.path)
    try:
        (identity,) = db.execute("SELECT identity FROM project").fetchone()
    finally:
        db.close()
    stamp = time.strftime("%Y-%m-%dT%H%M%SZ", time.gmtime())
    kept = folder(identity)
    changed = [path, *others] if found.verdict is Verdict.JOURNAL else others
    try:
        kept_files.made(kept)
        kept = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{stamp} ", dir=kept))
        for one in changed:
            copied = kept / one.name
            shutil.copy2(one, copied)
            access.sync(copied)
        for one in others if found.verdict is Verdict.FILE else (access.log_of(path),):
            one.unlink(missing_ok=True)
    except OSError as error:
        raise ReadOnlyError(
            f"Beside {path.name} lies {names}, and what is to be changed could not be kept in {kept} first "
            f"({error.strerror}). Both were left as they are; {path.name} can be opened for reading."
        ) from None
    roll_back(path)
    return WHEN_WRITTEN[found.verdict].format(name=path.name, journal=names, kept=kept)
