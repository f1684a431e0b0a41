"""A label that gives way: words that do not fit end in an ellipsis, and the tooltip has them all."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.desktop.style import Words, px, tip
from annotator.text.templates import beginning

LEAST = 40


class Elided(Words):
    """One line of plain words of one kind, as of `style.label`."""

    def __init__(self, kind: str, parent: QWidget) -> None:
        super().__init__("", parent)
        self.setProperty("kind", kind)

    def minimumSizeHint(self) -> QSize:
        """Return room for a few letters."""
        return super().minimumSizeHint().boundedTo(QSize(px(LEAST), self.sizeHint().height()))

    def shown(self) -> str:
        """Return the words as they are painted."""
        mode = Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(self.text(), mode, self.contentsRect().width())

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
        painter.setPen(self.palette().color(self.foregroundRole()))
        flags = self.alignment().value | Qt.TextFlag.TextSingleLine.value
        painter.drawText(self.contentsRect(), flags, shown)

    def _tell(self) -> None:
        self.setToolTip(tip("" if self.shown() == self.text() else self.text()))
