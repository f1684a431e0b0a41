"""Files dropped on a window or a dialog."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent


class TakesFiles:
    """Gives a widget `take_files`, called with what is dropped on it; the widget accepts drops."""

    def take_files(self, paths: Sequence[Path]) -> None:
        """Take the dropped files."""
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Let files come."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take what was dropped."""
        event.acceptProposedAction()
        self.take_files([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])
