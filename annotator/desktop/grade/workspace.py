"""The widgets of the Grade page and their places: list at the left, candidates, panels at the right."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from annotator.desktop.grade.cards import CardList
from annotator.desktop.grade.filter_bar import FilterBar
from annotator.desktop.grade.gold_editor import GoldEditor
from annotator.desktop.grade.guidelines import Guidelines
from annotator.desktop.grade.metric_panel import MetricPanel
from annotator.desktop.grade.query_head import QueryHead
from annotator.desktop.grade.query_list import QueryList
from annotator.desktop.grade.query_model import QueryModel
from annotator.desktop.grade.reader import Reader
from annotator.desktop.grade.recent_strip import RecentStrip
from annotator.desktop.messages import Message
from annotator.project.views import Filters
from annotator.theme import Theme

SIZES = (300, 620, 290)


class Workspace(QSplitter):
    """Three columns whose widths the user sets; what the widgets do is the page's matter."""

    def __init__(self, model: QueryModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        role = QPalette.ColorRole
        left, centre, right = (
            _column(ground, self) for ground in (role.AlternateBase, role.Window, role.AlternateBase)
        )
        self.filter_bar = FilterBar(Filters(), left)
        self.list = QueryList(model, theme, left)
        self.head = QueryHead(theme, centre)
        self.middle = QStackedWidget(centre)
        self.cards = CardList(theme, self.middle)
        self.reader = Reader(theme, self.middle)
        self.message = Message(self.middle)
        for part in (self.cards, self.reader, self.message):
            self.middle.addWidget(part)
        self.recent = RecentStrip(theme, centre)
        self.side = QTabWidget(right)
        self.side.setDocumentMode(True)
        self.side.setUsesScrollButtons(False)
        self.side.tabBar().setExpanding(False)
        self.side.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.scores = MetricPanel(theme, self.side)
        self.gold = GoldEditor(self.side)
        self.guide = Guidelines(self.side)
        self.side.addTab(self.scores, "Scores")
        self.side.addTab(self.gold, "Gold answers")
        self.side.addTab(self.guide, "Guidelines")
        _fill(left, self.filter_bar, self.list)
        _fill(centre, self.head, self.middle, self.recent)
        _fill(right, self.side)
        self.setStretchFactor(1, 1)
        self.setSizes(list(SIZES))
        self.setChildrenCollapsible(False)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.list.theme_changed(theme)
        self.head.theme_changed(theme)
        self.cards.theme_changed(theme)
        self.reader.theme_changed(theme)
        self.recent.theme_changed(theme)
        self.scores.theme_changed(theme)


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
