"""The chip of a grade, wherever one is painted: a rounded square with a digit or a sign in it."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from annotator.grades import HIGHEST
from annotator.theme import Theme

RADIUS = 5


def paint_chip(
    painter: QPainter,
    box: QRectF,
    sign: str,
    letters: QFont,
    fill: str | QColor,
    ink: str | QColor,
    edge: QPen | Qt.PenStyle = Qt.PenStyle.NoPen,
    radius: float = RADIUS,
) -> None:
    """Paint a square with a sign in its middle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(edge)
    painter.setBrush(QColor(fill))
    painter.drawRoundedRect(box, radius, radius)
    painter.setFont(letters)
    painter.setPen(QColor(ink))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, sign)


def paint_grade(painter: QPainter, box: QRectF, grade: int | None, theme: Theme, letters: QFont) -> None:
    """Paint a grade in its colour, an unjudged candidate as an empty chip."""
    if grade is None:
        dashed = QPen(QColor(theme.muted), 1, Qt.PenStyle.DashLine)
        paint_chip(painter, box, "?", letters, QColor(Qt.GlobalColor.transparent), theme.muted, dashed)
    else:
        colour = theme.grades[min(max(grade, 0), HIGHEST)]
        paint_chip(painter, box, str(grade), letters, colour, theme.on_grade)
