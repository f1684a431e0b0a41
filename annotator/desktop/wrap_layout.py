"""Small things side by side that wrap to the next line when the row is full."""

from itertools import accumulate

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QPushButton, QSizePolicy, QWidget

from annotator.desktop.controls import literal
from annotator.desktop.style import px, tip
from annotator.text.visible import visible
from annotator.theme import STEPS

WIDEST = 240


class WrapLayout(QLayout):
    """Lays widgets out like words of a text."""

    def __init__(self, parent: QWidget | None = None, gap: int = STEPS[0]) -> None:
        super().__init__(parent)
        self._gap = gap
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take an item (Qt's own call)."""
        self._items.append(item)

    def count(self) -> int:
        """Return how many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return an item, None past the end."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give an item away."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Grow in no direction."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Say that a narrower layout is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the rows take at a width."""
        around = self.contentsMargins()
        inside = QRect(0, 0, width, 0).marginsRemoved(around)
        return self._place(inside, move=False) + around.top() + around.bottom()

    def whole_rows(self, width: int, most: int) -> int:
        """Return the height that is left of one at a width when no row is to be cut."""
        ends = accumulate(max(size.height() for _, size in row) + self._gap for row in self._rows(width))
        return max((end - self._gap for end in ends if end - self._gap <= most), default=0)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        self._place(rect.marginsRemoved(self.contentsMargins()), move=True)

    def sizeHint(self) -> QSize:
        """Return the least size; the width comes from outside."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the size of the largest item, and the margins."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size.grownBy(self.contentsMargins())

    def _place(self, rect: QRect, move: bool) -> int:
        """Return the height of the rows; with `move`, put every item in the middle of its row's height."""
        y, rows = rect.y(), self._rows(rect.width())
        for row in rows:
            x, height = rect.x(), max(size.height() for _, size in row)
            for item, size in row if move else ():
                item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + self._gap
            y += height + self._gap
        return max(0, y - self._gap - rect.y()) if rows else 0

    def _rows(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        rows: list[list[tuple[QLayoutItem, QSize]]] = []
        used = 0
        for item in self._items:
            widget = item.widget()
            if widget is not None and widget.isHidden():
                continue
            hint = item.sizeHint()
            size = hint.boundedTo(QSize(width, hint.height()))
            if not rows or used + size.width() > width:
                rows.append([])
                used = 0
            rows[-1].append((item, size))
            used += size.width() + self._gap
        return rows


def chip(text: str, parent: QWidget, checkable: bool = True) -> QPushButton:
    """Return a round button that takes no focus from the mouse; of long words it shows beginning and end."""
    shown = parent.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, px(WIDEST))
    made = QPushButton(literal(shown), parent)
    made.setAccessibleName(visible(text))
    made.setToolTip(tip("" if shown == text else text))
    made.setProperty("kind", "chip")
    made.setCheckable(checkable)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made
