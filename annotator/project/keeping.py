"""Care for a project: prove it, copy it, restore it, take back an import."""

from dataclasses import dataclass
from pathlib import Path

from annotator.evaluation.evaluating import OnProgress, ShouldStop
from annotator.project import surroundings
from annotator.project.asking import prepare_search
from annotator.project.views import Change
from annotator.storage import checking, copying, merging, recovering, withdrawing
from annotator.storage.store import Store


@dataclass(frozen=True, slots=True)
class ImportView:
    """One import of the past: `identity` names it, `in_force` says that it was not taken back."""

    identity: str
    time: int
    annotator: str
    source: str
    in_force: bool


def findings(
    store: Store, on_progress: OnProgress | None = None, should_stop: ShouldStop | None = None
) -> list[str]:
    """Return what is wrong with a project, one sentence each; nothing when all of it is sound."""
    with store.reading() as db:
        return [str(one) for one in checking.check(db, on_progress, should_stop)]


@dataclass(frozen=True, slots=True)
class Care:
    """What looking after a project found: what is wrong, the backup that was due, a risky place."""

    findings: tuple[str, ...]
    backup: Path | None = None
    warning: str = ""

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        if self.findings:
            return f"This project does not match its own hashes: {self.findings[0]}. Restore a backup."
        made = " and backed up" if self.backup else ""
        return f"The project was checked{made}: everything matches its hashes. {self.warning}".rstrip()


def look_after(
    store: Store, on_progress: OnProgress | None = None, should_stop: ShouldStop | None = None
) -> Care:
    """Check a project, back it up when the last backup is an hour old, and index its texts for searching.

    It runs beside grading, in a thread of its own. A project that is not sound is not backed up. Stopping
    leaves out what is not done yet.
    """
    found = tuple(findings(store, on_progress, should_stop))
    if found:
        return Care(found)
    backup = back_up(store)
    prepare_search(store, on_progress, should_stop)
    return Care((), backup.path if backup else None, surroundings.warning(store.path))


def imports(store: Store) -> list[ImportView]:
    """Return every import, newest first."""
    with store.reading():
        return [
            ImportView(event.identity, event.time, event.annotator, ", ".join(event.subject), in_force)
            for event, in_force in withdrawing.imports(store)
        ]


def withdraw(store: Store, annotator: str, identity: str) -> Change:
    """Take a whole import back: its runs, judgments and gold answers, and content that nothing else uses."""
    event = withdrawing.withdraw(store, identity, annotator)
    said = f"Taken back: import of {', '.join(event.subject)}"
    return Change("import", before=event.subject, undoes=True, said=said)


def back_up(store: Store, every_hour: bool = True) -> copying.Backup | None:
    """Make a backup in the user's data folder, when the project changed since the last one.

    With `every_hour` only when that is an hour old. Raises DamagedError when the project is not sound.
    """
    return copying.back_up(store.path, every=copying.HOUR if every_hour else 0)


def backups(store: Store) -> list[copying.Backup]:
    """Return the project's backups, newest first."""
    return copying.backups(store.identity)


def save_copy(store: Store, target: Path) -> None:
    """Write a compact copy of the project, which replaces what is there in one step."""
    copying.save_copy(store.path, target)


def look_inside(path: Path) -> copying.Inside:
    """Return what a backup or any project file holds, before it is restored."""
    return copying.inside(path)


def restore(backup: Path, target: Path) -> Path | None:
    """Put a backup in the place of a project file that nobody has open; return where the old one is kept."""
    return copying.restore(backup, target)


def merge(first: Path, second: Path, target: Path) -> merging.Merged:
    """Merge two copies of a project into a new file: the union of their events, conflicts listed."""
    return merging.merge(first, second, target)


def recover(damaged: Path, target: Path) -> recovering.Recovered:
    """Write what can be read and proved of a damaged project into a new file; the old one stays."""
    return recovering.recover(damaged, target)
