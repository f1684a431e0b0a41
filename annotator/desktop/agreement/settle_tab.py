"""The queue of disagreements: one after the other is settled by a grade, without knowing who said what."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from annotator.desktop.agreement.settlement_loop import Settling
from annotator.desktop.controls import button, literal
from annotator.desktop.elided import Elided
from annotator.desktop.grade.painted_text import PaintedText
from annotator.desktop.grade.query_scroll import QueryScroll
from annotator.desktop.grade.rich_text import in_lines
from annotator.desktop.layouts import AROUND, FLUSH, column, row
from annotator.desktop.line_field import LineField
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.halves import Halves
from annotator.desktop.style import breakable, prose, px, tip
from annotator.desktop.worker import Worker
from annotator.desktop.wrap_layout import WrapLayout
from annotator.evaluation.result_table import Column, Table
from annotator.grades import GRADES, MEANINGS
from annotator.project import settings
from annotator.text.templates import short
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

if TYPE_CHECKING:
    from annotator.project.adjudication import Disagreement
    from annotator.project.project import Project


WIDEST = 18
"""Characters of a grade's meaning that stand on its button; the rest is in the tooltip."""

NOTHING = "Nothing is left to settle: what two people judge differently appears here."

COLUMNS = (
    Column("Query", "text"),
    Column("Candidate", "text"),
    Column("Grades", "text", note="Without names: who adjudicates need not know who said what."),
    Column("Settled", "grade"),
)
SETTLED, MODEL = 3, 4

OF_MODEL = (*COLUMNS, Column("Model", "grade", note="What the model gave; told once it is settled."))
UNTOLD = "–: not settled yet. What the model gave is shown once you have settled a candidate."
NOTHING_OF_MODEL = "Nothing is left to decide: what a model judges as no person did appears here."

LEVELS = {"Grades": "Levels"}
"""What the columns are called where levels stand in the grades' place."""

THIS_ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
"""Whatever is held down: Ctrl of Ctrl+Z would select another row besides."""


IN_SIGHT = 4
"""Of more people the list, which may cut them, is not the only place that says what they gave."""

LEAST = 72
"""So high the text of a candidate is at least, at the normal text size: some lines are in sight."""

SHARE = 0.56
"""What the list may take of the width where ids are long."""

NARROWEST = 240
"""So wide what is in front is at least, at the normal text size, where the list could take more."""


HIGH = 300
"""So high what is in front is at least, at the normal text size: its grades are in sight."""


class Candidate(PaintedText):
    """The text of a candidate: it takes the room that is left over, and asks for the least."""

    def sizeHint(self) -> QSize:
        """Ask for some lines."""
        return QSize(super().sizeHint().width(), self.minimumHeight())


class Adjudication(QWidget):
    """Shows what `settling` has in front, and hands it what is pressed.

    `candidate_wanted(query, candidate)` is the wish to see one to grade it. Of what a model graded as
    nobody else the model's grade is told once somebody has settled it.
    """

    candidate_wanted = Signal(int, int)

    def __init__(self, project: "Project", worker: Worker, theme: Theme, of_model: bool = False) -> None:
        super().__init__()
        self._project = project
        self._worker = worker
        self._of_model = of_model
        self.table = GridView("Disagreements", theme, empty=NOTHING_OF_MODEL if of_model else NOTHING)
        self.table.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        self.settling = Settling(project, worker, lambda: self.table.grid.order, self)
        self._shown: Disagreement | None = None
        """Whose text stands there."""
        self._pointing = False
        self._levels: Sequence[str] = ()
        self.query = prose(kind="title")
        self.candidate = Elided("caption", self)
        self.state = prose(kind="muted", parent=self)
        self.text = Candidate("The candidate", self)
        self.reason = LineField()
        self.reason.setPlaceholderText("Reason, if you want to leave one")
        self.reason.setAccessibleName("Reason")
        self.buttons = [button("", partial(self._settle, grade)) for grade in GRADES]
        self.back = button("Take back", partial(self._settle, None))
        self.open = button("Show on Grade", self._want_query)
        self.open.setAccessibleName("Show on the Grade page")
        self._lay_out()
        self._name_grades(MEANINGS)  # laid out by now: without a parent a button would be a window
        self._connect()
        self._show_current(None)

    def _lay_out(self) -> None:
        self.right = QWidget()
        scrolled = self.scrolled = QScrollArea()  # with very large text it may need more height than there is
        words = QWidget()
        column(self.query, on=words, around=FLUSH)
        asked = QueryScroll(words, scrolled, self.right)
        self.text.setMinimumHeight(px(LEAST))
        grades = WrapLayout()  # large words take two lines
        for one in self.buttons:
            grades.addWidget(one)
        above = (asked, row((self.candidate, 1), self.open), self.state)
        below = (grades, row((self.reason, 1), self.back))
        column(*above, (self.text, 1), *below, on=self.right, around=AROUND, gap=STEPS[0])
        scrolled.setWidget(self.right)
        scrolled.setWidgetResizable(True)
        scrolled.setMinimumHeight(px(HIGH))
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column(Halves(self.table, scrolled, SHARE, NARROWEST), on=self, around=FLUSH)

    def _connect(self) -> None:
        for grade, settle in zip(GRADES, self.buttons, strict=True):
            key = QShortcut(QKeySequence(str(grade)), self)
            key.setAutoRepeat(False)
            key.activated.connect(settle.click)
        settling = self.settling
        settling.listed.connect(self._show_rows)
        settling.current_changed.connect(self._show_current)
        settling.grade_shown.connect(self._show_grade)
        settling.failed.connect(self._worker.failed)
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        self.table.opened.connect(lambda at, _: settling.choose(at))
        self.text.painted.connect(self._painted)
        self.reason.returnPressed.connect(self.table.setFocus)
        leave = QShortcut(QKeySequence("Esc"), self.reason, context=Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self.table.setFocus)

    def show_disagreements(
        self, disputed: "Sequence[Disagreement]", judged_by: str = "", levels: Sequence[str] = ()
    ) -> None:
        """Take what was computed, settled ones among it; `levels` are those of what is judged by."""
        self._levels = levels
        self.settling.show(disputed, judged_by)
        self._tell_settled()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.table.theme_changed(theme)
        self.text.setMinimumHeight(px(LEAST))
        self.scrolled.setMinimumHeight(px(HIGH))

    def showEvent(self, event: QShowEvent) -> None:
        """Let keys count once what is in front is painted."""
        super().showEvent(event)
        self.settling.in_sight = True
        self.text.show_again()

    def hideEvent(self, event: QHideEvent) -> None:
        """Let no key count that was not taken by now."""
        super().hideEvent(event)
        self.settling.in_sight = False
        self.settling.leave()

    def _name_grades(self, meanings: Sequence[str]) -> None:
        for grade, settle in zip(GRADES, self.buttons, strict=True):
            settle.setVisible(grade < len(meanings))
            settle.setEnabled(grade < len(meanings))
            words = meanings[grade] if grade < len(meanings) else ""
            short = words if len(words) <= WIDEST else f"{words[: WIDEST - 1]}…"
            settle.setText(literal(f"{grade}  {short}"))
            settle.setToolTip(tip(words if short != words else ""))
            settle.setAccessibleName(visible(f"{grade}, {words}"))

    def _show_rows(self, rows: "Sequence[Disagreement]") -> None:
        columns: tuple[Column, ...] = OF_MODEL if self._of_model else COLUMNS
        if self.settling.judged_by:
            columns = tuple(replace(one, title=LEVELS.get(one.title, one.title)) for one in columns)
        cells = [(one.query_id, one.candidate_id, given(one), one.settled, told(one)) for one in rows]
        with self._pointed_at():
            shown = [row[: len(columns)] for row in cells]
            why = UNTOLD if self._of_model and any(one.settled is None for one in rows) else ""
            self.table.show_table(Table.of_rows("disagreements", "Disagreements", columns, shown, why))

    @contextmanager
    def _pointed_at(self) -> Iterator[None]:
        """Put the mark of the table on what is in front: nobody chose it there."""
        self._pointing = True
        yield
        if (place := self.table.grid.place_of(self.settling.row)) is not None:
            self.table.selectionModel().setCurrentIndex(self.table.grid.index(place, 0), THIS_ROW)
        self._pointing = False

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and not self._pointing:
            self.settling.choose(self.table.grid.row_at(index.row()))

    def _show_current(self, pair: "Disagreement | None") -> None:
        with self._pointed_at():
            self.scrolled.setVisible(pair is not None)
        if pair is None:
            return

        def read() -> tuple[tuple[str, str, str], Sequence[str]]:
            from annotator.project.adjudication import shown

            by = self.settling.judged_by
            asked, texts, reason = shown(self._project, pair.query, pair.candidate, by, pair.ending)
            said = self._levels or settings.value_of(self._project, "meanings")
            return (asked, in_lines(texts), reason), [short(one) for one in said]

        def show(texts: tuple[tuple[str, str, str], Sequence[str]]) -> None:
            if self.settling.in_front(pair):
                self._name_grades(texts[1])
                self._show_texts(pair, *texts[0])

        def not_read(error: Exception) -> None:
            self.settling.leave()
            self._worker.failed.emit(error)

        self._worker.submit(self, read, show, not_read)

    def _show_texts(self, pair: "Disagreement", asked: str, text: str, reason: str) -> None:
        if not (self._shown and self.settling.in_front(self._shown)):  # else what is being typed stays
            self.reason.setText(reason)
            self.reason.home(False)
        self._shown = pair
        self.query.setText(breakable(asked or pair.query_id))
        self.text.show_text(text or "(The text is not in the project.)")
        self._tell_settled()

    def _painted(self) -> None:
        if self._shown is not None:
            self.settling.painted(self._shown)

    def _show_grade(self, row: int, grade: int | None) -> None:
        self.table.grid.put(row, SETTLED, grade)
        if self._of_model:
            self.table.grid.put(row, MODEL, told(self.settling.rows[row]))
        if row == self.settling.row:
            self._tell_settled()

    def _tell_settled(self) -> None:
        pair = self.settling.current
        if pair is not None:
            by = "" if self.settling.judged_by else "grade "
            settled = "" if pair.settled is None else f"Settled by {by}{pair.settled}."
            by_model = "" if told(pair) is None else f" The model gave {pair.model}."
            self.candidate.setText(pair.candidate_id)
            levels = LEVELS["Grades"] if self.settling.judged_by else "Grades"
            grades = f"{levels}: {given(pair)}." if len(pair.grades) > IN_SIGHT else ""
            self.state.setText(" ".join(filter(None, (grades, f"{settled}{by_model}"))))
            self.state.setVisible(bool(self.state.text()))
            self.back.setEnabled(pair.settled is not None)

    def _settle(self, grade: int | None, _checked: bool = False) -> None:
        self.settling.settle(grade, self.reason.text)
        self.table.setFocus()  # a button would be pressed by Space, for the next one

    def _want_query(self) -> None:
        if (pair := self.settling.current) is not None:
            self.candidate_wanted.emit(pair.query, pair.candidate)


def given(pair: "Disagreement") -> str:
    """Return what each of the people gave, lowest first, without their names."""
    return ", ".join(map(str, pair.grades))


def told(pair: "Disagreement") -> int | None:
    """Return the model's grade once the candidate is settled, None before."""
    return None if pair.settled is None else pair.model
