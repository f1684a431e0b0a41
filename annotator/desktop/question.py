"""One small question: a text to type, or one of several to choose; Esc leaves it."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from annotator.desktop.choice import Choice
from annotator.desktop.controls import button, literal
from annotator.desktop.dialog import SHARE, Dialog, Role, Standard
from annotator.desktop.line_field import LineField, let_write
from annotator.desktop.style import breakable, prose, px, tip
from annotator.desktop.text_field import TOO_LONG, TextField
from annotator.text.visible import visible
from annotator.theme import STEPS

WIDTH = 380
WIDEST = 520
"""A choice takes no more room than this; the tooltip has all of it."""


class Ask(Dialog):
    """Asks and calls `taken(text)`; `choices` makes it a list whose text can also be typed.

    A `name` is typed on one line, which Enter takes; in other texts Enter begins a line. What stands `above`
    is asked with it. Who leaves a text unkept finds it again: `left(text)` is told of it, also that nothing
    is left (empty), and `begun` is what was left the last time.
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
        above: Sequence[QWidget] = (),
        begun: str = "",
        left: Callable[[str], object] = lambda _: None,
    ) -> None:
        super().__init__(title, parent)
        self._taken, self._stored, self._left = taken, text, left
        text = begun or text
        self.field: QComboBox | QLineEdit | TextField
        if choices:
            self.field = Choice(self)
            let_write(self.field)
            self.field.addItems(list(choices))
            self.field.setCurrentText(text or choices[0])
            if (line := self.field.lineEdit()) is not None:
                line.returnPressed.connect(self._take)
                line.selectAll()  # words of one's own take the place of those that are offered
        elif name:
            self.field = LineField(text, self)
            self.field.selectAll()
        else:
            self.field = TextField(self)
            self.field.begin(text)
            self.field.moveCursor(QTextCursor.MoveOperation.End)  # one key more does not replace a text
            keep = QShortcut(QKeySequence("Ctrl+Return"), self)
            keep.activated.connect(self._take)
        self.field.setAccessibleName(title)
        self.field.setMinimumWidth(px(WIDTH))
        if isinstance(self.field, TextField):
            hint = f"{hint} {TOO_LONG if self.field.isReadOnly() else 'Ctrl+Enter keeps it.'}"
        self.lay_out(*above, self.field, self.question("Keep", self._take), hint=hint)

    def text(self) -> str:
        """Return what is typed or chosen."""
        field = self.field
        return (field.currentText() if isinstance(field, QComboBox) else field.text()).strip()

    def reject(self) -> None:
        """Leave the question; what is typed is not lost."""
        text = self.text()
        super().reject()
        self._left(text if text != self._stored else "")

    def _take(self) -> None:
        if self.isVisible():  # Enter reaches the field and the default button
            text = self.text()
            self.accept()
            self._left("")
            self._taken(text)


class Confirm(Dialog):
    """Asks before something that cannot be taken back; `done()` follows the one button, Enter is Cancel."""

    def __init__(
        self, parent: QWidget, title: str, text: str, more: str, words: str, done: Callable[[], object]
    ) -> None:
        super().__init__(title, parent)
        self.asked, self.more = (
            prose(breakable(words), kind, self) for words, kind in ((text, "heading"), (more, "muted"))
        )
        self.asked.setMinimumWidth(px(WIDTH))
        self.buttons = self.way_out(Standard.Cancel)
        yes = button(words, self.accept, self)
        self.buttons.addButton(yes, Role.AcceptRole)
        self.accepted.connect(done)
        self.lay_out(self.asked, self.more, self.buttons)
        cancel = self.buttons.button(Standard.Cancel)
        cancel.setDefault(True)
        cancel.setFocus()


def confirm(
    parent: QWidget, title: str, text: str, more: str, words: str, done: Callable[[], object]
) -> None:
    """Ask before something that cannot be taken back; `words` are on the button that does it."""
    Confirm(parent, title, text, more, words, done).open()


class Choose(Dialog):
    """Asks for one of some answers, each chosen by its digit, or for words of one's own: `taken(text)`.

    Without words for `other` there are only those.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        hint: str,
        taken: Callable[[str], object],
        choices: Sequence[str],
        other: str = "",
    ) -> None:
        super().__init__(title, parent)
        self._taken = taken
        offered = []
        room = min(px(WIDEST), round(self.screen().availableSize().width() * SHARE) - px(2 * STEPS[3]))
        for digit, words in enumerate(choices, 1):
            shown = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, room)
            offer = button(literal(f"{digit}   {shown}"), partial(self._take, words), self, "choice")
            offer.setToolTip(tip(words if shown != words else ""))
            offer.setAccessibleName(visible(words))
            offer.setAutoDefault(True)
            QShortcut(QKeySequence(str(digit)), self).activated.connect(offer.click)
            offered.append(offer)
        self.line = LineField(parent=self)
        self.line.setPlaceholderText(other)
        self.line.setAccessibleName(other)
        self.line.setMinimumWidth(px(WIDTH))
        self.line.setVisible(bool(other))
        self.line.returnPressed.connect(lambda: self._take(self.line.text().strip()))
        self.lay_out(*offered, self.line, self.way_out(Standard.Cancel), hint=hint)
        offered[0].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Begin words of one's own with the first letter that is typed."""
        entered = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        typed = event.text().strip() if event.text().isprintable() else ""
        if typed and not self.line.hasFocus() and self.line.isVisible():
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self.line.insert(event.text())
        elif not (entered and self.line.hasFocus()):  # there it takes what is typed, and no reason if nothing
            super().keyPressEvent(event)

    def _take(self, words: str) -> None:
        if words and self.isVisible():
            self.accept()
            self._taken(words)
