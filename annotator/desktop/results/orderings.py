"""Two orderings of one query side by side, the same candidates joined by lines."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotator.desktop.elided import elided
from annotator.desktop.grade_chip import paint_grade
from annotator.desktop.style import font, px, tip
from annotator.metrics.explanation import Explanation, Row
from annotator.project.evidence import Evidence, Standing
from annotator.project.views import EMPTY_ANSWER
from annotator.text.visible import visible
from annotator.theme import Theme

ROW = 34
HEAD = 28
GAP = 72
CHIP = 22
SHOWN = 20
FEWEST_IDEAL = 5


class Orderings(QWidget):
    """Paints both orderings of one query; a click on an unjudged candidate asks to judge it.

    `candidate_wanted(key)` is the click.
    """

    candidate_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._actual: tuple[Standing, ...] = ()
        self._ideal: tuple[Standing, ...] = ()
        self._titles = ("Ranking", "Ideal ordering")
        self._names: tuple[str, ...] = ()
        self._explanation: Explanation | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_evidence(self, evidence: Evidence) -> None:
        """Show a system's ranking beside the ideal ordering."""
        worth_showing = max(len(evidence.actual), FEWEST_IDEAL)
        title = "Ideal ordering" if evidence.ideal else ""
        self.show_rankings(evidence.system, evidence.actual, title, evidence.ideal[:worth_showing])
        self._explanation = evidence.explanation

    def show_rankings(
        self, first: str, left: tuple[Standing, ...], second: str, right: tuple[Standing, ...]
    ) -> None:
        """Show two rankings, each with its title."""
        self._titles = (first, second)
        self._actual, self._ideal = left[:SHOWN], right[:SHOWN]
        self._names = tuple(sorted({one.title or one.name for one in (*self._actual, *self._ideal)}))
        self._explanation = None
        self.setAccessibleName(visible(f"{first}: " + ", ".join(spoken(one) for one in self._actual)))
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self._theme = theme
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for the height of the longer ordering."""
        rows = max(len(self._actual), len(self._ideal), 1)
        return QSize(px(360), px(HEAD + ROW * rows + 4))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the joining lines, then both columns."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_joins(painter)
        for side, (title, rows) in enumerate(zip(self._titles, (self._actual, self._ideal), strict=True)):
            painter.setFont(font(11, QFont.Weight.DemiBold))
            painter.setPen(QColor(self._theme.muted))
            shown = elided(self._titles, painter.font(), round(self._width()))[title]
            painter.drawText(QRectF(self._left(side), 0, self._width(), px(HEAD)), _LEFT, shown)
            for at, standing in enumerate(rows):
                self._paint_row(painter, self._box(side, at), at + 1, standing)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what a rank gains and loses."""
        at = self._row_at(event.position())
        opens = at is not None and self._actual[at].grade is None
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        if at is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), tip(self._words(at)), self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask to judge an unjudged candidate."""
        at = self._row_at(event.position())
        if at is not None and self._actual[at].grade is None:
            self.candidate_wanted.emit(self._actual[at].candidate)

    def _words(self, at: int) -> str:
        standing = self._actual[at]
        lines = (
            [f"{at + 1}. {standing.name}", standing.title]
            if standing.title
            else [f"{at + 1}. {standing.name}"]
        )
        rows = self._explanation.rows if self._explanation else ()
        named = (row for row in rows if row.candidate is not None)  # `judged_only` leaves ranks out
        lines += [_worth(row) for row in named if (row.candidate or EMPTY_ANSWER) == standing.name]
        if standing.grade is None:
            lines.append("Unjudged: click to judge it")
        return "\n".join(lines)

    def _row_at(self, place: QPointF) -> int | None:
        for at in range(len(self._actual)):
            if self._box(0, at).contains(place):
                return at
        return None

    def _width(self) -> float:
        return (self.width() - px(GAP)) / 2

    def _left(self, side: int) -> float:
        return side * (self._width() + px(GAP))

    def _box(self, side: int, at: int) -> QRectF:
        return QRectF(self._left(side), px(HEAD + ROW * at), self._width(), px(ROW - 4))

    def _paint_row(self, painter: QPainter, box: QRectF, rank: int, standing: Standing) -> None:
        theme = self._theme
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(11))
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(box.left() + px(8), box.top(), px(22), box.height()), _LEFT, str(rank))
        chip = QRectF(box.right() - px(CHIP + 5), box.center().y() - px(CHIP) / 2, px(CHIP), px(CHIP))
        paint_grade(painter, chip, standing.grade, theme, font(12, QFont.Weight.DemiBold))
        painter.setFont(font())
        painter.setPen(QColor(theme.text))
        text = QRectF(box.left() + px(32), box.top(), chip.left() - box.left() - px(40), box.height())
        shown = elided(self._names, painter.font(), round(text.width()))
        painter.drawText(text, _LEFT, shown[standing.title or standing.name])

    def _paint_joins(self, painter: QPainter) -> None:
        places = {one.candidate: at for at, one in enumerate(self._ideal)}
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for at, one in enumerate(self._actual):
            if one.candidate not in places:
                continue
            start = QPointF(self._box(0, at).right(), self._box(0, at).center().y())
            end_box = self._box(1, places[one.candidate])
            end = QPointF(end_box.left(), end_box.center().y())
            middle = (start.x() + end.x()) / 2
            path = QPainterPath(start)
            path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end)
            grade = one.grade
            colour = self._theme.muted if grade is None else self._theme.grades[min(max(grade, 0), 5)]
            painter.setPen(QPen(QColor(colour), 1.6))
            painter.drawPath(path)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _worth(row: Row) -> str:
    """Say what a rank gains, and what it adds and loses where that is known."""
    parts = [f"gain {row.gain:g}"]
    parts += [] if row.contribution is None else [f"contributes {row.contribution:.4f}"]
    parts += [] if row.loss is None else [f"loses {row.loss:.4f}"]
    return ", ".join(parts)


def spoken(standing: Standing) -> str:
    """Return a candidate as a screen reader says it."""
    return f"{standing.name} {'unjudged' if standing.grade is None else f'grade {standing.grade}'}"
