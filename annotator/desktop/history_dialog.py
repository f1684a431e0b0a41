"""Who said what, when, and how long it took: of one candidate or of the whole project."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from annotator.desktop.dialog import SHARE, Dialog
from annotator.desktop.row_table import ROW, Rows
from annotator.desktop.style import label, px
from annotator.project.views import HistoryLine
from annotator.text.times import local_time
from annotator.theme import STEPS

WIDEST = 120
"""A name takes no more room than this, nor an id; the tooltip has it whole."""

NARROW = 96
"""An id in two lines takes no more."""

NAMES, WHERE = (1, 3, 4), (3, 4)
"""The columns of names and ids, and those of the query and the candidate."""

WIDE, ROOM = 930, 300
"""With less room than this for what happened, the rows take two lines."""

WHAT, TOOK = 2, 5

COLUMNS = ("When", "Who", "What", "Query", "Candidate", "Took", "Blind")


class HistoryDialog(Dialog):
    """A table of events, newest first; those `of_one` candidate, which the title names, do not name it."""

    def __init__(
        self, title: str, lines: Sequence[HistoryLine], parent: QWidget, of_one: bool = False
    ) -> None:
        super().__init__(title, parent)
        self.table = Rows(title, COLUMNS, self, wide=WHAT, numbers={TOOK})
        self.table.show_rows([cells(line) for line in lines])
        for at in NAMES:
            self.table.setColumnWidth(at, min(self.table.columnWidth(at), px(WIDEST)))
        for at in WHERE if of_one else ():
            self.table.hideColumn(at)
        self.table.setVisible(bool(lines))
        if lines:
            self.lay_out((self.table, 1), self.way_out())
        else:
            self.lay_out(label("Nothing has happened yet.", "muted", self), 1, self.way_out())
        self.resize(min(px(WIDE), round(self.screen().availableSize().width() * SHARE)), 0)
        others = sum(self.table.columnWidth(at) for at in range(len(COLUMNS)) if at != WHAT)
        room = self.width() - 2 * STEPS[3] - self.table.verticalScrollBar().sizeHint().width() - others
        if room < min(px(ROOM), self.table.sizeHintForColumn(WHAT)):
            self._take_two_lines()

    def _take_two_lines(self) -> None:
        """Let the time stand below its date, and leave that room to what happened."""
        metrics = self.table.fontMetrics()
        self.table.setWordWrap(True)
        self.table.verticalHeader().setDefaultSectionSize(px(ROW) + metrics.lineSpacing())
        self.table.setColumnWidth(0, self.table.columnWidth(0) - metrics.horizontalAdvance("2026-03-01"))
        for at in WHERE:
            self.table.setColumnWidth(at, min(self.table.columnWidth(at), px(NARROW)))


def cells(line: HistoryLine) -> tuple[str, ...]:
    """Return what the columns say of one event."""
    took = "" if line.milliseconds is None else f"{line.milliseconds / 1000:.1f} s"
    words = f"{line.said} (undone)" if line.undone else line.said
    where = (line.query_id or "", line.answer or line.candidate_id or "")
    return (local_time(line.time), line.annotator, words, *where, took, "yes" if line.blind else "no")
