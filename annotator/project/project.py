"""An open project: its file, and whose grades are given in it.

What can be done with it are functions that take it, each in the module of its subject: `judging.set_grade`,
`evaluating.evaluate`. They are plain and blocking. One that changes something is one transaction and returns
what changed; it belongs to the thread that opened the project. What only reads may be called from any thread.
"""

import getpass
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from annotator.errors import DamagedError, UserError
from annotator.records import id_problem, text_problem
from annotator.storage.reads import lookup
from annotator.storage.store import Store
from annotator.watch import UNWATCHED, Watch


class Project:
    """One open project file; `store` is for the modules beside this one alone."""

    def __init__(self, store: Store, annotator: str | None = None) -> None:
        self.store = store
        self._annotator = annotator or whoever_this_is()

    @classmethod
    def create(cls, path: Path, name: str, annotator: str | None = None) -> Self:
        """Make a new project file and open it; refuses to replace a file."""
        if wrong := text_problem(name, "name"):
            raise UserError(f"This cannot be saved: {wrong}.")
        with Store.create(path) as made:
            made.record(annotator or whoever_this_is(), "setting", ("name",), name, how="new")
        project = cls(Store.open_new(path), annotator)
        project.store.file.ledger = made.file.ledger  # the same session goes on
        return project

    @classmethod
    def open(
        cls,
        path: Path,
        annotator: str | None = None,
        read_only: bool = False,
        prove_later: bool = False,
        watch: Watch = UNWATCHED,
    ) -> Self:
        """Open and prove a project file; raises a ProjectError that says what to do, and Stopped.

        One that is not what was recorded goes on for reading only, and `damage` says why. With `prove_later`
        a large file may be `unproved` still: it can be read; its first number or change waits for `prove`.
        """
        store = Store.open(path, read_only=read_only)
        try:
            project = cls(store, annotator)
            if not (prove_later and store.unproved) and project.prove(watch):
                store.stop_writing()
            return project
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The project's file."""
        return self.store.path

    @property
    def identity(self) -> str:
        """Which project the file is, however it is called."""
        return str(self.store.identity)

    @property
    def told(self) -> str:
        """What was done to the file when it was opened, in words; empty where that was nothing."""
        copy = self.store.copy_as_it_was
        sentence = "This project was made by an earlier version of Annotator; it was brought up to date."
        upgraded = f"{sentence} A copy as it was lies in {copy}." if copy else ""
        return f"{upgraded} {self.store.told}".strip()

    @property
    def read_only(self) -> bool:
        """Whether nothing can be changed."""
        return self.store.read_only

    @property
    def damage(self) -> tuple[str, ...]:
        """What is wrong with the file, a sentence each; then nothing is written, and no score is computed."""
        return self.store.damage

    @property
    def unproved(self) -> bool:
        """Whether the first number or change waits until the whole of a large file is checked."""
        return self.store.unproved

    def prove(self, watch: Watch = UNWATCHED) -> tuple[str, ...]:
        """Check the file unless that is done; return what is wrong, as `damage` does. Raises Stopped."""
        with suppress(DamagedError):
            self.store.prove(watch=watch)
        return self.damage

    def proved(self) -> Self:
        """Return the project; raises DamagedError, and closes the file, when it is not what was recorded."""
        if self.damage:
            self.close()
        self.store.prove()
        return self

    def stop_writing(self, damage: Sequence[str]) -> None:
        """Go on for reading only: the file turned out not to be sound, for these reasons."""
        self.store.stop_writing(damage)

    @property
    def annotator(self) -> str:
        """Whose grades are shown and given."""
        return self._annotator

    def use_annotator(self, name: str) -> None:
        """Go on as another person; raises UserError for a name that cannot be stored or is no person's."""
        with self.store.reading() as db:
            refuse_names(db, [name])
        self._annotator = name


def refuse_names(db: sqlite3.Connection, names: Iterable[str]) -> None:
    """Raise UserError when one of some names cannot be stored or is no person's."""
    others = {known for _, known, kind, _, _ in lookup.annotators(db) if kind != "person"}
    for name in names:
        if wrong := id_problem(name):
            raise UserError(f"This name cannot be used: {wrong}.")
        if name in others:
            raise UserError(f"{name} is the name of judgments that were imported; choose another.")


def whoever_this_is() -> str:
    """Return the name of the person at this computer, for projects that nobody named an annotator for."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "me"
