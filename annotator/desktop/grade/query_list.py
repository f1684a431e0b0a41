"""The list of queries at the left: text, progress in figures and as a bar."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from annotator.desktop.grade.query_model import ROW, Line, QueryModel, counted_as
from annotator.desktop.style import Weight, font, px, wrapped
from annotator.text.direction import from_the_right
from annotator.text.templates import short
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

HEIGHT = 46
"""Of a line in the list: room for two lines of the query's text."""

WIDTHS = (54, 52)
"""Of the columns of figures; the text has the rest."""


class QueryDelegate(QStyledItemDelegate):
    """Paints one line of the list."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self._list = parent

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the ground, the text, and the progress."""
        theme, box = self.theme, QRectF(option.rect)
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.fillRect(box, QColor(theme.soft if chosen else theme.panel))
        focused = chosen and self._list.hasFocus()
        for y in (box.top(), box.bottom() - 1) if focused else (box.bottom() - 1,):
            edge = QRectF(box.left(), y, box.width(), 1)
            painter.fillRect(edge, QColor(theme.accent if focused else theme.line))
        if chosen and index.column() == 0:
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), QColor(theme.accent))
        line = index.data(ROW)
        if isinstance(line, Line):
            inner = box.adjusted(STEPS[0] if index.column() else STEPS[2], 0, -STEPS[0], 0)
            if index.column() == 0:
                self._paint_text(painter, inner, visible(short(line.row.title)), chosen)
            elif index.column() == 1:
                part = line.row.decided / line.row.pool if line.row.pool else 0
                self._paint_figure(
                    painter, inner, counted_as(line.row.decided, line.row.pool), part, theme.muted
                )
            elif line.score is None:
                self._paint_figure(painter, inner, "–", 0, theme.muted)
            else:
                self._paint_figure(painter, inner, f"{line.score:.3f}", line.score, theme.accent)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the one height of all lines."""
        return QSize(0, px(HEIGHT))

    def _paint_text(self, painter: QPainter, box: QRectF, text: str, chosen: bool) -> None:
        painter.setFont(font(13, Weight.DemiBold if chosen else Weight.Normal))
        painter.setPen(QColor(self.theme.text))
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # its signs stand where it ends
        lines = wrapped(text, painter.fontMetrics(), round(box.width()), 2)
        side = Qt.AlignmentFlag.AlignRight if from_the_right(text) else Qt.AlignmentFlag.AlignLeft
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | side, "\n".join(lines))

    def _paint_figure(self, painter: QPainter, box: QRectF, text: str, part: float, colour: str) -> None:
        """Paint a figure and beneath it a bar filled to its part of the whole."""
        painter.setFont(font(12))
        painter.setPen(QColor(self.theme.muted if text == "–" else self.theme.text))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(box.adjusted(0, 0, 0, -4), right, text)
        bar = QRectF(box.left(), box.bottom() - px(8), box.width(), 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.line))
        painter.drawRoundedRect(bar, 1.5, 1.5)
        if part > 0:
            bar.setWidth(bar.width() * min(1, part))
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(bar, 1.5, 1.5)


class QueryList(QTableView):
    """Shows the model; a click or Enter chooses a query."""

    query_chosen = Signal(int)

    def __init__(self, model: QueryModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "edge")  # before its header is there, whose style it chooses
        self.queries = model
        self.setModel(model)
        self._delegate = QueryDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName("Queries")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)  # the header cuts no query
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setAccessibleName("Columns of the query list")
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self._count = ""
        model.widened.connect(self._widen)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.theme_changed(theme)

    def show_query(self, key: int) -> None:
        """Mark a query and bring it into sight; nothing is announced."""
        row = self.queries.row_of(key)
        if row is None:
            self.clearSelection()
            return
        index = self.queries.index(row, 0)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours or another text size."""
        self._delegate.theme = theme
        self.verticalHeader().setDefaultSectionSize(px(HEIGHT))
        for column, width in enumerate(WIDTHS, start=1):
            self.horizontalHeader().resizeSection(column, px(width))
        self._widen(self._count)
        self.scrollTo(self.currentIndex())
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the query in front in sight."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def _widen(self, count: str) -> None:
        """Make room for the longest count there may be: none is cut."""
        self._count = count
        room = QFontMetrics(font(12)).horizontalAdvance(count) + 2 * STEPS[0] + 2
        self.horizontalHeader().resizeSection(1, max(px(WIDTHS[0]), room))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy all lines on Ctrl+C."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.queries.copy()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        self.query_chosen.emit(self.queries.key_of(index.row()))
