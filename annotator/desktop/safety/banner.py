"""The line above the pages that says what is not as usual about the file, with the ways on from there."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QSizePolicy, QWidget

from annotator.desktop.controls import button
from annotator.desktop.layouts import row
from annotator.desktop.style import prose
from annotator.theme import STEPS

Direction = QBoxLayout.Direction

SHARE = 0.45
"""Buttons beside the text take no more than this part of the width."""

Way = tuple[str, Callable[[], object]]
"""The words of a button and what it does."""


class Notice(QFrame):
    """A sentence or two, buttons for the ways on, and one to put it away."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "notice")
        self._text = prose("", "", self)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        around = (STEPS[2], STEPS[0], STEPS[2], STEPS[0])
        self._row = row(gap=STEPS[0])
        self._whole = row((self._text, 1), self._row, on=self, around=around, gap=STEPS[0])
        self._buttons: list[QPushButton] = []
        self.hide()

    def tell(self, text: str, ways: Sequence[Way] = (), lasting: bool = False) -> None:
        """Show a text with its ways on; an empty text takes the line away, a `lasting` one nobody can."""
        for shown in self._buttons:
            shown.hide()
            shown.deleteLater()
        self._text.setText(text)
        away: tuple[Way, ...] = () if lasting else (("Put away", self.clear),)
        self._buttons = [self._button(words, call) for words, call in (*ways, *away)]
        self.setVisible(bool(text))
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below the text where they would leave it too little room."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        below = self._row.sizeHint().width() > self.width() * SHARE
        self._whole.setDirection(Direction.TopToBottom if below else Direction.LeftToRight)
        self._row.setAlignment(Qt.AlignmentFlag.AlignLeft if below else Qt.AlignmentFlag.AlignRight)

    def say(self, text: str) -> None:
        """Show another text, with the same ways on."""
        self._text.setText(text)

    def clear(self) -> None:
        """Take the line away."""
        self.tell("")

    def text(self) -> str:
        """Return what is shown, empty when nothing is."""
        return self._text.text()

    def ways(self) -> list[QPushButton]:
        """Return the buttons, the one that puts the line away last."""
        return self._buttons

    def minimumSizeHint(self) -> QSize:
        """Let the text wrap rather than widen the window."""
        return QSize(0, super().minimumSizeHint().height())

    def _button(self, words: str, call: Callable[[], object]) -> QPushButton:
        made = button(words, lambda _=False: call(), self)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._row.addWidget(made, 0, Qt.AlignmentFlag.AlignVCenter)
        return made
