"""The nuggets of a query as lines to write in: importance, text, and what each was merged into."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from annotator.desktop.controls import button, combo
from annotator.desktop.dialog import Dialog
from annotator.desktop.layouts import row
from annotator.desktop.style import prose, px
from annotator.errors import UserError
from annotator.project.nuggets import IMPORTANCES, Nugget, refuse_unfit
from annotator.text.visible import visible
from annotator.theme import STEPS

HINT = (
    "What a good answer says, a short statement each: vital where an answer without it is no good one, else "
    "okay. A line that is emptied is removed; what was said of a merged one counts for the other."
)
WIDTH = 760
SHOWN = 40
APART = "on its own"


class Line(NamedTuple):
    """One nugget: the id that it has already, and its fields."""

    id: str
    importance: QComboBox
    text: QLineEdit
    into: QComboBox


class NuggetsDialog(Dialog):
    """Shows nuggets for changing; `taken(nuggets)` is called with what is written."""

    def __init__(
        self, question: str, now: Sequence[Nugget], taken: Callable[[list[Nugget]], object], parent: QWidget
    ) -> None:
        super().__init__("Nuggets", parent)
        self._taken = taken
        self.lines: list[Line] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(STEPS[0])
        self._grid.setColumnStretch(1, 1)
        for one in now:
            self._add(one, now)
        self.more = button("Another nugget", self._add_empty, self)
        self.more.setAutoDefault(False)
        query = prose(visible(question), "heading", self)
        self.wrong = prose("", "danger", self)
        self.wrong.hide()
        parts = (query, self._grid, row(self.more, 1), self.wrong)
        self.lay_out(*parts, self.question("Keep", self._keep), hint=HINT)
        self._add_empty()
        self.resize(px(WIDTH), self.sizeHint().height())

    def values(self) -> list[Nugget]:
        """Return the nuggets as they are written."""
        return [
            Nugget(text, IMPORTANCES[one.importance.currentIndex()], one.id, one.into.currentData() or "")
            for one in self.lines
            if (text := " ".join(one.text.text().split()))
        ]

    def _add_empty(self) -> None:
        self._add(Nugget(""), ()).text.setFocus()

    def _add(self, nugget: Nugget, others: Sequence[Nugget]) -> Line:
        number = len(self.lines) + 1
        importance = combo(
            f"Importance of nugget {number}", items=[(one, one) for one in IMPORTANCES], parent=self
        )
        importance.setCurrentIndex(IMPORTANCES.index(nugget.importance))
        text = QLineEdit(nugget.text, self)
        text.setAccessibleName(f"Nugget {number}")
        text.setPlaceholderText("What a good answer says")
        merged = [
            (f"merged into {visible(one.text[:SHOWN])}", one.id)
            for one in others
            if one.id != nugget.id and not one.into
        ]
        into = combo(f"What nugget {number} is merged into", items=[(APART, ""), *merged], parent=self)
        into.setCurrentIndex(max(into.findData(nugget.into), 0))
        into.setMaximumWidth(px(180))
        into.setVisible(bool(nugget.id))
        line = Line(nugget.id, importance, text, into)
        for at, part in enumerate((importance, text, into)):
            self._grid.addWidget(part, number, at)
        self.lines.append(line)
        return line

    def _keep(self) -> None:
        nuggets = self.values()
        try:
            refuse_unfit(nuggets)
        except UserError as error:
            self.wrong.setText(str(error))
            self.wrong.show()
            self.grow()
            return
        self.accept()
        self._taken(nuggets)
