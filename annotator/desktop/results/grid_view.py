"""The table widget of the results pages: painted cells with bars, sorting, copying, the keyboard."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from annotator.desktop.results.cell_painter import EDGE, PADDING, ROW, WIDEST, CellPainter
from annotator.desktop.results.column_widths import NARROWEST, Widths, least_widths, readable, widths_in
from annotator.desktop.results.grid import Grid
from annotator.desktop.results.headings import Headings
from annotator.desktop.results.side_sheet import GAP, end_of
from annotator.desktop.row_table import on_one_line, to_clipboard
from annotator.desktop.style import breakable, prose, px
from annotator.evaluation.result_table import Cell, Table, exact, plain, rows_of, shown, with_ends
from annotator.text.visible import visible
from annotator.theme import Theme

TURNS = 4
"""A scroll bar that comes or goes leaves another room, so often at most."""

MEASURED_ROWS, MEASURED_CELLS = 200, 4_000
"""So many rows of a text, and so many cells altogether, say how wide columns are: numbers are alike."""

SEARCHED_ROWS = 10_000
"""In a longer table a typed letter looks for nothing: Qt would ask for every cell of the column."""


class GridView(QTableView):
    """A table of results. `opened(row, column)` is a click or Enter on a cell, in the table's own rows.

    Its caption stands below the last row, or below all that scrolls where the rows leave no room for it, and
    nowhere while it is `terse`; `empty` is what a table without rows says. `highest_first` names the column
    that orders a new table, whose heading shows it, until the user sorts by another. With `at_least` it is
    never lower than so many rows need.
    """

    opened = Signal(int, int)
    fitted = Signal()
    """Follows a measuring of the columns, which may take another width from then on."""

    def __init__(
        self,
        name: str,
        theme: Theme,
        parent: QWidget | None = None,
        empty: str = "Nothing to show.",
        highest_first: int = -1,
        at_least: int = 0,
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "edge")  # before its header is there, whose style it chooses
        self.empty = empty
        self.terse = False
        self._highest_first, self._at_least = highest_first, at_least
        self.grid = Grid(self)
        self.painter = CellPainter(self.grid, theme, self)
        self._widths = Widths((), (), ())
        self._fits = True
        self._arranging = False
        self._width = self._least = 0
        self.caption = prose("", "muted", self)
        self.caption.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setHorizontalHeader(Headings(self.grid, self))
        self.setModel(self.grid)
        self.setItemDelegate(self.painter)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)  # Tab leads out of the table
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        # One of its own, always empty: the header would look at every row of what is selected.
        self.horizontalHeader().setSelectionModel(QItemSelectionModel(self.grid, self.horizontalHeader()))
        self.horizontalHeader().setSortIndicatorClearable(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.horizontalHeader().sortIndicatorChanged.connect(self._fit_heading)
        for part in (self, self.horizontalHeader()):  # other cells and headings are cut
            self.horizontalScrollBar().valueChanged.connect(part.viewport().update)
        self.clicked.connect(self._open)

    def show_table(self, table: Table) -> None:
        """Show another table; its columns get the width of what they hold.

        Where only the figures are new, the widths, the current cell and what is in sight stay.
        """
        same = table.columns == self.grid.table.columns
        current, before = self.currentIndex(), self.grid.table
        named = same and plain(table.data[0]) == plain(before.data[0]) if table.columns else same
        row = self.grid.row_at(current.row()) if same and current.isValid() else len(table)
        self.grid.show(table)
        policies = Qt.FocusPolicy  # without a row nothing would show who has the keys
        self.setFocusPolicy(policies.StrongFocus if len(table) else policies.NoFocus)
        if row < len(table) and table.data[0][row] == before.data[0][row]:
            self._keep_current(row, current.column())
        self.setAccessibleDescription(visible(table.caption if len(table) else self.words()))
        self._fit_rows()
        if not same:
            first = self._highest_first if len(table.columns) > self._highest_first else -1
            self.sortByColumn(first, Qt.SortOrder.DescendingOrder)  # also where the last one had this order
        if not named:
            self.fit()
        elif table.caption != before.caption:
            self.updateGeometries()

    def _keep_current(self, row: int, column: int) -> None:
        place, seen = self.grid.place_of(row), self.verticalScrollBar().value()
        if place is not None:
            self.setCurrentIndex(self.grid.index(place, column))
            self.verticalScrollBar().setValue(seen)

    def fit(self) -> None:
        """Give every column the width of its heading and of its first rows."""
        self._fits = True
        count = self.grid.columnCount()
        rows = max(MEASURED_CELLS // max(count, 1), 4)
        self.horizontalHeader().setResizeContentsPrecision(min(rows, MEASURED_ROWS))
        self.resizeColumnsToContents()
        self.horizontalHeader().setResizeContentsPrecision(MEASURED_ROWS)
        for at in range(count):
            if rows < MEASURED_ROWS and self.grid.column(at).kind == "text":
                self.resizeColumnToContents(at)
        bare = [self.columnWidth(at) for at in range(count)]
        whole = [max(width, px(NARROWEST)) for width in bare]
        wide = [min(width, px(WIDEST)) for width in whole]
        heading = self.horizontalHeader().sectionSizeHint
        tight = [min(width, px(WIDEST)) for width in bare]
        self._widths = Widths(
            least_widths(self.grid.table, tight, heading, self.sizeHintForColumn), wide, whole
        )
        for at, width in enumerate(wide):
            self.setColumnWidth(at, width)
        self._give_way()
        self.fitted.emit()

    def room(self) -> tuple[int, int, int]:
        """Return the width in which all columns are in sight, in which they are read, and all texts whole."""
        around = self.verticalScrollBar().sizeHint().width() + 2 * self.frameWidth()
        least, wide, whole = self._widths
        read = sum(readable(self.grid.table, least, wide))
        return sum(least) + around, read + around, sum(whole) + around

    def _fit_heading(self, column: int) -> None:
        """Let a heading and its arrow be read; a shaded column stays as wide as its neighbours."""
        if 0 <= column < len(self._widths.wide) and self.grid.column(column).shade is None:
            needed = self.horizontalHeader().sectionSizeHint(column)
            self.setColumnWidth(column, max(self.columnWidth(column), min(needed, px(WIDEST))))

    def height_of(self, most: int, width: int = 0) -> int:
        """Return the height that shows all rows, or the first `most` of more, with heading and caption.

        It is for the `width` that the view has, or that it is to have within its frame.

        A table without rows says so in the room of one.
        """
        heads, count = self.verticalHeader(), min(self.grid.rowCount(), most)
        rows = sum(map(heads.sectionSize, range(count))) or heads.defaultSectionSize()
        bar = self.horizontalScrollBar()
        room = width or self.viewport().width()  # the bar itself follows a turn later
        across = bar.sizeHint().height() if sum(widths_in(room, self.grid.table, self._widths)) > room else 0
        return self.horizontalHeader().sizeHint().height() + rows + self._caption_height(room) + across

    def minimumSizeHint(self) -> QSize:
        """Ask for the height of the rows that are in sight at least."""
        return super().minimumSizeHint().expandedTo(QSize(0, self._least))

    def words(self) -> str:
        """Return what is said below the rows, or in place of them; nothing before a table is shown."""
        if self.grid.rowCount():
            return "" if self.terse else self.grid.table.caption
        return "Nothing found." if len(self.grid.table) else self.empty * bool(self.grid.table.columns)

    def updateGeometries(self) -> None:
        """Place the caption, with room of its own where the rows leave none."""
        if self._arranging:  # the margins, which Qt keeps for headings alone, resize the viewport
            return
        self._arranging = True
        before = QSize()
        for _ in range(TURNS):
            if self.viewport().size() == before:
                break
            before = self.viewport().size()
            self._take_width()
            self._arrange()
        self._arranging = False
        self._take_width()
        measured = len(self._widths.wide) == self.grid.columnCount()
        if self._at_least and measured and (least := self.height_of(self._at_least)) != self._least:
            self._least = least
            self.updateGeometry()

    def _arrange(self) -> None:
        """Let the rows scroll in what the caption leaves them."""
        bar, seen = self.verticalScrollBar(), self.verticalScrollBar().value()
        bar.blockSignals(True)  # else the bar went and came back, each time with another layout
        super().updateGeometries()
        rows, needed = self.verticalHeader().length(), self._caption_height(self.viewport().width())
        if self.grid.rowCount() and rows + needed > self.viewport().height():
            height = max(self.viewport().height() - needed, 0)
            height -= self._cut_off(height)
            bar.setRange(0, max(rows - height, 0))
            bar.setPageStep(height)
            bar.setValue(seen)
            margins = self.viewportMargins()
            margins.setBottom(self.viewport().height() - height)
            self.setViewportMargins(margins)
        bar.blockSignals(False)
        bar.rangeChanged.emit(bar.minimum(), bar.maximum())
        if bar.value() != seen:
            bar.valueChanged.emit(bar.value())
        if self.verticalHeader().offset() != bar.value():  # which Qt took from where it let the bar be
            self.verticalHeader().setOffset(bar.value())
            self.viewport().update()
        self._place_caption(needed)

    def _cut_off(self, height: int) -> int:
        """Return how much of so many pixels would show a row that is cut: its edge alone may be."""
        line, cut = self.verticalHeader().defaultSectionSize(), 0
        if height > line and not any(one.prose for one in self.grid.table.columns):
            cut = height % line
        return cut if cut < line - px(PADDING) else 0

    def _caption_height(self, width: int) -> int:
        self.caption.setText(breakable(self.words()))
        self.caption.setContentsMargins(EDGE, 0, EDGE, 0)  # which a style sheet takes away
        if not self.caption.text():
            return 0
        return self.caption.heightForWidth(width) + px(2 * PADDING)

    def _place_caption(self, height: int) -> None:
        """Put it below the last row in sight, or what is said in place of rows into their middle."""
        box, above = self.viewport().geometry(), self.verticalHeader().length()
        side = Qt.AlignmentFlag.AlignCenter
        if self.grid.rowCount():
            side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            box.setTop(box.top() + min(above, box.height()))
            box.setHeight(height)
        self.caption.setAlignment(side)
        self.caption.setGeometry(box)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns into another width."""
        super().resizeEvent(event)
        if not self._arranging:
            self._take_width()

    def _take_width(self) -> None:
        """Fit the columns once the scroll bars have settled."""
        if self.viewport().width() != self._width:
            self._width = self.viewport().width()
            self._give_way()

    def _give_way(self) -> None:
        """Give the columns the widths that suit the room."""
        table, heads = self.grid.table, self.horizontalHeader()
        if len(self._widths.wide) != len(table.columns):  # a new table is laid out before it is measured
            return
        widths = widths_in(self.viewport().width(), table, self._widths)
        for at, width in enumerate(widths):
            self.setColumnWidth(at, width)
        self._fit_heading(heads.sortIndicatorSection())
        if len(table):
            self.painter.choose_places({at: widths[at] for _, at in table.intervals})
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Give rows of sentences the height of their lines, others that of one."""
        heads, modes = self.verticalHeader(), QHeaderView.ResizeMode
        wraps = any(one.prose for one in self.grid.table.columns)
        heads.setSectionResizeMode(modes.ResizeToContents if wraps else modes.Fixed)  # also when sorted
        heads.setDefaultSectionSize(px(ROW))
        if wraps:
            self.resizeRowsToContents()
        elif heads.length() != heads.count() * px(ROW):  # some keep the height that sentences gave them
            for at in range(heads.count()):
                heads.resizeSection(at, px(ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Look first where what is in sight ends."""
        self.painter.end = end_of(self.viewport(), GAP)
        super().paintEvent(event)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.painter.take_theme(theme)
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        self._fits = False
        if self.isVisible():
            self.fit()
            self.viewport().update()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the columns to a text size that came while nobody looked."""
        super().showEvent(event)
        if not self._fits:
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on Ctrl+C, open on Enter."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next cell that begins with what is typed."""
        if self.grid.rowCount() <= SEARCHED_ROWS:
            super().keyboardSearch(search)

    def table_on_show(self) -> Table:
        """Return the table with the rows that are shown, in their order."""
        return rows_of(self.grid.table, self.grid.order)

    def copy(self) -> None:
        """Put the selected rows, or all, on the clipboard as TSV with exact values and as HTML as shown.

        What is drawn is copied as numbers: intervals as two columns behind their estimate.
        """
        chosen = self.selectionModel().selection()
        ranges = [chosen.at(at) for at in range(chosen.size())]
        places = sorted({place for one in ranges for place in range(one.top(), one.bottom() + 1)})
        whole = self.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows
        if len(places) <= 1 and (whole or sum(one.width() for one in ranges) <= 1):  # the current one alone
            places = list(range(self.grid.rowCount()))
        table = with_ends(self.grid.table)
        columns, marks = table.columns, table.marks
        head = [column.title for column in columns]
        rows = [self.grid.row_at(place) for place in places]
        cells = [[held[row] for row in rows] for held in map(plain, table.data)]
        texts = [
            [shown(column, cell) + marks.get((row, at), "") for row, cell in zip(rows, held, strict=True)]
            for at, (column, held) in enumerate(zip(columns, cells, strict=True))
        ]
        values = [[value_of(cell) for cell in held] for held in cells]
        to_clipboard(head, zip(*values, strict=True), zip(*texts, strict=True))

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(self.grid.row_at(index.row()), index.column())


def value_of(cell: Cell) -> str:
    """Return a cell for a spreadsheet: a number exactly, a text on one line and made harmless."""
    return on_one_line(cell) if isinstance(cell, str) else exact(cell)
