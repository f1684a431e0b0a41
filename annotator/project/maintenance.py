"""Care for a project: prove it, copy it, restore it, take back an import."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from annotator.errors import DamagedError, ProjectError, ReadOnlyError
from annotator.project import file_location
from annotator.project.adjudication import adjudicate
from annotator.project.browse import prepare_search
from annotator.project.event_words import assigned
from annotator.project.project import Project
from annotator.project.views import Change
from annotator.storage.care import integrity, merger
from annotator.storage.care.merger import Conflict, Merged
from annotator.storage.care.recovery import Recovered, recover
from annotator.storage.content import withdrawal
from annotator.storage.file import file_copies
from annotator.storage.file.file_copies import CAP, Backup, Inside, inside
from annotator.storage.ledger import current_values, events
from annotator.storage.ledger import heads as ledger_heads
from annotator.storage.store import Store
from annotator.tasks import declared
from annotator.watch import UNWATCHED, Watch

__all__ = ["CAP", "Backup", "Conflict", "Inside", "Merged", "Recovered"]
__all__ += ["inside", "recover"]
"""What storage does for a file that need not be open, beside the functions below."""


NAMELESS = "project.annot"
"""The name of a file in a folder of its own that is made of what has none: `.` or `/`."""

LEFT_OUT = "Looking after the project was stopped; nothing was changed."


@dataclass(frozen=True, slots=True)
class ImportView:
    """One import of the past: `identity` names it, `in_force` says that it was not taken back."""

    identity: str
    time: int
    annotator: str
    source: str
    in_force: bool


def check(path: Path, watch: Watch = UNWATCHED) -> tuple[tuple[str, ...], str, str]:
    """Check the whole of a project anew; return what is wrong, one sentence each, and its ledger's head.

    The last is what is to be said of a journal that lies beside the file.
    """
    with Store.open(path, read_only=True) as store:
        with suppress(DamagedError):
            store.prove(True, watch.saying("The check was cancelled; nothing was changed."))
        return store.damage, "" if store.damage else store.head(), store.told


def is_head(text: str) -> bool:
    """Tell whether a text can be a ledger head that somebody noted."""
    return ledger_heads.is_head(text)


def missing(path: Path, heads: Sequence[str]) -> list[str]:
    """Return which of these heads, noted of a sound project earlier, stood for what it does not hold now."""
    with Store.open(path, read_only=True) as store, store.reading() as db:
        return [one for one in heads if not ledger_heads.contains(db, one)]


@dataclass(frozen=True, slots=True)
class Care:
    """What looking after a project found: what is wrong, the backup that was due, a risky place.

    `copies` are conflict copies of a synchronised folder, to be merged.
    """

    findings: tuple[str, ...]
    backup: Path | None = None
    warning: str = ""
    copies: tuple[Path, ...] = ()

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        if self.findings:
            return f"This project does not match its own hashes: {self.findings[0]}. Restore a backup."
        made = " and backed up" if self.backup else ""
        return f"The project was checked{made}: everything matches its hashes. {self.warning}".rstrip()


def look_after(copy: Path, path: Path, watch: Watch = UNWATCHED) -> Care:
    """Check a project, back it up when the last backup is an hour old, and index its texts for searching.

    `copy` is what is read: a snapshot of the file at `path`, or that file itself. A project that is not sound
    is not backed up. Stopping leaves out what is not done yet, and raises Stopped.
    """
    watch = watch.saying(LEFT_OUT)
    with Store.open(copy, read_only=True) as store, watch.over(store.db):
        findings = integrity.check(store.db, watch)
        if findings:
            return Care(tuple(map(str, findings)))
        backup, trouble = None, ""
        try:
            backup = file_copies.back_up(copy, checked=True, watch=watch)
        except ProjectError as error:
            trouble = f"No backup was made. {error}"
        try:
            prepare_search(store, watch)
        except ProjectError as error:
            trouble = f"{trouble} {error}".strip()
        copies = unmerged(store, path)
    warning = trouble or file_location.warning(path, copies=copies)
    return Care((), backup.path if backup else None, warning, copies)


def unmerged(store: Store, path: Path) -> tuple[Path, ...]:
    """Return the conflict copies beside the file at `path` that hold events which the project has not."""
    others = []
    copies = file_location.conflict_copies(path.absolute())
    with store.reading() as db:
        mine = {event.hash for event in events.all_events(db)} if copies else set()
    for path in copies:
        try:
            with Store.open(path, read_only=True) as copy, copy.reading() as db:
                if any(event.hash not in mine for event in events.all_events(db)):
                    others.append(path)
        except ProjectError:
            continue
    return tuple(others)


def imports(project: Project) -> list[ImportView]:
    """Return every import, newest first."""
    with project.store.reading():
        return [
            ImportView(event.identity, event.time, event.annotator, ", ".join(event.subject), in_force)
            for event, in_force in withdrawal.imports(project.store)
        ]


def withdraw(
    project: Project,
    identity: str,
    watch: Watch = UNWATCHED,
) -> Change:
    """Take a whole import back: its runs, judgments and gold answers, and content that nothing else uses."""
    event = withdrawal.withdraw(project.store, identity, project.annotator, watch.saying(withdrawal.KEPT))
    sentence = f"Taken back: import of {', '.join(event.subject)}"
    return Change("import", before=event.subject, undoes=True, said=sentence)


def back_up(project: Project, every_hour: bool = True) -> Backup | None:
    """Make a backup in the user's data folder, when the project changed since the last one.

    With `every_hour` only when that is an hour old. Raises DamagedError when the project is not sound.
    """
    project.store.prove()
    every = file_copies.HOUR if every_hour else 0
    return file_copies.back_up(project.store.path, every=every, checked=True)


def restore(backup: Path, target: Path) -> Path | None:
    """Put a backup in the place of a project that nobody has open; one that is there is kept beside it.

    The name that it gets is returned. Raises DamagedError for a backup that is not sound.
    """
    try:
        with Store.open(backup, read_only=True) as store:
            store.prove()
    except ReadOnlyError:  # of an earlier version, whose layout is proved once it is brought up to date
        pass
    except DamagedError as error:
        raise DamagedError(f"{error} Of this backup nothing was restored.") from error
    return file_copies.restore(backup, target)


def backups_of(path: Path) -> list[Backup]:
    """Return the backups of a project file that need not be sound, newest first.

    When the file does not say any more which project it is, those of all projects are returned.
    """
    return file_copies.backups(file_copies.identity(path) or "*")


def backups_folder(path: Path) -> Path:
    """Return where the backups of a project file are."""
    return file_copies.folder(file_copies.identity(path) or "")


def save_copy(project: Project, target: Path, watch: Watch = UNWATCHED) -> None:
    """Write a compact copy of the project, which replaces what is there in one step.

    Raises DamagedError for a project that is not sound, and Stopped.
    """
    project.store.prove(watch=watch)
    file_copies.save_copy(project.store.path, target, watch=watch.saying("No copy was written."))


def merge(
    path: Path,
    other: Path,
    target: Path,
    unrelated: bool = False,
    watch: Watch = UNWATCHED,
) -> Merged:
    """Merge two copies of a project into a new file."""
    watch = watch.saying("Merging was stopped; nothing was changed.")
    return merger.merge(path, other, target, unrelated=unrelated, watch=watch)


def brought_in_words(merged: Merged) -> list[tuple[str, str]]:
    """Return who said something in the second copy alone, and how often what: `grade: 12 · note: 1`."""
    return [
        (who, " · ".join(f"{declared(task).title}: {number:,}" for _, task, number in said))
        for who, said in groupby(merged.brought, key=itemgetter(0))
    ]


@dataclass(frozen=True, slots=True)
class Tried:
    """A merge that was tried: of which files, what it did, and the merged file in a folder of its own.

    `head` is the ledger head of the project that it began with.
    """

    path: Path
    other: Path
    merged: Merged
    file: Path
    head: str

    def drop(self) -> None:
        """Leave no file."""
        shutil.rmtree(self.file.parent, ignore_errors=True)


def waiting_place(path: Path) -> Path:
    """Return where a file made of `path` waits to be taken or dropped: in a new folder that holds it alone.

    Raises ProjectError where none can be.
    """
    try:
        return Path(tempfile.mkdtemp()) / (path.name or NAMELESS)  # `.` and `/` have no name
    except OSError as error:
        raise ProjectError(
            f"Nothing can be written in {tempfile.gettempdir()} ({error.strerror}), and nothing was changed. "
            "Free some space there, then try again."
        ) from None


def try_merge(path: Path, other: Path, watch: Watch = UNWATCHED) -> Tried:
    """Merge another copy with a project into a file that waits to be taken, or to be dropped."""
    head = head_of(path)
    file = waiting_place(path)
    try:
        return Tried(path, other, merge(path, other, file, True, watch), file, head)
    except BaseException:
        shutil.rmtree(file.parent, ignore_errors=True)
        raise


def take(tried: Tried, target: Path) -> tuple[Merged, Path | None]:
    """Put a merge that was tried in the place of the project, which nobody has open, or into a new file.

    When the project was changed since, it is merged anew. Returns what the merge did, and where the project
    as it was before is kept when it was replaced.
    """
    try:
        merged = tried.merged
        if head_of(tried.path) != tried.head:
            tried.file.unlink()
            merged = merge(tried.path, tried.other, tried.file, True)
        return merged, file_copies.restore(tried.file, target)
    finally:
        tried.drop()


@dataclass(frozen=True, slots=True)
class TriedRecovery:
    """A recovery that was tried: of which file, what it saved and lost, and the file that it made."""

    path: Path
    recovered: Recovered
    file: Path

    def drop(self) -> None:
        """Leave no file."""
        shutil.rmtree(self.file.parent, ignore_errors=True)


def try_recovery(path: Path, watch: Watch = UNWATCHED) -> TriedRecovery:
    """Recover what is sound of a damaged file into one that waits to be kept, or to be dropped."""
    file = waiting_place(path)
    try:
        watch = watch.saying("Recovering was stopped; nothing was changed.")
        return TriedRecovery(path, recover(path, file, watch), file)
    except BaseException:
        shutil.rmtree(file.parent, ignore_errors=True)
        raise


def keep(tried: TriedRecovery, target: Path) -> None:
    """Put what was recovered into a new file; raises ProjectError when that is there already."""
    try:
        if target.exists():
            raise ProjectError(f"{target} exists already. Choose another name.")
        file_copies.restore(tried.file, target)
    finally:
        tried.drop()


def head_of(path: Path) -> str:
    """Return the ledger head of a file."""
    with Store.open(path, read_only=True) as store:
        return store.head()


def in_words(value: Any) -> str:
    """Return one side's value of a conflict as people read it."""
    if value is None:
        return "nothing"
    if isinstance(value, dict) and value.get("state") == "graded":
        return f"grade {value['grade']}"
    if isinstance(value, dict) and "state" in value:
        return str(value["state"]).replace("_", " ")
    if isinstance(value, dict) and "groups" in value:
        return assigned(value)
    if isinstance(value, dict):
        return ", ".join(f"{part}: {in_words(one)}" for part, one in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def settle(project: Project, conflict: Conflict, grade: int) -> Change:
    """Settle a judgment that was changed on both sides of a merge: this grade wins over both."""
    query, candidate = conflict.subject
    with project.store.reading() as db:
        keys = current_values.query_key(db, query), current_values.candidate_key(db, candidate)
    return adjudicate(project, *keys, grade, "changed on both sides of a merge")
