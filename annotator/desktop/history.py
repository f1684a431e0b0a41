"""Who said what, when, and how long it took: of one candidate or of the whole project."""

from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.style import label, px
from annotator.project.views import HistoryLine
from annotator.theme import STEPS

COLUMNS = ("When", "Who", "Query", "Candidate", "What", "Took", "Blind")


def local_time(milliseconds: int) -> str:
    """Return a UTC time in milliseconds as the user's own date and time with its zone."""
    when = QDateTime.fromMSecsSinceEpoch(milliseconds)
    return QLocale().toString(when, "yyyy-MM-dd HH:mm:ss ") + when.timeZoneAbbreviation()


class HistoryDialog(QDialog):
    """A table of events, newest first."""

    def __init__(self, title: str, lines: Sequence[HistoryLine], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.table = QTableWidget(len(lines), len(COLUMNS), self)
        self.table.setAccessibleName(title)
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        for row, line in enumerate(lines):
            said = f"{line.said} (undone)" if line.undone else line.said
            took = "" if line.milliseconds is None else f"{line.milliseconds / 1000:.1f} s"
            cells = (
                local_time(line.time),
                line.annotator,
                line.query_id or "",
                line.candidate_id or "",
                said,
                took,
                "yes" if line.blind else "no",
            )
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.table.setItem(row, column, item)
        self.table.resizeColumnsToContents()
        self.table.horizontalHeader().setSectionResizeMode(4, QHeaderView.ResizeMode.Stretch)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        rows.addWidget(label(title, "title", self))
        rows.addWidget(
            self.table if lines else label("Nothing has happened yet.", "muted", self),
            1,
            Qt.AlignmentFlag(0) if lines else Qt.AlignmentFlag.AlignTop,
        )
        rows.addWidget(buttons)
        self.table.setVisible(bool(lines))
        self.resize(px(860), px(460))
