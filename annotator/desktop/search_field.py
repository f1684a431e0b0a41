"""The field in the head of the window that finds queries, documents and notes."""

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.desktop.icons import icon
from annotator.desktop.line_field import LineField
from annotator.desktop.style import label, px
from annotator.theme import Theme

PAUSE_MS = 120
"""Typing is searched for after a pause this long."""

SOUGHT = 1_000
"""Letters of what is looked for: every place of a text may begin like them."""

HINT, SHORT = "Find a query, document or note", "Find"


class SearchField(LineField):
    """A line with a glass in it. `searched(text)` follows a pause in typing."""

    searched = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent=parent, most=SOUGHT)
        self.setProperty("kind", "search")
        self.setPlaceholderText(HINT)
        self.setAccessibleName(HINT)
        self.setClearButtonEnabled(True)
        self._glass = label("", "", self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(lambda: self.searched.emit(self.text().strip()))
        self.textChanged.connect(lambda _text: self._pause.start())
        self.theme_changed(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say what is found where there is room for that."""
        super().resizeEvent(event)
        room = self.width() - 2 * self._glass.width() - px(26)
        self.setPlaceholderText(HINT if self.fontMetrics().horizontalAdvance(HINT) <= room else SHORT)

    def clear_silently(self) -> None:
        """Empty the field without searching."""
        self.blockSignals(True)
        self.clear()
        self.blockSignals(False)

    def theme_changed(self, theme: Theme) -> None:
        """Tint the glass and size the field with the text."""
        self._glass.setPixmap(
            icon("search", theme.muted).pixmap(QSize(px(15), px(15)), self.devicePixelRatioF())
        )
        self._glass.adjustSize()
        self.setMinimumWidth(px(110))
        self.setMaximumWidth(px(260))
        self._glass.move(px(8), (self.sizeHint().height() - self._glass.height()) // 2)
