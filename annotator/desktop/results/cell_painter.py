"""How a cell of a results table is painted: number or text, bar, estimate on its column's axis, shade."""

from collections.abc import Mapping
from math import inf

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from annotator.desktop.elided import elided, elision
from annotator.desktop.grade_chip import paint_grade
from annotator.desktop.results.grid import CENTRE, LEFT, RIGHT, Grid
from annotator.desktop.results.shades import shades
from annotator.desktop.style import breakable, factor, font
from annotator.evaluation.result_table import Place, is_missing
from annotator.theme import Theme

Index = QModelIndex | QPersistentModelIndex
State = QStyle.StateFlag
PADDING, EDGE = 8, 16
"""The room beside a cell's text; at both edges of the table it is that of the page."""
ROW = 34
WIDEST = 420
LONGEST = 1_400
"""How wide a text is at most, and with room left over."""

PLOT, SHORTEST_PLOT = 72, 32
"""How wide the axis of intervals is beside its number, and at least: with less room it stands below."""

NARROWEST_SHADE = 64

FEW = 80
"""So much of a text that the edge would cut is shown, or nothing."""

FIRST = 200
"""So many rows say how wide the numbers of a column are."""

HIGHEST = 10_000
LINES = LEFT | Qt.TextFlag.TextWordWrap
"""How a sentence stands in its cell."""


class CellPainter(QStyledItemDelegate):
    """Paints a cell: its number or text, a bar for a share, an interval on the axis that its column shares.

    What the edge of the table would cut is shortened to what is in sight, and a column of numbers that have
    no room there shows none of them: no number reads as another one.
    A shaded cell shows its number where `numbers` says so, else under the pointer and where the keys are, and
    its mark always.
    With `one_axis` all columns share one.
    """

    def __init__(self, grid: Grid, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self.grid, self.view = grid, parent
        self.numbers = True
        self.end = inf
        """Where the table ends that is in sight, in pixels of its viewport."""
        self.one_axis = False
        self._below = False
        self._axes: dict[int, tuple[float, float]] = {}
        self._widths: dict[int, int] = {}
        self._widest: dict[int, int] = {}
        grid.modelReset.connect(self._forget)
        self.take_theme(theme)

    def take_theme(self, theme: Theme) -> None:
        """Make the pens and fonts once: a page of a table has hundreds of cells."""
        self.scale = factor()
        self.normal, self.bold = font(), font(weight=QFont.Weight.DemiBold)
        self.digit = font(12, QFont.Weight.DemiBold)
        self.soft, self.panel, self.line = QColor(theme.soft), QColor(theme.panel), QColor(theme.line)
        self.text, self.muted, self.accent = QColor(theme.text), QColor(theme.muted), QColor(theme.accent)
        self.theme = theme
        self.shades = shades(theme)
        self._forget()

    def _forget(self) -> None:
        self._axes.clear()
        self._widths.clear()
        self._widest.clear()

    def px(self, length: float) -> int:
        """Scale a length with the text."""
        return round(length * self.scale)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Ask for the width of the text and the room around it."""
        text = str(index.data() or "")
        width = (
            QFontMetrics(self.bold).horizontalAdvance(text)
            + self.px(6)
            + self._before(index.column())
            + self._behind(index.column())
        )
        if self.grid.column(index.column()).shade is not None:
            width = max(width, self.px(NARROWEST_SHADE))
        elif (self.grid.row_at(index.row()), index.column()) in self.grid.table.intervals:
            width += self.px(PLOT)
        return QSize(min(width, self.px(LONGEST)), self._height(text, index.column()))

    def _height(self, text: str, column: int) -> int:
        """Return the height of a text in its column's width: one line, unless it breaks into more."""
        if not self.grid.column(column).prose:
            return self.px(ROW)
        room = self.view.columnWidth(column) - self._before(column) - self._behind(column)
        metrics = QFontMetrics(self.normal)
        lines = metrics.boundingRect(0, 0, room, HIGHEST, LINES, breakable(text)).height()
        return self.px(ROW) + max(lines - metrics.lineSpacing(), 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        column, cell = self.grid.column(index.column()), self.grid.cell(index)
        rect = QRectF(option.rect)
        number = float(cell) if isinstance(cell, int | float) and not is_missing(cell) else None
        painter.save()
        self._paint_ground(painter, rect, option.state)
        if column.begins:
            painter.fillRect(QRectF(rect.left(), rect.top(), 1, rect.height()), self.line)
        if column.shade is not None:
            self._paint_shade(painter, rect, number, column.shade, option.state, index)
            painter.restore()
            return
        inside = rect.adjusted(self._before(index.column()), 0, -self._behind(index.column()), -1)
        seen = self._seen(inside)
        place = (self.grid.row_at(index.row()), index.column())
        interval = self.grid.table.intervals.get(place)
        if number is not None and interval is not None and seen == inside:
            self._paint_interval(painter, inside, index.column(), number, interval)
        elif number is not None and column.bar and seen == inside:
            self._paint_bar(painter, inside, min(max(number, 0.0), 1.0))
        if self.leaves_out(index.column()):
            pass
        elif number is not None and column.kind == "grade":
            self._paint_grade(painter, seen, int(number))
        else:
            self._paint_text(painter, inside, seen, place, index)
        painter.restore()

    def _seen(self, box: QRectF) -> QRectF:
        """Return the part of a box that is in sight from left to right."""
        left, end = max(box.left(), 0.0), min(float(self.view.viewport().width()), self.end)
        right = min(box.right(), end)
        return QRectF(left, box.top(), max(right - left, 0.0), box.height())

    def leaves_out(self, column: int) -> bool:
        """Say whether a column shows no number: not all of the first ones have room in what is in sight.

        Nor does it show texts where there is room for a few letters alone.
        """
        kind = self.grid.column(column)
        left, wide = self.view.columnViewportPosition(column), self.view.columnWidth(column)
        inside = QRectF(left, 0, wide, 1).adjusted(self._before(column), 0, -self._behind(column), 0)
        seen = self._seen(inside)
        if seen == inside or kind.prose:
            return False
        if kind.kind == "text":
            return seen.width() < min(self.px(FEW), inside.width())
        if column not in self._widest:
            texts = (self.grid.text_at(row, column) for row in range(min(len(self.grid.table), FIRST)))
            self._widest[column] = max(map(QFontMetrics(self.bold).horizontalAdvance, texts), default=0)
        return seen.width() < self._widest[column]

    def _before(self, column: int) -> int:
        return self.px(PADDING) if column else EDGE

    def _behind(self, column: int) -> int:
        return self.px(PADDING) if column < self.grid.columnCount() - 1 else EDGE

    def _bars(self) -> int:
        """Return the length of the bar of 1: the same in all columns, whose bars are compared."""
        return min(
            self.view.columnWidth(at) - self._before(at) - self._behind(at)
            for at, column in enumerate(self.grid.table.columns)
            if column.bar
        )

    def _paint_ground(self, painter: QPainter, rect: QRectF, state: State) -> None:
        selected = bool(state & State.State_Selected)
        painter.fillRect(rect, self.soft if selected else self.panel)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), self.line)
        if state & State.State_HasFocus:
            painter.setPen(self.accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -2))

    def _paint_text(
        self, painter: QPainter, inside: QRectF, seen: QRectF, place: Place, index: Index
    ) -> None:
        best = place in self.grid.best
        missing = is_missing(self.grid.cell(index))
        painter.setPen(self.muted if missing else self.accent if best else self.text)
        painter.setFont(self.bold if best else self.normal)
        if self.grid.column(index.column()).prose:
            painter.drawText(inside, LINES, breakable(str(index.data())))
            return
        text = self._fitting(index.data(), self.bold if best else self.normal, round(inside.width()))
        left = self.grid.column(index.column()).kind == "text"
        painter.drawText(seen, LEFT if left else RIGHT, text if seen == inside else _cut(text, painter, seen))

    def _fitting(self, text: str, font: QFont, room: int) -> str:
        """Return a text as it has room: a name that is cut is still told from the others of the table."""
        shown = QFontMetrics(font).elidedText(text, elision(text), room)
        return shown if shown == text else elided(self.grid.names, font, room).get(text, shown)

    def _paint_bar(self, painter: QPainter, inside: QRectF, share: float) -> None:
        height = self.px(3)
        length = self._bars()
        full = QRectF(inside.right() - length, inside.bottom() - self.px(6), length, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.line)
        painter.drawRoundedRect(full, 1.5, 1.5)
        painter.setBrush(self.accent)
        painter.drawRoundedRect(QRectF(full.left(), full.top(), full.width() * share, height), 1.5, 1.5)

    def _paint_shade(
        self,
        painter: QPainter,
        rect: QRectF,
        number: float | None,
        span: tuple[float, float],
        state: State,
        index: Index,
    ) -> None:
        """Paint a field of the shade that stands for the value; where there is none, a dash."""
        if number is not None:
            painter.fillRect(rect.adjusted(1, 0, -1, -1), self.shades.of(number, span))
        here = bool(state & State.State_HasFocus)
        if here or state & State.State_Selected:
            painter.setPen(QPen(self.text if here else self.accent, 2 if here else 1))
            painter.drawRect(rect.adjusted(2, 1, -2, -2))
        all_of_it = self.numbers or here or number is None or bool(state & State.State_MouseOver)
        mark = self.grid.table.marks.get((self.grid.row_at(index.row()), index.column()), "")
        if words := index.data() if all_of_it else mark:
            painter.setPen(self.muted if number is None else self.text)
            painter.setFont(self.normal)
            seen = self._seen(rect)
            painter.drawText(seen, CENTRE, "" if self.leaves_out(index.column()) else words)

    def choose_places(self, widths: Mapping[int, int]) -> None:
        """Let intervals stand below their numbers where any of these columns has too little room beside."""
        around = 2 * self.px(PADDING)
        free = [width - around - self._number_width(at) for at, width in widths.items()]
        self._below = min(free, default=self.px(PLOT)) < self.px(SHORTEST_PLOT - 4)

    def axis(self, column: int) -> tuple[float, float]:
        """Return the lowest and the highest end of a column's intervals, or of all: their common axis."""
        key = -1 if self.one_axis else column
        if key not in self._axes:
            ends = [
                end
                for (_, at), interval in self.grid.table.intervals.items()
                if key in (-1, at)
                for end in interval
            ]
            self._axes[key] = (min(ends), max(ends))
        return self._axes[key]

    def _number_width(self, column: int) -> int:
        """Return the room that the numbers beside a column's intervals take."""
        if column not in self._widths:
            rows = {row for row, at in self.grid.table.intervals if at == column}
            metrics = QFontMetrics(self.bold)
            texts = (self.grid.text_at(row, column) for row in rows)
            self._widths[column] = max(map(metrics.horizontalAdvance, texts)) + self.px(PADDING)
        return self._widths[column]

    def _paint_interval(
        self, painter: QPainter, inside: QRectF, column: int, value: float, interval: tuple[float, float]
    ) -> None:
        """Paint an estimate as a dot on its interval; where the axis has a zero, a thin line stands there."""
        low, high = self.axis(column)
        radius, middle = self.px(4), inside.center().y()
        width, reach = inside.width() - self._number_width(column), QPointF(0, inside.height() / 2)
        if self._below:
            radius, middle = self.px(2.5), inside.bottom() - self.px(4)
            width, reach = inside.width(), QPointF(0, self.px(4))
        left, width = inside.left() + radius, width - 2 * radius

        def at(number: float) -> QPointF:
            share = (number - low) / (high - low) if high > low else 0.5
            return QPointF(left + width * min(max(share, 0.0), 1.0), middle)

        painter.setPen(QPen(self.line, 1))
        painter.drawLine(QPointF(left, middle), QPointF(left + width, middle))
        if low < 0 < high:
            painter.drawLine(at(0) - reach, at(0) + reach)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.accent, self.px(2)))
        painter.drawLine(at(interval[0]), at(interval[1]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.accent)
        painter.drawEllipse(at(value), radius, radius)

    def _paint_grade(self, painter: QPainter, inside: QRectF, grade: int) -> None:
        size = self.px(22)
        if inside.width() < size:
            return
        chip = QRectF(inside.right() - size, inside.center().y() - size / 2, size, size)
        paint_grade(painter, chip, grade, self.theme, self.digit)


def _cut(words: str, painter: QPainter, seen: QRectF) -> str:
    """Return words with an ellipsis where they would be cut in what is in sight."""
    metrics, room = painter.fontMetrics(), round(seen.width())
    cut = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
    return cut if metrics.horizontalAdvance(cut) <= room else ""  # Qt keeps a single letter
