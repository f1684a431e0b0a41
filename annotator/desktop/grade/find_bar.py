"""The field that finds words in the text being read, and says which place of how many is shown."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.desktop.line_field import LineField
from annotator.desktop.search_field import SOUGHT
from annotator.desktop.style import label
from annotator.theme import STEPS


class FindField(QWidget):
    """Announces what to find: `wanted(again)`; `again` goes on to the next place."""

    wanted = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = LineField(parent=self, most=SOUGHT)
        self.line.setPlaceholderText("Find in this text; Enter goes on")
        self.line.setAccessibleName("Find in this text")
        self.line.textChanged.connect(lambda _: self.wanted.emit(False))
        self.line.returnPressed.connect(lambda: self.wanted.emit(True))
        self.told = label("", "muted", self)
        columns = QHBoxLayout(self)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(STEPS[1])
        columns.addWidget(self.line, 1)
        columns.addWidget(self.told)
        self.hide()

    def start(self) -> None:
        """Come into sight and take the keys."""
        self.show()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def next_place(self, text: str, after: int) -> tuple[int, int] | None:
        """Return the first place of the words in a text from a character on, or from the start again.

        Upper and lower case are the same. Which place of how many it is, or that there is none, is shown and
        announced to a screen reader.
        """
        words = self.line.text()
        spans = [one.span() for one in re.finditer(re.escape(words), text, re.IGNORECASE)] if words else []
        at = next((at for at, (start, _) in enumerate(spans) if start >= after), 0)
        self._tell(f"{at + 1:,} of {len(spans):,}" if spans else "Not found" if words else "")
        return spans[at] if spans else None

    def _tell(self, words: str) -> None:
        self.told.setText(words)
        self.line.setAccessibleDescription(words)
        if words:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.line, words))
