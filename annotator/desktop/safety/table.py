"""A plain table of rows for the dialogs of this package, and a size as people read it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

STEP = 1_000


class Rows(QTableWidget):
    """Rows of texts, of which one at a time is chosen; the last column takes the space that is left."""

    def __init__(self, name: str, columns: Sequence[str], parent: QWidget) -> None:
        super().__init__(0, len(columns), parent)
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(columns))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows, the first of them chosen."""
        self.setRowCount(len(rows))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.setItem(row, column, item)
        self.resizeColumnsToContents()
        self.horizontalHeader().setSectionResizeMode(self.columnCount() - 1, QHeaderView.ResizeMode.Stretch)
        if rows:
            self.selectRow(0)

    def chosen(self) -> int | None:
        """Return the number of the chosen row, None without one."""
        chosen = self.selectionModel().selectedRows()
        return chosen[0].row() if chosen else None


def size(count: int) -> str:
    """Return a number of bytes as `812 bytes`, `3.4 MB`."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < STEP:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= STEP
    return f"{amount:.1f} GB"
