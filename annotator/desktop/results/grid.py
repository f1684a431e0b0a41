"""A results table as a Qt model: sorted and filtered through one array of row numbers."""

from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from annotator.desktop.style import tip
from annotator.evaluation.result_table import (
    Cell,
    Column,
    Table,
    best_cells,
    exact,
    is_missing,
    plain,
    shown,
)
from annotator.text.names import BETWEEN
from annotator.text.templates import beginning
from annotator.text.visible import visible

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
DIRECTIONS = {Qt.SortOrder.AscendingOrder: "↑", Qt.SortOrder.DescendingOrder: "↓"}
"""What the heading shows of the order: at its end, where Qt's arrow would cover the words."""

MAY_BE_CUT = 10
"""A heading or text of so many letters or less is never cut; of others the tooltip says all."""

MOST_NAMES = 200
"""Of more texts in a table than these nobody tells one from another by its name."""

EMPTY = Table("empty", "", (), ())
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


class Grid(QAbstractTableModel):
    """Shows one `Table`; rows are addressed on screen by place, in the table by row number (`row_at`).

    Sorting puts missing values last both ways and keeps the order of equal ones; filtering keeps the rows
    that hold the text in one of their text cells. A new table of the same columns keeps both.
    """

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.table = EMPTY
        self.best: frozenset[tuple[int, int]] = frozenset()
        self._order: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._sorted: tuple[int, Qt.SortOrder] | None = None
        self._words = ""
        self._texts: list[str] = []
        self._names: tuple[str, ...] | None = None

    def show(self, table: Table) -> None:
        """Take a new table."""
        self.beginResetModel()
        if table.columns != self.table.columns:
            self._sorted = None
        self.table = table
        self.best = best_cells(table)
        self._texts, self._names = [], None
        self._arrange()
        self.endResetModel()

    def put(self, row: int, column: int, cell: Cell) -> None:
        """Show another value in one cell; every row stays where it is."""
        data = list(self.table.data)
        data[column] = [*data[column][:row], cell, *data[column][row + 1 :]]
        self.table = replace(self.table, data=tuple(data))
        if (place := self.place_of(row)) is not None:
            index = self.index(place, column)
            self.dataChanged.emit(index, index)

    @property
    def order(self) -> list[int]:
        """The rows of the table in the order shown."""
        return [int(row) for row in self._order]

    def filter(self, words: str) -> None:
        """Show the rows that hold the words, without regard to case; "" shows all."""
        self._words = words.casefold().strip()
        self._rearrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order the rows by a column; -1 is the table's own order."""
        self._sorted = (column, order) if 0 <= column < len(self.table.columns) else None
        self._rearrange()

    def row_at(self, place: int) -> int:
        """Return the table's row shown at a place."""
        return int(self._order[place])

    def place_of(self, row: int) -> int | None:
        """Return where a row of the table is shown, None when the filter hides it."""
        places = np.flatnonzero(self._order == row)
        return int(places[0]) if len(places) else None

    def cell(self, index: Index) -> Cell:
        """Return the value behind an index."""
        value = self.table.data[index.column()][self.row_at(index.row())]
        return value.item() if isinstance(value, np.generic) else value

    def column(self, at: int) -> Column:
        """Return a column's declaration."""
        return self.table.columns[at]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Count the rows that the filter lets through."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Count the columns."""
        return 0 if parent.isValid() else len(self.table.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what stands in a cell, for the eye and for a screen reader."""
        if not index.isValid():
            return None
        column = self.column(index.column())
        if role == Role.DisplayRole:
            return self.text_at(self.row_at(index.row()), index.column())
        if role == Role.TextAlignmentRole:
            return side(column)
        if role == Role.ToolTipRole:
            return self._tip(index, column)
        if role == Role.AccessibleTextRole:
            return visible(self._spoken(index, column))
        return None

    def text_at(self, row: int, column: int) -> str:
        """Return what a cell of the table shows."""
        cell = self.table.data[column][row]
        value = cell.item() if isinstance(cell, np.generic) else cell
        text = visible(beginning(shown(self.column(column), value)))
        on_its_line = text if self.column(column).prose else text.replace("\n", " ")
        return on_its_line + self.table.marks.get((row, column), "")

    @property
    def names(self) -> tuple[str, ...]:
        """The words that stand alone in a cell or heading, and pairs; none where they are too many."""
        if self._names is None:
            texts = [one.title for one in self.table.columns]
            for held, column in zip(self.table.data, self.table.columns, strict=True):
                texts += map(str, plain(held) if column.kind == "text" else ())
            words = {visible(one) for one in texts if one and (" " not in one or BETWEEN in one)}
            self._names = tuple(sorted(words)) if len(words) <= MOST_NAMES else ()
        return self._names

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Return a column's heading; the tip is its note, and the heading if it is long."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.table.columns):
            return None
        column = self.column(section)
        if role == Role.DisplayRole:
            sign = DIRECTIONS[self._sorted[1]] if self._sorted and self._sorted[0] == section else ""
            return visible(f"{column.title} {sign}".strip())
        if role == Role.ToolTipRole:
            told = (column.title * (len(column.title) > MAY_BE_CUT), column.note)
            paragraphs = [f"<p>{escape(visible(one))}</p>" for one in told if one]
            return "".join(paragraphs) or None  # rich text alone is wrapped
        if role == Role.TextAlignmentRole:
            return side(column)
        return None

    def _tip(self, index: Index, column: Column) -> str | None:
        cell = self.cell(index)
        if column.kind == "text":
            return tip(str(cell)) if cell and len(str(cell)) > MAY_BE_CUT else None
        text = f"{column.title}: {exact(cell) or 'no value'}"
        if column.shade is not None:
            row = self.row_at(index.row())
            named = [self.text_at(row, at) for at, one in enumerate(self.table.columns) if one.kind == "text"]
            text = "\n".join((" ".join(named), text))
        return tip("\n".join(filter(None, (text, self._interval_words(index)))))

    def _interval_words(self, index: Index) -> str:
        interval = self.table.intervals.get((self.row_at(index.row()), index.column()))
        return "" if interval is None else f"95% interval {interval[0]:.4f} to {interval[1]:.4f}"

    def _spoken(self, index: Index, column: Column) -> str:
        """Return a cell as a screen reader says it: of what row, under which heading, what stands there."""
        row = self.row_at(index.row())
        text = self.text_at(row, index.column())
        if not index.column():
            return text
        value = "no value" if is_missing(self.cell(index)) else text
        interval = self._interval_words(index)
        return ", ".join(filter(None, (self.text_at(row, 0), f"{column.title}: {value}", interval)))

    def _rearrange(self) -> None:
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        rows = [self.row_at(index.row()) for index in before]
        self._arrange()
        after = [self._index_of(row, index.column()) for row, index in zip(rows, before, strict=True)]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _index_of(self, row: int, column: int) -> QModelIndex:
        place = self.place_of(row)
        return QModelIndex() if place is None else self.index(place, column)

    def _arrange(self) -> None:
        self._order = np.arange(len(self.table))
        if self._sorted is not None:
            column, order = self._sorted
            self._order = sorted_rows(self.table, column, order == Qt.SortOrder.DescendingOrder)
        if self._words:
            if not self._texts:
                self._texts = row_texts(self.table)
            self._order = np.array(
                [row for row in self._order if self._words in self._texts[row]], dtype=np.int64
            )


def side(column: Column) -> Qt.AlignmentFlag:
    """Return where the cells and the heading of a column stand."""
    if column.shade is not None:
        return CENTRE
    return LEFT if column.kind == "text" else RIGHT


def sorted_rows(table: Table, column: int, descending: bool) -> NDArray[np.int64]:
    """Return the rows in the order of a column: stable, missing values last either way."""
    held = table.data[column]
    if table.columns[column].kind == "text":
        keys = [str(cell or "").casefold() for cell in plain(held)]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=descending), dtype=np.int64)
    cells = held if isinstance(held, np.ndarray) else [np.nan if cell is None else cell for cell in held]
    values = np.array(cells, dtype=float)
    return np.argsort(-values if descending else values, kind="stable")


def row_texts(table: Table) -> list[str]:
    """Return the text cells of each row as one text without case, for filtering."""
    texts = [plain(table.data[at]) for at, column in enumerate(table.columns) if column.kind == "text"]
    return ["\n".join(str(cell) for cell in cells).casefold() for cells in zip(*texts, strict=True)]
