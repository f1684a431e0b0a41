"""What came in, and what can be done next: the page behind an import and behind a merge."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QFormLayout, QGridLayout, QLabel, QPushButton, QWidget

from annotator.desktop.actions import Actions, keyed
from annotator.desktop.controls import button
from annotator.desktop.dialog import ChangingDialog
from annotator.desktop.elided import Elided
from annotator.desktop.layouts import Part
from annotator.desktop.style import label, prose, px
from annotator.theme import STEPS

WORDS = {"grade": "Grade now", "evaluate": "Evaluate", "baseline": "Add a baseline run"}
HEADING = 160
"""What a line is about asks for no more than this: names are of any length."""

COMMANDS = {"grade": "page_1", "evaluate": "page_2", "baseline": "baseline"}


class Success(ChangingDialog):
    """A line for each thing that came in, ways on below. `next_wanted(command)` follows when one is taken."""

    next_wanted = Signal(str)

    def __init__(
        self, title: str, rows: Sequence[tuple[str, str]], commands: Actions, parent: QWidget
    ) -> None:
        super().__init__(title, parent)
        self._commands = commands
        self.said = QWidget(self)
        form = QFormLayout(self.said)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(STEPS[2])
        for what, done in rows:
            heading = Elided("muted", self.said, most=HEADING)
            heading.setAlignment(Qt.AlignmentFlag.AlignTop)
            heading.setText(what)
            form.addRow(heading, prose(done))
        self._next = label("What next?", "heading", self)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(STEPS[2])
        self._rows.setVerticalSpacing(STEPS[1])
        self._rows.setColumnStretch(1, 1)
        self.ways: list[QPushButton] = []
        self._reasons: list[QLabel] = []
        self._next.hide()
        self.buttons = self.way_out()
        self.close_button = self.buttons.buttons()[0]

    def put(self, *above: Part, below: Sequence[Part] = ()) -> None:
        """Place what came in under the parts `above`, and the ways on over those `below`."""
        self.lay_out(*above, self.said, self._next, self._rows, 1, *below, self.buttons)
        self.resize(min(px(620), self.screen().availableSize().width()), 0)
        self.close_button.setFocus()

    def add_way(self, command: str, words: str, why: str, call: Callable[[], object] | None = None) -> None:
        """Offer a way on, by the key of its command, or one of this page's own, which leaves it open."""
        made = button(words, call or partial(self._go_on, command), self, "" if self.ways else "primary")
        if command:
            keyed(made, command, words)
            QShortcut(self._commands[command].shortcut(), self).activated.connect(made.click)
        at = len(self.ways)
        self._rows.addWidget(made, at, 0)
        reason = prose(why, "muted", self)
        self._rows.addWidget(reason, at, 1, Qt.AlignmentFlag.AlignVCenter)
        self.ways.append(made)
        self._reasons.append(reason)

    def offer(self) -> None:
        """Show the ways on; the keyboard is on the first."""
        self._commands.name_keys(self)
        self._next.show()
        self.ways[0].show()  # the layout would show it later, and what is hidden cannot take the keys
        self.ways[0].setFocus()
        QTimer.singleShot(0, self, self.grow)  # when the ways know how much room they need

    def _go_on(self, command: str) -> None:
        self.accept()
        self.next_wanted.emit(command)
