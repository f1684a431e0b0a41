"""A figure on screen: drawn beside the window's thread, told by the pointer, saved as a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QAction, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QToolTip, QWidget

from annotator.desktop.worker import Worker
from annotator.evaluation.options import Width
from annotator.figures.sheet import DRAWING, Drawn, register_font
from annotator.theme import FONT, Theme

Draw = Callable[[Theme], Drawn]
INCH = 96
WIDTHS: dict[str, Width] = {"one column": "one", "two columns": "two"}
"""How wide a figure is on paper, in words."""
NEAR = 14.0
"""How many pixels the pointer may be away from a mark that it names."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a picture is drawn from: the figure, the theme, logical pixels, and the screen's scale."""

    draw: Draw
    theme: Theme
    width: int
    height: int
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A figure as an image; `places` are its marks in logical pixels from the upper left, float[n, 2]."""

    wanted: Wanted
    drawn: Drawn
    image: QImage
    places: NDArray[np.float64]
    labels: Sequence[str]
    queries: Sequence[str]


class Canvas(QWidget):
    """Shows one figure at a time and draws it again for a new size or theme, once that is looked at.

    `figure_shown` follows each drawing; `query_wanted(id)` is a click on a mark that stands for a query;
    `saved(words)` follows `save` and says where the file is. A right click offers it.
    """

    figure_shown = Signal()
    query_wanted = Signal(str)
    saved = Signal(str)

    def __init__(self, worker: Worker, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(180, 160)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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

    @property
    def drawn(self) -> Drawn | None:
        """The figure on show, as it was drawn for the screen."""
        shown = self._picture
        return shown.drawn if shown and shown.wanted.draw is self._draw else None

    def show_figure(self, draw: Draw, title: str) -> None:
        """Draw a figure; the title is what a screen reader says."""
        self._draw = draw
        self.setAccessibleName(title)
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        self._draw = self._picture = self._tried = None
        self.update()

    def theme_changed(self, theme: Theme) -> None:
        """Draw again in another theme."""
        self._theme = theme
        self.update()

    def save(self, path: str, width: Width = "one") -> None:
        """Write the figure for a paper as PDF, SVG or PNG, by the ending, always the same bytes."""
        from annotator.project.report_files import write_figure

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
        asked = Wanted(self._draw, self._theme, self.width(), self.height(), scale)
        if asked != self._tried and not self.busy:
            self._tried, self.busy = asked, True
            self.worker.start(self, lambda *_: pictured(asked), self._show, self._failed)
        if self._picture is not None and self._picture.wanted.theme is self._theme:
            painter = QPainter(self)
            painter.drawImage(0, 0, self._picture.image)
            painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the mark under the pointer."""
        mark = self.mark_at(event.position())
        opens = mark is not None and bool(mark[1])
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        if mark:
            QToolTip.showText(event.globalPosition().toPoint(), mark[0], self)
        else:
            QToolTip.hideText()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask for the query of the clicked mark."""
        mark = self.mark_at(event.position())
        if mark and mark[1]:
            self.query_wanted.emit(mark[1])

    def mark_at(self, place: QPointF) -> tuple[str, str] | None:
        """Return the label and the query's id ("" for none) of the nearest mark, if near enough."""
        shown = self._picture
        if shown is None or not len(shown.places):
            return None
        away = np.hypot(*(shown.places - (place.x(), place.y())).T)
        at = int(np.where(np.isnan(away), np.inf, away).argmin())
        return (shown.labels[at], shown.queries[at]) if away[at] <= NEAR else None

    def _show(self, picture: Picture) -> None:
        self.busy = False
        if self._draw is not None:
            self._picture = picture
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
        image = picture(drawn, asked.width, asked.height, asked.scale)
        places, labels, queries = [np.empty((0, 2))], list[str](), list[str]()
        for marks in drawn.marks:
            pixels = marks.axes.transData.transform(np.column_stack([marks.x, marks.y])) / asked.scale
            places.append(np.array([0, asked.height]) + pixels * [1, -1])
            labels += marks.labels
            queries += marks.queries or [""] * len(pixels)
    return Picture(asked, drawn, image, np.concatenate(places), labels, queries)


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
