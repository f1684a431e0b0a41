"""Tabs that cost nothing until they are looked at."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QStyleOptionTab,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.controls import literal
from annotator.desktop.dialog import Themed
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import font
from annotator.desktop.theme_change import Behind
from annotator.desktop.worker import Worker
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.project.project import Project


class WrappingTab(QWidget):
    """What stands in a tab, with texts and choices that take more lines in less width."""

    def minimumSizeHint(self) -> QSize:
        """Ask for all lines of the texts beside the least of the views: Qt asks for few of the lines."""
        least, layout = super().minimumSizeHint(), self.layout()
        high = layout.minimumHeightForWidth(self.width()) if layout is not None else 0
        return least.expandedTo(QSize(0, high))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height where another width breaks texts into other lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class ProjectTab(WrappingTab):
    """What a tab shows of a project: `job` computes it, its `views` follow the theme."""

    views: Sequence[Themed] = ()

    def __init__(self, project: "Project", worker: Worker) -> None:
        super().__init__()
        self._project = project
        self.job = JobBar(worker)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for view in self.views:
            view.theme_changed(theme)


LINE = 1
"""So high is the line that the style sheet draws below the titles."""

BESIDE, BEFORE = 26, 4
"""The room beside a title, and before the first one: with large text, too, it begins at the page's edge."""


class SteadyTabBar(QTabBar):
    """Gives every tab the room that its title takes when chosen, so that choosing one moves no other.

    `arranged` follows whatever gives the tabs other places.
    """

    arranged = Signal()

    def tabLayoutChange(self) -> None:
        """Tell that the tabs have other places."""
        self.arranged.emit()

    def initStyleOption(self, option: QStyleOptionTab, index: int) -> None:
        """Leave out the title of a tab that is cut: the menu behind the tabs has it."""
        super().initStyleOption(option, index)
        arrows = [one.x() for one in self.findChildren(QToolButton) if not one.isHidden()]
        beside, place = BESIDE // 2, self.tabRect(index)
        if place.left() + beside < 0 or place.right() - beside > min(arrows, default=self.width()):
            option.text = ""

    def tabSizeHint(self, index: int) -> QSize:
        """Ask for the room of the title in bold, and what the style sheet has beside it."""
        bold = QFontMetrics(font(weight=QFont.Weight.DemiBold))
        beside = BESIDE + (0 if index else BEFORE)
        return QSize(
            bold.horizontalAdvance(self.tabText(index)) + beside, super().tabSizeHint(index).height()
        )


class Tabs(QTabWidget):
    """Makes what a tab holds when it is first looked at, and fills it when it is looked at after `refill`.

    Tabs are named by their titles. Where there is no room for all of these, a menu behind them has them all.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bar = SteadyTabBar(self)
        self.setTabBar(bar)
        for arrow in bar.findChildren(QToolButton):  # in whose place the menu stands
            arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.every = QPushButton(self)
        self.every.setProperty("kind", "tabs")
        self.every.setAccessibleName("All tabs")
        self.every.setToolTip("All tabs")
        menu = QMenu(self.every)
        menu.aboutToShow.connect(partial(self._fill, menu))
        self.every.setMenu(menu)
        self.setCornerWidget(self.every)
        bar.arranged.connect(self._fit)
        self._ways: list[tuple[Callable[[], QWidget], Callable[[], object]]] = []
        self._made: set[int] = set()
        self._stale: set[int] = set()
        self.setDocumentMode(True)
        bar.setDrawBase(False)
        self.currentChanged.connect(self._look)
        self.currentChanged.connect(self.updateGeometry)

    def hasHeightForWidth(self) -> bool:
        """Ask for no height that depends on the width: what has too little scrolls."""
        return False

    def sizeHint(self) -> QSize:
        """Ask for the least height: they take what is left over."""
        return QSize(super().sizeHint().width(), max(self.minimumHeight(), self.minimumSizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        """Ask for what the tab in front needs: Qt asks for the others, too, of which it hears no change."""
        least = super().minimumSizeHint()
        high = self.currentWidget().minimumSizeHint().height() if self.count() else 0
        return QSize(least.width(), self.tabBar().sizeHint().height() + LINE + high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Offer the menu where there is no room for all titles."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint nothing: Qt would draw a line in colours of its own above the menu."""

    def _fit(self) -> None:
        self.every.setHidden(self.tabBar().sizeHint().width() <= self.width())

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for at in filter(self.isTabVisible, range(self.count())):
            action = menu.addAction(literal(self.tabText(at)), partial(self.setCurrentIndex, at))
            action.setCheckable(True)
            action.setChecked(at == self.currentIndex())

    def add(self, title: str, make: Callable[[], QWidget], fill: Callable[[], object] = lambda: None) -> None:
        """Add a tab: `make` returns its content, `fill` shows in it what is known by then."""
        self._ways.append((make, fill))
        holder = Behind(self)
        QVBoxLayout(holder).setContentsMargins(0, 0, 0, 0)
        self.addTab(holder, title)

    def refill(self) -> None:
        """Fill every tab anew, the one in front at once."""
        self._stale = set(range(self.count()))
        self._look()

    def look_at(self, title: str) -> None:
        """Bring a tab to the front."""
        self.setCurrentIndex(self.place(title))

    def offer(self, title: str, offered: bool) -> None:
        """Show or hide a tab."""
        self.setTabVisible(self.place(title), offered)

    def place(self, title: str) -> int:
        """Return the number of a tab."""
        return [self.tabText(at) for at in range(self.count())].index(title)

    def _look(self) -> None:
        at = self.currentIndex()
        make, fill = self._ways[at]
        holder = self.widget(at)
        layout = holder.layout() if holder else None
        content = make() if at not in self._made and layout is not None else None
        if content is not None and layout is not None:
            self._made.add(at)
            layout.addWidget(content)
        if at in self._stale:
            self._stale.discard(at)
            fill()
        said = Qt.WidgetAttribute.WA_WState_ExplicitShowHide  # the filling may hide what it has nothing for
        if content is not None and not content.testAttribute(said):
            content.show()  # a layout would do so a turn later


def made(owner: QWidget, *names: str) -> list[Any]:
    """Return those of some cached properties of a widget that were made."""
    return [vars(owner)[name] for name in names if name in vars(owner)]
