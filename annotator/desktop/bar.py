"""The narrow bar at the left that leads to the pages."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QVBoxLayout, QWidget

from annotator.desktop.icons import icon
from annotator.desktop.pages import PAGES
from annotator.desktop.style import px, tip
from annotator.theme import STEPS, Theme

WIDE = 84


class Bar(QFrame):
    """One button per page, one of them pressed; they are made when the first page is shown."""

    page_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self._theme = theme
        self._group = QButtonGroup(self)
        self._group.idToggled.connect(self._toggle)

    def _make(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(6, STEPS[1], 6, STEPS[1])
        rows.setSpacing(STEPS[0])
        for number, entry in enumerate(PAGES):
            button = QToolButton(self)
            button.setText(entry.title)
            button.setToolTip(tip(f"{entry.title} (Ctrl+{number + 1})"))
            button.setAccessibleName(f"{entry.title} page")
            button.setProperty("kind", "page")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            self._group.addButton(button, number)
            rows.addWidget(button)
        rows.addStretch(1)
        self.theme_changed(self._theme)

    @property
    def wide(self) -> int:
        """How much of the window's width it takes."""
        return 0 if self.isHidden() else px(WIDE)

    def show_page(self, number: int) -> None:
        """Press the button of a page; nothing is announced when it is pressed already."""
        if self.layout() is None:
            self._make()
        self._group.button(number).setChecked(True)

    def theme_changed(self, theme: Theme) -> None:
        """Tint the drawings anew."""
        self._theme = theme
        if self.layout() is None:
            return
        self.setFixedWidth(px(WIDE))
        for number, entry in enumerate(PAGES):
            button = self._group.button(number)
            button.setIcon(icon(entry.name, theme.accent if button.isChecked() else theme.muted))
            button.setIconSize(QSize(px(20), px(20)))
            button.setFixedWidth(px(72))

    def _toggle(self, number: int, on: bool) -> None:
        """Tint a button; Tab stops at the one that is pressed, and the arrow keys go on from there."""
        colour = self._theme.accent if on else self._theme.muted
        button = self._group.button(number)
        button.setIcon(icon(PAGES[number].name, colour))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus if on else Qt.FocusPolicy.NoFocus)
        if on:
            self.page_wanted.emit(number)
