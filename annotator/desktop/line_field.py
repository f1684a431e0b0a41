"""The field in which one line is written: what is too long for it does not come in, and that is said."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QValidator,
)
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyle, QStyleOptionFrame, QToolTip, QWidget

from annotator.desktop.elided import elision
from annotator.desktop.style import tip
from annotator.records import as_id
from annotator.text.direction import from_the_right
from annotator.text.templates import beginning

LINE = 10_000
"""Letters that a line takes: Qt lays out all of them again with each key."""

AROUND = 2
"""So many pixels Qt leaves free at both sides of a line's text."""

ENDLESS = 2**31 - 1
NOT_TAKEN = "Nothing is pasted: with it, the text had more than {:,} letters."
TOO_LONG = "It has too many letters to be edited here."


class _OneLine(QValidator):
    """Takes a text whole or not at all; line ends and control characters become blanks."""

    def __init__(self, most: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._most = most

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Return whether a text fits, and as what."""
        if len(text) > self._most:
            return QValidator.State.Invalid, text, place
        return QValidator.State.Acceptable, as_id(text), place


class LineField(QLineEdit):
    """A line to be edited; the text that it begins with stays what it is until it is changed.

    One of more than `most` letters is shown as its beginning and cannot be changed.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, most: int = LINE) -> None:
        super().__init__(parent)
        self._most, self._kept = most, ""
        self.setMaxLength(ENDLESS)  # at its own length Qt cuts what is pasted, and says nothing
        self.setValidator(_OneLine(most, self))
        self.inputRejected.connect(lambda: refused(self, self.cursorRect().bottomLeft(), self._not_taken()))
        self.textEdited.connect(self._edited)
        self.setText(text)

    def setText(self, text: str | None) -> None:
        """Show a text and keep it."""
        text = text or ""
        too_long = len(text) > self._most
        shown = as_id(beginning(text) if too_long else text)
        self._kept = "" if shown == text else text
        self.setReadOnly(too_long)
        if too_long:
            self.setToolTip(TOO_LONG)
        super().setText(shown)

    def text(self) -> str:
        """Return the text as it is now."""
        return self._kept or super().text()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as Qt does; what has no room is marked where it is cut, until the field has the keys."""
        option, style = QStyleOptionFrame(), self.style()
        self.initStyleOption(option)
        inside = style.subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        inside = inside.marginsRemoved(self.textMargins()).adjusted(AROUND, 0, -AROUND, 0)
        words = self.displayText()
        shown = self.fontMetrics().elidedText(words, elision(words), inside.width())
        if shown == words or self.hasFocus() or self.actions():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        side = Qt.AlignmentFlag.AlignRight if from_the_right(words) else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | side, shown)

    def _edited(self, _text: str) -> None:
        self._kept = ""

    def _not_taken(self) -> str:
        return NOT_TAKEN.format(self._most)


def refused(field: QWidget, place: QPoint, words: str) -> None:
    """Say at a place in a field why nothing came in, also to those who hear the window."""
    QToolTip.showText(field.mapToGlobal(place), tip(words), field)
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(field, words))


def let_write(box: QComboBox) -> None:
    """Let other words be written into a field to choose from."""
    box.setEditable(True)
    box.setLineEdit(LineField(parent=box))
