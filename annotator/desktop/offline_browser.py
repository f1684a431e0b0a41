"""Rich text that comes from elsewhere, shown without fetching anything."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QTextBrowser

MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML


class OfflineBrowser(QTextBrowser):
    """Shows rich text and loads nothing: no image, no style, no link."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return nothing, whatever is asked for."""
        return None

    def doSetSource(self, name: QUrl | str, type: object = None) -> None:  # noqa: A002 - Qt's name
        """Follow no link."""
