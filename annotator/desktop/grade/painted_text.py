"""A text that is decided on: it tells when it has reached the screen, for only then do keys count."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from annotator.desktop.grade.plain_text import PlainText


class PaintedText(PlainText):
    """The text of what is in front; `painted` says once that it has reached the screen."""

    painted = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.unpainted = False
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # lines break alike without it
        bar = self.verticalScrollBar()
        bar.hide()
        bar.rangeChanged.connect(lambda low, high: bar.setVisible(high > low))

    def show_text(self, text: str) -> None:
        """Show a text, and tell when it is painted."""
        self.show_piece(text)
        self.show_again()

    def show_again(self) -> None:
        """Tell once more when the text is painted."""
        self.unpainted = True
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and tell when it is done."""
        super().paintEvent(event)
        if self.unpainted:
            self.unpainted = False
            QTimer.singleShot(0, self, self.painted.emit)
