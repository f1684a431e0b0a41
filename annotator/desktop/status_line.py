"""The line below the pages: what was said last, or the keys; both begin where the pages begin."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStatusBar, QWidget

from annotator.desktop.style import tip
from annotator.theme import STEPS

INSIDE = 2
"""Qt places what stands in a status bar so far within its margins."""


class StatusLine(QStatusBar):
    """A status bar that says things at the edge it is given; Qt has one of its own for what is said."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._left = STEPS[2]
        self.setSizeGripEnabled(False)
        self.messageChanged.connect(lambda said: self.setToolTip(tip(said)))  # what has no room is told there

    def begin_at(self, left: int) -> None:
        """Have one left edge, this far within the window, and the height of the text: Qt keeps an old one."""
        self._left = left
        self.setContentsMargins(left - INSIDE, 0, STEPS[1], 0)
        self.reformat()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what was said; what does not fit beside the other parts ends in an ellipsis."""
        said = self.currentMessage()
        if not said:
            super().paintEvent(event)
            return
        from PySide6.QtWidgets import QStyle, QStyleOption  # whose many names take long to make at the start

        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelStatusBar, option, painter, self)
        others = self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        right = min((one.x() for one in others if one.isVisible()), default=self.width())
        box = self.rect().adjusted(self._left, 0, right - self.width() - STEPS[1], 0)
        painter.setPen(self.palette().windowText().color())
        fitting = self.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, fitting)
