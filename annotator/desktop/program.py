"""The application: macOS starts no second time for a file, it hands it to the program that runs."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Program(QApplication):
    """Qt's application. `file_opened(str)` when the desktop hands it a file."""

    file_opened = Signal(str)

    def event(self, event: QEvent) -> bool:
        """Tell which file the desktop opened."""
        if isinstance(event, QFileOpenEvent) and event.url().isLocalFile():
            self.file_opened.emit(event.url().toLocalFile())
            return True
        return super().event(event)
