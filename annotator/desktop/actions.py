"""Every key and command of the window, in one table; menu, palette, F1 sheet and status bar read it."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from annotator.desktop.style import tip
from annotator.tasks import GRADE


class Command(NamedTuple):
    """One thing the user can ask for: its name in code, its words, its usual keys, where it applies.

    `group` is `window` (always), `project` (one is open) or `grade` (the Grade page is in front).
    `short` is what the status bar says; empty keeps it out of there.
    """

    name: str
    words: str
    keys: tuple[str, ...]
    group: str = "grade"
    short: str = ""


COMMANDS = (
    *(
        Command(f"grade_{grade}", f"Grade {grade} and move on", (key,))
        for grade, key in zip(GRADE.levels, GRADE.keys, strict=True)
    ),
    Command("next_candidate", "Next candidate", ("Down",)),
    Command("previous_candidate", "Previous candidate", ("Up",)),
    Command("next_query", "Next query", ("N",)),
    Command("previous_query", "Previous query", ("P",)),
    Command("next_unjudged", "Next unjudged candidate", ("J",), short="next unjudged"),
    Command("read", "Full text, and back", ("Space",), short="full text"),
    Command("beside", "Full text beside the candidates, where there is room", ("W",)),
    Command("back", "Back to the candidates", ("Esc",)),
    Command("give_early", "Give what was pressed too early, between two queries", ("Enter", "Return")),
    Command("clear", "Take the judgment away", ("Backspace", "Del")),
    Command("skip", "Skip the candidate", ("S",), short="skip"),
    Command("cannot_tell", "Can't tell, with a reason", ("T",), short="can't tell"),
    Command("near_duplicates", "The near-duplicates get the same grade", ("D",)),
    Command("rest", "The rest of the query is 0, after a question", ("Ctrl+0",)),
    *(Command(mark.name, mark.words, (mark.key,)) for mark in GRADE.marks),
    Command("asked", "What else is asked of the candidate, by digits", ("E",)),
    Command("nuggets", "Nuggets: what a good answer to the query says", ("Shift+E",)),
    Command("add_gold", "The selected words become a gold answer", ("A",)),
    Command("gold", "Gold answers", ("G",), short="gold answers"),
    Command("unanswerable", "The question is unanswerable", ("U",)),
    Command("query_note", "Note on the query and its difficulty", ("Q",)),
    Command("address", "The document's address, in the browser", ("O",)),
    Command("highlight", "Highlighted words on or off", ("H",)),
    Command("unblind", "Show ranks, scores and systems", ("B",)),
    Command("history", "History of the candidate", ("I",)),
    Command("guidelines", "Guidelines", ("F2",)),
    Command("practice", "The query is for practice, or counts again", ("Ctrl+Shift+P",)),
    Command("begin_work", "Start the real work, after practice", ("Ctrl+Shift+W",)),
    Command("undo", "Undo", ("Ctrl+Z",), "project", "undo"),
    Command("redo", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "project"),
    Command("find", "Find a query, or words in a document", ("Ctrl+F",), "project", "find"),
    Command("page_1", "Grade page", ("Ctrl+1",), "project"),
    Command("page_2", "Evaluate page", ("Ctrl+2",), "project"),
    Command("page_3", "Compare page", ("Ctrl+3",), "project"),
    Command("page_4", "Agreement page", ("Ctrl+4",), "project"),
    Command("page_5", "Report page", ("Ctrl+5",), "project"),
    Command("page_6", "Prefer page: two answers side by side", ("Ctrl+6",), "project"),
    Command("import", "Import files", ("Ctrl+I",), "project"),
    Command("imports", "Earlier imports, to take one back", ("Ctrl+Shift+I",), "project"),
    Command("baseline", "Add a baseline run from the documents", ("Ctrl+B",), "project"),
    Command("audit", "Compare with a limited risk, by few judgments", ("Ctrl+R",), "project"),
    Command("aggregate", "Put systems together", ("Ctrl+G",), "project"),
    Command("export_data", "Export data to a file", ("Ctrl+Shift+E",), "project"),
    Command("merge", "Merge another copy of the project", ("Ctrl+Shift+M",), "project"),
    Command("snapshot", "Take a snapshot", ("Ctrl+Shift+T",), "project"),
    Command("save_copy", "Save a copy", ("Ctrl+Shift+S",), "project"),
    Command("backups", "Backups", ("Ctrl+Shift+B",), "project"),
    Command("export", "Export report", ("Ctrl+E",), "project"),
    Command("save_shown", "Save the table or figure that has the keys", ("Ctrl+S",), "project"),
    Command("annotator", "Change the annotator", ("Ctrl+L",), "project"),
    Command("assign", "Who judges what", ("Ctrl+Shift+A",), "project"),
    Command("team", "Work together: share the project with others", ("Ctrl+Shift+O",), "project"),
    Command("lead", "Take the role of lead, or give it back", ("Ctrl+Shift+L",), "project"),
    Command("project_settings", "Project settings", ("Ctrl+,",), "project"),
    Command("project_history", "History of the project", ("Ctrl+H",), "project"),
    Command("close_project", "Close the project", ("Ctrl+W",), "project"),
    Command("commands", "All commands", ("Ctrl+K",), "window", "all commands"),
    Command("new", "New project from files", ("Ctrl+N",), "window"),
    Command("open", "Open a project", ("Ctrl+O",), "window"),
    Command("join", "Join a team that shares a project", ("Ctrl+Shift+J",), "window"),
    Command("theme", "Light or dark", ("Ctrl+T",), "window"),
    Command("larger", "Larger text", ("Ctrl++", "Ctrl+="), "window"),
    Command("smaller", "Smaller text", ("Ctrl+-",), "window"),
    Command("tour", "Take the tour", (), "window"),
    Command("help", "Help", ("Shift+F1",), "window"),
    Command("keys", "All keys, and how to change one", ("F1",), "window", "all keys"),
    Command("quit", "Quit", ("Ctrl+Q",), "window"),
)

MENU = (
    ("commands",),
    ("new", "open", "close_project"),
    ("import", "export_data", "merge", "save_copy"),
    ("project_settings", "team", "help", "quit"),
)
"""What the menu offers, in groups; everything else is found among all commands."""

TITLES = {"grade": "Grading", "project": "Project", "window": "Program"}
"""The groups as the F1 sheet names them, in its order."""

WORKS = {"grade": "works on the Grade page of an open project", "project": "works in an open project"}
"""Where a command of a group can be given, if not everywhere."""

SIGNS = {"Up": "↑", "Down": "↓", "Backspace": "⌫"}

OWN_KEYS = {
    Qt.Key.Key_Space: ("QAbstractButton", "QComboBox"),
    Qt.Key.Key_Up: ("QAbstractItemView", "QComboBox", "QLineEdit", "QueryScroll"),
    Qt.Key.Key_Down: ("QAbstractItemView", "QComboBox", "QLineEdit", "QueryScroll"),
    **dict.fromkeys(
        (Qt.Key.Key_Return, Qt.Key.Key_Enter),
        ("QAbstractItemView", "QComboBox", "QLineEdit", "QPlainTextEdit", "QPushButton"),
    ),
    Qt.Key.Key_Backspace: ("QAbstractItemView",),
    Qt.Key.Key_Delete: ("QAbstractItemView",),
}
"""Keys that a focused control of these kinds keeps for itself."""


class Actions(QObject):
    """The commands as Qt actions of one window; pages connect to them by name.

    At first only those of the window can be given. A user's own keys, by command, take the place of the usual
    ones; `keys_changed` follows a change of them. No key repeats by being held down. Text fields and lists
    keep the keys they need: Qt asks the focused control first (a shortcut override), text fields answer by
    themselves, `OWN_KEYS` for the rest.
    """

    keys_changed = Signal()

    def __init__(self, window: QWidget, own: Mapping[str, object]) -> None:
        super().__init__(window)
        self._own = {name: tuple(map(str, keys)) for name, keys in own.items() if isinstance(keys, list)}
        self._actions: dict[str, QAction] = {}
        self._calls: dict[str, Callable[[], object]] = {}
        for command in COMMANDS:
            action = QAction(command.words, window)
            action.setObjectName(command.name)
            action.setShortcuts([QKeySequence(key) for key in self.keys(command)])
            action.setAutoRepeat(command.name in ("next_candidate", "previous_candidate"))
            action.setEnabled(command.group == "window")  # before it is added: each change is an event
            action.triggered.connect(lambda _=False, name=command.name: self._give(name))
            self._actions[command.name] = action
        window.addActions(list(self._actions.values()))
        window.installEventFilter(self)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def on(self, name: str, call: Callable[[], object]) -> None:
        """Call this, and nothing else any more, when the command is given."""
        self._calls[name] = call

    def keys(self, command: Command) -> tuple[str, ...]:
        """Return the keys that give a command."""
        return self._own.get(command.name, command.keys)

    def taken(self, key: str, by: str) -> Command | None:
        """Return the command, other than the one called `by`, that a key gives."""
        others = (one for one in COMMANDS if one.name != by)
        wanted = QKeySequence(key)
        return next((one for one in others if wanted in map(QKeySequence, self.keys(one))), None)

    def change(self, name: str, keys: Sequence[str]) -> dict[str, list[str]]:
        """Give a command other keys, and take them from those that have them; return all changes to keep."""
        given = [QKeySequence(key) for key in keys]
        for command in COMMANDS:
            kept = [key for key in self.keys(command) if QKeySequence(key) not in given]
            new = tuple(keys) if command.name == name else tuple(kept)
            if new == command.keys:
                self._own.pop(command.name, None)
            elif new != self.keys(command):
                self._own[command.name] = new
            self._actions[command.name].setShortcuts([QKeySequence(key) for key in new])
        self.keys_changed.emit()
        return {one: list(own) for one, own in self._own.items()}

    def first_key(self, name: str) -> str:
        """Return the key that is shown for a command where there is room for one, empty if it has none."""
        command = next(one for one in COMMANDS if one.name == name)
        return next(map(shown_key, self.keys(command)), "")

    def name_keys(self, whole: QWidget) -> None:
        """Write the keys of the commands on the widgets that were `keyed`."""
        for widget in whole.findChildren(QWidget):
            if name := widget.property("command"):
                key, words = self.first_key(name), widget.property("words")
                if isinstance(widget, QAbstractButton) and widget.text():
                    widget.setText(f"{words}  ({key})" if key else words)
                else:
                    widget.setToolTip(tip(f"{words} ({key})" if key else words))

    def answered(self) -> set[str]:
        """Return the names of the commands that something happens for."""
        return set(self._calls)

    def _give(self, name: str) -> None:
        if (call := self._calls.get(name)) is not None:
            call()

    def enable(self, group: str, on: bool) -> None:
        """Let the commands of a group be given, or not."""
        for command in COMMANDS:
            if command.group == group:
                self._actions[command.name].setEnabled(on)
                self._actions[command.name].setToolTip(tip("" if on else not_now(command)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave a focused control the keys that drive it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            kinds = OWN_KEYS.get(Qt.Key(event.key()), ())
            focused = QApplication.focusWidget()
            if focused is not None and any(focused.inherits(kind) for kind in kinds):
                event.accept()
                return True
        return super().eventFilter(watched, event)


def not_now(command: Command) -> str:
    """Say where a command works that cannot be given here."""
    return f"“{command.words}” {WORKS[command.group]}."


def shown_key(key: str) -> str:
    """Return a key as people write it, such as `Ctrl+Z` or `↓`."""
    return SIGNS.get(key, key)


def keyed(widget: QWidget, command: str, words: str) -> None:
    """Let a widget say what it does and by which key: on a button with a text, else in its tooltip."""
    widget.setProperty("command", command)
    widget.setProperty("words", words)


PAGE_KEYS = {
    "grade": (
        "{grade_0}–{grade_5} grade",
        "{previous_candidate} {next_candidate} candidate",
        "{next_query} / {previous_query} query",
    ),
    "end": ("{previous_candidate} {next_candidate} candidate", "{next_query} / {previous_query} query"),
    "reading": (
        "{previous_candidate} {next_candidate} candidate",
        "{next_query} / {previous_query} query",
        "{read} full text",
    ),
    "queries": ("{next_query} / {previous_query} query",),
    "unmatched": (),
    "figure": ("{save_shown} save it",),
    "nothing": ("{import} import files",),
    "asked": (
        "0, 1, … value",
        "↑ ↓ question",
        "⌫ take back",
        "{next_query} / {previous_query} query",
        "{back} candidates",
    ),
    "evaluate": ("Enter why", "Ctrl+C copy the table", "{save_shown} save it"),
    "compare": ("↑ ↓ query", "Enter open", "Ctrl+C copy the table", "{save_shown} save it"),
    "opening": ("Enter open", "Ctrl+C copy the table", "{save_shown} save it"),
    "agreement": ("Ctrl+C copy the table", "{save_shown} save it"),
    "settling": ("0, 1, … settle", "Ctrl+C copy the table", "{save_shown} save it"),
    "report": ("Ctrl+C copy",),
    "pairs": ("N / P pair",),
    "prefer": ("1 / ← left", "2 / → right", "0 / = equal", "N / P pair", "⌫ take back"),
}
"""What the status bar says of each page, beside the commands' short words, and of what is asked and settled.

On the Grade page, too, behind its end, where it can only be read, and where only other queries, none or
nothing can be gone to.
"""


BETWEEN = "  ·  "
"""What stands between two keys in the status bar."""


def status_keys(page: str, actions: Actions) -> str:
    """Return the line of the status bar: the keys that matter most on a page."""
    groups = ("grade", "project") if page == "grade" else ("project",) if page != "nothing" else ()
    first = {one.name: actions.first_key(one.name) for one in COMMANDS}
    always = [one for one in COMMANDS if one.short and one.group == "window"]
    here = [one for one in COMMANDS if one.short and one.group in groups]
    return BETWEEN.join(
        (
            *(f"{first[one.name]} {one.short}" for one in reversed(always) if first[one.name]),
            *(words.format(**first) for words in PAGE_KEYS[page]),
            *(f"{first[one.name]} {one.short}" for one in here if first[one.name]),
        )
    )
