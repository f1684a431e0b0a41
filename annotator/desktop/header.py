"""The head of the window: what is open, who grades, search, theme, and the way to the report."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from annotator.desktop.actions import COMMANDS, Actions
from annotator.desktop.controls import button, literal
from annotator.desktop.elided import Elided
from annotator.desktop.icons import icon
from annotator.desktop.layouts import row
from annotator.desktop.style import label, px
from annotator.theme import STEPS, Theme

if TYPE_CHECKING:
    from annotator.project.views import Contents

PAUSE_MS = 120
"""Typing is searched for after a pause this long."""


ROOMY = 700
"""Narrower than this, at the normal text size, the header leaves the counts out."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 query`, `2,000 queries`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


class Header(QFrame):
    """Name and counts at the left, search and buttons at the right; the project's part hides without one.

    `searched(text)` while typing; `search_left` on Enter: the keys go back to the page.
    """

    searched = Signal(str)
    search_left = Signal()

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "head")
        self._who = ""
        self._name = Elided("heading", self)
        self._counts = Elided("muted", self)
        self.annotator = self._button(actions["annotator"], "link")
        self._search = QLineEdit(self)
        self._search.setProperty("kind", "search")
        self._search.setPlaceholderText("Find a query, document or note")
        self._search.setAccessibleName("Find a query, document or note")
        self._glass = label("", "", self._search)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(lambda: self.searched.emit(self._search.text().strip()))
        self._search.textChanged.connect(lambda _text: self._pause.start())
        self._search.returnPressed.connect(self.search_left)
        self._theme_button = self._tool("Light or dark")
        self._theme_button.setDefaultAction(actions["theme"])
        self._menu_button = self._tool("Menu")
        self._menu_button.setToolTip("Menu")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for group in ("window", "project"):
            menu.addActions([actions[command.name] for command in COMMANDS if command.group == group])
            menu.addSeparator()
        self._menu_button.setMenu(menu)
        self._export = self._button(actions["export"], "primary")
        self._actions = actions
        left = (self._name, self._counts, self.annotator)
        right = ((self._search, 2), self._menu_button, self._theme_button, self._export)
        row(*left, 1, *right, on=self, around=(STEPS[2], STEPS[0], STEPS[2], STEPS[0]), gap=STEPS[1])
        self.show_nothing()
        self.theme_changed(theme)

    def show_nothing(self) -> None:
        """Show the program's name alone: no project is open."""
        self._name.setText("Annotator")
        self._counts.setText("")
        for part in (self._counts, self.annotator, self._search, self._export):
            part.hide()

    def show_name(self, name: str, annotator: str) -> None:
        """Show a project's name and who grades."""
        self._name.setText(name)
        self._who = f"annotator: {annotator}"
        if self._search.isHidden():
            self._search.setClearButtonEnabled(True)
            self._draw_project_part()
        for part in (self.annotator, self._search, self._export):
            part.show()
        self._make_room()

    def show_counts(self, contents: "Contents") -> None:
        """Show how much the project holds."""
        self._counts.setText(
            f"{counted(len(contents.systems), 'run')} · {counted(contents.queries, 'query', 'queries')}"
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the counts out where the name needs the room, and cut a long name of the annotator."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        self._counts.setVisible(self.annotator.isVisibleTo(self) and self.width() >= px(ROOMY))
        end, room = Qt.TextElideMode.ElideRight, self.width() // 4
        shown = self.annotator.fontMetrics().elidedText(self._who, end, room)
        self.annotator.setText(literal(shown))
        self.annotator.setAccessibleName(self._who)
        self.annotator.setToolTip("" if shown == self._who else self._who)

    def search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def clear_search(self) -> None:
        """Empty the search field without searching."""
        self._search.blockSignals(True)
        self._search.clear()
        self._search.blockSignals(False)

    def theme_changed(self, theme: Theme) -> None:
        """Tint the drawings and size the fields with the text; those of a project while there is one."""
        self._theme = theme
        self._actions["theme"].setIcon(icon("sun" if theme.dark else "moon", theme.muted))
        self._theme_button.setIconSize(QSize(px(18), px(18)))
        self._menu_button.setIcon(icon("more", theme.muted))
        self._menu_button.setIconSize(QSize(px(18), px(18)))
        self._make_room()
        if not self._search.isHidden():
            self._draw_project_part()

    def _draw_project_part(self) -> None:
        theme = self._theme
        self._export.setIcon(icon("export", theme.on_accent))
        self._export.setIconSize(QSize(px(16), px(16)))
        self._glass.setPixmap(
            icon("search", theme.muted).pixmap(QSize(px(15), px(15)), self.devicePixelRatioF())
        )
        self._glass.adjustSize()
        self._search.setMinimumWidth(px(110))
        self._search.setMaximumWidth(px(260))
        height = self._search.sizeHint().height()
        self._glass.move(px(8), (height - self._glass.height()) // 2)

    def _button(self, action: QAction, kind: str) -> QPushButton:
        made = button(action.text(), action.trigger, self, kind)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        action.changed.connect(lambda: made.setEnabled(action.isEnabled()))
        return made

    def _tool(self, name: str) -> QToolButton:
        made = QToolButton(self)
        made.setAccessibleName(name)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made
