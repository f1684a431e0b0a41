"""How a cell of a results table is painted: number or text, bar, small histogram, interval below."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotator.desktop.grade_chip import paint_grade
from annotator.desktop.results.grid import LEFT, RIGHT, Grid
from annotator.desktop.style import factor, font, mixed
from annotator.evaluation.result_table import is_missing
from annotator.theme import Theme

Index = QModelIndex | QPersistentModelIndex
PADDING, EDGE = 8, 16
"""The room beside a cell's text; at the left of the first column it is that of the page."""
ROW = 34
TALL_ROW = 52
WIDEST = 420
INTERVAL = 148


class CellPainter(QStyledItemDelegate):
    """Paints a cell: its number or text, a bar for a share, a small histogram, the interval below."""

    def __init__(self, grid: Grid, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.grid = grid
        self.take_theme(theme)

    def take_theme(self, theme: Theme) -> None:
        """Make the pens and fonts once: a page of a table has hundreds of cells."""
        self.scale = factor()
        self.normal, self.bold = font(), font(weight=QFont.Weight.DemiBold)
        self.small, self.digit = font(11), font(12, QFont.Weight.DemiBold)
        self.soft, self.panel, self.line = QColor(theme.soft), QColor(theme.panel), QColor(theme.line)
        self.text, self.muted, self.accent = QColor(theme.text), QColor(theme.muted), QColor(theme.accent)
        self.theme = theme
        self.pale = mixed(theme.panel, theme.accent, 0.45)

    def px(self, length: float) -> int:
        """Scale a length with the text."""
        return round(length * self.scale)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Ask for the width of the text and the room around it."""
        text = str(index.data() or "")
        width = (
            QFontMetrics(self.bold).horizontalAdvance(text)
            + self.px(2 * PADDING + 6)
            + self._before(index)
            - self.px(PADDING)
        )
        if (self.grid.row_at(index.row()), index.column()) in self.grid.table.intervals:
            width = max(width, self.px(INTERVAL))
        return QSize(min(width, self.px(WIDEST)), self.px(TALL_ROW if self.grid.table.intervals else ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        column, cell = self.grid.column(index.column()), self.grid.cell(index)
        rect = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, rect, option.state)
        inside = rect.adjusted(self._before(index), 0, -self.px(PADDING), -1)
        place = (self.grid.row_at(index.row()), index.column())
        if place in self.grid.table.spreads:
            self._paint_spread(painter, inside, self.grid.table.spreads[place])
        number = float(cell) if isinstance(cell, int | float) and not is_missing(cell) else None
        if number is not None and column.bar:
            self._paint_bar(painter, inside, min(max(number, 0.0), 1.0))
        if number is not None and column.kind == "grade":
            self._paint_grade(painter, inside, int(number))
        else:
            self._paint_text(painter, inside, place, index)
        painter.restore()

    def _before(self, index: Index) -> int:
        return self.px(PADDING if index.column() else EDGE)

    def _paint_ground(self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag) -> None:
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, self.soft if selected else self.panel)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), self.line)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self.accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -2))

    def _paint_text(self, painter: QPainter, inside: QRectF, place: tuple[int, int], index: Index) -> None:
        box = inside
        interval = self.grid.table.intervals.get(place)
        if interval is not None:
            box = QRectF(inside.left(), inside.top() + self.px(6), inside.width(), self.px(20))
            self._paint_interval(painter, inside, interval)
        best = place in self.grid.best
        missing = is_missing(self.grid.cell(index))
        painter.setPen(self.muted if missing else self.accent if best else self.text)
        painter.setFont(self.bold if best else self.normal)
        text = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, round(box.width()))
        left = self.grid.column(index.column()).kind == "text"
        painter.drawText(box, LEFT if left else RIGHT, text)

    def _paint_bar(self, painter: QPainter, inside: QRectF, share: float) -> None:
        height = self.px(3)
        full = QRectF(inside.left(), inside.bottom() - self.px(6), inside.width(), height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.line)
        painter.drawRoundedRect(full, 1.5, 1.5)
        painter.setBrush(self.accent)
        painter.drawRoundedRect(QRectF(full.left(), full.top(), full.width() * share, height), 1.5, 1.5)

    def _paint_spread(self, painter: QPainter, inside: QRectF, counts: tuple[int, ...]) -> None:
        """Paint the histogram small at the left: how the queries spread behind the mean."""
        box = QRectF(inside.left(), inside.top() + self.px(8), self.px(44), self.px(22))
        step, top = box.width() / len(counts), max(1, *counts)
        for at, count in enumerate(counts):
            height = box.height() * count / top
            painter.fillRect(
                QRectF(box.left() + at * step, box.bottom() - height, step - 0.5, height), self.pale
            )

    def _paint_interval(self, painter: QPainter, inside: QRectF, interval: tuple[float, float]) -> None:
        painter.setFont(self.small)
        painter.setPen(self.muted)
        box = QRectF(inside.left(), inside.top() + self.px(26), inside.width(), self.px(18))
        painter.drawText(box, RIGHT, f"{interval[0]:.3f} – {interval[1]:.3f}")

    def _paint_grade(self, painter: QPainter, inside: QRectF, grade: int) -> None:
        size = self.px(22)
        chip = QRectF(inside.right() - size, inside.center().y() - size / 2, size, size)
        paint_grade(painter, chip, grade, self.theme, self.digit)
