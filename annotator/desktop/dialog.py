"""A dialog of the program: its title, a hint, what it asks or shows, and the buttons below."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QPushButton, QScrollArea, QWidget

from annotator.desktop.controls import button
from annotator.desktop.elided import Elided
from annotator.desktop.layouts import FLUSH, Part, column, tab_in_order
from annotator.desktop.style import prose
from annotator.theme import STEPS, Theme

Role = QDialogButtonBox.ButtonRole
Standard = QDialogButtonBox.StandardButton


LEAST = 200
SHARE = 0.95
"""A dialog is at most this share of the screen; what has no room then scrolls."""


class Themed(Protocol):
    """What paints itself in a theme."""

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""


class Content(QWidget):
    """What a dialog holds above its buttons; lists and texts in it give way before it scrolls."""

    def heightForWidth(self, width: int) -> int:
        """Return the least height."""
        layout = self.layout()
        return super().heightForWidth(width) if layout is None else layout.totalMinimumHeightForWidth(width)

    def liked(self, width: int) -> int:
        """Return the height that the parts would like."""
        return super().heightForWidth(width)


class Scrolled(QScrollArea):
    """As large as what it holds has to be, up to the share of the screen; `grown` may have changed that.

    What scrolls ends in its `line`, and the bar stands in the margin: fields keep the edge of the buttons.
    """

    grown = Signal()

    def __init__(self, content: Content, parent: QWidget) -> None:
        super().__init__(parent)
        self._content = content
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.line = QFrame(parent)
        self.line.setProperty("kind", "line")
        policy = self.line.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # else it would make the room lack that it shows the lack of
        self.line.setSizePolicy(policy)
        self.line.hide()
        self.verticalScrollBar().rangeChanged.connect(self._show_cut)

    def sizeHint(self) -> QSize:
        """Return the size that the content would like, with the height of its texts at that width."""
        size = self._content.sizeHint()
        if self._content.hasHeightForWidth():
            size.setHeight(self._content.liked(size.width()))
        return self._shown(size)

    def lacking(self, width: int) -> int:
        """Return how much higher than it asks it has to be at a width: Qt shows no dialog very wide."""
        if not self._content.hasHeightForWidth():
            return 0
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        beside = bar.sizeHint().width() * (bar.maximum() > 0)  # then the margin is less by the bar
        below = across.sizeHint().height() * (across.maximum() > 0)
        return max(self._content.liked(width - beside) + below - self.sizeHint().height(), 0)

    def minimumSizeHint(self) -> QSize:
        """Return the least width of the content, and the height in which scrolling makes sense."""
        return self._shown(self._content.minimumSizeHint()).boundedTo(
            QSize(self.screen().size().width(), LEAST)
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the content, and lay it out anew where it grows while it is shown: Qt forgets that."""
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self.grown.emit()
        done = super().eventFilter(watched, event)
        layout = self._content.layout()
        if watched is self._content and event.type() == QEvent.Type.Resize and layout is not None:
            layout.setGeometry(self._content.rect())
        return done

    def _show_cut(self) -> None:
        """Follow what the bar says now: each step may lay out anew, and change that."""
        bar, layout = self.verticalScrollBar(), self._content.layout()
        self.line.setVisible(bar.maximum() > 0)
        if layout is not None:
            around = layout.contentsMargins()
            around.setRight(STEPS[3] - bar.sizeHint().width() * (bar.maximum() > 0))
            full = self.sizeHint().height() >= self.most().height()
            around.setBottom(STEPS[1] * (bar.maximum() > 0 and full))  # its last part keeps off the line
            layout.setContentsMargins(around)

    def most(self) -> QSize:
        """Return the size that nothing is larger than."""
        return self.screen().availableSize() * SHARE

    def _shown(self, size: QSize) -> QSize:
        most = self.most()
        bar = self.verticalScrollBar().sizeHint().width() if size.height() > most.height() else 0
        return (size + QSize(bar, 0)).boundedTo(most)


class Dialog(QDialog):
    """A dialog that is gone from memory once it is closed. Its `views` paint themselves in a theme."""

    views: Sequence[Themed] = ()

    def __init__(self, title: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size, which may come while the dialog is open."""
        for view in self.views:
            view.theme_changed(theme)

    def lay_out(self, *parts: Part, hint: str = "") -> None:
        """Put the parts below the title and the hint; the last, the buttons, stays when the others scroll."""
        *above, below = parts
        title = Elided("title", self)
        title.setText(self.windowTitle())
        self.windowTitleChanged.connect(title.setText)
        head = [title, *([prose(hint, "muted", self)] if hint else ())]
        content = Content(self)
        column(*head, *above, on=content, around=(STEPS[3], STEPS[2], STEPS[3], 0), gap=STEPS[1])
        buttons = column(below, around=(STEPS[3], STEPS[1], STEPS[3], STEPS[2]))
        scrolled = Scrolled(content, self)
        scrolled.grown.connect(self._grow_soon)
        column((scrolled, 1), scrolled.line, buttons, on=self, around=FLUSH, gap=0)

    def _grow_soon(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, self.grow)  # when the parts know how much room they need

    def showEvent(self, event: QShowEvent) -> None:
        """Be as high as the parts would like."""
        self.grow()
        tab_in_order(self)
        super().showEvent(event)

    def grow(self) -> None:
        """Be as high as the parts would like, but stay on the screen, however large the text is."""
        parts = self.findChildren(Scrolled)
        for scrolled in parts:
            scrolled.updateGeometry()  # parts may have come since they were laid out
        lacking = sum(scrolled.lacking(self.width()) for scrolled in parts)
        size = self.size().expandedTo(QSize(0, self.sizeHint().height() + lacking))
        self.resize(size.boundedTo(self.screen().availableSize() * SHARE))
        screen, frame = self.screen().availableGeometry(), self.frameGeometry()
        beyond = QPoint(max(frame.right() - screen.right(), 0), max(frame.bottom() - screen.bottom(), 0))
        if not beyond.isNull():
            place = self.pos() - beyond
            self.move(max(place.x(), screen.left()), max(place.y(), screen.top()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter press the button that has the keys, as Space does, and page keys scroll from anywhere."""
        has = self.focusWidget()
        entered = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if entered and isinstance(has, QPushButton) and has.isEnabled():
            if not event.isAutoRepeat():
                has.click()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            for scrolled in self.findChildren(Scrolled):
                scrolled.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, following: bool) -> bool:
        """Go on in the order in which the parts stand now, and have what has the keys then in sight."""
        tab_in_order(self)
        went = super().focusNextPrevChild(following)
        for scrolled in self.findChildren(Scrolled):
            if scrolled.isAncestorOf(has := self.focusWidget()):
                scrolled.ensureWidgetVisible(has)
        return went

    def way_out(self, standard: Standard = Standard.Close) -> QDialogButtonBox:
        """Return a row of buttons with the one that leaves the dialog."""
        made = QDialogButtonBox(standard, self)
        made.rejected.connect(self.reject)
        return made

    def question(self, words: str, taken: Callable[[], object]) -> QDialogButtonBox:
        """Return the buttons of a question: the one that takes what was chosen, also on Enter, and Cancel."""
        made = QDialogButtonBox(self)
        take = button(words, taken, self, "primary")
        take.setDefault(True)
        made.addButton(take, Role.AcceptRole)
        made.addButton(Standard.Cancel)
        made.rejected.connect(self.reject)
        return made


class ChangingDialog(Dialog):
    """A dialog that changes the project: `changed(Change)` follows each change that is stored."""

    changed = Signal(object)
