"""The nuggets of a query as lines to write in: importance, text, and what each was merged into."""

import json
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from annotator.desktop.controls import button, combo
from annotator.desktop.dialog import Dialog, Scrolled
from annotator.desktop.layouts import column, row
from annotator.desktop.line_field import LineField
from annotator.desktop.style import prose, px
from annotator.errors import UserError
from annotator.project.nuggets import IMPORTANCES, Nugget, refuse_unfit
from annotator.text.visible import visible
from annotator.theme import STEPS

HINT = (
    "What a good answer says, a short statement each: vital where an answer without it is no good one, else "
    "okay. A line that is emptied is removed; what was said of a merged one counts for the other. Alt+↑ and "
    "Alt+↓ move a line."
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
    """Shows nuggets for changing; `taken(nuggets)` is called with what is written.

    Who leaves them unkept finds them again: `left(lines)` is told of them, also that nothing is left (empty),
    and `begun` is what was left the last time.
    """

    def __init__(
        self,
        question: str,
        now: Sequence[Nugget],
        taken: Callable[[list[Nugget]], object],
        parent: QWidget,
        begun: str = "",
        left: Callable[[str], object] = lambda _: None,
    ) -> None:
        super().__init__("Nuggets", parent)
        self._taken, self._left = taken, left
        self._stored = [_plain(one) for one in now]
        self.lines: list[Line] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(STEPS[0])
        self._grid.setColumnStretch(1, 1)
        for one in _begun(begun, now) or now:
            self._add(one, now)
        self.more = button("Another nugget", self._add_empty, self)
        self.more.setAutoDefault(False)
        query = prose(visible(question), "heading", self)
        self.wrong = prose("", "danger", self)
        self.wrong.hide()
        below = column(self.wrong, self.question("Keep", self._keep), gap=STEPS[1])
        self.lay_out(query, self._grid, row(self.more, 1), 1, below, hint=HINT)
        self._add_empty()
        for key, by in (("Alt+Up", -1), ("Alt+Down", 1)):
            QShortcut(QKeySequence(key), self).activated.connect(partial(self._move, by))
        self.resize(px(WIDTH), self.sizeHint().height())

    def grow(self) -> None:
        """Be as high as the lines would like, and have the one that has the keys in sight."""
        super().grow()
        front = self.focusWidget()
        if any(front in one[1:] for one in self.lines):
            for scrolled in self.findChildren(Scrolled):
                scrolled.ensureWidgetVisible(front)

    def values(self) -> list[Nugget]:
        """Return the nuggets as they are written."""
        return [one for one in self._lines() if one.text]

    def reject(self) -> None:
        """Leave the dialog; what is written is not lost."""
        lines = self._lines()
        super().reject()
        self._left(draft_of(lines) if lines != self._stored else "")

    def _lines(self) -> list[Nugget]:
        """Return the lines; of those without a text only the ones that had one."""
        return [
            Nugget(text, IMPORTANCES[importance.currentIndex()], one, into.currentData() or "")
            for one, importance, field, into in self.lines
            if (text := " ".join(field.text().split())) or one
        ]

    def _add_empty(self) -> None:
        self._add(Nugget(""), ()).text.setFocus()

    def _add(self, nugget: Nugget, others: Sequence[Nugget]) -> Line:
        importance = combo("Importance", items=[(one, one) for one in IMPORTANCES], parent=self)
        importance.setCurrentIndex(IMPORTANCES.index(nugget.importance))
        text = LineField(nugget.text, self)
        text.setCursorPosition(0)  # where a long one is read from
        text.setPlaceholderText("What a good answer says")
        merged = [
            (f"merged into {visible(one.text[:SHOWN])}", one.id)
            for one in others
            if one.id != nugget.id and not one.into
        ]
        into = combo("Merged into", items=[(APART, ""), *merged], parent=self)
        into.setCurrentIndex(max(into.findData(nugget.into), 0))
        into.setMaximumWidth(px(180))
        into.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        into.currentTextChanged.connect(lambda words: into.setMinimumContentsLength(len(words)))
        into.setMinimumContentsLength(len(into.currentText()))
        into.setVisible(bool(nugget.id))
        line = Line(nugget.id, importance, text, into)
        self.lines.append(line)
        self._place(len(self.lines) - 1)
        return line

    def _place(self, at: int) -> None:
        """Put a line where it stands in the list, and call its fields so."""
        number, (_, importance, text, into) = at + 1, self.lines[at]
        importance.setAccessibleName(f"Importance of nugget {number}")
        text.setAccessibleName(f"Nugget {number}")
        into.setAccessibleName(f"What nugget {number} is merged into")
        for place, part in enumerate((importance, text, into)):
            self._grid.addWidget(part, number, place)

    def _move(self, by: int) -> None:
        """Change the places of the line that has the keys and of the one above or below."""
        front = self.focusWidget()
        at = next((at for at, one in enumerate(self.lines) if front in one[1:]), -1)
        if at < 0 or not 0 <= at + by < len(self.lines):
            return
        self.lines[at], self.lines[at + by] = self.lines[at + by], self.lines[at]
        for moved in (at, at + by):
            self._place(moved)
        for before, after in pairwise([*(part for one in self.lines for part in one[1:]), self.more]):
            self.setTabOrder(before, after)

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
        self._left("")
        self._taken(nuggets)


def draft_of(lines: Sequence[Nugget]) -> str:
    """Return lines as they are kept until they are stored."""
    return json.dumps([astuple(one) for one in lines])


def _plain(nugget: Nugget) -> Nugget:
    """Return a nugget as its line shows it."""
    return replace(nugget, text=" ".join(nugget.text.split()))


def _begun(begun: str, now: Sequence[Nugget]) -> list[Nugget]:
    """Return the lines that were left, and nuggets that came since; none where they cannot be read."""
    ids = {one.id for one in now}
    try:
        lines = [map(str, one) for one in json.loads(begun or "[]")]
        left = [
            Nugget(
                text,
                "vital" if importance == "vital" else "okay",
                one if one in ids else "",
                into if into in ids else "",
            )
            for text, importance, one, into in lines
        ]
    except (TypeError, ValueError, RecursionError):
        return []
    return [*left, *(one for one in now if one.id not in {each.id for each in left})]
