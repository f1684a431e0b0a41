"""The people of an assignment: who takes part, with which share, what each would get and has done so far."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSpinBox, QWidget

from annotator.desktop.controls import button, literal, roomy
from annotator.desktop.elided import Elided
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.line_field import LineField
from annotator.desktop.style import label, px, tip
from annotator.project.assignments import MOST, Part, Progress
from annotator.text.counts import counted
from annotator.text.times import MINUTES, local_time
from annotator.text.visible import visible
from annotator.theme import STEPS

HEADINGS = ("PERSON", "SHARE", "WOULD GET", "SHARED WITH", "DONE SO FAR")
WIDEST = 180
"""Names, and with whom queries are shared, take no more room than this."""

NUMBER = 110
"""So wide is the field of a number."""


class Line(NamedTuple):
    """One person: whether they take part, their share, and what is said of them."""

    takes_part: QCheckBox
    share: QSpinBox
    gets: QLabel
    shared: Elided
    done: QLabel


class NameField(LineField):
    """Where Enter takes a name that is typed; without one it is left to the dialog's own button."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep Enter from the dialog when there is a name to take."""
        typed = bool(self.text().strip())
        super().keyPressEvent(event)
        if typed and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class People(QWidget):
    """A line for each person, and a field for further names; `changed` follows each choice."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: dict[str, Line] = {}
        self._by_hand = False
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(STEPS[2])
        self._grid.setVerticalSpacing(STEPS[0])
        self._grid.setColumnStretch(len(HEADINGS) - 1, 1)
        for at, words in enumerate(HEADINGS):
            self._grid.addWidget(label(words, "caption", self), 0, at)
        self.name = NameField(parent=self)
        self.name.setAccessibleName("Name of another person")
        self.name.setPlaceholderText("Another person's name")
        self.name.setToolTip("The name under which they grade, letter by letter; Enter adds it.")
        self.name.setMinimumWidth(px(WIDEST))
        self.more = button("Add", self._add, self)
        self.more.setAutoDefault(False)
        self.name.returnPressed.connect(self._add)
        column(self._grid, row(self.name, self.more, 1), on=self, around=FLUSH, gap=STEPS[1])

    def show_people(self, names: Sequence[str], shares: Mapping[str, int], now: Sequence[Progress]) -> None:
        """Show who may take part, with the shares that they have, and how far they are `now`."""
        self._by_hand = bool(shares)
        for name in names:
            self._put(name, name in shares or not shares, shares.get(name, _mean(shares)))
        for one in now:
            share = "" if one.share is None else f", {one.share:.0%}"
            last = "nothing done yet" if one.last is None else f"active {local_time(one.last, MINUTES)}"
            self.lines[one.name].done.setText(f"{one.decided:,} of {one.candidates:,}{share}\n{last}")
        self._even_out()

    def shares(self) -> dict[str, int]:
        """Return who takes part with which share."""
        return {name: line.share.value() for name, line in self.lines.items() if line.takes_part.isChecked()}

    def set_shares(self, shares: Mapping[str, int]) -> None:
        """Put in other shares; nothing is announced, and they count as put in by hand."""
        self._by_hand = True
        for name, share in shares.items():
            self._set(self.lines[name].share, share)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Show what everybody would get; nothing where that is not known."""
        known = {one.name: one for one in parts}
        for name, line in self.lines.items():
            one = known.get(name)
            queries = counted(one.queries, "query", "queries") if one else ""
            line.gets.setText(f"{queries}\n{counted(one.candidates, 'candidate')}" if one else "–")
            shared = ", ".join(f"{other} {many}" for other, many in one.shared) if one else ""
            line.shared.setText(shared or "–")

    def _add(self) -> None:
        """Take the name that stands in the field."""
        name = self.name.text().strip()
        self.name.clear()
        self.name.setFocus()
        if name in self.lines:
            self.lines[name].takes_part.setChecked(True)
        elif name:
            self._put(name, True, _mean(self.shares()))
            self._take_part()

    def _put(self, name: str, takes_part: bool, share: int) -> None:
        room = min(px(WIDEST), self.screen().availableSize().width() // 6)
        shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room)
        line = Line(
            QCheckBox(literal(shown), self),
            roomy(QSpinBox(self, minimum=1, maximum=MOST, value=share)),
            label("–", "muted", self),
            Elided("muted", self),
            label("–", "muted", self),
        )
        line.shared.setText("–")
        line.shared.setMaximumWidth(px(WIDEST))
        line.share.setMaximumWidth(px(NUMBER))
        line.takes_part.setChecked(takes_part)
        line.takes_part.setAccessibleName(visible(f"{name} takes part"))
        line.takes_part.setToolTip(tip(name))
        line.share.setAccessibleName(visible(f"Share of {name}"))
        line.share.setEnabled(takes_part)
        line.takes_part.toggled.connect(line.share.setEnabled)
        line.takes_part.toggled.connect(self._take_part)
        line.share.valueChanged.connect(self._share_typed)
        self.lines[name] = line
        for at, part in enumerate(line):
            self._grid.addWidget(part, len(self.lines), at)

    def _take_part(self) -> None:
        self._even_out()
        self.changed.emit()

    def _share_typed(self) -> None:
        self._by_hand = True
        self.changed.emit()

    def _even_out(self) -> None:
        """Give everybody who takes part the same share, in per cent, until a share is put in by hand."""
        people = self.shares()
        if not self._by_hand:
            for name in people:
                self._set(self.lines[name].share, max(100 // len(people), 1))

    def _set(self, box: QSpinBox, value: int) -> None:
        box.blockSignals(True)
        box.setValue(value)
        box.blockSignals(False)


def _mean(shares: Mapping[str, int]) -> int:
    """Return the share of one more person: what the others have on average."""
    return round(sum(shares.values()) / len(shares)) if shares else 1
