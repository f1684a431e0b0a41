"""The six buttons of the grades: squares with a digit, wider ones with what the grade means."""

import math
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from annotator.desktop.grade_chip import paint_chip
from annotator.desktop.layouts import PLACES
from annotator.desktop.style import Weight, factor, font, label, px, tip
from annotator.grades import GRADES, MEANINGS
from annotator.project.views import JudgmentView
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

BUTTON = 34
"""Side of a grade button at normal text size."""

WIDEST = 132
GAP, MARGIN = 6, 6


def button_side() -> int:
    """Return the side of a grade button: it grows more slowly than the text, so that six fit beside words."""
    return int(BUTTON * math.pow(factor(), 0.75))


def button_widths(words: Sequence[str], room: int) -> list[int] | None:
    """Return how wide the six buttons with these words are in so much room, None where not all words fit.

    They are alike where every word fits so; else each is as wide as its word asks for.
    """
    return _widths(tuple(words), room, factor())


def button_rows(words: Sequence[str], room: int) -> int:
    """Return in how many rows all words fit on the six buttons: 1, 2 or 3; 2 where they fit in none."""
    return _rows(tuple(words), room, factor())


@lru_cache(maxsize=64)  # asked for with every key
def _widths(words: tuple[str, ...], room: int, scale: float) -> list[int] | None:
    needed, free = _needed(words, scale), room - (len(words) - 1) * STEPS[0]
    if sum(needed) > free:
        return None
    alike = min(free // len(words), px(WIDEST))
    if max(needed) <= alike:
        return [alike] * len(words)
    return [one + (free - sum(needed)) // len(words) for one in needed]


@lru_cache(maxsize=64)
def _rows(words: tuple[str, ...], room: int, scale: float) -> int:
    if not any(words) or _widths(words, room, scale):
        return 1
    widest = max(_needed(words, scale))
    return next((rows for rows in (2, 3) if widest <= _share(len(words) // rows, room)), 2)


@lru_cache(maxsize=64)
def _needed(words: tuple[str, ...], _scale: float) -> list[int]:
    """Return how wide a button is that shows its word whole."""
    letters, digit = QFontMetrics(font(12)), QFontMetrics(font(13, Weight.Bold)).horizontalAdvance("0")
    return [max(button_side(), letters.horizontalAdvance(word) + digit + GAP + 2 * MARGIN) for word in words]


def _share(in_row: int, room: int) -> int:
    """Return how wide each of so many buttons in a row may be."""
    return (room - (in_row - 1) * STEPS[0]) // in_row


class GradeButton(QAbstractButton):
    """A digit, and beside it a `word` where there is room; pressed it takes the grade's colour."""

    def __init__(self, grade: int, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.grade = grade
        self.theme = theme
        self.word = ""
        self.on_card = True
        self.pending = False
        self.setText(str(grade))
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_meaning(self, meaning: str, example: str = "") -> None:
        """Tell what the grade means, with an example if there is one."""
        self.setAccessibleName(visible(f"Grade {self.grade}, {meaning}"))
        self.setToolTip(tip(f"{self.grade} · {meaning}" + (f": {example}" if example else "")))

    def show_state(self, checked: bool, pending: bool) -> None:
        """Show whether this is the candidate's grade, and whether it is on its way to the disk."""
        if pending != self.pending:
            self.pending = pending
            self.update()
        self.setChecked(checked)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button; a grade on its way to the disk is outlined in its colour, one not taken muted."""
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # which the style sheet takes from buttons
        theme, chosen, focused, taken = self.theme, self.isChecked(), self.hasFocus(), self.isEnabled()
        colour = theme.grades[self.grade]
        edge = theme.text if focused else colour if chosen or self.underMouse() else theme.line
        drawn = _drawn(
            self.text(),
            self.word,
            (self.width(), self.height()),
            self.devicePixelRatio(),
            theme.raised if self.on_card else theme.background,
            colour if chosen and not self.pending else theme.raised if taken else theme.background,
            edge,
            2 if focused or (chosen and self.pending) else 1,
            theme.on_grade if chosen and not self.pending else theme.text if taken else theme.muted,
        )
        QPainter(self).drawPixmap(0, 0, drawn)


@lru_cache(maxsize=256)  # with every key the six of another card come into sight
def _drawn(
    digit: str,
    word: str,
    size: tuple[int, int],
    ratio: float,
    ground: str,
    fill: str,
    edge: str,
    line: int,
    ink: str,
) -> QPixmap:
    width, height = size
    drawn = QPixmap(round(width * ratio), round(height * ratio))
    drawn.setDevicePixelRatio(ratio)
    drawn.fill(QColor(ground))
    painter = QPainter(drawn)
    box, pen, letters = QRectF(1, 1, width - 2, height - 2), QPen(QColor(edge), line), font(13, Weight.Bold)
    before, small = QFontMetrics(letters).horizontalAdvance(digit) + GAP, font(12)
    paint_chip(painter, box, "" if word else digit, letters, fill, ink, pen, radius=6)
    if word:
        metrics, room = QFontMetrics(small), width - before - 2 * MARGIN
        if metrics.horizontalAdvance(word) > room:  # Qt cuts one of exactly this width, too
            word = metrics.elidedText(word, Qt.TextElideMode.ElideRight, room)
        whole = before + metrics.horizontalAdvance(word)
        inside = box.adjusted((width - whole) / 2 - 1, 0, 0, 0)
        painter.setFont(letters)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, digit)
        painter.setFont(small)
        painter.drawText(inside.adjusted(before, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, word)
    painter.end()
    return drawn


def place_in_row(buttons: Sequence[GradeButton], words: Sequence[str], room: int, first: QRect) -> int:
    """Put buttons side by side, from a place on and as high as it; return where the row ends.

    The words stand on them where all have room; without, they are squares.
    """
    widths = button_widths(words, room) if any(words) else None
    x = first.x()
    for button, word, width in zip(buttons, words, widths or [first.height()] * len(buttons), strict=True):
        button.word = word if widths else ""
        button.setGeometry(x, first.y(), width, first.height())
        button.update()
        x += width + STEPS[0]
    return x


def place_in_rows(buttons: Sequence[GradeButton], words: Sequence[str], room: int, first: QRect) -> None:
    """Put buttons with their words in rows, from a place on down, where one row is too short for them."""
    in_row = len(buttons) // button_rows(words, room)
    width = min(_share(in_row, room), max(px(WIDEST), *_needed(tuple(words), factor())))
    for at, (button, word) in enumerate(zip(buttons, words, strict=True)):
        down, along = divmod(at, in_row)
        button.word = word
        x, y = first.x() + along * (width + STEPS[0]), first.y() + down * (first.height() + STEPS[0])
        button.setGeometry(x, y, width, first.height())
        button.update()


class GradeBar(QWidget):
    """The six buttons of what is in front, and which one of how many it is; `grade_chosen(grade)`."""

    grade_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(PLACES, True)
        self.buttons = [GradeButton(grade, theme, self) for grade in GRADES]
        self._group = QButtonGroup(self)
        for button in self.buttons:
            button.on_card = False
            self._group.addButton(button, button.grade)
        self._group.idToggled.connect(lambda grade, on: self.grade_chosen.emit(grade) if on else None)
        self._place = label("", "muted", self)
        self._meanings: Sequence[str] = MEANINGS

    def show_words(self, meanings: Sequence[str], examples: Sequence[str]) -> None:
        """Show the project's own words for the grades."""
        self._meanings = meanings
        for button, meaning, example in zip(self.buttons, meanings, examples, strict=True):
            button.show_meaning(meaning, example)
        self._lay_out()

    def show_judgment(self, judgment: JudgmentView, place: str, pending: bool = False) -> None:
        """Show the grade of what is in front, and its place, such as `3 of 6`."""
        self._place.setText(place)
        self._group.blockSignals(True)
        self._group.setExclusive(False)
        for button in self.buttons:
            button.show_state(button.grade == judgment.grade, pending)
        self._group.setExclusive(True)
        self._group.blockSignals(False)
        self._lay_out()

    def sizeHint(self) -> QSize:
        """Return the height of a button, and room for six squares and the place."""
        return QSize(6 * (button_side() + STEPS[0]) + self._place.sizeHint().width(), button_side())

    def minimumSizeHint(self) -> QSize:
        """Return room for six squares."""
        return QSize(6 * (button_side() + STEPS[0]), button_side())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the buttons as much room as there is."""
        super().resizeEvent(event)
        self._lay_out()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours or another text size."""
        for button in self.buttons:
            button.theme = theme
            button.update()
        self.updateGeometry()
        self._lay_out()

    def _lay_out(self) -> None:
        words, side = self._place.sizeHint().width(), button_side()
        room = self.width() - words - STEPS[1]
        end = place_in_row(self.buttons, self._meanings, room, QRect(0, 0, 0, side))
        self._place.setGeometry(end, 0, words, side)
        self._place.setVisible(end + words <= self.width())
