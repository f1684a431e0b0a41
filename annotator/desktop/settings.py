"""What the program remembers between two starts: for the user, and for each project the user opened."""

import json
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from annotator.desktop.icons import user_folder

RECENT = 8

Value = TypeVar("Value", bool, int, str, list[str], dict[str, object])


class Settings:
    """The user's choices, in one INI file of the user's own folder."""

    def __init__(self) -> None:
        folder = user_folder(QStandardPaths.StandardLocation.GenericConfigLocation)
        self._store = QSettings(f"{folder}/window.ini", QSettings.Format.IniFormat)

    def get(self, name: str, default: Value) -> Value:
        """Return a remembered value, or the default where none of its type is remembered."""
        text = self._store.value(name)
        if not isinstance(text, str):
            return default
        try:
            value = json.loads(text)
        except ValueError:
            return default
        return value if type(value) is type(default) else default

    def set(self, name: str, value: bool | int | str | list[str] | dict[str, object]) -> None:
        """Remember a value."""
        self._store.setValue(name, json.dumps(value))

    def get_bytes(self, name: str) -> QByteArray:
        """Return what Qt wrote about a window or splitter, empty when nothing is remembered."""
        return QByteArray.fromBase64(self.get(name, "").encode())

    def set_bytes(self, name: str, value: QByteArray) -> None:
        """Remember what Qt says about a window or splitter."""
        self.set(name, bytes(value.toBase64().data()).decode())

    def annotator(self) -> str:
        """Return who graded last, else the name the system knows the user by, else `me`."""
        remembered = self.get("annotator", "")
        if remembered:
            return remembered
        import getpass

        try:
            return getpass.getuser()
        except (OSError, KeyError):
            return "me"

    def recent(self) -> list[Path]:
        """Return the projects opened last that still exist, latest first."""
        return [path for text in self.get("recent", list[str]()) if (path := Path(text)).exists()]

    def opened(self, path: Path) -> None:
        """Put a project in front of the recent ones."""
        others = [str(one) for one in self.recent() if one != path]
        self.set("recent", [str(path), *others][:RECENT])

    def of(self, path: Path) -> "ProjectSettings":
        """Return what is remembered about one project."""
        return ProjectSettings(self, path)


class ProjectSettings:
    """The user's choices for one project: last query, filters, sizes of panels."""

    def __init__(self, settings: Settings, path: Path) -> None:
        self._settings = settings
        import hashlib

        self._prefix = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]

    def get(self, name: str, default: Value) -> Value:
        """Return a remembered value, or the default."""
        return self._settings.get(f"{self._prefix}/{name}", default)

    def set(self, name: str, value: bool | int | str | list[str] | dict[str, object]) -> None:
        """Remember a value."""
        self._settings.set(f"{self._prefix}/{name}", value)

    def get_bytes(self, name: str) -> QByteArray:
        """Return what Qt wrote about a splitter."""
        return self._settings.get_bytes(f"{self._prefix}/{name}")

    def set_bytes(self, name: str, value: QByteArray) -> None:
        """Remember what Qt says about a splitter."""
        self._settings.set_bytes(f"{self._prefix}/{name}", value)
