"""A report on screen before it is written: the same tables and figures, as Qt's rich text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from annotator.desktop.clipboard import chosen
from annotator.desktop.results.canvas import picture, use_the_programs_font
from annotator.desktop.style import breakable, px, whole_options
from annotator.evaluation.result_table import (
    NAMES,
    Table,
    best_cells,
    in_parts,
    names_joined,
    naming,
    shown,
    without_intervals,
)
from annotator.figures.sheet import DRAWING
from annotator.text.templates import LINE_AT_MOST, short
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.reports.report import Report

SHOWN_ROWS = 40
"""Rows of a table that the preview shows; the file has all of them."""

SHOWN_TEXT = 60_000
BREAKS_FROM, BROKEN = 24, 16
"""A longer text is broken into lines of at least about so many characters, no shorter one and no number.

Where there is no room for a table's headings in one line, so is every text that is longer than such a line,
and where there is none for these, any text.
"""

FIGURE, HIGH = 680, 0.56
"""So wide figures are at most, at the normal text size, and so much of that high."""

LEAST = 260
"""So high they are at least, at the normal text size."""

NEAR = 0.1
"""Figures are drawn anew where they are wider than their room, or so much narrower than they could be."""

RESTS = 200
"""Milliseconds for which its width is the same before figures are drawn for it."""

MARGIN, PADDING, EDGES = 24, 6, 4
ROUNDED = 2
"""So many pixels Qt may make a table wider than the room that it fills."""

ROW = re.compile(r"^\||[^\\]& ")
"""What a row of a table has in Markdown and in LaTeX."""

HYPHEN = re.compile(r"-(?=\w)")

PIECES = re.compile(r"[^-_./]*[-_./]+|[^-_./]+")
"""What stands in a name up to each of its marks."""

MOST_COLUMNS = 16
"""Tables of more columns are in parts also where there is room for them, as in the file."""


@dataclass(frozen=True, slots=True)
class Paper:
    """What figures are drawn for: so many logical pixels of width, the scales of screen and text."""

    wide: int
    scale: float
    text: float


class Preview(QTextBrowser):
    """Shows a report, or the beginning of a text file. Nothing in it is loaded from anywhere.

    Tables that are too wide for it are shown in parts. `other_room(pixels)`: figures are better drawn for
    so much width.
    """

    other_room = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._report: Report | None = None
        self._is_report = False
        self._seen = 0.0
        self._pictures: Mapping[str, QImage] = {}
        self._html = ""
        self._cells: dict[int, int] = {}  # how wide what stands in a column is
        self._fits = QTimer(self, singleShot=True, interval=0)
        self._fits.timeout.connect(self._fit)
        self._rests = QTimer(self, singleShot=True, interval=RESTS)
        self._rests.timeout.connect(self._ask)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setOpenLinks(False)
        self.setAccessibleName("Preview of the report")

    def show_report(self, report: "Report", pictures: Mapping[str, QImage]) -> None:
        """Show a report as a page, as far down as the one before; `pictures` are its figures by key."""
        down = self.verticalScrollBar().value() if self._is_report else 0
        self._seen = down / self.document().size().height() if down else 0
        self._report, self._pictures, self._is_report = report, pictures, True
        self._show(self._page(report))
        self._fits.start()

    def show_text(self, text: str, wraps: bool = True) -> None:
        """Show the beginning of a text file; with `wraps` lines that are no rows of tables take several."""
        self._report, self._pictures, self._is_report = None, {}, False
        rest = f"\n… {len(text) - SHOWN_TEXT:,} more characters in the file" if len(text) > SHOWN_TEXT else ""
        self._show(f"<pre>{escape(text[:SHOWN_TEXT] + rest)}</pre>")
        block, cursor = self.document().begin(), QTextCursor(self.document())
        cursor.beginEditBlock()  # else all is laid out anew for each line
        while wraps and block.isValid():
            if not ROW.search(block.text()):
                cursor.setPosition(block.position())
                cursor.setBlockFormat(QTextBlockFormat())
            block = block.next()
        cursor.endEditBlock()

    def _show(self, html: str) -> None:
        self._fits.stop()
        self._html = html
        document = QTextDocument(self)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(MARGIN)
        for key, image in self._pictures.items():
            document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(key), image)
        document.setHtml(html)
        self.setDocument(document)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put tables together, or in parts, as the width allows, a turn later: all may be made anew."""
        self.setLineWrapColumnOrWidth(self.viewport().width() - ROUNDED)
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fits.start()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy names as they are, without where they may be parted."""
        return chosen(self.textCursor(), "\u200b\u2060")

    def changeEvent(self, event: QEvent) -> None:
        """Keep the letters of what is shown: in another text size it is made anew."""
        if event.type() != QEvent.Type.FontChange:
            super().changeEvent(event)

    def _fit(self) -> None:
        if self._report is None:
            return
        html, down = self._page(self._report), self.verticalScrollBar().value()
        if html != self._html:
            self._show(html)
            self.verticalScrollBar().setValue(down)
        if self._seen:  # a turn later, for all of the page is laid out to know how high it is
            self.verticalScrollBar().setValue(round(self._seen * self.document().size().height()))
            self._seen = 0
        self._rests.start()

    def _ask(self) -> None:
        best = min(self._room(), px(FIGURE))
        if self._pictures and not best * (1 - NEAR) <= self._drawn_wide() <= best:
            self.other_room.emit(best)

    def _drawn_wide(self) -> int:
        widths = (round(one.deviceIndependentSize().width()) for one in self._pictures.values())
        return min(widths, default=FIGURE)

    def _page(self, report: "Report") -> str:
        wide = min(self._room(), self._drawn_wide())
        return page(report, self._theme, self._parts, self._line, wide)

    def _room(self) -> int:
        return self.lineWrapColumnOrWidth() - 2 * MARGIN - EDGES

    def _parts(self, table: Table) -> tuple[Table, ...]:
        """Return what of a table stands side by side here, headings in several lines.

        Where the names of its rows would take half of the room they share a column.
        """
        many = self._columns_in(table)
        if many < len(table.columns):
            wide = self._widths(table, parted=True)
            if sum([wide[id(column)] for column in table.columns[: naming(table)]]) > self._room() / 2:
                table = names_joined(table)
                many = self._columns_in(table)
        return in_parts(table, many)

    def _columns_in(self, table: Table) -> int:
        """Return how many columns of a table stand side by side: at least a value beside the names."""
        self._cells = {}  # its parts are looked at next
        wide, room, lead = self._widths(table, parted=True), self._room(), naming(table)
        most = min(len(table.columns), MOST_COLUMNS)
        fitting = (
            many
            for many in range(most, lead, -1)
            if all(sum(wide[id(column)] for column in part.columns) <= room for part in in_parts(table, many))
        )
        return next(fitting, min(most, lead + 1))

    def _line(self, table: Table) -> int:
        """Return how many characters of a text stand in one line, 0 where there is too little room."""
        for line, parted in ((BREAKS_FROM, False), (BROKEN, True)):
            if sum(self._widths(table, parted).values()) <= self._room():
                return line
        return 0

    def _widths(self, table: Table, parted: bool) -> dict[int, int]:
        """Return how wide each column is, whose heading may be parted between its words."""
        bold = QFont(self.font())
        bold.setBold(True)
        advance = QFontMetrics(bold).horizontalAdvance
        wide = dict[int, int]()
        for at, column in enumerate(table.columns):
            if id(column) not in self._cells:
                self._cells[id(column)] = max(map(advance, texts_of(table, at)), default=0)
            heading = max(map(advance, lines_of(column.title, parted)))
            wide[id(column)] = 2 * PADDING + max(heading, self._cells[id(column)]) + 1
        return wide

    def theme_changed(self, theme: Theme) -> None:
        """Take another theme for what is shown next: the report is being made anew, and fitted then."""
        self._theme = theme
        self._report = None


def pictures(report: "Report", theme: Theme, paper: Paper) -> dict[str, QImage]:
    """Draw the figures of a report; this may run beside the window's thread."""
    high = max(round(HIGH * paper.wide), round(LEAST * paper.text))
    with DRAWING:
        use_the_programs_font()
        return {
            figure.key: picture(figure.draw(theme), paper.wide, high, paper.scale, paper.text)
            for section in report.sections
            for figure in section.figures
        }


def page(
    report: "Report",
    theme: Theme,
    parts_of: Callable[[Table], tuple[Table, ...]],
    line_of: Callable[[Table], int],
    figure_wide: int,
) -> str:
    """Return a report as the HTML that Qt understands; each table is in the parts that are said.

    Texts are broken that are longer than the line that is said; figures are `figure_wide` pixels wide.
    """
    parts = [f"<h1>{seen(report.title)}</h1><p>{seen(report.subtitle)}</p>"]
    for section in report.sections:
        parts.append(f"<h2>{seen(section.title)}</h2>")
        parts += [f"<p>{whole_options(seen(text))}</p>" for text in section.paragraphs]
        if section.command:
            parts.append(f'<pre style="white-space: pre-wrap">{whole_options(seen(section.command))}</pre>')
        for figure in section.figures:
            image = f'<img src="{figure.key}" width="{figure_wide}">'
            parts.append(f"<p>{image}</p><p>{seen(f'{figure.title}. {figure.caption}')}</p>")
        for table in chain.from_iterable(map(parts_of, map(without_intervals, section.tables))):
            parts.append(
                f"<h3>{seen(table.title)}</h3>{table_html(table, theme, line_of(table))}"
                f"<p>{seen(table.caption)}</p>"
            )
    return "".join(parts)


def texts_of(table: Table, at: int) -> list[str]:
    """Return what the first rows of a column show in one line each; of longer ones the beginning."""
    column = table.columns[at]
    cells = [shown(column, cell) for cell in table.data[at][:SHOWN_ROWS]]
    if column.key == NAMES:
        return [max(text.split(" "), key=len) for text in cells]
    return [text if len(text) <= BREAKS_FROM else _longest(text) for text in cells]


def _longest(text: str) -> str:
    """Return what of a long text has to stand in one line."""
    return max(text[:BROKEN], *re.split(r"[\s\u200b]", breakable(text)), key=len)


def table_html(table: Table, theme: Theme, longest: int) -> str:
    """Return the first rows of a table; longer texts are broken, and where lines are short headings, too."""
    best = best_cells(table)
    sides = ["left" if column.kind == "text" else "right" for column in table.columns]
    line = f"border-bottom: 1px solid {theme.line}"
    parted = longest < BREAKS_FROM
    head = "".join(
        f'<th align="{side}" style="white-space: nowrap; {line}">'
        f"{'<br>'.join(map(seen, lines_of(column.title, parted)))}</th>"
        for side, column in zip(sides, table.columns, strict=True)
    )
    lines = []
    for at, row in enumerate(table.rows[:SHOWN_ROWS]):
        cells = []
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            text = shown(column, cell) + table.marks.get((at, place), "")
            wraps = column.kind == "text" and (len(text) > longest or column.key == NAMES)
            text, wrap = (seen(breakable(text)), "normal") if wraps else (seen(text), "nowrap")
            text = HYPHEN.sub("-\u2060", text) if column.key == NAMES else text  # they break between names
            text = f'<b style="color: {theme.accent}">{text}</b>' if (at, place) in best else text
            cells.append(f'<td align="{sides[place]}" style="white-space: {wrap}; {line}">{text}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    more = len(table) - SHOWN_ROWS
    rest = f"<p>… and {more:,} more rows in the file.</p>" if more > 0 else ""
    style = f'border="0" cellspacing="0" cellpadding="{PADDING}" style="border-collapse: collapse"'
    return f"<table {style}><tr>{head}</tr>{''.join(lines)}</table>{rest}"


def lines_of(heading: str, parted: bool) -> list[str]:
    """Return the lines of a heading, a word in each if it is parted, long names in several."""
    words = (heading.split() if parted else []) or [heading]
    return [line for word in words for line in (name_lines(word) if parted else [word])]


def name_lines(name: str) -> list[str]:
    """Return a long name in lines that end behind its own marks.

    >>> name_lines("predictions_v1.1_logistic_regression")
    ['predictions_v1.1_', 'logistic_regression']
    """
    lines = [""]
    for piece in PIECES.findall(name):
        if lines[-1] and len(lines[-1] + piece) > BREAKS_FROM:
            lines.append("")
        lines[-1] += piece
    return lines


def seen(text: str) -> str:
    """Return a text, or the beginning of an endless one, as HTML."""
    return escape(short(text, LINE_AT_MOST))
