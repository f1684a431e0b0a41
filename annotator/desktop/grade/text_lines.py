"""The lines of a full text: how far they stand from each other and how many letters one of them has."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument, QTextLine
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

from annotator.desktop.style import px

HEIGHT = 24
"""Of a line, in pixels at the normal text size; its letters are 15 pixels high."""

LEAST_GAP = 1
"""So much stands at least above the letters of a line, also where a script is higher than others."""

USUAL = "as people write it, line by line and word after word, in texts of every kind"
"""Its letters are as wide as those of most texts."""

BESIDE = 44
"""What stands beside the letters of a line: margins and the scroll bar."""

COLUMNS = (70, 90, 50, 1_000)
"""So many letters stand in a line at most; 70 are read best."""


class SpacedLines(QPlainTextDocumentLayout):
    """Gives the lines of a plain text their height, a paragraph at a time, when it comes into sight.

    Qt has no such setting for the one text view that stays quick on megabytes: it lays out what is looked at
    and nothing else. What it has laid out anew begins at the paragraph's very top; it is spread here, once.
    """

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """Return the place of a paragraph whose lines stand as far apart as they should."""
        place = super().blockBoundingRect(block)
        layout = block.layout() if block.isValid() else None
        if layout is None or not layout.lineCount():
            return place
        if layout.lineAt(0).y() < LEAST_GAP:
            top, mirrored = 0.0, block.textDirection() == Qt.LayoutDirection.RightToLeft
            for line in map(layout.lineAt, range(layout.lineCount())):
                position, gap = line.position(), gap_of(line)
                position.setY(top + gap)
                if mirrored:  # Qt begins them at the left, where they end
                    position.setX(position.x() + line.width() - line.naturalTextWidth())
                line.setPosition(position)
                top += line.height() + 2 * gap
            place = super().blockBoundingRect(block)
        return place.adjusted(0, 0, 0, gap_of(layout.lineAt(layout.lineCount() - 1)))


def gap_of(line: QTextLine) -> float:
    """Return how much of a line's height stands above its letters, and as much below."""
    return max((px(HEIGHT) - line.height()) / 2, LEAST_GAP)


def space_lines(text: QPlainTextEdit) -> None:
    """Let the lines of a plain text stand as far apart as those of a book."""
    document = QTextDocument(text)
    document.setDefaultFont(text.font())
    document.setDocumentLayout(SpacedLines(document))
    text.setDocument(document)


def space_paragraphs(document: QTextDocument) -> None:
    """Do the same for the lines of a rich text; those of headings are higher by themselves."""
    look = QTextBlockFormat()
    look.setLineHeight(px(HEIGHT), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(look)


def column_width(text: QPlainTextEdit, letters: int) -> int:
    """Return how wide a text stands whose lines have at most so many usual letters."""
    return letters * text.fontMetrics().horizontalAdvance(USUAL) // len(USUAL) + px(BESIDE)
