"""A label and a button that give way: words that do not fit end in an ellipsis."""

from collections.abc import Mapping
from functools import lru_cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QStyleOptionButton, QWidget

from annotator.desktop.style import Words, px, tip
from annotator.text.names import told_apart
from annotator.text.templates import beginning

LEAST, WIDEST = 40, 9999
PART = ", "


def elision(text: str) -> Qt.TextElideMode:
    """Return where a text is cut that has no room: many names begin alike, and differ at their ends."""
    mode = Qt.TextElideMode
    return mode.ElideRight if " " in text else mode.ElideMiddle


@lru_cache(maxsize=64)
def elided(names: tuple[str, ...], font: QFont, room: int) -> Mapping[str, str]:
    """Return what is shown of each name in a room of so many pixels; each is still told from the others."""
    metrics = QFontMetrics(font)
    shown = told_apart(names, lambda one: metrics.elidedText(one, elision(one), room))
    return dict(zip(names, shown, strict=True))


class Elided(Words):
    """One line of plain words of one kind, as of `style.label`; the tooltip has what does not fit.

    Where something stands `between` the parts of a line, those that do not fit are left out whole. It
    asks for `most` pixels at most, at the normal text size.
    """

    def __init__(self, kind: str, parent: QWidget, between: str = "", most: int = WIDEST) -> None:
        super().__init__("", parent)
        self.setProperty("kind", kind)
        self._between = between
        self._most = most

    def sizeHint(self) -> QSize:
        """Return room for the words, or as much as it asks for at most."""
        whole = super().sizeHint()
        return QSize(min(whole.width(), px(self._most)), whole.height())

    def minimumSizeHint(self) -> QSize:
        """Return room for a few letters."""
        return super().minimumSizeHint().boundedTo(QSize(px(LEAST), self.sizeHint().height()))

    def shown(self) -> str:
        """Return the words as they are painted."""
        right, words, room = Qt.TextElideMode.ElideRight, self.text(), self.contentsRect().width()
        while (shown := self.fontMetrics().elidedText(words, right, room)) != words and self._between:
            words, between, _ = words.rpartition(self._between)
            if not between:
                break
        return shown

    def setText(self, text: str) -> None:
        """Show other words."""
        super().setText(beginning(text))
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell in the tooltip what does not fit."""
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words that fit."""
        shown = self.shown()
        if shown == self.text():
            super().paintEvent(event)
            return
        from PySide6.QtGui import QPainter

        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # dots stand where words end
        painter.setPen(self.palette().color(self.foregroundRole()))
        flags = self.alignment().value | Qt.TextFlag.TextSingleLine.value
        painter.drawText(self.contentsRect(), flags, shown)

    def _tell(self) -> None:
        self.setToolTip(tip("" if self.shown() == self.text() else self.text()))


class ElidedButton(QPushButton):
    """A button that is as wide as its words where it is told of the room; who makes it sets the tooltip.

    Of parts between commas those that fit are shown, the first always.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._around = 0

    def fit(self, room: int) -> None:
        """Be as wide as the parts that are shown in so many pixels, which are those of the first at least."""
        long = self.fontMetrics().horizontalAdvance
        around = self.sizeHint().width() - long(self.text())
        widths = [around + long(self._parts(count)) for count in range(1, self.text().count(PART) + 2)]
        self.setFixedWidth(max((one for one in widths if one <= room), default=widths[0]))

    def shown(self) -> str:
        """Return the words as they are painted."""
        room, metrics = self.width() - self._around, self.fontMetrics()
        most = self.text().count(PART) + 1
        tried = (self._parts(count) for count in range(most, 0, -1))
        fitting = (words for words in tried if metrics.horizontalAdvance(words) <= room)
        return next(fitting, metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room))

    def _parts(self, count: int) -> str:
        """Return the first parts of the words, and a sign that there are more."""
        parts = self.text().split(PART)
        return PART.join(parts[:count]) + (" …" if count < len(parts) else "")

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        """Paint the words that fit."""
        super().initStyleOption(option)
        option.text = self.shown()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Look first how much stands around the words."""
        self._around = self.sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())
        super().paintEvent(event)
