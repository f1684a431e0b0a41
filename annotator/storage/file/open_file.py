"""The file of an open project: that it still is the one that was opened, how a step on it begins and ends.

SQLite's locks bind SQLite's users alone: a file manager, a synchronising service or `cp` replaces or
overwrites a file that is open. SQLite may not even notice an overwritten one, for it knows its own content by
16 bytes that two copies of one project may share. So each step looks, inside its transaction, at the file's
stamp and its last event; a file that was touched is looked at by a connection that has seen nothing before.
What remains is a program that ignores the locks in the milliseconds between that look and the end of the
step, or that overwrites the file within one tick of the file system's clock (20 ms at most) behind the last
step by one of the same size.
"""

import sqlite3
from pathlib import Path

from annotator.errors import ProjectError, UnclearError
from annotator.storage.file import access, file_copies, layout, proof
from annotator.storage.ledger import chain
from annotator.storage.ledger.chain import Ledger

UNREAD = (
    "The disk failed while this step was stored in {name} ({error}), and the file cannot be read now: "
    "whether the step is stored is not known until it can. Nothing that was saved earlier was removed. Check "
    "the disk, then go on: the next step finds out first."
)
FOREIGN_JOURNAL = (
    "{journal}, which is of no step of this program, lies beside {name} while it is open here: SQLite would "
    "take it for the file's own and write an earlier state back. Nothing was read or written; what was saved "
    "is safe. Close the project and open it again: it is found out then which state is sound."
)
UNCONFIRMED = (
    "This step stands in {name}, but the disk failed to confirm it ({error}), so a power cut could still "
    "take it back. Nothing that was saved earlier was removed. Check the disk, then go on: the next step has "
    "that confirmed first."
)


class OpenFile:
    """One project file that is open through `db`, and the end of the ledger in it.

    `unclear` while a failing disk leaves open whether the last step is stored, `working` while a step of
    ours may have a journal beside the file.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, identity: str) -> None:
        self.path = path
        self.db = db
        self.identity = identity
        self.ledger = Ledger()
        self.unclear = self.working = False
        self.journal = path.with_name(f"{path.name}-journal")
        self.stamp = proof.stamp(path)
        self._inode = path.stat().st_ino
        self._end = chain.last(db)

    def seen(self) -> proof.Stamp:
        """Return the stamp of what is at the path now, an empty one where nothing is or can be reached."""
        try:
            return proof.stamp(self.path)
        except OSError:
            return ()

    def refuse_journal(self) -> None:
        """Raise ProjectError where a journal lies beside the file that no step of ours has left.

        A program that writes without our lock has one too, which is gone when it is done.
        """
        if self.unclear or self.working or self.db.in_transaction:
            return
        try:
            with self.journal.open("rb") as file:
                begun = file.read(1) not in (b"", b"\0")  # for SQLite, too, all others are empty
        except OSError:  # as mostly, because there is none
            return
        if begun:
            raise ProjectError(FOREIGN_JOURNAL.format(journal=self.journal.name, name=self.path.name))

    def begin(self, checked: bool) -> None:
        """Begin a transaction on the file that was opened; raises ProjectError when another is in its place.

        Without `checked` its foreign keys are not.
        """
        self.refuse_journal()
        if self.unclear:
            self._settle()
        while True:
            if not checked:
                self.db.execute("PRAGMA foreign_keys = OFF")
            try:
                self.db.execute("BEGIN IMMEDIATE")
                if self.stamp and self.seen() == self.stamp and chain.last(self.db) == self._end:
                    self.working = True
                    return
            except sqlite3.DatabaseError:
                if self.seen() == self.stamp:
                    raise
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            now = self.seen()
            self.recognise()
            self.db.execute("PRAGMA shrink_memory")  # what it read before may not be what stands there now
            self.stamp = now

    def commit(self) -> None:
        """Store a step, which has an event at least, or raise what the user is told of one that is not."""
        end = chain.last(self.db)
        try:
            self.db.execute("COMMIT")
            self._end = end
        except sqlite3.Error:
            self.unclear = not self.db.in_transaction  # else somebody reads, and nothing was stored
            if not (self.unclear and self._settle()):
                raise
        self.stamp = self.seen()

    def ended(self) -> None:
        """Take a journal that is there when a step of ours has just ended for ours: the disk failed."""
        self.working = self.working and self.journal.exists()

    def _settle(self) -> bool:
        """Find out whether the step in whose end the disk failed is stored, and have the disk confirm it.

        Raises UnclearError while the disk does not tell.
        """
        told = UNREAD
        try:
            end = chain.last(self.db)
            if stored := end != self._end:
                told = UNCONFIRMED
                self.db.execute("BEGIN IMMEDIATE")
                self.db.execute(f"PRAGMA user_version = {access.VERSION}")  # is written though it is the same
                self.db.execute("COMMIT")
            self.ledger = chain.read_again(self.db, self.ledger)
        except sqlite3.Error as error:
            raise UnclearError(told.format(name=self.path.name, error=error)) from error
        self.unclear, self._end, self.stamp = False, end, self.seen()
        return stored

    def recognise(self, grown: bool = False) -> None:
        """Raise ProjectError unless the file at the path is the one that was opened.

        With `grown` another program may have added events to it.
        """
        moved = self._moved()
        if not (what := moved or self._overwritten(grown)):
            return
        kept = file_copies.rescue(self.db, self.path, self.identity) if moved else None
        place = f"All that was stored until then is in {kept}."
        if kept is None:
            backup = next(iter(file_copies.backups(self.identity)), None)
            place = f"The newest backup is {backup.path}." if backup else "There is no backup of it."
        raise ProjectError(
            f"{what}. Nothing was written there, and what you did last is stored nowhere. {place} Open the "
            "right file again, then repeat your last step."
        )

    def _moved(self) -> str:
        try:
            if self.path.stat().st_ino == self._inode:
                return ""
        except (FileNotFoundError, NotADirectoryError):
            return f"{self.path.name} was moved, renamed or deleted while it was open here"
        except OSError as error:  # as of a share that is gone, or a folder that was shut
            return f"{self.path.name} cannot be reached any more ({error.strerror})"
        return f"Another file was put in the place of {self.path.name} while it was open here"

    def _overwritten(self, grown: bool) -> str:
        overwritten = f"{self.path.name} was overwritten while it was open here"
        try:
            db = access.connect(self.path)
            try:
                if access.version(db) != access.VERSION or layout.differences(db):
                    return f"{overwritten}: what stands there now is not built like a project"
                row = db.execute("SELECT identity FROM project").fetchone()
                last, kept = chain.last(db), chain.at(db, self._end.key) == self._end
            finally:
                db.close()
        except sqlite3.OperationalError:  # as of a disk that fails, or a lock
            raise
        except sqlite3.DatabaseError:
            return f"{overwritten}: what stands there now is no project"
        if row != (self.identity,):
            return f"{overwritten}: another project stands there now"
        if not kept:
            return (
                f"{overwritten}: another state of the project stands there now, such as a backup or "
                "somebody's copy, without the last step that was stored here"
            )
        if last != self._end and not grown:
            return f"Another program wrote to {self.path.name} while it was open here"
        return ""
