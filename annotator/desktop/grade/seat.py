"""The candidates as cards, and the full text in their place or, where there is room, beside them."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.desktop.grade.cards import CardList, edges
from annotator.desktop.grade.full_text import Reader
from annotator.desktop.layouts import PLACES
from annotator.desktop.style import px
from annotator.theme import STEPS, Theme

ROOM = 900
"""From this width on, at the normal text size, cards and text stand side by side."""

CARDS = 400, 670
"""So wide the list of cards is at least beside a text of long lines, and at most beside any."""


class Seat(QWidget):
    """Places cards and text; what stands in them is not its matter.

    `edges_moved(left, right)`: where what is in sight begins and ends, so that what stands above and below
    has the same edges. `turned`: the text came into sight beside the cards, or left it.
    """

    edges_moved = Signal(int, int)
    turned = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(PLACES, True)
        self.cards = CardList(theme, self)
        self.reader = Reader(theme, self)
        self.reader.hide()
        self.reader.width_changed.connect(self._place)
        self._alone = False
        self._wanted = True
        self._both = False
        self._bar = 0
        """How wide the scroll bar of the cards is; hidden ones are laid out only when they are shown."""

    @property
    def alone(self) -> bool:
        """Whether the text stands in the place of the cards."""
        return self._alone

    @property
    def both(self) -> bool:
        """Whether the text stands beside the cards."""
        return self._both

    @property
    def reader_shown(self) -> bool:
        """Whether the text is in sight, wherever it stands."""
        return self._alone or self._both

    @property
    def wanted(self) -> bool:
        """Whether the text is to stand beside the cards where there is room."""
        return self._wanted

    @property
    def has_room(self) -> bool:
        """Whether cards and text can stand side by side."""
        return self.width() >= px(ROOM)

    def read(self, alone: bool) -> None:
        """Bring the text to the place of the cards, or let it leave them theirs."""
        self._alone = alone
        self._place()

    def want(self, both: bool) -> None:
        """Have the text beside the cards where there is room, or never."""
        self._wanted = both
        self._place()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.cards.theme_changed(theme)
        self.reader.theme_changed(theme)
        self._place()

    def minimumSizeHint(self) -> QSize:
        """Return room for either of the two."""
        return self.cards.minimumSizeHint().expandedTo(self.reader.minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place both anew."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        room, high, before = self.width(), self.height(), self._both
        self._both = self._wanted and self.has_room and not self._alone
        if self.cards.isVisible():
            self._bar = self.cards.width() - self.cards.viewport().width()
        if self._both:
            text = min(self.reader.width_wanted() + STEPS[3], room - px(CARDS[0]))
            cards = min(room - text, px(CARDS[1]))
            free = (room - text - cards) // 2
            left, right = edges(cards, self._bar)[0] + free, room - free - cards - text + STEPS[3]
            self.cards.setGeometry(free, 0, cards, high)
            self.reader.setGeometry(free + cards, 0, text, high)
            self.reader.keep_edges(0, STEPS[3])
        else:
            left, right = edges(room, self._bar)
            self.cards.setGeometry(0, 0, room, high)
            self.reader.setGeometry(0, 0, room, high)
            self.reader.keep_edges(left, right)
        self.cards.setVisible(not self._alone)
        if not self.reader_shown and self.reader.isAncestorOf(self.window().focusWidget()):
            self.cards.setFocus()  # Qt would give the keys to what comes next
        self.reader.setVisible(self.reader_shown)
        self.edges_moved.emit(left, right)
        if self._both != before:
            self.turned.emit()
