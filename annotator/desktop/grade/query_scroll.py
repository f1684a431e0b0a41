"""The words of a query in the room there is: a long question is scrolled, the candidates stay in sight."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from annotator.desktop.style import px
from annotator.desktop.wrap_layout import WrapLayout
from annotator.theme import STEPS

SHARE = 0.4
"""So much of the column's height may be the query's; the rest belongs to the candidates."""

BELOW = 285
"""So much is left below it at the normal text size, where there is room for both: the card in front with all
its buttons."""

LEAST = 90


class QueryScroll(QScrollArea):
    """As high as what it holds, up to a share of the column; beyond, Tab leads here and the arrows scroll.

    What stands `above` it, and is not always there, takes from its share.
    """

    def __init__(
        self, content: QWidget, column: QWidget, parent: QWidget, above: Sequence[QWidget] = ()
    ) -> None:
        super().__init__(parent)
        self._above = above
        self._content = content
        self._column = column
        self.setAccessibleName("Query")
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(self._take_focus)
        column.installEventFilter(self)

    def hasHeightForWidth(self) -> bool:
        """Say that words break into lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of what is in it, or of its share of the column."""
        above = [max(one.heightForWidth(width), one.minimumSizeHint().height()) for one in self._above]
        there = [high + STEPS[0] for one, high in zip(self._above, above, strict=True) if not one.isHidden()]
        high = self._column.height() - sum(there)
        left, share = high - px(BELOW), round(high * SHARE)
        most = max(px(LEAST), min(share, left) if left >= px(LEAST) else share)
        whole = self._content.heightForWidth(width)
        return whole if whole <= most else self._uncut(width, most)

    def _uncut(self, width: int, most: int) -> int:
        """Return a height at which no row of small things that stand last is cut."""
        inside, width = self._content.layout(), width - self.verticalScrollBar().sizeHint().width()
        last = inside.itemAt(inside.count() - 1) if inside is not None else None
        if not isinstance(last, WrapLayout):
            return most
        top = self._content.heightForWidth(width) - last.heightForWidth(width)
        uncut = top + last.whole_rows(width, most - top)
        return uncut if px(LEAST) <= uncut <= most else most

    def sizeHint(self) -> QSize:
        """Return the height at the width there is."""
        return QSize(self._content.sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the least width of what is in it, and the height in which scrolling makes sense."""
        return QSize(self._content.minimumSizeHint().width(), min(px(LEAST), self.sizeHint().height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the words, and with the column."""
        grown = (self._content, QEvent.Type.LayoutRequest), (self._column, QEvent.Type.Resize)
        if (watched, event.type()) in grown:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _take_focus(self, _low: int, high: int) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if high else Qt.FocusPolicy.NoFocus)
        if not high:
            self.clearFocus()  # the arrows lead through the candidates again
