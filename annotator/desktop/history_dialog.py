"""Who said what, when, and how long it took: of one candidate or of the whole project."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from annotator.desktop.dialog import SHARE, Dialog
from annotator.desktop.row_table import Rows
from annotator.desktop.style import label, px
from annotator.project.views import HistoryLine
from annotator.text.times import SECONDS, local_time

WHERE = (3, 4)
"""The columns of the query and the candidate."""

WIDE = 1100
WHAT, TOOK = 2, 5

COLUMNS = ("When", "Who", "What", "Query", "Candidate", "Took", "Blind")


class HistoryDialog(Dialog):
    """A table of events, newest first; those `of_one` candidate, which the title names, do not name it."""

    def __init__(
        self, title: str, lines: Sequence[HistoryLine], parent: QWidget, of_one: bool = False
    ) -> None:
        super().__init__(title, parent)
        self.table = Rows(title, COLUMNS, self, wide=WHAT, numbers={TOOK}, wraps=True)
        self.table.show_rows([cells(line) for line in lines])
        for at in WHERE if of_one else ():
            self.table.hideColumn(at)
        self.table.setVisible(bool(lines))
        if lines:
            self.lay_out((self.table, 1), self.way_out())
        else:
            self.lay_out(label("Nothing has happened yet.", "muted", self), 1, self.way_out())
        self.resize(min(px(WIDE), round(self.screen().availableSize().width() * SHARE)), 0)


def cells(line: HistoryLine) -> tuple[str, ...]:
    """Return what the columns say of one event."""
    took = "" if line.milliseconds is None else f"{line.milliseconds / 1000:.1f} s"
    words = f"{line.said} (undone)" if line.undone else line.said
    where = (line.query_id or "", line.answer or line.candidate_id or "")
    return (
        local_time(line.time, SECONDS),
        line.annotator,
        words,
        *where,
        took,
        ("yes" if line.blind else "no") if line.query_id else "",
    )
