"""The widgets of the Grade page and their places: list at the left, candidates, panels at the right."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from annotator.desktop.grade.asked_panel import AskedPanel
from annotator.desktop.grade.filter_bar import FilterBar
from annotator.desktop.grade.gold_editor import GoldEditor
from annotator.desktop.grade.guidelines import Guidelines
from annotator.desktop.grade.metric_panel import MetricPanel
from annotator.desktop.grade.query_head import QueryHead
from annotator.desktop.grade.query_list import QueryList
from annotator.desktop.grade.query_model import QueryModel
from annotator.desktop.grade.recent_strip import RecentStrip
from annotator.desktop.grade.seat import Seat
from annotator.desktop.messages import Message
from annotator.desktop.style import px
from annotator.project.views import Filters
from annotator.theme import Theme

LIST, LIST_SHARE = (300, 370), 0.28
"""Until the user sets widths, the query list has this share of all, between the two."""

SIDE = 280
"""So wide are the panels at the right."""

LEAST = 120

FOLDED_BELOW = 1_160
FOLDED, FOLDED_SHARE = (250, 300), 0.31
"""In less width than the one, at the normal text size, there are two columns; the others are the first's.

Three would leave the buttons of the grades no room for their words.
"""

TABS = ("Queries", "Scores", "Gold answers", "Guidelines")
SHORT = ("Queries", "Scores", "Gold", "Guide", "Asked")
"""What the tabs are called, and where the list is one of them."""


class Workspace(QSplitter):
    """Three columns whose widths the user sets; what the widgets do is the page's matter.

    Where three have no room, as with large text, the query list becomes a tab beside the other panels.
    """

    def __init__(self, model: QueryModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        role = QPalette.ColorRole
        left, centre, right = self._columns = [
            _column(ground, self) for ground in (role.AlternateBase, role.Window, role.AlternateBase)
        ]
        self._folded = False
        self._widths = QByteArray()
        """What the user set the widths of three columns to, empty until then."""
        self._moved = False
        """Whether the user set the widths of two columns, since there are two."""
        self.filter_bar = FilterBar(Filters(), left)
        self.list = QueryList(model, theme, left)
        self.head = QueryHead(theme, centre)
        self.middle = QStackedWidget(centre)
        self.middle.setMinimumHeight(LEAST)  # the query above it is shown whole
        self.seat = Seat(theme, self.middle)
        self.cards, self.reader = self.seat.cards, self.seat.reader
        self.message = Message(self.middle)
        for part in (self.seat, self.message):
            self.middle.addWidget(part)
        self.recent = RecentStrip(theme, centre)
        self.side = QTabWidget(right)
        self.side.setDocumentMode(True)
        self.side.tabBar().setDrawBase(False)
        self.side.setUsesScrollButtons(False)
        self.side.tabBar().setExpanding(False)
        self.side.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.scores = MetricPanel(theme, self.side)
        self.gold = GoldEditor(self.side)
        self.guide = Guidelines(self.side)
        for panel, words in zip((self.scores, self.gold, self.guide), TABS[1:], strict=True):
            at = self.side.addTab(panel, words)
            self.side.setTabToolTip(at, words)
            self.side.tabBar().setAccessibleTabName(at, words)
        self.asked = AskedPanel(self.side)
        self.asked.hide()  # it has no place until something is asked
        _fill(left, self.filter_bar, self.list)
        _fill(centre, self.head, self.middle, self.recent)
        _fill(right, self.side)
        self.seat.edges_moved.connect(self.head.keep_edges)
        self.seat.edges_moved.connect(self.recent.keep_edges)
        self.setStretchFactor(1, 1)
        self.splitterMoved.connect(self._keep_widths)
        self.setChildrenCollapsible(False)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.list.theme_changed(theme)
        self.head.theme_changed(theme)
        self.seat.theme_changed(theme)
        self.recent.theme_changed(theme)
        self.scores.theme_changed(theme)
        self._fold()

    def show_words(self, meanings: tuple[str, ...], examples: tuple[str, ...], template: str) -> None:
        """Show the project's own words for the grades with examples, and other fields by its template."""
        self.filter_bar.meanings = self.recent.meanings = meanings
        self.cards.show_words(meanings, examples, template)
        self.reader.grades.show_words(meanings, examples)
        self.reader.field_line = template

    def show_nothing(
        self, title: str, text: str = "", button: str = "", call: Callable[[], object] | None = None
    ) -> None:
        """Say why there is no query, and nothing of one beside it."""
        self.message.say(title, text, button, call)
        self.middle.setCurrentWidget(self.message)
        self.head.hide()
        self.gold.show_nothing()
        self.scores.show_nothing()

    def offer_asked(self, on: bool) -> None:
        """Have a tab for what is asked beside the grade, or none: with one, the others' words are short."""
        at = self.side.indexOf(self.asked)
        if on == (at >= 0):
            return
        if on:
            at = self.side.addTab(self.asked, SHORT[-1])
            self.side.tabBar().setAccessibleTabName(at, self.asked.accessibleName())
            self.side.setTabToolTip(at, self.asked.accessibleName())
        else:
            self.side.removeTab(at)
        self._name_tabs(SHORT if self._folded else SHORT[1:] if on else TABS[1:])

    def switch_guidelines(self) -> None:
        """Bring the guidelines to the front of the panels, or the scores if they are there."""
        self.side.setCurrentWidget(self.scores if self.side.currentWidget() is self.guide else self.guide)

    def widths(self) -> QByteArray:
        """Return the widths of the three columns, to be restored; empty until the user sets them."""
        return self._widths

    def restore(self, widths: QByteArray) -> None:
        """Take the widths of the three columns that were kept."""
        if self.restoreState(widths):
            self._widths = widths

    @property
    def folded(self) -> bool:
        """Whether the list of queries is a tab, having no column of its own."""
        return self._folded

    def minimumSizeHint(self) -> QSize:
        """Return room for two columns: a third one gives way."""
        left, centre, right = (column.minimumSizeHint() for column in self._columns)
        beside = left.expandedTo(right)
        width = beside.width() + self.handleWidth() + centre.width()
        return QSize(width, max(beside.height(), centre.height()))

    def showEvent(self, event: QShowEvent) -> None:
        """Take two columns or three."""
        super().showEvent(event)
        self._fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take two columns or three."""
        super().resizeEvent(event)
        if self.isVisible():
            self._fold()

    def _fold(self) -> None:
        left, _, right = self._columns
        narrow, asked = self.width() < px(FOLDED_BELOW), self.asked.hasFocus()
        if narrow and not self._folded:
            self._folded, self._moved = True, False
            self.insertWidget(0, right)
            self.side.insertTab(0, left, TABS[0])
            self.side.setCurrentWidget(self.asked if asked else left)  # which has the digits
            self._name_tabs(SHORT)
        elif not narrow and self._folded:
            self._folded = False
            self.side.removeTab(0)
            self._name_tabs(TABS[1:] if self.side.indexOf(self.asked) < 0 else SHORT[1:])
            self.addWidget(right)
            self.insertWidget(0, left)
            left.show()
            self.restoreState(self._widths)
        if self._folded and not self._moved:
            first = self._share(FOLDED, FOLDED_SHARE)
            self.setSizes([first, self.width() - first])
        elif not self._folded and self._widths.isEmpty():
            first, last = self._share(LIST, LIST_SHARE), px(SIDE)
            self.setSizes([first, self.width() - first - last, last])

    def _share(self, within: tuple[int, int], share: float) -> int:
        low, high = map(px, within)
        return min(max(round(self.width() * share), low), high)

    def _keep_widths(self) -> None:
        self._moved = self._folded
        if not self._folded:
            self._widths = self.saveState()

    def _name_tabs(self, names: Sequence[str]) -> None:
        for at, words in enumerate(names[: self.side.count()]):
            self.side.setTabText(at, words)


def _column(ground: QPalette.ColorRole, splitter: QSplitter) -> QWidget:
    """Return an empty column, placed at once: a widget that moves to another parent is styled anew."""
    column = QWidget(splitter)
    column.setAutoFillBackground(True)  # opaque: nothing behind it is painted again
    column.setBackgroundRole(ground)
    return column


def _fill(column: QWidget, *parts: QWidget) -> None:
    rows = QVBoxLayout(column)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    for part in parts:
        rows.addWidget(part, 1 if isinstance(part, (QueryList, QStackedWidget, QTabWidget)) else 0)
