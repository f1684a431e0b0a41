"""What a page shows when it has nothing yet, is working, or could not do it: a sentence and a way on."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.desktop import log
from annotator.desktop.controls import button, progress_bar
from annotator.desktop.style import breakable, label, px
from annotator.errors import DamagedError, UserError
from annotator.theme import STEPS

BAR = 320
"""How wide the bar is that shows how far the work is."""


class Message(QWidget):
    """A title, a sentence, how far the work is, and at most one button, in the middle of the space."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "title", self)
        self._text = label("", "muted", self)
        self._said = ""
        for part in (self._title, self._text):
            part.setWordWrap(True)
        self._bar = progress_bar(self)
        self._bar.setMaximumWidth(px(BAR))
        self._button = button("", self._press, self, "primary")
        self._button.setAutoDefault(True)  # Enter presses it, as Space does
        self._call: Callable[[], object] | None = None
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], STEPS[1], STEPS[3], STEPS[1])
        rows.setSpacing(STEPS[1])
        rows.addStretch(2)
        rows.addWidget(self._title)
        rows.addWidget(self._text)  # over the whole width: aligned, a wrapped text gets too little height
        rows.addWidget(self._bar)
        rows.setAlignment(self._bar, Qt.AlignmentFlag.AlignHCenter)
        rows.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addStretch(3)
        for part in (self._title, self._text):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def say(
        self, title: str, text: str = "", button: str = "", call: Callable[[], object] | None = None
    ) -> None:
        """Show a title, a sentence and, if `button` is worded, the way on."""
        self._said = title
        self._title.setText(breakable(title))
        self._text.setText(breakable(text))
        self._text.setVisible(bool(text))
        self._bar.hide()
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self._call = call

    @property
    def title(self) -> str:
        """What the message says first."""
        return self._said

    def progress(self, done: int, total: int, what: str, cancel: Callable[[], object]) -> None:
        """Show how far the work is of which the title tells, and how to stop it."""
        self.say(self._said, what, "Cancel", cancel)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._bar.show()

    def _press(self) -> None:
        if self._call is not None:
            self._call()


def told(error: Exception) -> str | None:
    """Return what to tell the user about an error, None when it is a bug."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error) if isinstance(error, UserError) else None


FAULT = "Annotator met a fault of its own. Every grade that was stored is safe in the project."


def fault() -> str:
    """Return what to say in place of what a bug kept from being made."""
    return f"{FAULT} The log is {log.place()}."


def may_pass(error: Exception) -> bool:
    """Say whether what could not be read may be read later: it is no bug, and nothing is damaged."""
    return isinstance(error, UserError) and not isinstance(error, DamagedError)
