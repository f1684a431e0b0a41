"""The query list's model: it holds keys, and fetches the lines in sight a page at a time."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from annotator.desktop.worker import Worker
from annotator.project.views import QueryRow

PAGE = 64
KEPT = 128
"""So many pages stay in memory."""

COLUMNS = ("Query", "Graded")
ROW = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex
Fetch = Callable[[NDArray[np.int64]], list[QueryRow]]


class QueryModel(QAbstractTableModel):
    """Row n is the n-th query of the order; its `QueryRow` stands in the role `ROW` once it is fetched."""

    def __init__(self, fetch: Fetch, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._worker = worker
        self._keys: NDArray[np.int64] = np.empty(0, np.int64)
        self._pages: dict[int, list[QueryRow]] = {}
        self._asked: set[int] = set()
        self._generation = 0

    def show_keys(self, keys: NDArray[np.int64]) -> None:
        """List other queries, or the same in another order."""
        self.beginResetModel()
        self._keys = keys
        self._forget()
        self.endResetModel()

    def refresh(self, key: int | None = None) -> None:
        """Fetch a query's line anew, or all lines when they are next in sight."""
        if key is None:
            self._forget()
            if len(self._keys):
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._keys) - 1, 1))
        elif (row := self.row_of(key)) is not None:
            self._ask(row // PAGE)

    def row_of(self, key: int) -> int | None:
        """Return the row of a query."""
        found = np.flatnonzero(self._keys == key)
        return int(found[0]) if len(found) else None

    def key_of(self, row: int) -> int:
        """Return the query of a row."""
        return int(self._keys[row])

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many queries there are; lines have nothing under them."""
        return 0 if parent is not None and parent.isValid() else len(self._keys)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return two: the query, and how much of it is judged."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return a column's title."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a line's text, progress or value; a line not fetched yet is asked for and empty."""
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
            ROW,
        ):
            return None
        row = self._row(index.row())
        if role == ROW or row is None:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.text}, {row.decided} of {row.pool} judged"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.id}: {row.text}"
        return row.text if index.column() == 0 else f"{row.decided}/{row.pool}"

    def _row(self, row: int) -> QueryRow | None:
        page, at = divmod(row, PAGE)
        if page not in self._pages:
            self._ask(page)
            return None
        return self._pages[page][at]

    def _ask(self, page: int) -> None:
        if page in self._asked:
            return
        self._asked.add(page)
        keys = self._keys[page * PAGE : (page + 1) * PAGE]
        self._worker.submit(
            self, partial(self._fetch, keys), partial(self._take, self._generation, page, len(keys))
        )

    def _take(self, generation: int, page: int, count: int, rows: list[QueryRow]) -> None:
        if generation != self._generation:
            return
        self._asked.discard(page)
        if len(rows) != count:
            return
        self._pages[page] = rows
        while len(self._pages) > KEPT:
            del self._pages[next(iter(self._pages))]
        first = page * PAGE
        self.dataChanged.emit(self.index(first, 0), self.index(first + count - 1, 1))

    def _forget(self) -> None:
        self._pages.clear()
        self._asked.clear()
        self._generation += 1
