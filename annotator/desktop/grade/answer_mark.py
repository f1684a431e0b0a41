"""The mark that a question has no answer, to which the keys go in place of a field for one."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from annotator.desktop.actions import keyed
from annotator.desktop.line_field import refused

WORDS = "The question is unanswerable"
ADD, NO_ANSWER = "Add an accepted answer…", "No answer: marked unanswerable"
"""What the field says in which nothing is written yet, and where nothing can be."""

NOT_TAKEN = (
    "Nothing is written or graded: the question is marked unanswerable. Space takes the mark away, Esc leads "
    "back to the candidates."
)


class AnswerMark(QCheckBox):
    """While it is set and has the keys, what is typed as into a field grades nothing, and it says so."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(WORDS, parent)
        keyed(self, "unanswerable", WORDS)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_mark(self, on: bool) -> None:
        """Show whether the mark is set; nothing is announced."""
        self.blockSignals(True)
        self.setChecked(on)
        self.blockSignals(False)

    def event(self, event: QEvent) -> bool:
        """Keep what is typed from the commands of the page."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._typed(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Say why nothing is written."""
        if self._typed(event):
            refused(self, self.rect().bottomLeft(), NOT_TAKEN)
        else:
            super().keyPressEvent(event)

    def _typed(self, event: QKeyEvent) -> bool:
        """Say whether a key is a letter or digit for the answer, other than the key of the mark itself."""
        held, text = event.modifiers(), event.text()
        bare = not held & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        own = self.text().endswith(f"({text.upper()})")
        return self.isChecked() and bare and text.isprintable() and bool(text.strip()) and not own
