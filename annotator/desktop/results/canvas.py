"""A figure on screen: drawn beside the window's thread, told by the pointer, saved as a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QFileDialog, QToolTip, QWidget

from annotator.desktop.style import factor, px, tip
from annotator.desktop.worker import Worker
from annotator.evaluation.options import Width
from annotator.figures.fitting import fit
from annotator.figures.sheet import DRAWING, Drawn, register_font
from annotator.text.visible import visible
from annotator.theme import FONT, Theme

Draw = Callable[[Theme], Drawn]
INCH = 96
WIDTHS: dict[str, Width] = {"one column": "one", "two columns": "two"}
"""How wide a figure is on paper, in words."""
NEAR = 14.0
"""How many pixels the pointer may be away from a mark that it names, or from what belongs to it."""

RING = 7.0

LEAST = 180, 220
"""How wide and high a figure is at least, at the normal text size."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a picture is drawn from: the figure, the theme, logical pixels, the scales of screen and text."""

    draw: Draw
    theme: Theme
    width: int
    height: int
    scale: float
    text: float


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A figure as an image; `places` are its marks in logical pixels from the upper left, float[n, 2].

    `boxes` are left, top, right, bottom of where each mark speaks, float[n, 4].
    """

    wanted: Wanted
    drawn: Drawn
    image: QImage
    places: NDArray[np.float64]
    boxes: NDArray[np.float64]
    labels: Sequence[str]
    queries: Sequence[str]


class Canvas(QWidget):
    """Shows one figure at a time and draws it again for a new size or theme, once that is looked at.

    The mark under the pointer, or the one that the arrow keys came to, is ringed and named; Enter is a click.
    `figure_shown` follows each drawing; `query_wanted(id)` is a click on a mark that stands for a query;
    `saved(words)` follows `save` and says where the file is. A right click offers it.
    """

    figure_shown = Signal()
    query_wanted = Signal(str)
    saved = Signal(str)

    def __init__(self, worker: Worker, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(*map(px, LEAST))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        save = QAction("Save the figure…", self)
        save.triggered.connect(self.ask_file)
        self.addAction(save)
        self.worker = worker
        self._theme = theme
        self._draw: Draw | None = None
        self._tried: Wanted | None = None
        self.busy = False
        self._picture: Picture | None = None
        self._here: int | None = None
        """The mark that is ringed."""

    @property
    def drawn(self) -> Drawn | None:
        """The figure on show, as it was drawn for the screen."""
        shown = self._picture
        return shown.drawn if shown and shown.wanted.draw is self._draw else None

    def show_figure(self, draw: Draw, title: str) -> None:
        """Draw a figure; the title is what a screen reader says."""
        self._draw = draw
        self.setAccessibleName(visible(title))
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        self._draw = self._picture = self._tried = self._here = None
        self.update()

    def theme_changed(self, theme: Theme) -> None:
        """Draw again in another theme or text size."""
        self._theme = theme
        self._take_least()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the height of the figure."""
        self._take_least()

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask for none: what stands in this place meanwhile would be as high."""
        self._take_least()

    def _take_least(self) -> None:
        wide, high = map(px, LEAST)
        if self._picture is not None and self.isVisible():
            high = max(high, px(self._picture.drawn.least * INCH))
        self.setMinimumSize(wide, high)
        parent = self.parentWidget()
        if (layout := parent.layout() if parent else None) is not None:
            layout.activate()  # which a hidden one else does when it is shown

    def save(self, path: str, width: Width = "one") -> None:
        """Write the figure for a paper as PDF, SVG or PNG, by the ending, always the same bytes."""
        from annotator.project.shown_files import write_figure

        draw = self._draw
        if draw is not None:
            self.worker.start(self, lambda *_: write_figure(Path(path), draw, width), self.saved.emit)

    def ask_file(self) -> None:
        """Ask where to save the figure and how wide; a name without an ending gets the one of that kind."""
        from annotator.project.report_files import ENDINGS

        kinds = {
            f"{title} for {words} of a paper (*.{ending})": (ending, width)
            for ending, title in ENDINGS.items()
            for words, width in WIDTHS.items()
        }
        name = f"{self.accessibleName()}.pdf".replace("/", "-")
        path, chosen = QFileDialog.getSaveFileName(self, "Save the figure", name, ";;".join(kinds))
        if path:
            ending, width = kinds.get(chosen, ("pdf", "one"))
            known = path.lower().endswith(tuple(f".{one}" for one in ENDINGS))
            self.save(path if known else f"{path}.{ending}", width)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the figure as it was last drawn, and have it drawn when it is to look otherwise by now."""
        if self._draw is None:
            return
        scale = self.devicePixelRatioF()
        asked = Wanted(self._draw, self._theme, self.width(), self.height(), scale, factor())
        if asked != self._tried and not self.busy:
            self._tried, self.busy = asked, True
            self.worker.start(self, lambda *_: pictured(asked), self._show, self._failed)
        if self._picture is not None and self._picture.wanted.theme is self._theme:
            painter = QPainter(self)
            painter.drawImage(0, 0, self._picture.image)
            self._paint_here(painter, self._picture)
            painter.end()

    def _paint_here(self, painter: QPainter, shown: Picture) -> None:
        """Ring the mark of the pointer or the keys; a line around all says who has the keys."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._here is not None and not np.isnan(shown.places[self._here]).any():
            painter.setPen(QPen(QColor(self._theme.text), 1.5))
            painter.drawEllipse(QPointF(*shown.places[self._here]), RING, RING)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 1))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the mark under the pointer."""
        self._go_to(self._mark_number(event.position()))
        shown, here = self._picture, self._here
        opens = shown is not None and here is not None and bool(shown.queries[here])
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        if shown is not None and here is not None:
            QToolTip.showText(event.globalPosition().toPoint(), tip(shown.labels[here]), self)
        else:
            QToolTip.hideText()

    def leaveEvent(self, event: QEvent) -> None:
        """Ring nothing once the pointer is elsewhere."""
        self._go_to(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask for the query of the clicked mark."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._open(self._mark_number(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the marks with the arrow keys; Enter asks for the query of the mark."""
        shown, key = self._picture, event.key()
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        known = [] if shown is None else np.flatnonzero(~np.isnan(shown.places).any(axis=1)).tolist()
        if shown is not None and known and key in steps:
            at = known.index(self._here) + steps[Qt.Key(key)] if self._here in known else 0
            here = known[min(max(at, 0), len(known) - 1)]
            self._go_to(here)
            self.setAccessibleDescription(visible(shown.labels[here]))
            QToolTip.showText(
                self.mapToGlobal(QPointF(*shown.places[here]).toPoint()), tip(shown.labels[here]), self
            )
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self._here)
        else:
            super().keyPressEvent(event)

    def mark_at(self, place: QPointF) -> tuple[str, str] | None:
        """Return the label and the query's id ("" for none) of the mark at a place, if one is near enough."""
        shown, at = self._picture, self._mark_number(place)
        return None if shown is None or at is None else (shown.labels[at], shown.queries[at])

    def _mark_number(self, place: QPointF) -> int | None:
        """Return the mark whose box is nearest, of several the one whose point is."""
        shown = self._picture
        if shown is None or not len(shown.places):
            return None
        point = np.array([place.x(), place.y()])
        outside = np.maximum(shown.boxes[:, :2] - point, point - shown.boxes[:, 2:]).clip(min=0)
        away = np.hypot(*outside.T)
        away[np.isnan(away)] = np.inf
        near = away <= min(away.min(), NEAR)
        if not near.any():
            return None
        return int(np.where(near, np.hypot(*(shown.places - point).T), np.inf).argmin())

    def _go_to(self, at: int | None) -> None:
        if at != self._here:
            self._here = at
            self.update()

    def _open(self, at: int | None) -> None:
        shown = self._picture
        if shown is not None and at is not None and shown.queries[at]:
            self.query_wanted.emit(shown.queries[at])

    def _show(self, picture: Picture) -> None:
        self.busy = False
        if self._draw is not None:
            self._picture, self._here = picture, None
            self._take_least()
            self.update()
            if picture.wanted.draw is self._draw:
                self.figure_shown.emit()

    def _failed(self, error: Exception) -> None:
        self.busy = False
        self.worker.failed.emit(error)


def pictured(asked: Wanted) -> Picture:
    """Draw a figure and find its marks' places."""
    with DRAWING:
        use_the_programs_font()
        drawn = asked.draw(asked.theme)
        image = picture(drawn, asked.width, asked.height, asked.scale, asked.text)
        places, boxes, labels, queries = [np.empty((0, 2))], [np.empty((0, 4))], list[str](), list[str]()

        def pixels_of(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
            """Return places in logical pixels from the upper left, what is infinite at the axes' edge."""
            (left, right), (low, high) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
            inside = np.column_stack([np.clip(x, left, right), np.clip(y, low, high)])
            moved: NDArray[np.float64] = axes.transData.transform(inside) / asked.scale
            return np.array([0, asked.height]) + moved * [1, -1]

        for marks in drawn.marks:
            pixels = pixels_of(marks.axes, marks.x, marks.y)
            sides = marks.boxes if marks.boxes is not None else np.column_stack([marks.x, marks.y] * 2)
            one, other = (pixels_of(marks.axes, *sides[:, at : at + 2].T) for at in (0, 2))
            places.append(pixels)
            boxes.append(np.hstack([np.minimum(one, other), np.maximum(one, other)]))
            labels += marks.labels
            queries += marks.queries or [""] * len(pixels)
    return Picture(asked, drawn, image, np.concatenate(places), np.concatenate(boxes), labels, queries)


def picture(drawn: Drawn, width: int, height: int, scale: float, text: float = 1) -> QImage:
    """Return a figure as an image of `width` x `height` logical pixels at a screen's and a text's scale."""
    inch = INCH * text
    drawn.figure.set_dpi(inch * scale)
    drawn.figure.set_size_inches(width / inch, height / inch)
    fit(drawn.figure)
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
