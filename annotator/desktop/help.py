"""The help: a few pages of text that come with the program."""

import re

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import (
    QImage,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QListWidget, QWidget

from annotator.desktop.clipboard import qt_mime
from annotator.desktop.controls import button
from annotator.desktop.dialog import Dialog, Role
from annotator.desktop.layouts import column, row
from annotator.desktop.offline_browser import INDENT, MARKDOWN, OfflineBrowser, fragments, no_image
from annotator.desktop.style import factor, px
from annotator.places import place
from annotator.project import notices
from annotator.theme import STEPS, Theme

PAGES = (
    *("grading", "your-data", "scores", "comparisons", "data", "large", "semantic"),
    *("unjudged", "ties", "missing-queries", "several-annotators", "team", "blind", "conventions"),
    *("keys", "measures", "formats", "commands", "python", "promises", "articles"),
)
"""The files of `resources/help` in their order."""

ELSEWHERE = re.compile(rf"(?<!!)\[([^][]*)\]\((?!(?:{'|'.join(PAGES)})\.md\))[^)]*\)")
"""A link to what is no page: it is for who reads the files."""

PICTURE_SCALE = 2.4
"""So many points of a picture are one on screen, with normal text: its letters are as large as the page's."""

HALF = 128
"""Of the lightness of a colour."""

CODE = 12
"""Letters of one width look larger than others of their size."""

WHOLE = re.compile(r"(?<![\w-])--\w[\w-]*|'\.\[\w+\]'")
"""What stands on one line: an option, and an extra that pip is told."""

CODE_WORDS = re.compile(r"^```.*?^ *```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINE = 45
"""A word of code of so many letters has room on a line, unless that is in a table."""

JOINER = "\ufeff"
"""Parts no line, and is not copied. Fonts that lack the newer sign for that have this one."""


def page(name: str) -> tuple[str, str]:
    """Return a page's title, which is its first heading, and its Markdown."""
    text = (place("resources") / "help" / f"{name}.md").read_text("utf-8")
    text = ELSEWHERE.sub(r"\1", text).replace("<kbd>", "**").replace("</kbd>", "**")
    return text.partition("\n")[0].removeprefix("# "), text


class HelpText(OfflineBrowser):
    """Shows a page with the pictures that come with the program, in the window's light or dark.

    `page_wanted(str)` when a link to another page is followed.
    """

    page_wanted = Signal(str)

    def doSetSource(self, name: QUrl | str, type: object = None) -> None:  # noqa: A002 - Qt's name
        """Ask for the page that a link names; nothing is loaded."""
        self.page_wanted.emit(QUrl(name).fileName().removesuffix(".md"))

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture of the help, nothing else."""
        file = QUrl(name).fileName()
        if self.palette().window().color().lightness() < HALF:
            file = file.replace("-light.png", "-dark.png")
        image = QImage(str(place("resources") / "help" / file))
        if image.isNull():
            return no_image()
        room = self.viewport().width() - 2 * self.document().documentMargin() - 2 * px(INDENT)
        wide = image.width() / PICTURE_SCALE * factor()
        wide, finer = min(wide, max(room, 1)) if self.isVisible() else wide, self.devicePixelRatioF()
        shown = image.scaledToWidth(round(wide * finer), Qt.TransformationMode.SmoothTransformation)
        shown.setDevicePixelRatio(finer)
        return shown

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy what is written, so that a command can be given as it is."""
        chosen, mime = self.textCursor().selection(), qt_mime()
        mime.setText(chosen.toPlainText().replace(JOINER, ""))
        mime.setHtml(chosen.toHtml().replace(JOINER, ""))
        return mime


class HelpDialog(Dialog):
    """The titles at the left, the page at the right; `tour_wanted` when the dialog is gone."""

    tour_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Help", parent)
        self._pages = pages = [*map(page, PAGES), ("Third-party software", notices.page())]
        self.titles = QListWidget(self)
        self.titles.setAccessibleName("Pages")
        self.titles.addItems([title for title, _ in pages])
        self.text = HelpText(self)
        self.text.setAccessibleName("Page")
        self.text.setProperty("kind", "page")
        self.text.document().setDocumentMargin(STEPS[3])
        # All of a page breaks to the width, but Qt rounds the columns of tables up by a point.
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.titles.currentRowChanged.connect(lambda row: self._show(pages[row][1]))
        self.text.page_wanted.connect(lambda name: self.titles.setCurrentRow(PAGES.index(name)))
        around = (STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        buttons = self.way_out()
        buttons.addButton(button("Take the tour", self._take_tour, self), Role.ActionRole)
        column((row(self.titles, (self.text, 1)), 1), buttons, on=self, around=around)
        self.resize(px(980), px(680))
        self._size_titles()
        self.titles.setCurrentRow(0)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size, with the pictures that belong to it."""
        super().theme_changed(theme)
        self._size_titles()
        self._show(self._pages[self.titles.currentRow()][1])

    def _size_titles(self) -> None:
        """Give the titles the room they take, and that of a scroll bar beside them."""
        self.titles.ensurePolished()
        bar = self.titles.verticalScrollBar().sizeHint().width()
        self.titles.setFixedWidth(self.titles.sizeHintForColumn(0) + bar + 2 * self.titles.frameWidth())

    def _take_tour(self) -> None:
        self.accept()
        self.tour_wanted.emit()

    def _show(self, text: str) -> None:
        """Show a page from its beginning, with some air around paragraphs and in tables."""
        document = self.text.document()
        document.setMarkdown(joined(text), MARKDOWN)
        document.setIndentWidth(px(INDENT))
        set_code(document)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                airy = frame.format().toTableFormat()
                airy.setCellPadding(STEPS[0])
                airy.setTopMargin(STEPS[0])
                airy.setBottomMargin(STEPS[2])
                airy.setBorderBrush(self.palette().mid())
                airy.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                frame.setFormat(airy)
        block = document.begin()
        while block.isValid():
            cursor = QTextCursor(block)
            look = block.blockFormat()
            if cursor.currentTable() is None:
                code = look.nonBreakableLines()
                goes_on = code and block.next().blockFormat().nonBreakableLines()
                look.setTopMargin(STEPS[2] if look.headingLevel() else 0)
                look.setBottomMargin(0 if goes_on else STEPS[0])  # lines of code stand together
                look.setLeftMargin(look.leftMargin() + px(INDENT) * code)  # and what goes on stands apart
                look.setTextIndent(-px(INDENT) * code)
                look.setNonBreakableLines(False)
                cursor.setBlockFormat(look)
            block = block.next()
        self.text.moveCursor(QTextCursor.MoveOperation.Start)


def joined(text: str) -> str:
    """Return Markdown whose options and words of code stay whole; long words part at slashes."""
    lines = re.split(r"((?:^ *\|.*\n)+)", text, flags=re.MULTILINE)
    lines[::2] = [CODE_WORDS.sub(lambda code: re.sub(r"\S+", _whole, code[0]), one) for one in lines[::2]]
    return WHOLE.sub(_whole, "".join(lines))


def _whole(word: re.Match[str]) -> str:
    parts = "/?" if len(word[0]) > LINE else ""
    return re.sub(rf"(?<=[^\w\s`{parts}{JOINER}])(?=[^\s`{JOINER}])", JOINER, word[0])


def set_code(document: QTextDocument) -> None:
    """Set code in letters that look as large as those around them."""
    look, whole = QTextCharFormat(), QTextCursor(document)
    look.setProperty(QTextFormat.Property.FontPixelSize, px(CODE))
    whole.beginEditBlock()
    for part in [one for one in fragments(document) if one.charFormat().fontFamilies()]:
        whole.setPosition(part.position())
        whole.setPosition(part.position() + part.length(), QTextCursor.MoveMode.KeepAnchor)
        whole.mergeCharFormat(look)
    whole.endEditBlock()
