"""Rich text that comes from elsewhere, shown without fetching anything."""

from collections.abc import Iterator

from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import (
    QImage,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from annotator.desktop.style import px

INDENT = 20
"""So far a list stands within its text; Qt would take twice as much of a narrow column."""

APART = 6
"""So far stand paragraphs and lines of a list apart."""

MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
NOTHING = QByteArray(b" ")
"""What every address holds but those of images. Where nothing comes back, Qt looks for a file itself."""

FAMILIES = QTextFormat.Property.FontFamilies
SIZES = QTextFormat.Property.FontPointSize, QTextFormat.Property.FontPixelSize


class OfflineBrowser(QTextBrowser):
    """Shows rich text and loads nothing: no image, no style, no link."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document().setDefaultStyleSheet("td, th { padding-right: 12px; }")  # else cells read as one word

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return an image of one empty point, or a style that says nothing, whatever is asked for.

        For what is no image Qt would look for one in a file of that name.
        """
        return no_image() if kind == QTextDocument.ResourceType.ImageResource.value else NOTHING

    def doSetSource(self, name: QUrl | str, type: object = None) -> None:  # noqa: A002 - Qt's name
        """Follow no link."""

    def show_markdown(self, text: str) -> None:
        """Show Markdown; an image, however it is written, is its own words in brackets."""
        document = self.document()
        document.setMarkdown(text, MARKDOWN)
        document.setIndentWidth(px(INDENT))
        cursor = QTextCursor(document)
        cursor.select(QTextCursor.SelectionType.Document)
        apart = QTextBlockFormat()
        apart.setBottomMargin(px(APART))
        cursor.mergeBlockFormat(apart)
        for code in [part for part in fragments(document) if part.charFormat().hasProperty(FAMILIES)]:
            look = code.charFormat()
            for size in SIZES:  # of a font of the system, which does not grow
                look.clearProperty(size)
            cursor.setPosition(code.position())
            cursor.setPosition(code.position() + code.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(look)
        images = [part for part in fragments(document) if part.charFormat().isImageFormat()]
        for image in reversed(images):
            words = image.charFormat().property(QTextFormat.Property.ImageAltText)
            cursor.setPosition(image.position())
            cursor.setPosition(image.position() + image.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(
                (f"[image: {words}]" if words else "[image]") * image.length(), QTextCharFormat()
            )


def no_image() -> QImage:
    """Return an image of which nothing is seen."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32)
    image.fill(0)
    return image


def fragments(document: QTextDocument) -> Iterator[QTextFragment]:
    """Yield the parts of a text that look alike."""
    block = document.begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            yield parts.fragment()
            parts += 1
        block = block.next()
