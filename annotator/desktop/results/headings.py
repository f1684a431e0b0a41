"""The headings of a results table: as wide as their words, told from one another where they are cut."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView, QWidget

from annotator.desktop.elided import PART, elided
from annotator.desktop.results.cell_painter import EDGE, PADDING, CellPainter
from annotator.desktop.results.grid import Grid
from annotator.desktop.results.side_sheet import GAP, end_of
from annotator.desktop.style import font, px


class Headings(QHeaderView):
    """Headings as wide as their words, among which the arrow stands: Qt would leave each room for one.

    Numbers that are left out have none.
    """

    def __init__(self, grid: Grid, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._grid = grid
        self._seen = 0
        """How much of the heading is in sight that is being painted; -1 where its numbers are left out."""
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
        if self._seen < 0:
            option.text = ""
            return
        wide = self._seen or self.sectionSize(at)  # the option's place is known later
        room = wide - self._beside(at)  # more, and Qt would cut them once more
        words = option.text
        option.text = elided(self._grid.names, self._font(), room).get(words, self._fitting(words, room))

    def _fitting(self, words: str, room: int) -> str:
        """Return words without what stands behind a comma where they have no room for that."""
        metrics, (first, comma, _) = QFontMetrics(self._font()), words.partition(PART)
        short = f"{first}…" if comma and metrics.horizontalAdvance(words) > room else words
        return short if metrics.horizontalAdvance(short) <= room else words

    def paintSection(self, painter: QPainter, rect: QRect, at: int) -> None:
        """Let a heading end where what is in sight of the table does."""
        seen = rect.intersected(self.viewport().rect())
        seen.setRight(min(seen.right(), end_of(self.viewport()) - 1))
        self._seen = -1 if self._left_out(at) else seen.width()
        super().paintSection(painter, seen, at)
        self._seen = 0

    def _left_out(self, at: int) -> bool:
        """Say whether the numbers below a heading are left out."""
        view = self.parentWidget()
        cells = view.itemDelegate() if isinstance(view, QTableView) else None
        if not isinstance(cells, CellPainter):
            return False
        cells.end = end_of(self.viewport(), GAP)
        return cells.leaves_out(at)
