"""Who said what, when, and how long it took: of one candidate or of the whole project."""

from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.rows import Rows
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
        self.table = Rows(title, COLUMNS, self, wide=4)
        self.table.show_rows([cells(line) for line in lines])
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


def cells(line: HistoryLine) -> tuple[str, ...]:
    """Return what the columns say of one event."""
    took = "" if line.milliseconds is None else f"{line.milliseconds / 1000:.1f} s"
    said = f"{line.said} (undone)" if line.undone else line.said
    where = (line.query_id or "", line.candidate_id or "")
    return (local_time(line.time), line.annotator, *where, said, took, "yes" if line.blind else "no")
