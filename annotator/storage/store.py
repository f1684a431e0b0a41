"""One open project file: its connection, its transactions and the end of its ledger."""

import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from annotator.errors import DamagedError, LockedError, ProjectError, ReadOnlyError
from annotator.records import AnnotatorKind
from annotator.storage.care import integrity
from annotator.storage.file import access, file_copies, file_lock, interrupted, layout, new_file, proof
from annotator.storage.file.open_file import OpenFile
from annotator.storage.ledger import chain, current_values, events
from annotator.storage.ledger.current_values import Subject
from annotator.storage.ledger.events import Event
from annotator.storage.reads import holdings, lookup
from annotator.storage.reads.arrays import KnownTies
from annotator.storage.reads.search import QueryTexts
from annotator.tasks import GRADE, declared
from annotator.watch import UNWATCHED, Watch

LOOK_SECONDS = 0.05
"""How often who waits for a check looks whether to stop."""


def refuse_unknown(db: sqlite3.Connection, name: str) -> None:
    """Raise DamagedError for another layout than the recorded one, NewerError for an unknown task."""
    if apart := layout.differences(db):
        raise DamagedError(
            f"{name} is not built like an Annotator project: {'; '.join(apart[:3])}. It was not changed; "
            "restore a backup."
        )
    with suppress(sqlite3.DatabaseError):  # a damaged table is for the check to tell
        for task in holdings.tasks(db):
            declared(task)


def upgraded(db: sqlite3.Connection, path: Path, read_only: bool) -> Path:
    """Bring a file of an earlier version up to date and return its backup; raises ReadOnlyError."""
    if read_only:
        raise ReadOnlyError(
            f"{path.name} was made by an earlier version of Annotator and has to be brought up to date to be "
            "read. It was not changed; copy it into a folder of your own and open it there."
        )
    from annotator.storage.file import upgrade

    return upgrade.upgrade(db, path)


class Store:
    """One project file: opened by `Store.open`, and closed at the end of a `with`, or made by `Store.create`.

    `db` is the connection for reading and, inside `writing()`, for writing; it is used by one thread at a
    time. Other threads read through `reading()`. `tied` keeps what was found of equal scores, `damage` what
    `prove` found to be wrong, `told` what was done about a journal that lay beside the file, and that no lock
    can be had.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, lock: file_lock.Lock | None) -> None:
        self.path = path
        self._db = db
        self.lock = lock
        self.query_texts = QueryTexts()
        self.tied: KnownTies = {}
        self.thread = threading.get_ident()
        self.depth = 0
        self.moment = 0
        self.damage: tuple[str, ...] = ()
        self._proved: proof.Stamp | None = None
        self._proving = threading.Lock()
        self.copy_as_it_was: Path | None = None
        self.told = ""
        with access.telling(path.name):
            row = db.execute("SELECT identity, created FROM project").fetchone()
        if row is None or not isinstance(row[0], str) or not isinstance(row[1], int):
            db.close()
            raise DamagedError(f"{path.name} does not say which project it is. Restore a backup.")
        self.identity, self.created = row
        with access.telling(path.name):
            self.file = OpenFile(path, db, self.identity)

    @classmethod
    @contextmanager
    def create(
        cls, path: Path, *, identity: str | None = None, created: int | None = None, mode: int | None = None
    ) -> Iterator[Self]:
        """Give an empty project file to fill; it stands at `path` once this ends well, and nothing before.

        A merge and a load from text hand in the identity and the time that the project has already, a merge
        and a recovery the mode of the file. Raises ProjectError where a file is there already, or none can be
        written.
        """
        from annotator.storage import schema

        with new_file.taking_place(path, mode) as part, access.telling(path.name):
            db = access.connect(part, write=True)
            try:
                schema.create(db)
                db.execute("BEGIN IMMEDIATE")
                who, when = identity or secrets.token_hex(16), events.now() if created is None else created
                row = "INSERT INTO project(id, identity, created, format) VALUES (1, ?, ?, ?)"
                db.execute(row, (who, when, layout.description()))
                db.execute("COMMIT")
            finally:
                db.close()
            with cls.open(part) as store:
                store._proved = proof.stamp(part)
                yield store
                store._proved = None  # which is kept of the file in its place

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open a project file, for writing unless `read_only`.

        One of an older version is brought up to date before it is written to; `copy_as_it_was` is its backup.
        Raises ProjectError for what is no project, NewerError for one of a newer version, LockedError when
        another program writes to it, ReadOnlyError when it cannot be written to (or brought up to date),
        DamagedError when its layout is not the recorded one. The file is unchanged after each of these.
        """
        if not file_lock.held(path):
            access.check_header(path)
        lock = None if read_only else file_lock.acquire(path)
        try:
            with access.telling(path.name):
                said = "" if read_only else interrupted.put_in_order(path, file_copies.folder)
                db = interrupted.reading(path) if read_only else access.connect(path, write=True)
                try:
                    refuse_unknown(db, path.name)
                    if not read_only:
                        access.check_writable(db, path)
                    backup = upgraded(db, path, read_only) if access.version(db) < access.VERSION else None
                    store = cls(path, db, lock)
                    store.copy_as_it_was = backup
                    missing = lock.missing if lock else ""
                    store.told = f"{said or interrupted.note(path)} {missing}".strip()
                    return store
                except BaseException:
                    db.close()
                    raise
        except BaseException:
            if lock:
                lock.close()
            raise

    @classmethod
    def open_new(cls, path: Path) -> Self:
        """Open a file that was just made; where that fails nothing is left, so that it can be made again."""
        try:
            return cls.open(path)
        except LockedError:  # somebody was faster, and has it now
            raise
        except ProjectError:
            with suppress(OSError):
                path.unlink()
            raise

    @property
    def db(self) -> sqlite3.Connection:
        """The store's own connection; raises ProjectError where SQLite would believe a foreign journal."""
        if not self.read_only:
            self.file.refuse_journal()
        return self._db

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        return self.lock is None or not self.lock.held or bool(self.damage)

    @property
    def unproved(self) -> bool:
        """Whether the next `prove` will check the whole of a file that takes long."""
        if self.damage or self._proved is not None:
            return False
        now = proof.stamp(self.path)
        return now[0] >= proof.SLOW and not proof.known(self.path, now)

    def prove(self, anew: bool = False, watch: Watch = UNWATCHED) -> None:
        """Raise DamagedError unless the file is what was recorded: the gate before numbers and writes.

        The file is checked once, and again after another program changed it; what this store writes to a
        sound file leaves it sound. `anew` checks it in any case. Who asks while another thread checks it
        waits for that one. Raises Stopped.
        """
        while not self._proving.acquire(timeout=LOOK_SECONDS):
            watch.look()
        try:
            if not (now := self.file.seen()) or now != self.file.stamp:
                self.file.recognise(grown=True)
            if anew or (not self.damage and now != self._proved):
                self._proved = None
                if anew or not proof.known(self.path, now):
                    with self._connection() as db, watch.over(db):
                        self.damage = tuple(map(str, integrity.check(db, watch)))
                self._proved = now
            if self.damage:
                raise DamagedError(integrity.refusal(self.path.name, self.damage))
        finally:
            self._proving.release()

    def stop_writing(self, damage: Sequence[str] = ()) -> None:
        """Go on for reading only, and let others write; `damage` says what turned out to be wrong."""
        self.damage = self.damage or tuple(damage)
        self._db.execute("PRAGMA query_only = ON")
        if self.lock:
            self.lock.release()

    def close(self) -> None:
        """Close the file and let others write; closing twice is fine."""
        self._db.close()
        if self._proved and not self.damage:
            proof.keep(self.path, self._proved)
            self._proved = None
        if self.lock:
            self.lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def writing(self, *, checked: bool = True) -> Iterator[sqlite3.Connection]:
        """Run one transaction: all of it is stored and synced at the end, or nothing after an exception.

        Its events, of which it has one at least, have one time: no moment lies between them. A `writing()`
        inside another joins it. `checked=False` leaves foreign keys unchecked, for bulk rows whose keys come
        from the tables. Raises UnclearError where a failing disk leaves open what is stored; the next step
        looks first. Raises ProjectError when the file at the path is not the one that was opened.
        """
        with access.not_stored():
            if self.damage or (self._proved is None and not self.read_only):
                self.prove()
        if self.read_only:
            raise ReadOnlyError(f"{self.path.name} is open for reading only, so nothing was changed.")
        if self.depth:
            yield self._db
            return
        with access.not_stored(), access.telling(self.path.name):
            try:
                self.file.begin(checked)
                ours = self.file.stamp == self._proved
                self.depth = 1
                self.moment = events.now()
                before = replace(self.file.ledger)
                try:
                    yield self._db
                except BaseException:
                    self.file.ledger = before
                    raise
                self.file.commit()
                if ours:
                    self._proved = self.file.stamp
            finally:
                self.depth = 0
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self.file.ended()
                if not checked:
                    self._db.execute("PRAGMA foreign_keys = ON")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection to read with: the store's own in its thread, a fresh one in any other.

        What fails because the file is not what was recorded raises DamagedError.
        """
        try:
            with self._connection() as db:
                yield db
        except integrity.UNREADABLE as error:
            if self.depth or isinstance(error, sqlite3.ProgrammingError):  # as after the file was closed
                raise
            try:
                self.prove()
            except DamagedError as damage:
                raise damage from error
            raise

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with access.telling(self.path.name):
            if threading.get_ident() == self.thread:
                yield self.db
                return
            db = interrupted.reading(self.path)
            try:
                yield db
            finally:
                db.close()

    def record(
        self,
        annotator: str,
        task: str,
        subject: Subject,
        after: Any,
        *,
        milliseconds: int | None = None,
        blind: bool = True,
        how: str = "key",
        undoes: str | None = None,
        annotator_kind: AnnotatorKind = "person",
    ) -> Event | None:
        """Make `after` the current value of a subject, in one transaction, and return the event.

        Tasks, subjects and values are the table in `current`. A judgment whose grade or state changes is
        stamped with the time and the milliseconds, unless it takes something back. None is returned, and
        nothing is stored, when the value is the current one already.
        """
        with self.writing() as db:
            moment = self.moment
            who = chain.annotator_key(db, annotator, annotator_kind)
            before = current_values.read(db, task, who, subject)
            if task == GRADE.name and after is not None and undoes is None:
                after = chain.stamped(before, after, moment, milliseconds)
            if events.text(after) == events.text(before) and declared(task).kept:
                return None
            end = self.file.ledger
            chain.open_session(db, end, annotator, annotator_kind, who, moment)
            event = Event(
                end.identity,
                end.sequence + 1,
                end.clock + 1,
                moment,
                annotator,
                annotator_kind,
                task,
                subject,
                before,
                after,
                milliseconds,
                blind,
                how,
                undoes,
                "",
            )
            current_values.write(db, task, who, subject, after)
            return chain.append(db, end, who, event)

    def value(self, annotator: str, task: str, subject: Subject) -> Any:
        """Return the current value of a subject, None when there is nothing."""
        with self.reading() as db:
            return current_values.read(db, task, lookup.annotator_key(db, annotator), subject)

    def head(self) -> str:
        """Return the hash that stands for the whole ledger."""
        with self.reading() as db:
            return events.head(db)
