"""Ctrl+K: all commands, found by their words and given with Enter."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from annotator.desktop.actions import COMMANDS, TITLES, WORKS, Actions, Command, not_now, shown_key
from annotator.desktop.dialog import Dialog, Standard
from annotator.desktop.line_field import LineField
from annotator.desktop.style import prose, px
from annotator.theme import STEPS

COMMAND = Qt.ItemDataRole.UserRole
HEIGHT, MOST_ROWS = 30, 12


def found(words: str, commands: Sequence[Command]) -> list[Command]:
    """Return the commands in whose words, or their group's, all that is typed stands; the likeliest first."""
    typed = words.casefold().strip()

    def distance(command: Command) -> int:
        own = command.words.casefold()
        return 0 if own.startswith(typed) else 1 if typed in own else 2

    texts = [(f"{one.words} {TITLES[one.group]}".casefold(), one) for one in commands]
    matching = [one for text, one in texts if all(word in text for word in typed.split())]
    return sorted(matching, key=distance)


class Line(QStyledItemDelegate):
    """Paints a command: its words, where it applies, and its keys at the right."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = actions

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        """Paint one line."""
        command: Command = index.data(COMMAND)  # type: ignore[attr-defined]
        palette: QPalette = option.palette
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, palette.midlight())  # as the lists of the style sheet
        inner = rect.adjusted(STEPS[1], 0, -STEPS[1], 0)
        painter.setPen(palette.text().color())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, command.words)
        keys = "   ".join(map(shown_key, self._actions.keys(command)))
        painter.setPen(palette.placeholderText().color())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, keys)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        """Return the one height of all lines."""
        return QSize(0, px(HEIGHT))


class Palette(Dialog):
    """A search and a list; `chosen(name)` follows when the dialog is gone."""

    chosen = Signal(str)

    def __init__(
        self, title: str, hint: str, commands: Sequence[Command], actions: Actions, parent: QWidget
    ) -> None:
        super().__init__(title, parent)
        self._commands = commands
        self._actions = actions
        self.line = LineField(parent=self)
        self.line.setPlaceholderText("What do you want to do?")
        self.line.setAccessibleName("Search among the commands")
        self.line.setMinimumWidth(px(520))
        self.line.textChanged.connect(self._search)
        self.line.returnPressed.connect(self._take)
        self.line.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Commands")
        self.list.setItemDelegate(Line(actions, self.list))
        room = self.screen().availableSize().height() // 2  # more would scroll beside the list
        rows = min(MOST_ROWS, room // px(HEIGHT))
        self.list.setMinimumHeight(rows * px(HEIGHT) + 2 * self.list.frameWidth())
        self.list.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the arrows move in it from the search
        policy = self.list.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the dialog stays as high while one types
        self.list.setSizePolicy(policy)
        self.list.itemActivated.connect(lambda _: self._take())
        self.list.itemClicked.connect(lambda _: self._take())
        self.nothing = prose("", "muted", self)
        buttons = self.way_out(Standard.Cancel)
        for one in buttons.buttons():
            one.setProperty("autoDefault", False)  # Enter is for the command alone
        self.lay_out(self.line, self.nothing, (self.list, 1), buttons, hint=hint)
        self._search("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrows move in the list while one types."""
        moves = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in moves:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _search(self, words: str) -> None:
        self.list.clear()
        for command in found(words, self._commands):
            item = QListWidgetItem(command.words, self.list)
            item.setData(COMMAND, command)
            keys = " or ".join(self._actions.keys(command))
            spoken = f"{command.words}, {keys}" if keys else command.words
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        self.list.setCurrentRow(0)
        later = [one for one in found(words, COMMANDS) if one.group in WORKS]
        self.nothing.setText(not_now(later[0]) if later else "No command has these words.")
        self.nothing.setVisible(not self.list.count())
        self.list.setVisible(bool(self.list.count()))

    def _take(self) -> None:
        if self.list.count() and self.isVisible():
            command: Command = self.list.currentItem().data(COMMAND)
            self.accept()
            self.chosen.emit(command.name)


def offered(actions: Actions) -> list[Command]:
    """Return the commands that can be given now, but for the one that shows them."""
    return [one for one in COMMANDS if one.name != "commands" and actions[one.name].isEnabled()]
