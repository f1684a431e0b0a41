"""A plain text to be read whose longest paragraphs are broken, for the eye alone, so that Qt stays quick.

What is copied, selected, searched and marked is the text as it is stored.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from annotator.desktop.clipboard import qt_mime
from annotator.desktop.grade.offsets import to_units
from annotator.desktop.grade.text_lines import space_lines

LONGEST = 20_000
"""Letters in one paragraph; Qt lays a paragraph out as a whole."""

LONGEST_WORD = 5_000
"""Letters without a blank: where scripts take turns in a longer word, it takes long."""

ENDS = re.compile("[\n\r\u2029\ufdd0\ufdd1]")
"""What ends a paragraph for Qt."""


class PlainText(QPlainTextEdit):
    """A text that comes in pieces. Places are given in Qt's units, of the stored text or of what is shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        space_lines(self)
        self._stored = ""
        self._units = self._paragraph = 0
        self._breaks: list[int] = []

    def show_piece(self, text: str) -> None:
        """Show the beginning of another text."""
        self._stored, self._units, self._paragraph, self._breaks = "", 0, 0, []
        self.setPlainText(self._broken(text))

    def append_piece(self, text: str) -> None:
        """Show more of the same text."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._broken(text))

    @property
    def stored(self) -> str:
        """The text as it is stored, as far as it is shown."""
        return self._stored

    def to_shown(self, place: int) -> int:
        """Return where a place of the stored text is shown."""
        return place + bisect_right(self._breaks, place)

    def to_stored(self, place: int) -> int:
        """Return the place of the stored text that is shown somewhere; behind a break that before it."""
        before = bisect_left(range(len(self._breaks)), place, key=lambda at: self._breaks[at] + at)
        return place - before

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the text as it is stored."""
        cursor, mime = self.textCursor(), qt_mime()
        start, end = self.to_stored(cursor.selectionStart()), self.to_stored(cursor.selectionEnd())
        mime.setText(in_units(self._stored, start, end))
        return mime

    def _broken(self, text: str) -> str:
        """Return a further piece of the text as it is shown."""
        cuts = list(self._cuts(text)) if self._paragraph + len(text) > LONGEST_WORD else []
        self._breaks += [self._units + to_units(text, cut) for cut in cuts]
        pieces = [text[start:end] for start, end in pairwise((0, *cuts, len(text)))]
        self._stored += text
        self._units += to_units(text, len(text))
        return "\n".join(pieces).replace("\r\n", "\u200b\n")  # as long as before

    def _cuts(self, text: str) -> Iterator[int]:
        """Yield where the paragraphs of a further piece are broken: behind a blank, where there is one."""
        start = 0
        for number, paragraph in enumerate(ENDS.split(text)):
            words = len(paragraph) <= LONGEST_WORD or max(map(len, paragraph.split(" "))) <= LONGEST_WORD
            longest = LONGEST if words else LONGEST_WORD
            end, before = start + len(paragraph), 0 if number else self._paragraph
            while before + end - start > longest:
                room = max(longest - before, 0)
                blank = text.rfind(" ", start + room // 2, start + room)
                start, before = blank + 1 if blank >= 0 else start + room, 0
                yield start
            self._paragraph = before + end - start
            start = end + 1


def stored_place(editor: QPlainTextEdit | QTextEdit, place: int) -> int:
    """Return the place of the stored text that stands somewhere in an editor."""
    return editor.to_stored(place) if isinstance(editor, PlainText) else place


def shown_place(editor: QPlainTextEdit | QTextEdit, place: int) -> int:
    """Return where a place of the stored text stands in an editor."""
    return editor.to_shown(place) if isinstance(editor, PlainText) else place


def stored_text(editor: QPlainTextEdit | QTextEdit) -> str:
    """Return the text of an editor as it is stored; of a rich text its words."""
    return editor.stored if isinstance(editor, PlainText) else editor.toPlainText()


def in_units(text: str, start: int, end: int) -> str:
    """Return a part of a text between two places in Qt's units."""
    if text.isascii():
        return text[start:end]
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "replace")
