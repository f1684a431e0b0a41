"""The last ten judgments, each a button that leads back to its candidate."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QVBoxLayout, QWidget

from annotator.desktop.grade.card import state_words
from annotator.desktop.grade_chip import paint_chip
from annotator.desktop.style import Weight, font, label, px, tip
from annotator.desktop.wrap_layout import WrapLayout
from annotator.grades import MEANINGS
from annotator.project.views import RecentGrade
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

SHOWN = 10
GAP = 6
SIGNS = {"skipped": "s", "cannot_tell": "?"}


class RecentButton(QAbstractButton):
    """A square in the colour of a grade."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.recent: RecentGrade | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_recent(self, recent: RecentGrade | None, meanings: tuple[str, ...] = MEANINGS) -> None:
        """Show one judgment, with what its grade means here, or nothing."""
        self.recent = recent
        self.setVisible(recent is not None)
        if recent is not None:
            words = f"{recent.label}: {state_words(recent.judgment, meanings)}"
            self.setAccessibleName(visible(f"Correct {words}"))
            self.setToolTip(tip(f"{recent.query_id} · {words}"))
            self.update()

    def sizeHint(self) -> QSize:
        """Return a small square."""
        return QSize(px(24), px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the square and its digit or sign."""
        if self.recent is None:
            return
        judgment = self.recent.judgment
        graded = judgment.grade is not None
        ground = self.theme.grades[judgment.grade] if judgment.grade is not None else self.theme.raised
        edge = self.theme.text if self.hasFocus() else ground if graded else self.theme.line
        pen = QPen(QColor(edge), 2 if self.hasFocus() else 1)
        ink = self.theme.on_grade if graded else self.theme.text
        sign = str(judgment.grade) if graded else SIGNS.get(judgment.state or "", "–")
        box = QRectF(self.rect().adjusted(1, 1, -1, -1))
        painter = QPainter(self)
        paint_chip(painter, box, sign, font(12, Weight.Bold), ground, ink, pen)


class RecentStrip(QFrame):
    """Newest at the left. `chosen(query, candidate)`."""

    chosen = Signal(int, int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.meanings: tuple[str, ...] = MEANINGS
        self.buttons = [RecentButton(theme, self) for _ in range(SHOWN)]
        squares = WrapLayout(gap=GAP)
        self._rows = rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], 6, STEPS[2], 6)
        rows.addLayout(squares)
        self._title = label("", "muted", self)
        squares.addWidget(self._title)
        for button in self.buttons:
            button.hide()
            button.clicked.connect(self._choose)
            squares.addWidget(button)

    def keep_edges(self, left: int, right: int) -> None:
        """Stand under the cards."""
        self._rows.setContentsMargins(left, 6, right, 6)
        self._make_room()

    def show_recent(self, recent: Sequence[RecentGrade], read_only: bool = False) -> None:
        """Show the last judgments, newest first, or what will stand here unless `read_only`."""
        promise = "" if read_only else "Your last ten judgments will stand here."
        self._title.setText("Last judgments" if recent else promise)
        for number, button in enumerate(self.buttons):
            button.show_recent(recent[number] if number < len(recent) else None, self.meanings)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep to one row where that is possible."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Leave the title out where the squares need its room, as with large text."""
        count = sum(not one.isHidden() for one in self.buttons)
        needed = self._title.sizeHint().width() + count * (self.buttons[0].sizeHint().width() + GAP)
        around = self._rows.contentsMargins()  # the layout itself may still have the width of before
        self._title.setHidden(count > 0 and needed > self.width() - around.left() - around.right())

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours."""
        for button in self.buttons:
            button.theme = theme
            button.update()

    def _choose(self) -> None:
        button = self.sender()
        if isinstance(button, RecentButton) and button.recent is not None:
            self.chosen.emit(button.recent.query, button.recent.candidate)
