"""Who is grading: asked at the first start and after somebody else, remembered, changed at any time."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from annotator.desktop.choice import Choice
from annotator.desktop.dialog import Dialog
from annotator.desktop.line_field import let_write
from annotator.desktop.style import px

HINT = "Your grades are kept under this name; you see only your own unless the project says otherwise."


class AnnotatorDialog(Dialog):
    """A name to type, or to choose among those who worked here before or have something to judge."""

    chosen = Signal(str)

    def __init__(self, current: str, people: Sequence[str], parent: QWidget, why: str = "") -> None:
        super().__init__("Who is grading?", parent)
        self._name = Choice(self)
        let_write(self._name)
        self._name.setAccessibleName("Your name")
        self._name.addItems(list(people))
        self._name.setCurrentText(current)
        self._name.setMinimumWidth(px(320))
        if (line := self._name.lineEdit()) is not None:
            line.selectAll()
            line.returnPressed.connect(self._accept)
        self.lay_out(self._name, self.question("Grade", self._accept), hint=f"{why}{HINT}")

    def _accept(self) -> None:
        name = self._name.currentText().strip()
        if name and self.isVisible():  # Enter reaches the field and the default button
            self.chosen.emit(name)
            self.accept()
