"""The queue of disagreements: one after the other is settled by a grade, without knowing who said what."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

from annotator.desktop.controls import button, literal
from annotator.desktop.layouts import AROUND, FLUSH, column, row
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import label, prose
from annotator.desktop.worker import Worker
from annotator.evaluation.result_table import Column, Table
from annotator.grades import GRADES, MEANINGS
from annotator.project.views import Change
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.project.agreement import Disagreement
    from annotator.project.project import Project


WIDEST = 18
"""Characters of a grade's meaning that stand on its button; the rest is in the tooltip."""

NOTHING = "Nothing to settle: what two people graded differently appears here."


class Adjudication(QWidget):
    """Shows disagreements and settles them.

    `settled(Change)` follows each, `candidate_wanted(query, candidate)` the wish to see one to grade it.
    """

    settled = Signal(object)
    candidate_wanted = Signal(int, int)

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__()
        self._project = project
        self._worker = worker
        self._found: Sequence[Disagreement] = ()
        self.current: Disagreement | None = None
        self.table = GridView("Disagreements", theme, empty=NOTHING)
        self.table.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.query = prose(kind="title")
        self.candidate = label(kind="caption")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("The candidate")
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason, if you want to leave one")
        self.reason.setAccessibleName("Reason")
        self.buttons = [button("", partial(self._settle, grade)) for grade in GRADES]
        self._name_grades(MEANINGS)
        self.back = button("Take back", partial(self._settle, None))
        self.open = button("Show on the Grade page", self._want_query)
        self._lay_out()
        self._show(None)

    def _lay_out(self) -> None:
        for grade, settle in zip(GRADES, self.buttons, strict=True):
            key = QShortcut(QKeySequence(str(grade)), self)
            key.setAutoRepeat(False)
            key.activated.connect(settle.click)
        self.right = QWidget()
        below = (row(*self.buttons), row((self.reason, 1), self.back, self.open))
        column(self.query, self.candidate, self.text, *below, on=self.right, around=AROUND, gap=12)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.addWidget(self.table)
        halves.addWidget(self.right)
        halves.setSizes([460, 820])
        column(halves, on=self, around=FLUSH)

    def show_disagreements(self, found: "Sequence[Disagreement]") -> None:
        """Show the queue; the one that was in front stays there if it is still in it."""
        kept = (self.current.query, self.current.candidate) if self.current else None
        place = max(self.table.currentIndex().row(), 0)
        self._found = found
        columns = (
            Column("Query", "text"),
            Column("Candidate", "text"),
            Column("Grades", "text", note="Without names: who adjudicates need not know who said what."),
            Column("Settled", "grade"),
        )
        rows = [
            (one.query_id, one.candidate_id, ", ".join(map(str, one.grades)), one.settled) for one in found
        ]
        self.table.show_table(Table.of_rows("disagreements", "Disagreements", columns, rows))
        places = [at for at, one in enumerate(found) if (one.query, one.candidate) == kept]
        if found:
            place = places[0] if places else min(place, len(found) - 1)
            self.table.setCurrentIndex(self.table.grid.index(place, 0))
        self._choose()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.table.theme_changed(theme)

    def _choose(self) -> None:
        index = self.table.currentIndex()
        found = self._found[self.table.grid.row_at(index.row())] if index.isValid() and self._found else None
        if found != self.current or found is None:
            self.reason.clear()
        self._show(found)

    def _name_grades(self, meanings: Sequence[str]) -> None:
        for grade, settle in zip(GRADES, self.buttons, strict=True):
            words = meanings[grade]
            short = words if len(words) <= WIDEST else f"{words[: WIDEST - 1]}…"
            settle.setText(literal(f"{grade}  {short}"))
            settle.setToolTip(words if short != words else "")
            settle.setAccessibleName(f"{grade}, {words}")

    def _show(self, found: "Disagreement | None") -> None:
        self.current = found
        self.right.setVisible(found is not None)
        if found is None:
            return
        self.back.setEnabled(found.settled is not None)
        self.candidate.setText(found.candidate_id)

        def read() -> tuple[str, str, Sequence[str]]:
            asked = self._project.query(found.query).text
            return asked, self._project.full_text(found.candidate), self._project.setting("meanings")

        def show(texts: tuple[str, str, Sequence[str]]) -> None:
            if self.current == found:
                self.query.setText(texts[0] or found.query_id)
                self.text.setPlainText(texts[1] or "(The text is not in the project.)")
                self._name_grades(texts[2])

        self._worker.submit(self, read, show)

    def _settle(self, grade: int | None, _checked: bool = False) -> None:
        found, reason = self.current, self.reason.text()
        if found is None:
            return
        project = self._project

        def settle() -> Change:
            from annotator.project.agreement import adjudicate

            return adjudicate(project.store, project.annotator, found.query, found.candidate, grade, reason)

        self._worker.submit(self, settle, self.settled.emit)

    def _want_query(self) -> None:
        if self.current is not None:
            self.candidate_wanted.emit(self.current.query, self.current.candidate)
