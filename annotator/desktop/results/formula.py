"""A formula on screen, painted from its outline in the colour of the text."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.desktop.style import factor
from annotator.figures.formulas import formula_path
from annotator.theme import Theme

MOVE, LINE, QUADRATIC, CUBIC, CLOSE = 1, 2, 3, 4, 79
"""Matplotlib's codes of a path's segments."""


class FormulaLabel(QWidget):
    """Shows one formula given in TeX; narrower than the formula, it is painted smaller."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._path = QPainterPath()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_formula(self, tex: str) -> None:
        """Show another formula; "" shows none. A screen reader reads the TeX."""
        self._path = outline(tex) if tex else QPainterPath()
        self.setAccessibleName(tex)
        self.updateGeometry()
        self.update()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for the formula's size."""
        box = self._path.boundingRect()
        return QSize(round(box.width() * factor()) + 2, round(box.height() * factor()) + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the formula."""
        box = self._path.boundingRect()
        if box.isEmpty():
            return
        scale = min(factor(), self.width() / (box.width() + 2))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(1 - box.left(), 1 - box.top())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.text))
        painter.drawPath(self._path)
        painter.end()


def outline(tex: str) -> QPainterPath:
    """Return the outline of a formula in Qt's terms, y downwards."""
    made = QPainterPath()
    made.setFillRule(Qt.FillRule.WindingFill)
    for points, code in formula_path(tex).iter_segments(simplify=False):
        if code == MOVE:
            made.moveTo(*points)
        elif code == LINE:
            made.lineTo(*points)
        elif code == QUADRATIC:
            made.quadTo(*points)
        elif code == CUBIC:
            made.cubicTo(*points)
        elif code == CLOSE:
            made.closeSubpath()
    return QTransform.fromScale(1, -1).map(made)
