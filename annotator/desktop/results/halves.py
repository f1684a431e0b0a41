"""A table of results, and beside it what its current row is about; below it where both have no room."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from annotator.desktop.results.grid_view import GridView
from annotator.desktop.style import px


class Halves(QSplitter):
    """Gives the table a share of the width in which all its columns are in sight, until the handle is moved.

    The other part has at least `least` pixels, at the normal text size. With `stacks` it stands below where
    the table has not the room then in which its columns are read; else these are shortened, and scrolled.
    """

    def __init__(
        self, table: GridView, other: QWidget, share: float, least: int, stacks: bool = False
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._table, self._share, self._least, self._stacks = table, share, least, stacks
        self._moved = False
        for part in (table, other):
            self.addWidget(part)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._keep)
        table.fitted.connect(self.share_out)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another width out."""
        super().resizeEvent(event)
        self.share_out()

    def event(self, event: QEvent) -> bool:
        """Share out anew what is there where a part asks for another height."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.share_out()
        return done

    def share_out(self) -> None:
        """Share the width out, or the height where the two stand one below the other."""
        in_sight, read, whole = self._table.room()
        least = read if self._stacks else in_sight
        most = self.width() - self.handleWidth() - px(self._least)
        stacked = self._stacks and least > most
        way = Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal
        if self._moved and way is self.orientation():
            return
        self._moved = False
        self.setOrientation(way)
        wide = min(max(round(self.width() * self._share), least), whole, most)
        self.setSizes([1, 1] if stacked else [wide, self.width() - self.handleWidth() - wide])

    def _keep(self) -> None:
        """Leave the handle where somebody put it."""
        self._moved = True
