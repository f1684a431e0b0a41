"""A dialog of the program: its title, a hint, what it asks or shows, and the buttons below."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from annotator.desktop.controls import button
from annotator.desktop.layouts import Part, column
from annotator.desktop.style import label, prose
from annotator.theme import STEPS

Role = QDialogButtonBox.ButtonRole
Standard = QDialogButtonBox.StandardButton


class Dialog(QDialog):
    """A dialog that is gone from memory once it is closed."""

    def __init__(self, title: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def lay_out(self, *parts: Part, hint: str = "") -> None:
        """Put the parts below the title and the hint."""
        head = [label(self.windowTitle(), "title", self)] + ([prose(hint, "muted", self)] if hint else [])
        around = (STEPS[3], STEPS[2], STEPS[3], STEPS[2])
        column(*head, *parts, on=self, around=around, gap=STEPS[1])

    def way_out(self, standard: Standard = Standard.Close) -> QDialogButtonBox:
        """Return a row of buttons with the one that leaves the dialog."""
        made = QDialogButtonBox(standard, self)
        made.rejected.connect(self.reject)
        return made

    def question(self, words: str, taken: Callable[[], object]) -> QDialogButtonBox:
        """Return the buttons of a question: the one that takes what was chosen, also on Enter, and Cancel."""
        made = QDialogButtonBox(self)
        take = button(words, taken, self, "primary")
        take.setDefault(True)
        made.addButton(take, Role.AcceptRole)
        made.addButton(Standard.Cancel)
        made.rejected.connect(self.reject)
        return made


class ChangingDialog(Dialog):
    """A dialog that changes the project: `changed(Change)` follows each change that is stored."""

    changed = Signal(object)
