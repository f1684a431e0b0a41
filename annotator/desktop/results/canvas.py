"""A figure on screen: drawn by matplotlib in the theme's colours, told by the pointer, saved as a file."""

from collections.abc import Callable

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from annotator.figures.drawing import Drawn, register_font
from annotator.theme import FONT, Theme

Draw = Callable[[Theme], Drawn]
INCH = 96
NEAR = 14.0
"""How many pixels the pointer may be away from a mark that it names."""


class Canvas(QWidget):
    """Shows one figure at a time and draws it again for a new size or theme.

    `query_wanted(id)` is a click on a mark that stands for a query.
    """

    query_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(180, 160)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._theme = theme
        self._draw: Draw | None = None
        self._drawn: Drawn | None = None
        self._image: QImage | None = None
        use_the_programs_font()

    @property
    def drawn(self) -> Drawn | None:
        """The figure on show, as it was drawn for the screen."""
        return self._drawn

    def show_figure(self, draw: Draw, title: str) -> None:
        """Draw a figure; the title is what a screen reader says."""
        self._draw = draw
        self.setAccessibleName(title)
        self._redraw()

    def clear(self) -> None:
        """Show nothing."""
        self._draw = self._drawn = self._image = None
        self.update()

    def theme_changed(self, theme: Theme) -> None:
        """Draw again in another theme."""
        self._theme = theme
        self._redraw()

    def save(self, path: str) -> None:
        """Write the figure as SVG, PDF or PNG, by the ending of the path, always the same bytes."""
        if self._draw is not None:
            dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(path[-3:].lower())
            self._draw(self._theme).figure.savefig(path, metadata=dated, dpi=200)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the picture of another size anew when it is next painted."""
        super().resizeEvent(event)
        self._image = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the figure."""
        if self._drawn is None:
            return
        if self._image is None:
            self._image = picture(self._drawn, self.width(), self.height(), self.devicePixelRatioF())
        painter = QPainter(self)
        painter.drawImage(0, 0, self._image)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the mark under the pointer."""
        found = self.mark_at(event.position())
        opens = found is not None and bool(found[1])
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        if found:
            QToolTip.showText(event.globalPosition().toPoint(), found[0], self)
        else:
            QToolTip.hideText()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask for the query of the clicked mark."""
        found = self.mark_at(event.position())
        if found and found[1]:
            self.query_wanted.emit(found[1])

    def mark_at(self, place: QPointF) -> tuple[str, str] | None:
        """Return the label and the query's id ("" for none) of the nearest mark, if near enough."""
        if self._drawn is None or self._image is None:
            return None
        scale = self._image.devicePixelRatio()
        best: tuple[float, str, str] | None = None
        for marks in self._drawn.marks:
            if not len(marks.x):
                continue
            pixels = marks.axes.transData.transform(np.column_stack([marks.x, marks.y])) / scale
            away = np.hypot(pixels[:, 0] - place.x(), self.height() - pixels[:, 1] - place.y())
            away = np.where(np.isnan(away), np.inf, away)
            at = int(away.argmin())
            if best is None or away[at] < best[0]:
                best = (float(away[at]), marks.labels[at], marks.queries[at] if len(marks.queries) else "")
        return best[1:] if best is not None and best[0] <= NEAR else None

    def _redraw(self) -> None:
        self._drawn = None if self._draw is None else self._draw(self._theme)
        self._image = None
        self.update()


def picture(drawn: Drawn, width: int, height: int, scale: float) -> QImage:
    """Return a figure as an image of `width` x `height` logical pixels at a screen's scale."""
    drawn.figure.set_dpi(INCH * scale)
    drawn.figure.set_size_inches(width / INCH, height / INCH)
    canvas = FigureCanvasAgg(drawn.figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    high, wide = pixels.shape[:2]
    image = QImage(pixels.tobytes(), wide, high, wide * 4, QImage.Format.Format_RGBA8888).copy()
    image.setDevicePixelRatio(scale)
    return image


def use_the_programs_font() -> None:
    """Let figures on screen be set in the window's font, where its package is installed."""
    from matplotlib.font_manager import fontManager

    if any(one.name == FONT for one in fontManager.ttflist):
        return
    import font_hanken_grotesk

    register_font(font_hanken_grotesk.font_files_otf[FONT.replace(" ", "")])
