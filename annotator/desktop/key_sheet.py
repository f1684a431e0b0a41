"""F1: every key, computed from the table of commands, and how to change one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QGridLayout, QKeySequenceEdit, QLayout, QWidget

from annotator.desktop.actions import COMMANDS, TITLES, Actions, Command, shown_key
from annotator.desktop.controls import button
from annotator.desktop.dialog import SHARE, Dialog, Role, Standard
from annotator.desktop.layouts import column, row
from annotator.desktop.palette import Palette
from annotator.desktop.style import label, prose, px
from annotator.theme import STEPS

WIDE, HALF_WIDE, NARROW = 1200, 950, 600
"""So much width three columns of keys need at the normal text size, two, and two whose words take lines."""

KEYS, WORDS = 120, 160
"""So much width have the keys below each other, and at least the words that take lines."""

DRIVING = ("Tab", "Shift+Tab", "Return", "Enter")
"""Keys that lead through fields and press buttons, whatever is in front."""


class KeySheet(Dialog):
    """The commands by group, each with its keys; `changed(own)` carries the user's own keys by command."""

    changed = Signal(dict)

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__("Keys", parent)
        self._actions = actions
        self._keys: dict[str, QWidget] = {}
        room = round(self.screen().availableSize().width() * SHARE)
        self._wide, self._narrow = px(WIDE) <= room, px(HALF_WIDE) > room
        groups = self._groups(room)
        buttons = self.way_out()
        self.change = button("Change a key…", self._choose, self)
        buttons.addButton(self.change, Role.ActionRole)
        self.lay_out(groups, buttons, hint="Keys do nothing while you type in a text field.")
        if self._narrow:
            self.resize(room, 0)
        buttons.button(Standard.Close).setFocus()  # Enter closes, unless Tab leads elsewhere
        self._show_keys()
        actions.keys_changed.connect(self._show_keys)

    def _groups(self, room: int) -> QLayout:
        """Return the groups beside each other as far as there is room."""
        grade, project, window = map(self._column, ("grade", "project", "window"))
        if self._wide:
            return row(grade, project, window, gap=STEPS[3])
        beside = row if px(NARROW) <= room else column
        return beside((grade, 1), (column(project, window, gap=STEPS[3]), 1), gap=STEPS[3])

    def _column(self, group: str) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(STEPS[2])
        grid.setVerticalSpacing(STEPS[0] // 2)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, px(KEYS) if group == "window" and not self._wide else 0)
        grid.addWidget(label(TITLES[group].upper(), "caption", self), 0, 0, 1, 2)
        for command in COMMANDS:
            if command.group == group:
                row = grid.rowCount()
                self._keys[command.name] = label("", "heading", self)
                grid.addWidget(self._keys[command.name], row, 0, Qt.AlignmentFlag.AlignTop)
                words = label(command.words, "", self)
                words.setWordWrap(self._narrow)
                words.setMinimumWidth(px(WORDS) if self._narrow else 0)
                grid.addWidget(words, row, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        return grid

    def _show_keys(self) -> None:
        for command in COMMANDS:
            self._keys[command.name].setText(in_words(self._actions.keys(command)))  # type: ignore[attr-defined]

    def _choose(self) -> None:
        hint = "Choose the command that is to have another key."
        chooser = Palette("Change a key", hint, COMMANDS, self._actions, self)
        chooser.chosen.connect(self._ask)
        chooser.open()

    def _ask(self, name: str) -> None:
        command = next(one for one in COMMANDS if one.name == name)
        ask = KeyQuestion(command, self._actions, self)
        ask.chosen.connect(lambda keys: self.changed.emit(self._actions.change(name, keys)))
        ask.open()


class KeyQuestion(Dialog):
    """Asks for a command's key and says whose it is already; `chosen(keys)`."""

    chosen = Signal(list)

    def __init__(self, command: Command, actions: Actions, parent: QWidget) -> None:
        super().__init__(f"Key for “{command.words}”", parent)
        self._command = command
        self._actions = actions
        self.field = QKeySequenceEdit(self)
        self.field.setMaximumSequenceLength(1)
        self.field.setAccessibleName("The new key")
        self.field.keySequenceChanged.connect(lambda _: self._look())
        self.told = prose("", "muted", self)
        self.told.setMinimumWidth(px(380))
        buttons = self.question("Keep", self._keep)
        self.keep = buttons.buttons()[0]
        usual = f"As at first: {in_words(command.keys) or 'no key'}"
        buttons.addButton(button(usual, self._go_back, self), Role.ResetRole)
        hint = f"Now: {in_words(actions.keys(command)) or 'no key'}. Press the key that is to give it."
        self.lay_out(self.field, self.told, buttons, hint=hint)
        self._look()
        self.field.setFocus()

    def _look(self) -> None:
        key = self.field.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        taken = self._actions.taken(key, self._command.name) if key else None
        refused = key in DRIVING
        self.keep.setEnabled(bool(key) and not refused)
        self.told.setText(
            f"{key} leads through fields and buttons; choose another key."
            if refused
            else f"{shown_key(key)} is the key for “{taken.words}”. Keep takes it from there."
            if taken is not None
            else ""
        )

    def _keep(self) -> None:
        if self.keep.isEnabled() and self.isVisible():
            self._give([self.field.keySequence().toString(QKeySequence.SequenceFormat.PortableText)])

    def _go_back(self) -> None:
        self._give(list(self._command.keys))

    def _give(self, keys: list[str]) -> None:
        self.accept()
        self.chosen.emit(keys)


def in_words(keys: tuple[str, ...]) -> str:
    """Return keys as people write them."""
    return ", ".join(map(shown_key, keys))
