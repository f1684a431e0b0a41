"""The head of the window: what is open, who grades, search, theme, and the way to the report."""

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QToolButton, QWidget

from annotator.desktop.actions import MENU, Actions
from annotator.desktop.controls import literal
from annotator.desktop.elided import Elided, ElidedButton
from annotator.desktop.icons import icon
from annotator.desktop.layouts import row
from annotator.desktop.style import px, tip
from annotator.text.visible import telling, visible
from annotator.theme import STEPS, Theme

if TYPE_CHECKING:
    from annotator.desktop.search_field import SearchField
    from annotator.project.views import Contents

ROOMY = 700
"""Narrower than this, at the normal text size and without a team, the header leaves the counts out.

With one, what leads to the report then is its drawing alone.
"""

NAME = 100
"""The name of the project gives way to how the sharing stands down to so much, at the normal text size."""


class ProjectPart(NamedTuple):
    """What the header shows of an open project."""

    counts: Elided
    annotator: QPushButton
    search: "SearchField"
    export: QPushButton


class Header(QFrame):
    """Name and counts at the left, search and buttons at the right; the project's part comes with the first.

    `searched(text)` while typing; `search_left` on Enter: the keys go back to the page.
    """

    searched = Signal(str)
    search_left = Signal()

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "head")
        self._who = ""
        self._leads = False
        self._quiet = False
        self._actions = actions
        self._theme = theme
        self.part: ProjectPart | None = None
        self.team: ElidedButton | None = None
        self._name = Elided("heading", self)
        self._theme_button = self._tool("Light or dark")
        self._theme_button.setDefaultAction(actions["theme"])
        self._menu_button = self._tool("Menu")
        self._menu_button.setToolTip("Menu")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        QWidget.setTabOrder(self._menu_button, self._theme_button)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)  # why something cannot be done
        for group in MENU:
            menu.addActions([actions[name] for name in group])
            menu.addSeparator()
        self._menu_button.setMenu(menu)
        around = (STEPS[2], STEPS[0], STEPS[2], STEPS[0])
        self._row = row(
            self._name, 1, self._menu_button, self._theme_button, on=self, around=around, gap=STEPS[1]
        )
        self.show_nothing()
        self.theme_changed(theme)

    def _make_part(self) -> ProjectPart:
        from annotator.desktop.search_field import SearchField

        part = ProjectPart(
            Elided("muted", self),
            self._button(self._actions["annotator"], "person"),
            SearchField(self._theme, self),
            self._button(self._actions["export"], "primary"),
        )
        part.export.setAccessibleName(self._actions["export"].text())
        part.export.setToolTip(tip(self._actions["export"].text()))
        part.search.searched.connect(self.searched)
        part.search.returnPressed.connect(self.search_left)
        self._row.insertWidget(1, part.annotator)
        self._row.insertWidget(2, part.counts)  # which come later, and move nothing
        self._row.insertWidget(4, part.search, 2)
        self._row.addWidget(part.export)
        for one, after in ((part.annotator, self._name), (part.search, part.annotator)):
            QWidget.setTabOrder(after, one)
        QWidget.setTabOrder(self._theme_button, part.export)
        return part

    @property
    def name(self) -> str:
        """What is open is called."""
        return self._name.text()

    def show_nothing(self) -> None:
        """Show the program's name alone: no project is open."""
        self._name.setText("Annotator")
        if self.part is not None:
            self.part.counts.setText("")
            for one in self.part:
                one.hide()

    def show_name(self, name: str, annotator: str) -> None:
        """Show a project's name and who grades."""
        self._name.setText(name)
        self._leads = self._leads and self._who == annotator  # what was counted of somebody else is over
        self._who = annotator
        if self.part is None:
            self.part = self._make_part()
            self._draw_part(self.part)
        for one in self.part:
            one.show()
        self._make_room()

    def show_counts(self, contents: "Contents") -> None:
        """Show how much the project holds, and whether it is a lead who grades."""
        from annotator.text.counts import counted

        self._leads = any(one.lead for one in contents.annotators if one.name == self._who)
        self._make_room()
        if self.part is not None:
            runs, queries = len(contents.systems), contents.queries
            self.part.counts.setText(f"{counted(runs, 'run')} · {counted(queries, 'query', 'queries')}")

    def show_team(self, words: str, more: str, wrong: bool = False) -> None:
        """Show how the sharing of the project stands; without words it is not shared."""
        if self.team is None and words:
            self.team = ElidedButton(self)
            self._button(self._actions["team"], "", self.team)
            self._row.insertWidget(2, self.team)
            if self.part is not None:
                QWidget.setTabOrder(self.part.annotator, self.team)
            self._draw_team(self.team)
        if self.team is not None:
            self.team.setText(literal(words))
            self.team.setAccessibleName(f"Team: {words}")
            self.team.setToolTip(tip(more))
            self.team.setVisible(bool(words))
            if self.team.property("kind") != (kind := "danger" if wrong else ""):
                self.team.setProperty("kind", kind)
                self.team.style().polish(self.team)
            self._make_room()

    def minimumSizeHint(self) -> QSize:
        """Give way rather than widen the window: what has no room is left out or cut."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the counts out where the name needs the room, and cut a long name of the annotator."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        if self.part is None:
            return
        made = self.part.annotator
        team = self.team.sizeHint().width() if self.team is not None and self.team.isVisibleTo(self) else 0
        role, as_lead = (" · lead", ", with the role of lead") if self._leads else ("", "")
        crowded = bool(team) and self.width() < px(ROOMY) + team // 2
        self.part.export.setText("" if crowded else self._actions["export"].text())
        self.part.search.setMinimumWidth(px(70 if crowded else 110))
        share = self.width() // (5 if crowded else 4)
        end, room = Qt.TextElideMode.ElideRight, share - made.iconSize().width() - STEPS[2]
        metrics = made.fontMetrics()
        who = telling(self._who)
        shown = metrics.elidedText(who, end, room - metrics.horizontalAdvance(role))
        made.setText(literal(f"{shown}{role}"))
        made.setAccessibleName(visible(f"Annotator: {who}{as_lead}"))
        made.setToolTip(tip(f"{who} grades{as_lead}. Somebody else? Click."))
        beside = (made, self._menu_button, self._theme_button, self.part.export, self._name)
        *fixed, name = (one.sizeHint().width() + STEPS[1] for one in beside)
        taken = sum(fixed) + self.part.search.minimumWidth() + 2 * STEPS[2]
        if self.team is not None and team:
            self.team.fit(self.width() - taken - min(name, px(NAME)) - STEPS[1])
        whole = taken + name + self.part.counts.sizeHint().width() + STEPS[1]
        least = max(px(ROOMY) + team, whole + team + STEPS[1] * bool(team))
        self.part.counts.setVisible(made.isVisibleTo(self) and self.width() >= least)

    def quiet(self, on: bool) -> None:
        """Let the way to the report stand back where something else is done, as on the Grade page."""
        self._quiet = on
        if self.part is not None:
            self.part.export.setProperty("kind", "" if on else "primary")
            self.part.export.style().polish(self.part.export)
            self._draw_part(self.part)

    def search(self) -> None:
        """Put the cursor into the search field."""
        if self.part is not None:
            self.part.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.part.search.selectAll()

    def clear_search(self) -> None:
        """Empty the search field without searching."""
        if self.part is not None:
            self.part.search.clear_silently()

    def theme_changed(self, theme: Theme) -> None:
        """Tint the drawings and size the fields with the text."""
        self._theme = theme
        self._actions["theme"].setIcon(icon("sun" if theme.dark else "moon", theme.muted))
        self._theme_button.setIconSize(QSize(px(18), px(18)))
        self._menu_button.setIcon(icon("more", theme.muted))
        self._menu_button.setIconSize(QSize(px(18), px(18)))
        if self.team is not None:
            self._draw_team(self.team)
        if self.part is not None:
            self._draw_part(self.part)
            self._make_room()

    def _draw_team(self, team: QPushButton) -> None:
        team.setIcon(icon("people", self._theme.accent))
        team.setIconSize(QSize(px(16), px(16)))

    def _draw_part(self, part: ProjectPart) -> None:
        part.export.setIcon(icon("export", self._theme.text if self._quiet else self._theme.on_accent))
        part.annotator.setIcon(icon("person", self._theme.accent))
        part.annotator.setIconSize(QSize(px(16), px(16)))
        part.export.setIconSize(QSize(px(16), px(16)))
        part.search.theme_changed(self._theme)

    def _button(self, action: QAction, kind: str, made: QPushButton | None = None) -> QPushButton:
        made = made or QPushButton(action.text(), self)
        made.setProperty("kind", kind)
        made.clicked.connect(action.trigger)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        action.changed.connect(lambda: made.setEnabled(action.isEnabled()))
        return made

    def _tool(self, name: str) -> QToolButton:
        made = QToolButton(self)
        made.setAccessibleName(name)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made
