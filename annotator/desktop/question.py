"""One small question: a text to type, or one of several to choose; Enter takes it, Esc leaves it."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QWidget

from annotator.desktop.dialog import Dialog
from annotator.desktop.style import px


class Ask(Dialog):
    """Asks and calls `taken(text)`; `choices` makes it a list whose text can also be typed.

    A `name` is typed on one line, which Enter takes; in other texts Enter begins a line.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        hint: str,
        taken: Callable[[str], object],
        text: str = "",
        choices: Sequence[str] = (),
        name: bool = False,
    ) -> None:
        super().__init__(title, parent)
        self._taken = taken
        self.field: QComboBox | QLineEdit | QPlainTextEdit
        if choices:
            self.field = QComboBox(self)
            self.field.setEditable(True)
            self.field.addItems(list(choices))
            self.field.setCurrentText(text or choices[0])
            if (line := self.field.lineEdit()) is not None:
                line.returnPressed.connect(self._take)
                line.selectAll()  # words of one's own take the place of those that are offered
        elif name:
            self.field = QLineEdit(text, self)
            self.field.selectAll()
        else:
            self.field = QPlainTextEdit(text, self)
            self.field.setTabChangesFocus(True)
            self.field.selectAll()
            keep = QShortcut(QKeySequence("Ctrl+Return"), self)
            keep.activated.connect(self._take)
        self.field.setAccessibleName(title)
        self.field.setMinimumWidth(px(380))
        hint = hint if choices or name else f"{hint} Ctrl+Enter keeps it."
        self.lay_out(self.field, self.question("Keep", self._take), hint=hint)

    def text(self) -> str:
        """Return what is typed or chosen."""
        field = self.field
        if isinstance(field, QLineEdit):
            return field.text().strip()
        return (field.currentText() if isinstance(field, QComboBox) else field.toPlainText()).strip()

    def _take(self) -> None:
        if self.isVisible():  # Enter reaches the field and the default button
            text = self.text()
            self.accept()
            self._taken(text)
