"""The list of queries at the left: text, progress in figures and as a bar."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
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

from annotator.desktop.grade.query_model import ROW, QueryModel
from annotator.desktop.style import Weight, font, px
from annotator.project.views import QueryRow
from annotator.theme import STEPS, Theme

HEIGHT = 40


class QueryDelegate(QStyledItemDelegate):
    """Paints one line of the list."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the ground, the text, and the progress."""
        theme, box = self.theme, QRectF(option.rect)
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.fillRect(box, QColor(theme.soft if chosen else theme.panel))
        painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), QColor(theme.line))
        if chosen and index.column() == 0:
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), QColor(theme.accent))
        row = index.data(ROW)
        if isinstance(row, QueryRow):
            inner = box.adjusted(STEPS[1], 0, -STEPS[0], 0)
            if index.column() == 0:
                self._paint_text(painter, inner, row, chosen)
            else:
                self._paint_progress(painter, inner, row)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the one height of all lines."""
        return QSize(0, px(HEIGHT))

    def _paint_text(self, painter: QPainter, box: QRectF, row: QueryRow, chosen: bool) -> None:
        painter.setFont(font(13, Weight.DemiBold if chosen else Weight.Normal))
        painter.setPen(QColor(self.theme.text))
        text = painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideRight, round(box.width()))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_progress(self, painter: QPainter, box: QRectF, row: QueryRow) -> None:
        painter.setFont(font(12))
        painter.setPen(QColor(self.theme.muted))
        text = box.adjusted(0, 0, 0, -4)
        painter.drawText(
            text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"{row.decided}/{row.pool}"
        )
        bar = QRectF(box.left(), box.bottom() - px(8), box.width(), 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.line))
        painter.drawRoundedRect(bar, 1.5, 1.5)
        if row.pool and row.decided:
            bar.setWidth(bar.width() * min(1, row.decided / row.pool))
            painter.setBrush(QColor(self.theme.accent))
            painter.drawRoundedRect(bar, 1.5, 1.5)


class QueryList(QTableView):
    """Shows the model; a click or Enter chooses a query."""

    query_chosen = Signal(int)

    def __init__(self, model: QueryModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
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
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
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
        self.horizontalHeader().resizeSection(1, px(84))
        self.viewport().update()

    def _choose(self, index: QModelIndex) -> None:
        self.query_chosen.emit(self.queries.key_of(index.row()))
