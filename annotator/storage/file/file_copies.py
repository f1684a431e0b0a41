"""Copies of a project: saved by hand, kept as rotating backups, restored.

A copy is written by `VACUUM INTO` beside its final place, synced, and moved there in one step. Backups stand
in the user's data folder, one folder per project, so that a lost project folder or an uninstall does not take
them along.
"""

import calendar
import itertools
import math
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from annotator import kept_files, unfinished
from annotator.errors import DamagedError, ProjectError, UserError
from annotator.storage.care import integrity
from annotator.storage.file import access, file_lock, interrupted
from annotator.storage.ledger import events
from annotator.watch import UNWATCHED, Watch

HOUR = 3_600
DAY = 24 * HOUR
CAP = 2_000_000_000
"""Bytes that the backups of one project may take."""

PAGES = 200
"""So many are copied at once while somebody grades: about a millisecond's work."""

PAUSE_SECONDS = 0.005
"""How long the copying waits for a writer."""

STAMP = "%Y-%m-%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup file, or folder of files, when it was made (UTC seconds), and its size in bytes."""

    path: Path
    time: float
    size: int


@dataclass(frozen=True, slots=True)
class Inside:
    """What a project file holds, to be looked at before it is restored: `changed` is in UTC ms,
    `by` the annotator of the last event."""

    queries: int
    documents: int
    answers: int
    judgments: int
    annotators: tuple[str, ...]
    changed: int | None
    by: str
    head: str


def save_copy(path: Path, target: Path, mode: int | None = None, watch: Watch = UNWATCHED) -> None:
    """Write a compact copy of a project file to `target`, which is replaced in one step when it is there.

    Without a `mode` it may be read by those who may read what it replaces, or else the project.
    Raises ProjectError when it cannot be written, and Stopped; what was there before is untouched then.
    """
    if target.exists() and target.samefile(path):
        raise ProjectError("A project cannot be copied onto itself; choose another name.")
    if mode is None:
        mode = kept_files.mode_of(target if target.exists() else path)
    with _copied(path) as db:
        replace_by_copy(db, path.name, target, mode, watch)


@contextmanager
def _copied(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that reads a project file and may write a copy of it."""
    with access.telling(path.name):
        db = interrupted.reading(path)
    try:
        db.execute("PRAGMA query_only = OFF")
        yield db
    finally:
        db.close()


def replace_by_copy(
    db: sqlite3.Connection, name: str, target: Path, mode: int, watch: Watch = UNWATCHED
) -> None:
    """Write a compact copy of what a connection reads, moved to its place in one step; see `save_copy`."""
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise ProjectError(f"{target} is a pipe or a device, not a file to replace; nothing was written.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.folder_in(target.parent) as new:
            write_copy(db, name, new / target.name, mode, watch)
            os.replace(new / target.name, target)
    except OSError as error:
        raise ProjectError(
            f"{target} cannot be written ({error.strerror}). Nothing was changed; choose another place."
        ) from None


def write_copy(db: sqlite3.Connection, name: str, part: Path, mode: int, watch: Watch = UNWATCHED) -> None:
    """Let SQLite write a compact copy of the file called `name` into a new one.

    How far it is shows in what has been written.
    """
    kept_files.new(part, mode)
    size = 0

    def look() -> bool:
        watch.tell(min(part.stat().st_size if part.exists() else 0, size), size, "Writing a copy")
        return watch.asked()

    attached = db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
    with access.telling(f"{name} or its copy {part.name}"):
        try:
            size = math.prod(db.execute(f"PRAGMA page_{what}").fetchone()[0] for what in ("count", "size"))
            with replace(watch, should_stop=look).over(db):
                db.execute("VACUUM INTO CAST(? AS TEXT)", (os.fsencode(part),))
        except sqlite3.Error as error:
            access.refuse_long(part, error)
            raise
        finally:
            db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, attached)
    access.sync(part)


def snapshot(path: Path, target: Path, watch: Watch = UNWATCHED) -> None:
    """Copy a project file page by page as it is, sound or not, while another program may write to it.

    A few pages are read at a time, so that a writer never waits; after a step that it stored the copying
    starts again. Raises Stopped.
    """

    def look(_status: int, remaining: int, total: int) -> None:
        watch.step(total - remaining, total, "a copy")

    with access.telling(path.name):
        source = interrupted.reading(path)
        kept_files.new(target)
        copy = sqlite3.connect(target, isolation_level=None)
        try:
            copy.execute("PRAGMA journal_mode = OFF")
            copy.execute("PRAGMA synchronous = OFF")
            source.backup(copy, pages=PAGES, progress=look, sleep=PAUSE_SECONDS)
        finally:
            copy.close()
            source.close()


def folder(identity: str) -> Path:
    """Return the folder of a project's backups."""
    return kept_files.place("backups") / identity


def made(identity: str) -> Path:
    """Return the folder of a project's backups, made if it is missing; raises ProjectError."""
    try:
        return kept_files.made(folder(identity))
    except OSError as error:
        raise ProjectError(
            f"{folder(identity)}, where backups lie, cannot be made ({error.strerror}), so none was. Nothing "
            "was changed; make that folder writable."
        ) from None


def identity(path: Path) -> str:
    """Return which project a file is, empty when it does not say so any more."""
    try:
        db = interrupted.reading(path)
        try:
            access.refuse_instructions(db, path)
            row = db.execute("SELECT identity FROM project").fetchone()
        finally:
            db.close()
    except (sqlite3.Error, OSError, UserError):
        return ""
    return row[0] if row and isinstance(row[0], str) and row[0].isalnum() else ""


def backups(identity: str) -> list[Backup]:
    """Return a project's backups, newest first; those of all projects for `*`."""
    kept = []
    for path in folder("").glob(f"{identity}/*.annot"):
        try:
            made = calendar.timegm(time.strptime(path.name.split(" ")[0], STAMP))
            kept.append(Backup(path, made, path.stat().st_size))
        except (ValueError, OSError):
            continue
    return sorted(kept, key=lambda one: (one.time, one.path.name), reverse=True)


def kept_steps(identity: str) -> list[Backup]:
    """Return the folders in which files lie as they were before an interrupted step, newest first."""
    kept = []
    for path in folder(identity).glob(f"{interrupted.PREFIX}*"):
        with suppress(ValueError, OSError):
            made = calendar.timegm(time.strptime(path.name.split(" ")[1], STAMP))
            kept.append(Backup(path, made, sum(one.stat().st_size for one in path.iterdir())))
    return sorted(kept, key=lambda one: one.time, reverse=True)


def back_up(
    path: Path,
    *,
    now: float | None = None,
    every: float | None = HOUR,
    cap: int = CAP,
    checked: bool = False,
    watch: Watch = UNWATCHED,
) -> Backup | None:
    """Make a backup when the project changed since the last one and that is older than `every` seconds.

    None for `every` makes one in any case. A backup whose date is still to come, by a clock that was wrong,
    says nothing of its age and does not stop the next.
    Unless it was `checked`, the project is checked first: raises DamagedError when it is not sound, and no
    backup is thinned then, so the last good one stays. Returns None when there is nothing to do.
    """
    moment = time.time() if now is None else now
    with access.telling(path.name):
        db = interrupted.reading(path)
        try:
            identity = str(db.execute("SELECT identity FROM project").fetchone()[0])
            head = events.head(db)
            unfinished.clear(folder(identity))
            kept = by_age(backups(identity), moment)
            same = any(one.path.stem.endswith(events.short(head)) for one in kept[:1] + ahead(kept, moment))
            recent = bool(kept) and 0 <= moment - kept[0].time < (every or 0)
            if every is not None and (same or recent):
                return None
            findings = [] if checked else integrity.check(db, watch)
        finally:
            db.close()
    if findings:
        raise DamagedError(
            f"{path.name} is not sound ({findings[0]}), so no backup was made of it and none was removed."
        )
    name = f"{time.strftime(STAMP, time.gmtime(moment))} {events.short(head)}.annot"
    target = made(identity) / name
    save_copy(path, target, kept_files.PRIVATE, watch)
    for made_earlier in (backups(identity), kept_steps(identity)):
        thin(by_age(made_earlier, moment), moment, cap)
    return Backup(target, moment, target.stat().st_size)


def rescue(db: sqlite3.Connection, path: Path, identity: str) -> Path | None:
    """Keep as a backup what a connection still has of a file that is not at its path any more.

    None where that cannot be done, as when a journal stands there: SQLite would take it for the file's own.
    """
    if path.with_name(f"{path.name}-journal").exists():
        return None
    try:
        head = events.short(events.head(db))
        for backup in backups(identity):
            if backup.path.stem.endswith(head):
                return backup.path
        target = made(identity) / f"{time.strftime(STAMP, time.gmtime())} {head}.annot"
        replace_by_copy(db, path.name, target, kept_files.PRIVATE)
        return target
    except (sqlite3.Error, UserError):
        return None


def ahead(kept: Sequence[Backup], now: float) -> list[Backup]:
    """Return the backups whose date is still to come."""
    return [one for one in kept if one.time > now]


def by_age(kept: Sequence[Backup], now: float) -> list[Backup]:
    """Return backups, given newest first, with those behind whose date is still to come."""
    return [one for one in kept if one.time <= now] + ahead(kept, now)


def thin(kept: Sequence[Backup], now: float, cap: int = CAP) -> list[Backup]:
    """Delete backups, files or folders, that their age or the cap makes superfluous, and return them.

    The first always stays. All of the last day stay, then one a day for a month, then one a month, as long
    as all together do not exceed `cap` bytes; the oldest go first.
    """
    gone, slots, size = [], set(), 0
    for place, backup in enumerate(kept):
        age = now - backup.time
        day = int(backup.time // DAY)
        slot = (backup.path.name,) if age < DAY else ("day", day) if age < 30 * DAY else ("month", day // 30)
        size += backup.size
        if place and (slot in slots or size > cap):
            size -= backup.size
            if backup.path.is_dir():
                shutil.rmtree(backup.path, ignore_errors=True)
            else:
                backup.path.unlink(missing_ok=True)
            gone.append(backup)
        slots.add(slot)
    return gone


def inside(path: Path) -> Inside:
    """Return what a project file holds; raises ProjectError when it is none or cannot be read."""
    access.check_header(path)
    with access.telling(path.name):
        db = interrupted.reading(path)
        try:
            access.refuse_instructions(db, path)
            queries, documents, answers, judgments = (
                db.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
                for rows in (
                    "query",
                    "candidate WHERE query IS NULL",
                    "candidate WHERE query NOT NULL",
                    "judgment",
                )
            )
            names = tuple(row[0] for row in db.execute("SELECT name FROM annotator ORDER BY id").fetchall())
            last = db.execute(
                "SELECT time, name FROM event JOIN annotator ON annotator.id = annotator "
                "ORDER BY event.id DESC LIMIT 1"
            ).fetchone()
            changed, by = last or (None, "")
            return Inside(queries, documents, answers, judgments, names, changed, by, events.head(db))
        finally:
            db.close()


def free_name(target: Path, now: float) -> Path:
    """Return where a file is kept that is about to be replaced: under a name that no file has."""
    stamp = time.strftime(STAMP, time.gmtime(now))
    for again in itertools.count(1):
        number = f" {again}" if again > 1 else ""
        aside = target.with_name(f"{target.stem} before {stamp}{number}{target.suffix}")
        if not aside.exists():
            break
    return aside


def restore(backup: Path, target: Path, *, now: float | None = None) -> Path | None:
    """Put a backup in the place of a project file that nobody has open.

    A file that is there is kept beside it; the name that it gets is returned.
    """
    access.check_header(backup)
    if not target.exists():
        save_copy(backup, target)
        return None
    lock = file_lock.acquire(target)
    aside = free_name(target, time.time() if now is None else now)
    journal, journal_aside = (one.with_name(f"{one.name}-journal") for one in (target, aside))
    try:
        with unfinished.folder_in(target.parent) as new, _copied(backup) as db:
            write_copy(db, backup.name, new / target.name, kept_files.mode_of(target))
            olds = [(old, kept) for old, kept in ((journal, journal_aside), (target, aside)) if old.exists()]
            for old, kept in olds:
                kept_files.new(new / kept.name, kept_files.mode_of(target))
                shutil.copy2(old, new / kept.name)
                access.sync(new / kept.name)
            for _, kept in olds:
                os.replace(new / kept.name, kept)
            os.replace(new / target.name, target)
    except OSError as error:
        for kept in (aside, journal_aside):  # which is a second copy of what stands at its place
            with suppress(OSError):
                kept.unlink(missing_ok=True)
        raise ProjectError(
            f"{target.name} could not be replaced ({error.strerror}), so nothing was restored: it is as it "
            "was. Free some space, or restore the backup into another folder."
        ) from None
    finally:
        lock.close()
    with suppress(OSError):  # it is of the old file alone, and the new one is sound without it
        journal.unlink(missing_ok=True)
    return aside
