"""A sheet over the right side of a page: what it covers stays as wide as it was."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QTableView, QWidget

from annotator.desktop.layouts import column
from annotator.desktop.style import px

SHARE, NARROWEST, WIDEST = 0.55, 560, 960
"""How much of the page it covers, within these widths."""

BESIDE = 160
"""A narrower strip beside it would show nothing: it then covers the whole width."""

GAP = 6
"""So much room the numbers that end at its edge leave before it."""


class SideSheet(QFrame):
    """Shows a widget over what is in sight of another one `within` a page; tables end at its edge.

    Esc takes it away, and the keys go back to who had them.
    """

    def __init__(self, content: QWidget, over: QWidget, within: QWidget) -> None:
        super().__init__(within)
        self.setProperty("kind", "sheet")
        self._over, self._within = over, within
        self._before: QWidget | None = None
        self._content = content
        column(content, on=self, around=(1, 0, 0, 0))
        QShortcut(
            QKeySequence("Esc"), self, self.leave, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        for one in (over, within):
            one.installEventFilter(self)
        self.hide()

    def come(self) -> None:
        """Come over the page and take the keys; what is there already keeps them where they are."""
        if self.isHidden():
            self._before = QApplication.focusWidget()
            self.place()
            self.show()
            self.raise_()
            self._content.setFocus()
            self._end_tables()

    def leave(self) -> None:
        """Go, and give the keys back."""
        mine = self.isAncestorOf(QApplication.focusWidget() or self)
        self.hide()
        if mine and self._before is not None:
            self._before.setFocus()
        self._before = None
        self._end_tables()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the right edge."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self.place()
        return False

    def place(self) -> None:
        """Stand at the right of what is in sight."""
        covered = QRect(self._over.mapTo(self._within, QPoint()), self._over.size())
        over = covered.intersected(self._within.rect())
        width = min(max(round(over.width() * SHARE), px(NARROWEST)), px(WIDEST), over.width())
        width = width if over.width() - width >= px(BESIDE) else over.width()
        before = self.geometry()
        self.setGeometry(over.right() + 1 - width, over.top(), width, over.height())
        if self.geometry() != before:
            self._end_tables()

    def _end_tables(self) -> None:
        """Let tables below be painted anew, as far as they are in sight now."""
        for table in self._over.findChildren(QTableView):
            for part in (table, table.horizontalHeader()):
                part.viewport().update()


def end_of(part: QWidget, gap: int = 0) -> int:
    """Return where a part ends at the right, in its pixels: `gap` before the edge of a sheet over it."""
    up, end = part.parentWidget(), part.width()
    while up is not None:
        for sheet in up.findChildren(SideSheet, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if not (sheet.isHidden() or sheet.isAncestorOf(part)):
                end = min(end, part.mapFrom(up, sheet.pos()).x() - gap)
        up = up.parentWidget()
    return end
