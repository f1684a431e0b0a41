"""A scroll bar with a tick where each marked word stands, and where in a text that is."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QScrollBar, QWidget

from annotator.theme import Theme

TICK = 2
"""Height of a tick, in pixels."""


def place_of(document: QTextDocument, position: int) -> float:
    """Return how far down a document a position (in Qt's units) stands: a line, or a height in rich text."""
    block = document.findBlock(position)
    line = block.layout().lineForTextPosition(position - block.position())
    layout = document.documentLayout()
    if isinstance(layout, QPlainTextDocumentLayout):
        return block.firstLineNumber() + (line.lineNumber() if line.isValid() else 0)
    return layout.blockBoundingRect(block).top() + (line.y() if line.isValid() else 0)


class TickBar(QScrollBar):
    """Shows ticks for the words and, in another colour, for the gold answers of a text."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.theme = theme
        self._ticks: tuple[frozenset[float], frozenset[float]] = (frozenset(), frozenset())

    def show_places(self, words: Iterable[float], gold: Iterable[float]) -> None:
        """Show other ticks, as parts of the whole length."""
        self._ticks = frozenset(words), frozenset(gold)
        self.update()

    def ticks(self) -> list[int]:
        """Return the pixels from the top at which ticks are painted, each once."""
        room = self.height() - TICK
        return sorted({round(part * room) for places in self._ticks for part in places})

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar and the ticks over it."""
        super().paintEvent(event)
        painter = QPainter(self)
        for places, colour in zip(self._ticks, (self.theme.muted, self.theme.accent), strict=True):
            for y in {round(part * (self.height() - TICK)) for part in places}:
                painter.fillRect(2, y, self.width() - 4, TICK, QColor(colour))
