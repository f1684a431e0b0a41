"""A page of results that scrolls as a whole where large text or a low window leaves it too little height."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from annotator.desktop.results.tabs import Tabs
from annotator.desktop.style import px

LEAST_TABS = 260
"""So high tabs are at least, at the normal text size: some lines are in sight."""

LINE = 24
"""So much of what has the keys is in sight at least, at the normal text size."""


class ScrolledPage(QScrollArea):
    """Holds `content`; where that scrolls, its tabs are as high as the view, and come there when chosen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._tabs: Tabs | None = None
        self._at_end = self._chosen = self._follows = False
        self._soon = QTimer(self, singleShot=True, interval=0)  # when what a tab holds is laid out
        self._soon.timeout.connect(self._settle)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._grown)
        bar.actionTriggered.connect(self._leave)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = QWidget(self)
        self.setWidget(self.content)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_keys)

    def keep(self, tabs: Tabs) -> None:
        """Let these tabs have what height there is."""
        self._tabs = tabs
        for chosen in (tabs.currentChanged, tabs.tabBarClicked):
            chosen.connect(self._choose)
        self._share()

    def show_tabs(self) -> None:
        """Bring the tabs into sight, as far as they do not stand there."""
        if self._tabs is not None and self._tabs.isVisible():
            bar, view = self.verticalScrollBar(), self.viewport()
            top = self._tabs.mapTo(view, QPoint()).y()
            below = max(top + self._tabs.height() - view.height(), 0)
            bar.setValue(bar.value() + (top if top < 0 else min(top, below)))

    def bring(self, part: QWidget) -> None:
        """Bring a part of the content into sight and stay there, whatever tab was chosen before."""
        self._chosen = self._at_end = self._follows = False
        if (layout := self.content.layout()) is not None:
            layout.activate()
        self.ensureWidgetVisible(part)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another height out."""
        super().resizeEvent(event)
        self._share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share the height out anew where the content asks for another one."""
        done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self._share()
        return done

    def _choose(self) -> None:
        """Bring the tabs into sight, and again should what the chosen one holds turn out to be higher."""
        self._chosen, self._follows = True, False
        self._soon.start()

    def _leave(self) -> None:
        """Let the page stand where somebody scrolls it."""
        self._chosen = self._follows = False

    def _settle(self) -> None:
        """Bring into sight what another height took out of it: the tabs, or what has the keys."""
        if self._at_end or self._chosen:
            self.show_tabs()
        if self._follows:
            self._follow_keys(None, QApplication.focusWidget())

    def _scrolled(self, value: int) -> None:
        """Remember whether the end is in sight: it stays there when what is above it grows."""
        self._at_end = 0 < value == self.verticalScrollBar().maximum()

    def _follow_keys(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Bring what has the keys into sight, a line of it: Qt does so only from another part of the page."""
        self._follows = now is not None and self.content.isAncestorOf(now)
        if now is not None and self._follows:
            seen = now.visibleRegion().boundingRect().height()
            if seen < min(now.height(), px(LINE)):
                self.ensureWidgetVisible(now)

    def _grown(self) -> None:
        if self._at_end or self._chosen or self._follows:
            self._soon.start()

    def _share(self) -> None:
        if self._tabs is None:
            return
        room, inside = self.viewport().height(), self._tabs.minimumSizeHint().height()
        least = max(px(LEAST_TABS), inside)
        asked = max(self._tabs.minimumHeight(), inside)
        wide = self.width() - self.verticalScrollBar().sizeHint().width()  # whether it is there or not
        others = self.content.heightForWidth(wide) - asked
        high = least if others + least <= room else max(least, room)
        if not self._tabs.isVisibleTo(self.content):
            high = 0  # else what stands in their place would be as high
        if high != self._tabs.minimumHeight():
            self._tabs.setMinimumHeight(high)
