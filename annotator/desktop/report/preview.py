"""A report on screen before it is written: the same tables and figures, as Qt's rich text."""

from collections.abc import Mapping
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

from annotator.desktop.results.canvas import picture
from annotator.evaluation.result_table import Table, best_cells, in_parts, shown, without_intervals
from annotator.figures.sheet import DRAWING
from annotator.text.templates import LINE_AT_MOST, short
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.reports.report import Report

SHOWN_ROWS = 40
"""Rows of a table that the preview shows; the file has all of them."""

SHOWN_TEXT = 60_000
BREAKS_FROM = 40
"""A text of so many characters is broken into lines, no shorter one and no number."""

FIGURE = (680, 380)


class Preview(QTextBrowser):
    """Shows a report, or the beginning of a text file. Nothing in it is loaded from anywhere."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setOpenLinks(False)
        self.setAccessibleName("Preview of the report")

    def show_report(self, report: "Report", pictures: Mapping[str, QImage]) -> None:
        """Show a report as a page; `pictures` are its figures by key."""
        document = QTextDocument(self)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(24)
        for key, image in pictures.items():
            document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(key), image)
        document.setHtml(page(report, self._theme))
        self.setDocument(document)

    def show_text(self, text: str) -> None:
        """Show the beginning of a text file."""
        document = QTextDocument(self)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(24)
        rest = f"\n… {len(text) - SHOWN_TEXT:,} more characters in the file" if len(text) > SHOWN_TEXT else ""
        document.setHtml(f"<pre>{escape(text[:SHOWN_TEXT] + rest)}</pre>")
        self.setDocument(document)

    def theme_changed(self, theme: Theme) -> None:
        """Take another theme for what is shown next."""
        self._theme = theme


def pictures(report: "Report", theme: Theme, scale: float) -> dict[str, QImage]:
    """Draw the figures of a report; this may run beside the window's thread."""
    with DRAWING:
        return {
            figure.key: picture(figure.draw(theme), *FIGURE, scale)
            for section in report.sections
            for figure in section.figures
        }


def page(report: "Report", theme: Theme) -> str:
    """Return a report as the HTML that Qt understands."""
    parts = [f"<h1>{seen(report.title)}</h1><p>{seen(report.subtitle)}</p>"]
    for section in report.sections:
        parts.append(f"<h2>{seen(section.title)}</h2>")
        parts += [f"<p>{seen(text)}</p>" for text in section.paragraphs]
        if section.command:
            parts.append(f"<pre>{seen(section.command)}</pre>")
        for figure in section.figures:
            parts.append(f'<p><img src="{figure.key}"></p><p>{seen(f"{figure.title}. {figure.caption}")}</p>')
        for table in chain.from_iterable(map(in_parts, map(without_intervals, section.tables))):
            parts.append(
                f"<h3>{seen(table.title)}</h3>{table_html(table, theme)}<p>{seen(table.caption)}</p>"
            )
    return "".join(parts)


def table_html(table: Table, theme: Theme) -> str:
    """Return the first rows of a table."""
    best = best_cells(table)
    sides = ["left" if column.kind == "text" else "right" for column in table.columns]
    line = f"border-bottom: 1px solid {theme.line}"
    head = "".join(
        f'<th align="{side}" style="white-space: nowrap; {line}">{seen(column.title)}</th>'
        for side, column in zip(sides, table.columns, strict=True)
    )
    lines = []
    for at, row in enumerate(table.rows[:SHOWN_ROWS]):
        cells = []
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            text = seen(shown(column, cell) + table.marks.get((at, place), ""))
            text = f'<b style="color: {theme.accent}">{text}</b>' if (at, place) in best else text
            wrap = "normal" if column.kind == "text" and len(text) > BREAKS_FROM else "nowrap"
            cells.append(f'<td align="{sides[place]}" style="white-space: {wrap}; {line}">{text}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    more = len(table) - SHOWN_ROWS
    rest = f"<p>… and {more:,} more rows in the file.</p>" if more > 0 else ""
    style = 'border="0" cellspacing="0" cellpadding="6" style="border-collapse: collapse"'
    return f"<table {style}><tr>{head}</tr>{''.join(lines)}</table>{rest}"


def seen(text: str) -> str:
    """Return a text, or the beginning of an endless one, as HTML."""
    return escape(short(text, LINE_AT_MOST))
