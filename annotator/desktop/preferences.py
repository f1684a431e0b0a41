"""What the program remembers between two starts: for the user, and for each project the user opened."""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from annotator import kept_files

RECENT = 8

Value = TypeVar("Value", bool, int, str, list[str], dict[str, object])


class RecentProject(NamedTuple):
    """A project that was opened before, as it was then: its name, how much was done, and when."""

    path: Path
    name: str
    decided: int
    pool: int
    day: str


@cache
def _say_once(name: str, wanted: str) -> None:
    """Write into the log what was remembered as something else than what it is."""
    from annotator.desktop.log import note

    note(f"what is remembered as {name!r} is no {wanted}; the usual is taken")


class Remembered:
    """Values under names that begin alike, in one INI file."""

    def __init__(self, store: QSettings, prefix: str = "") -> None:
        self._store = store
        self._prefix = prefix

    def get(self, name: str, default: Value) -> Value:
        """Return a remembered value, or the default where none of its type is remembered."""
        text = self._store.value(self._prefix + name)
        if not isinstance(text, str):
            return default
        import json

        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        words = value if isinstance(value, list) else []
        if type(value) is type(default) and all(isinstance(one, str) for one in words):
            return value
        _say_once(name.partition("/")[0], type(default).__name__)
        return default

    @property
    def name(self) -> str:
        """Return how the names of all that is remembered here begin."""
        return self._prefix.rstrip("/")

    def set(self, name: str, value: bool | int | str | list[str] | dict[str, object]) -> None:
        """Remember a value."""
        import json

        self._store.setValue(self._prefix + name, json.dumps(value))

    def get_bytes(self, name: str) -> QByteArray:
        """Return what Qt wrote about a window or splitter, empty when nothing is remembered."""
        return QByteArray.fromBase64(self.get(name, "").encode())

    def set_bytes(self, name: str, value: QByteArray) -> None:
        """Remember what Qt says about a window or splitter."""
        self.set(name, bytes(value.toBase64().data()).decode())


class ProjectSettings(Remembered):
    """The user's choices for one project: who grades, last query, filters, sizes of panels."""


class Settings(Remembered):
    """The user's choices, in the user's own folder."""

    def __init__(self) -> None:
        file = kept_files.place("window")
        with suppress(OSError):
            kept_files.made(file.parent)
            kept_files.new(file)
        super().__init__(QSettings(str(file), QSettings.Format.IniFormat))

    def annotator(self, path: Path | None = None) -> str:
        """Return who graded last, in a project if one is named; else the name the system has, or `me`."""
        here = self.of(path).get("annotator", "") if path is not None else ""
        remembered = here or self.get("annotator", "")
        if remembered:
            return remembered
        import getpass

        try:
            return getpass.getuser()
        except (OSError, KeyError):
            return "me"

    def grades(self, path: Path, annotator: str, after: str = "") -> None:
        """Remember who grades in a project, and whom they were asked `after`."""
        self.of(path).set("annotator", annotator)
        if after:
            self.of(path).set("after", after)

    def why_ask(self, path: Path, annotator: str, last: str) -> str | None:
        """Return why to ask who grades, empty at the first start; None where it is the same as before."""
        here = self.get("annotator", "")
        if here not in ("", annotator):
            return f"{here} graded last on this computer. "
        if last not in ("", annotator, self.of(path).get("after", "")):
            return f"{last} used this project last. "
        return None if here else ""

    def recent(self) -> list[Path]:
        """Return the projects opened last that still exist, latest first."""
        return [Path(text) for text in self.get("recent", list[str]()) if os.path.exists(text)]

    def recent_projects(self) -> list[RecentProject]:
        """Return the projects opened last, with what was remembered of each when it was left."""
        shown = [(path, self.of(path)) for path in self.recent()]
        return [
            RecentProject(
                path,
                kept.get("name", "") or path.stem,
                kept.get("decided", 0),
                kept.get("pool", 0),
                kept.get("day", ""),
            )
            for path, kept in shown
        ]

    def left(self, path: Path, name: str) -> None:
        """Remember that a project of this name was left today."""
        from datetime import date

        self.of(path).set("name", name)
        self.of(path).set("day", date.today().isoformat())

    def opened(self, path: Path) -> None:
        """Put a project in front of the recent ones."""
        others = [str(one) for one in self.recent() if one != path]
        self.set("recent", [str(path), *others][:RECENT])

    def forget(self, path: Path) -> None:
        """Remember nothing of a project any more."""
        others = [one for one in self.get("recent", list[str]()) if Path(one) != path.resolve()]
        self.set("recent", others)
        self._store.remove(self.of(path).name)
        self._store.sync()

    def of(self, path: Path) -> ProjectSettings:
        """Return what is remembered about one project."""
        import hashlib

        digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()
        return ProjectSettings(self._store, f"{digest[:16]}/")
