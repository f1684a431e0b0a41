"""The headings of a results table: as wide as their words, told from one another where they are cut."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from annotator.desktop.elided import elided
from annotator.desktop.results.cell_painter import EDGE, PADDING
from annotator.desktop.results.grid import Grid
from annotator.desktop.results.side_sheet import end_of
from annotator.desktop.style import font, px


class Headings(QHeaderView):
    """Headings as wide as their words, among which the arrow stands: Qt would leave each room for one."""

    def __init__(self, grid: Grid, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._grid = grid
        self._seen = 0
        """How much of the heading is in sight that is being painted."""
        self.setSectionsClickable(True)

    def sectionSizeFromContents(self, at: int) -> QSize:
        """Ask for the words and what the style sheet has beside them."""
        words = self._grid.headerData(at, self.orientation()) or ""
        wide = QFontMetrics(self._font()).horizontalAdvance(words) + self._beside(at) + 2
        return QSize(wide, super().sectionSizeFromContents(at).height())

    def _font(self) -> QFont:
        return font(11, QFont.Weight.DemiBold)

    def _beside(self, at: int) -> int:
        """Return the room beside the words of a heading."""
        ends = (at == 0) + (at == self.count() - 1)
        return (2 - ends) * px(PADDING) + ends * EDGE

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, at: int) -> None:
        """Let headings that have no room be told from one another."""
        super().initStyleOptionForIndex(option, at)
        wide = self._seen or self.sectionSize(at)  # the option's place is known later
        room = wide - self._beside(at)  # more, and Qt would cut them once more
        option.text = elided(self._grid.names, self._font(), room).get(option.text, option.text)

    def paintSection(self, painter: QPainter, rect: QRect, at: int) -> None:
        """Let a heading end where what is in sight of the table does."""
        seen = rect.intersected(self.viewport().rect())
        seen.setRight(min(seen.right(), end_of(self.viewport()) - 1))
        self._seen = seen.width()
        super().paintSection(painter, seen, at)
        self._seen = 0
