"""Who is grading: asked at the first start, remembered, changed at any time."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from annotator.desktop.style import label, px
from annotator.project.views import AnnotatorView
from annotator.theme import STEPS


class AnnotatorDialog(QDialog):
    """A name to type or choose among those who graded this project before."""

    chosen = Signal(str)

    def __init__(self, current: str, annotators: Sequence[AnnotatorView], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Who is grading?")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._name = QComboBox(self)
        self._name.setEditable(True)
        self._name.setAccessibleName("Your name")
        self._name.addItems([one.name for one in annotators if one.kind == "person"])
        self._name.setCurrentText(current)
        self._name.setMinimumWidth(px(320))
        if (line := self._name.lineEdit()) is not None:
            line.selectAll()
            line.returnPressed.connect(self._accept)
        buttons = QDialogButtonBox(self)
        start = QPushButton("Grade", self)
        start.setProperty("kind", "primary")
        buttons.addButton(start, QDialogButtonBox.ButtonRole.AcceptRole)
        start.setDefault(True)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], STEPS[3], STEPS[3], STEPS[2])
        rows.setSpacing(STEPS[1])
        hint = label(
            "Your grades are kept under this name; you see only your own unless the project says otherwise.",
            "muted",
            self,
        )
        hint.setWordWrap(True)
        for part in (label("Who is grading?", "title", self), hint, self._name, buttons):
            rows.addWidget(part)

    def _accept(self) -> None:
        name = self._name.currentText().strip()
        if name and self.isVisible():  # Enter reaches the field and the default button
            self.chosen.emit(name)
            self.accept()
