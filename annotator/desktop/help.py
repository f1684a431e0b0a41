"""The help: a few pages of text that come with the program."""

import re
from functools import lru_cache, partial
from math import floor

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QImage,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCell,
)
from PySide6.QtWidgets import QListWidget, QWidget

from annotator.desktop.clipboard import chosen
from annotator.desktop.controls import button
from annotator.desktop.dialog import Dialog, Role
from annotator.desktop.layouts import column, row
from annotator.desktop.offline_browser import INDENT, MARKDOWN, OfflineBrowser, fragments, no_image
from annotator.desktop.row_table import shared
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

WHOLE = re.compile(
    r"(?<![\w-])--\w[\w-]*|'\.\[\w+\]'|\(\d[\d.+/ ]*\)|(?<![\w/.-])\w+(?:-\w+){2,}-\w*\d(?![\w/.])"
)
"""What stands on one line: an option, an extra that pip is told, a sum in brackets, the name of a model."""

CODE_WORDS = re.compile(r"^```.*?^ *```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINE = 45
"""A word of code of so many letters has room on a line, unless that is in a table."""

PARTED = re.compile(r"\s|(?<=[-/?])(?![\ufeff/])")
"""Where a text may be parted in a table."""

EDGES = 4
"""So wide are the edges of a table together, beside those of its cells."""

NAMES = 0.6
"""So much of a table's width names have before they are parted at slashes."""

JOINER = "\ufeff"
"""Parts no line, and is not copied. Fonts that lack the newer sign for that have this one."""


def page(name: str) -> tuple[str, str]:
    """Return a page's title, which is its first heading, and its Markdown."""
    text = (place("resources") / "help" / f"{name}.md").read_text("utf-8")
    text = ELSEWHERE.sub(r"\1", text).replace("<kbd>", "**").replace("</kbd>", "**")
    return text.partition("\n")[0].removeprefix("# "), text


class HelpText(OfflineBrowser):
    """Shows a page with the pictures that come with the program, in the window's light or dark.

    `page_wanted(str)` when a link to another page is followed; `resized` when it is wider or narrower.
    """

    page_wanted = Signal(str)

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell of another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.resized.emit()

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
        return chosen(self.textCursor(), JOINER)


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
        self._fitted = 0
        self._fits = QTimer(self, singleShot=True, interval=0)
        self._fits.timeout.connect(self._fit)
        self.text.resized.connect(self._fits.start)
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

    def _fit(self) -> None:
        """Lay the page out for another width, and read on about where one was."""
        if self._room() == self._fitted:
            return
        bar = self.text.verticalScrollBar()
        down = bar.value() / max(bar.maximum(), 1)
        self._show(self._pages[self.titles.currentRow()][1])
        bar.setValue(round(down * bar.maximum()))

    def _room(self) -> int:
        """Return how wide tables may be, also where the page has to scroll."""
        bar = self.text.verticalScrollBar().sizeHint().width()
        return self.text.contentsRect().width() - bar - 2 * STEPS[3] - EDGES

    def _show(self, text: str) -> None:
        """Show a page from its beginning; where names have no room in a table, they part at slashes."""
        room = self._fitted = self._room()
        for parted in (False, True):
            self._lay_out_page(text, parted)
            frames = self.text.document().rootFrame().childFrames()
            fits = [fit_columns(one, room) for one in frames if isinstance(one, QTextTable)]
            if all(fits):
                break
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _lay_out_page(self, text: str, parted: bool) -> None:
        """Lay a page out, with some air around paragraphs and in tables."""
        document = self.text.document()
        document.setMarkdown(joined(text, parted), MARKDOWN)
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


def joined(text: str, parted: bool = False) -> str:
    """Return Markdown whose options and words of code stay whole; long words part at slashes.

    With `parted` so does every word of code in a table.
    """
    lines = re.split(r"((?:^ *\|.*\n)+)", text, flags=re.MULTILINE)
    for at, one in enumerate(lines):
        whole = partial(_whole, long=0 if parted and at % 2 else LINE)
        lines[at] = CODE_WORDS.sub(lambda code, whole=whole: re.sub(r"\S+", whole, code[0]), one)
    return WHOLE.sub(_whole, "".join(lines))


def _whole(word: re.Match[str], long: int = LINE) -> str:
    parts = "/?" if len(word[0]) > long else ""
    whole = re.sub(rf"(?<=[^\w\s`{parts}{JOINER}])(?=[^\s`{JOINER}])", JOINER, word[0])
    return whole.replace(" ", "\u00a0")


def fit_columns(table: QTextTable, room: int) -> bool:
    """Give the columns of a table widths in which no word has to be parted; say whether there is room.

    Those that are wide take from the others at most a share of it.
    """
    look, columns = table.format().toTableFormat(), range(table.columns())
    cells = [[widths_of(table.cellAt(line, at)) for line in range(table.rows())] for at in columns]
    whole, words = ([max(one[at] for one in column) for column in cells] for at in (0, 1))
    if sum(words) + len(columns) * (2 * look.cellPadding() + 2) > room:
        look.setCellPadding(look.cellPadding() / 2)
    around = round(2 * look.cellPadding()) + 2
    wide, least = ([one + around for one in each] for each in (whole, words))
    fits = sum(least) <= room and max(least) <= room * NAMES
    if sum(wide) > room:
        least = [floor(one * min(room / sum(least), 1)) for one in least]  # else it would be cut
        fixed = QTextLength.Type.FixedLength
        look.setColumnWidthConstraints([QTextLength(fixed, one) for one in shared(wide, least, room)])
    table.setFormat(look)
    return fits


def widths_of(cell: QTextTableCell) -> tuple[int, int]:
    """Return how wide the text of a cell is in one line, and its longest word, or piece where it may part."""
    whole = longest = 0
    block = cell.firstCursorPosition().block()
    while block.isValid() and block.position() <= cell.lastPosition():
        line = 0
        parts = block.begin()
        while not parts.atEnd():
            look, text = parts.fragment().charFormat(), parts.fragment().text()
            bold = look.fontWeight() > QFont.Weight.Normal
            families = tuple(look.fontFamilies() or ())
            advance = metrics(block.document().defaultFont(), families, bold, px(CODE)).horizontalAdvance
            line += advance(text)
            longest = max([longest, *(advance(one) + 1 for one in PARTED.split(text))])
            parts += 1
        whole, block = max(whole, line + 1), block.next()
    return whole, longest


@lru_cache(maxsize=16)
def metrics(usual: QFont, families: tuple[str, ...], bold: bool, code: int) -> QFontMetrics:
    """Return the measures of text in the usual font, or of code, whose letters are so large."""
    font = QFont(usual)
    font.setBold(bold)
    if families:
        font.setFamilies(families)
        font.setPixelSize(code)
    return QFontMetrics(font)


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
