"""The field in which a text of several lines is written: what would hold the window up does not come in."""

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from annotator.desktop.grade.offsets import to_units
from annotator.desktop.grade.plain_text import in_units
from annotator.desktop.line_field import refused
from annotator.desktop.rich_limits import RICH, editable
from annotator.desktop.style import tip
from annotator.records import as_id
from annotator.text.templates import beginning

NOT_TAKEN = "Nothing is pasted: with it, the text had too many letters, or too many in one line or word."
TOO_LONG = "It has too many letters, or too many in one line or word, to be edited here."


class TextField(QPlainTextEdit):
    """A text to be edited. One that is too long to be laid out soon is shown as its beginning, and kept."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._kept = ""
        self.setTabChangesFocus(True)

    def begin(self, text: str) -> None:
        """Begin with a text."""
        too_long = not editable(text)
        self._kept = text if too_long else ""
        self.setReadOnly(too_long)
        self.setToolTip(tip(TOO_LONG if too_long else ""))
        self.setPlainText(beginning(text) if too_long else text)

    def text(self) -> str:
        """Return the text as it is now."""
        return self._kept or self.toPlainText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take what is pasted or dropped, control characters as blanks, or say that it was too much."""
        cursor, whole = self.textCursor(), self.toPlainText()
        before = in_units(whole, 0, cursor.selectionStart())
        behind = in_units(whole, cursor.selectionEnd(), to_units(whole, len(whole)))
        too_long = len(before) + len(source.text()) + len(behind) > RICH
        text = "" if too_long else as_id(source.text(), lines=True)
        if too_long or not editable(before + text + behind):
            refused(self, self.cursorRect().bottomLeft(), NOT_TAKEN)
            return
        taken = QMimeData()
        taken.setText(text)
        super().insertFromMimeData(taken)
