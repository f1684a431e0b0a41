"""What was begun and not kept, such as a gold answer or a note: it waits for its owner, over restarts too."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLineEdit

from annotator.desktop.preferences import ProjectSettings

Owner = tuple[str, int]
"""An annotator and the key of a query."""


class Drafts:
    """What stands in some fields, for whom and which query; the fields hold that of one of them at a time."""

    def __init__(self, fields: Sequence[QLineEdit], settings: ProjectSettings) -> None:
        self._fields = fields
        self._settings = settings
        self._kept = settings.get("drafts", dict[str, object]())
        self._owner: Owner | None = None

    def show(self, owner: Owner | None) -> None:
        """Put into the fields what their new owner had begun, and keep what the last one had."""
        if owner == self._owner:
            return
        self._keep()
        self._owner = owner
        begun = self._kept.get(_name(owner), None) if owner is not None else None
        texts = begun if isinstance(begun, list) else []
        for field, text in zip(self._fields, [*map(str, texts), *[""] * len(self._fields)], strict=False):
            field.setText(text)

    def begun(self, name: str) -> str:
        """Return the words that were left under a name, empty when there are none."""
        return str(self._kept.get(name, ""))

    def left(self, name: str, words: str) -> None:
        """Keep words that were left, or forget them when they are none any more."""
        self._kept.pop(name, None)
        if words:
            self._kept[name] = words
        self._settings.set("drafts", self._kept)

    def leave(self) -> None:
        """Remember everything until the project is opened again."""
        self._keep()
        self._settings.set("drafts", self._kept)

    def _keep(self) -> None:
        if self._owner is not None:
            self._kept.pop(_name(self._owner), None)
            if any(texts := [field.text() for field in self._fields]):
                self._kept[_name(self._owner)] = texts


def _name(owner: Owner) -> str:
    return f"{owner[1]} {owner[0]}"
