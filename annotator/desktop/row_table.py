"""A plain table of texts for dialogs, and what Ctrl+C in any table puts on the clipboard."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from math import ceil

from PySide6.QtCore import QEvent, QLocale, QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from annotator.desktop.clipboard import qt_mime
from annotator.desktop.style import breakable, px, tip
from annotator.text.formulas import harmless
from annotator.text.templates import beginning
from annotator.text.visible import visible

ROW = 30
PADDING = 9
"""At most this is left and right of the text of a cell."""

SHORT, SHORTS = 180, 0.75
"""Columns that want no more keep all of it, the narrowest first, while that leaves the others their share."""

ROUNDED = 2
"""So many pixels more Qt wants for words than they are wide."""

LOOKED_AT = 1000
"""So many rows say how wide a column is, as in Qt."""

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TextTable(QTableWidget):
    """A table of texts that nobody edits; Ctrl+C copies all its rows."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        self.horizontalHeader().setHighlightSections(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy all rows that hold something on Ctrl+C."""
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
            return
        model, columns = self.model(), range(self.columnCount())
        head = [str(model.headerData(at, Qt.Orientation.Horizontal)) for at in columns]
        rows = [[model.index(row, at).data() or "" for at in columns] for row in range(self.rowCount())]
        rows = [row for row in rows if any(row)]
        to_clipboard(head, [[on_one_line(text) for text in row] for row in rows], rows)


AT_FIRST = range(2, 11)
"""So many rows a table has room for when it is first shown; of more it scrolls."""

LEAST = 116
"""Where there is no room for all, a column of texts has room for its longest word, or for so much of it."""


class Breaking(QStyledItemDelegate):
    """Lets long words of a cell break; what is copied stays as it is."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Return a text as it is shown."""
        return breakable(super().displayText(value, locale))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the room a text needs within the cell's padding, which Qt forgets where lines break."""
        option.rect = option.rect.adjusted(0, 0, -2 * px(PADDING), 0)
        return super().sizeHint(option, index)


class Rows(TextTable):
    """Rows of texts, of which one at a time is chosen; column `wide` takes the space that is left.

    Where columns have not the width that they want, those of texts give way alike: nothing is cut, or
    wrapped, beside free room. Columns of `numbers` stand at the right. With `wraps` rows are as high as their
    texts need.
    """

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        parent: QWidget,
        wide: int = -1,
        numbers: Collection[int] = (),
        wraps: bool = False,
    ) -> None:
        super().__init__(name, parent)
        self.takes_rest = wide % len(columns)
        self._numbers = numbers
        self.wide: list[int] = []
        self.least: list[int] = []
        self.setColumnCount(len(columns))
        self.setHorizontalHeaderLabels(list(columns))
        for column in numbers:
            role = Qt.ItemDataRole.TextAlignmentRole
            self.model().setHeaderData(column, Qt.Orientation.Horizontal, RIGHT, role)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setWordWrap(wraps)
        if wraps:
            self.setItemDelegate(Breaking(self))
            self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
            self.verticalHeader().setMinimumSectionSize(px(ROW))
            self._fit = QTimer(self, singleShot=True, interval=0)  # when the columns have their widths
            self._fit.timeout.connect(self._fit_rows)
            self.horizontalHeader().sectionResized.connect(lambda *_: self._fit.start())
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.horizontalHeader().ensurePolished()
        self.show_rows([])  # also while nothing is known the headings are whole

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows, the first of them chosen."""
        self.setRowCount(len(rows))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(visible(beginning(text)))
                item.setToolTip(tip(text))
                if column in self._numbers:
                    item.setTextAlignment(RIGHT)
                self.setItem(row, column, item)
        self.fit()
        if self.wordWrap():
            self._fit.start()
        if rows:
            self.selectRow(0)
        self.updateGeometry()

    def look(self) -> None:
        """Find out how wide what stands in each column is, and what it keeps at least."""
        heading, long = self.horizontalHeader().sectionSizeHint, self.fontMetrics().horizontalAdvance
        self.wide, self.least = [], []
        for at in range(self.columnCount()):
            texts = [self.model().index(row, at).data() or "" for row in range(self.rowCount())[:LOOKED_AT]]
            whole, word = (max(map(long, parts), default=0) for parts in (texts, " ".join(texts).split()))
            cells = self.sizeHintForColumn(at)
            wide, kept = max(cells, heading(at)), min(cells - whole + word + ROUNDED, px(LEAST))
            self.wide.append(wide)
            self.least.append(wide if at in self._numbers else min(wide, max(kept, heading(at))))

    def fit(self) -> None:
        """Give each column what it wants, or its share of what there is, by what stands there now."""
        self.look()
        self.share()

    def share(self) -> None:
        """Share the width out by what stood in the columns when they were looked at."""
        room = self.viewport().width()
        columns = [at for at in range(len(self.wide)) if not self.isColumnHidden(at)]
        wide, least = ([each[at] for at in columns] for each in (self.wide, self.least))
        widths = shared(wide, short_whole(wide, least, px(SHORT), round(room * SHORTS)), room)
        spare = max(room - sum(widths), 0)
        for at, width in zip(columns, widths, strict=True):
            self.setColumnWidth(at, width + spare * (at == self.takes_rest))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another width out."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.share()

    def changeEvent(self, event: QEvent) -> None:
        """Give rows the height of another text size, also while they are in sight."""
        super().changeEvent(event)
        heads = self.verticalHeader()
        if event.type() == QEvent.Type.StyleChange and heads.defaultSectionSize() != px(ROW):
            heads.setDefaultSectionSize(px(ROW))
            self.fit()
            if self.wordWrap():
                heads.setMinimumSectionSize(px(ROW))
                self._fit.start()
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return room for the rows there are, within limits."""
        return QSize(
            super().sizeHint().width(), self._high(min(max(self.rowCount(), AT_FIRST[0]), AT_FIRST[-1]))
        )

    def minimumSizeHint(self) -> QSize:
        """Return room for two rows, if there are so many."""
        return QSize(super().minimumSizeHint().width(), self._high(min(max(self.rowCount(), 1), 2)))

    def _high(self, rows: int) -> int:
        around = self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth()
        there = min(rows, self.rowCount())
        high = sum(map(self.rowHeight, range(there)))
        return high + self.verticalHeader().defaultSectionSize() * (rows - there) + around

    def _fit_rows(self) -> None:
        self.resizeRowsToContents()
        self.updateGeometry()

    def chosen(self) -> int | None:
        """Return the number of the chosen row, None without one."""
        chosen = self.selectionModel().selectedRows()
        return chosen[0].row() if chosen else None


def short_whole(wide: Sequence[int], least: Sequence[int], short: int, room: int) -> list[int]:
    """Return the least widths, where columns that want no more than `short` keep that, the narrowest first.

    They do so while all that is kept has room.

    >>> short_whole([100, 150, 400], [60, 60, 100], 180, 260)
    [100, 60, 100]
    """
    kept = list(least)
    for at in sorted(range(len(wide)), key=wide.__getitem__):
        if wide[at] <= short and sum(kept) - kept[at] + wide[at] <= room:
            kept[at] = wide[at]
    return kept


def shared(wide: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return the width that each of some columns has of so much room: what it wants, or its share.

    Where not all have what they want, what each would have beyond its least gives way alike.

    >>> shared([100, 300, 500], [100, 100, 100], 600)
    [100, 200, 300]
    """
    wanted = [max(min(one, room), kept) for one, kept in zip(wide, least, strict=True)]
    gives = sum(wanted) - sum(least)
    share = min(max(sum(wanted) - room, 0) / gives, 1) if gives else 0
    return [one - ceil((one - kept) * share) for one, kept in zip(wanted, least, strict=True)]


def on_one_line(text: str) -> str:
    """Return a text as one cell of TSV that no spreadsheet takes for a formula."""
    return harmless(" ".join(text.split()))


def to_clipboard(
    head: Iterable[str], values: Iterable[Iterable[str]], shown: Iterable[Iterable[str]]
) -> None:
    """Put a table on the clipboard: its values as TSV for a spreadsheet, as it is shown as HTML."""
    head = list(head)
    lines = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in shown]
    lines.insert(0, "".join(f"<th>{escape(text)}</th>" for text in head))
    mime = qt_mime()
    mime.setText("".join("\t".join(row) + "\n" for row in (map(harmless, head), *values)))
    mime.setHtml(f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>")
    QGuiApplication.clipboard().setMimeData(mime)
