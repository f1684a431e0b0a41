"""A few lines of text with marked words, painted; words can be selected with the mouse."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from annotator.desktop.grade.offsets import Span, spans_in_units, to_points
from annotator.desktop.style import font
from annotator.text.direction import from_the_right
from annotator.text.excerpts import Excerpt
from annotator.text.matches import whole_words
from annotator.text.visible import visible
from annotator.theme import Theme

BREAKS = re.compile(r"[\n\r\v\f\x85\u2028\u2029](?:[ \t\xa0]*[\n\r\v\f\x85\u2028\u2029])*")
LINE, NOTHING, ELLIPSIS = "\u2028", "\u200b", "…"
"""Qt's end of a line, a character without width, and what stands for the rest."""

EMPTY = f"{LINE}{NOTHING} \t\xa0"
"""What need not stand at an end of what is shown."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A text and what is marked in it: query words, gold answers, the predicted answer (code points)."""

    text: str = ""
    words: tuple[Span, ...] = ()
    gold: tuple[Span, ...] = ()
    answer: tuple[Span, ...] = ()
    excerpt: Excerpt | None = None
    as_it_is: bool = True
    """Whether it stands in the whole like this; in HTML and Markdown there are marks between the words."""

    def source(self, position: int) -> int | None:
        """Return where a place of the text stands in the whole; None in an ellipsis and among marks."""
        if not self.as_it_is:
            return None
        return self.excerpt.source(position) if self.excerpt else position


def as_lines(text: str) -> str:
    """Return a text of the same length whose line breaks are Qt's; blank lines close up."""
    if text.isprintable():
        return text
    broken = BREAKS.sub(lambda match: LINE + NOTHING * (len(match[0]) - 1), text)
    start, end = len(text) - len(broken.lstrip(EMPTY)), len(broken.rstrip(EMPTY))
    return NOTHING * start + broken[start:end] + NOTHING * (len(text) - max(start, end))


def lay_out(
    layout: QTextLayout, text: str, looks: list[QTextLayout.FormatRange], width: float, lines: int
) -> float:
    """Break a text into at most so many lines of a width, the last cut by an ellipsis; return the height."""
    shown = as_lines(text)
    if shown.endswith(f" {ELLIPSIS}"):  # it stands in no line alone
        shown = f"{shown[:-2]}\xa0{ELLIPSIS}"
    height = _break(layout, shown, looks, width, lines + 1)
    while layout.lineCount() > lines:
        kept = shown[: to_points(shown, layout.lineAt(lines).textStart())].rstrip(EMPTY + ELLIPSIS)
        shorter = kept[:-1].rstrip(EMPTY + ELLIPSIS) if kept + ELLIPSIS == shown else kept
        shown = shorter + ELLIPSIS
        height = _break(layout, shown, looks, width, lines + 1)
    return height


def _break(
    layout: QTextLayout, text: str, looks: list[QTextLayout.FormatRange], width: float, lines: int
) -> float:
    option = QTextOption()  # whose direction follows the text
    option.setAlignment(Qt.AlignmentFlag.AlignRight if from_the_right(text) else Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setText(text)
    layout.setFormats(looks)  # before the lines: it drops them
    layout.beginLayout()
    height = 0.0
    for _ in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height() * 1.15
    layout.endLayout()
    return height


def text_height(marked: Marked, theme: Theme, width: float, lines: int) -> int:
    """Return the height of a marked text that is broken into at most so many lines of a width."""
    layout = QTextLayout()
    layout.setFont(font())
    return round(lay_out(layout, marked.text, formats(marked, theme, True), width, lines))


def formats(marked: Marked, theme: Theme, show_marks: bool) -> list[QTextLayout.FormatRange]:
    """Return how the marked words look: query words bold, gold answers on the soft ground too.

    The predicted answer is underlined, also without marks: it is what is judged.
    """
    made = []
    for start, end in spans_in_units(marked.text, list(marked.answer)):
        made.append(_range(start, end, underlined(theme)))
    if show_marks:
        for spans, ground in ((marked.words, ""), (marked.gold, theme.soft)):
            look = QTextCharFormat()
            look.setFontWeight(QFont.Weight.Bold)
            if ground:
                look.setBackground(QColor(ground))
                look.setForeground(QColor(theme.text))
            for start, end in spans_in_units(marked.text, list(spans)):
                made.append(_range(start, end, look))
    return made


def underlined(theme: Theme) -> QTextCharFormat:
    """Return how a predicted answer looks in its passage."""
    look = QTextCharFormat()
    look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    look.setUnderlineColor(QColor(theme.accent))
    return look


def reasoned(theme: Theme) -> QTextCharFormat:
    """Return how the words look that were given as the reason of a grade."""
    look = QTextCharFormat()
    look.setBackground(QColor(theme.soft))
    look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
    look.setUnderlineColor(QColor(theme.accent))
    return look


def places_of(words: str, text: str) -> list[Span]:
    """Return where words stand in a text exactly as they are."""
    return [match.span() for match in re.finditer(re.escape(words), text)] if words else []


def _range(start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, end - start, look
    return made


class Passage(QWidget):
    """Paints a marked text on at most `lines` lines. `selected` tells that the mouse selected words."""

    selected = Signal()
    pressed = Signal()

    def __init__(self, theme: Theme, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = lines
        self._theme = theme
        self._marked = Marked()
        self._show_marks = True
        self._rationale = ""
        self._layout = QTextLayout()
        self._broken = False
        self._anchor = self._caret = 0
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_text(self, marked: Marked, theme: Theme, show_marks: bool = True) -> None:
        """Show another text; the selection goes."""
        self._marked, self._theme, self._show_marks = marked, theme, show_marks
        self._anchor = self._caret = 0
        self.setAccessibleName(visible(marked.text))
        self._broken = False
        self.update()

    def show_rationale(self, rationale: str) -> None:
        """Mark the words that the annotator gave as the reason."""
        if rationale != self._rationale:
            self._rationale, self._broken = rationale, False
            self.update()

    def selection(self) -> Span | None:
        """Return the selected words in code points of the shown text."""
        text = self._marked.text
        start, end = sorted(to_points(text, units) for units in (self._anchor, self._caret))
        start, end = whole_words(text, start, end)
        return (start, end) if start < end else None

    @property
    def marked(self) -> Marked:
        """What is shown."""
        return self._marked

    def _lines_now(self) -> QTextLayout:
        if not self._broken:
            self._broken = True
            self._layout.setFont(font())
            lay_out(self._layout, self._marked.text, self.looks(), max(self.width(), 40), self._lines)
        return self._layout

    def looks(self) -> list[QTextLayout.FormatRange]:
        """Return the formats of the marked words."""
        text, reason = self._marked.text, reasoned(self._theme)
        given = spans_in_units(text, places_of(self._rationale, text))
        shown = [_range(start, end, reason) for start, end in given]
        return formats(self._marked, self._theme, self._show_marks) + shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        self._broken = False
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines, the marks and the selection."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(self._theme.raised))
        painter.setPen(QColor(self._theme.text))
        chosen: Sequence[QTextLayout.FormatRange] = ()
        if self._anchor != self._caret:
            look = QTextCharFormat()
            look.setBackground(QColor(self._theme.accent))
            look.setForeground(QColor(self._theme.on_accent))
            start, end = sorted((self._anchor, self._caret))
            chosen = (_range(start, end, look),)
        self._lines_now().draw(painter, QPointF(0, 0), chosen)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection."""
        self._anchor = self._caret = self._at(event.position().toPoint())
        self.pressed.emit()
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Stretch the selection."""
        self._caret = self._at(event.position().toPoint())
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell that words are selected, and show them whole."""
        if (span := self.selection()) is not None:
            [(self._anchor, self._caret)] = spans_in_units(self._marked.text, [span])
            self.update()
            self.selected.emit()

    def _at(self, point: QPoint) -> int:
        layout = self._lines_now()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            if point.y() < line.y() + line.height() * 1.15 or number == layout.lineCount() - 1:
                return int(line.xToCursor(point.x()))
        return 0
