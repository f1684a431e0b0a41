"""Values as shades: colours from the ground to as strong as the text on them still reads, and their key."""

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.desktop.style import font, mixed, px, tip
from annotator.text.counts import in_digits
from annotator.theme import Theme

LEVELS = 32
FAINTEST = 0.05
"""How much of the colour zero takes: it is a value, which an empty cell has none of."""

READABLE = 4.5
WIDTH, HEIGHT = 96, 8


class Shades(NamedTuple):
    """The shades of a theme: `above` from zero up, `below` from zero down, each `LEVELS` long."""

    above: tuple[QColor, ...]
    below: tuple[QColor, ...]

    def of(self, value: float, span: tuple[float, float]) -> QColor:
        """Return the shade of a value between the ends of a span; one from -x to x has its zero between."""
        low, high = span
        if low < 0:
            share = abs(value) / max(-low, high)
            return self._at(self.below if value < 0 else self.above, share)
        return self._at(self.above, (value - low) / (high - low) if high > low else 0.0)

    def _at(self, ramp: tuple[QColor, ...], share: float) -> QColor:
        return ramp[round(min(max(share, 0.0), 1.0) * (LEVELS - 1))]


@lru_cache(maxsize=4)
def shades(theme: Theme) -> Shades:
    """Return the shades of a theme: the accent, and below zero the second colour of the series."""
    return Shades(_ramp(theme, theme.accent), _ramp(theme, theme.series[1]))


def _ramp(theme: Theme, colour: str) -> tuple[QColor, ...]:
    """Return shades up to the strongest that the theme's text can be read on."""
    parts = (percent / 100 for percent in range(100, 0, -1))
    text = QColor(theme.text)
    most = next(part for part in parts if contrast(text, mixed(theme.panel, colour, part)) >= READABLE)
    steps = (FAINTEST + (most - FAINTEST) * at / (LEVELS - 1) for at in range(LEVELS))
    return tuple(mixed(theme.panel, colour, part) for part in steps)


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two colours as WCAG 2 defines it: from 1, the same, to 21."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    parts = zip((0.2126, 0.7152, 0.0722), (colour.redF(), colour.greenF(), colour.blueF()), strict=True)
    return sum(
        weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in parts
    )


class ShadeKey(QWidget):
    """Says what the shades of a table stand for: its lowest value, the shades, its highest."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ends = ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def show_span(self, span: tuple[float, float]) -> None:
        """Show between which values the shades lie."""
        low, high = span
        self._ends = (in_digits(low), in_digits(high))
        words = f"The shades lie between {self._ends[0]} and {self._ends[1]}; a dash is no value."
        self.setToolTip(tip(words))
        self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for the room of both numbers and the shades."""
        self.setFont(font(11))
        texts = sum(self.fontMetrics().horizontalAdvance(end) for end in self._ends)
        return QSize(texts + px(WIDTH + 20), px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lowest value, the shades and the highest value."""
        painter = QPainter(self)
        painter.setFont(font(11))
        painter.setPen(QColor(self._theme.muted))
        rect = QRectF(self.rect())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._ends[0])
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._ends[1])
        left = painter.fontMetrics().horizontalAdvance(self._ends[0]) + px(8)
        step = px(WIDTH) / LEVELS
        top = rect.center().y() - px(HEIGHT) / 2
        for at, colour in enumerate(shades(self._theme).above):
            painter.fillRect(QRectF(left + at * step, top, step + 0.5, px(HEIGHT)), colour)
        painter.end()
