"""The candidates of a query as cards that scroll; only the cards in sight exist."""

from dataclasses import dataclass
from itertools import accumulate

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from annotator.desktop.grade.card import Card, card_height, more_height
from annotator.desktop.grade.prepared import Prepared, field_line
from annotator.desktop.layouts import PLACES
from annotator.desktop.style import px
from annotator.grades import GRADES, MEANINGS
from annotator.project.views import JudgmentView
from annotator.theme import STEPS, Theme

GAP = STEPS[1]
WIDEST = 760
LATE_MS = 40
"""A grade that takes longer to store is shown as on its way."""

READY_MS = 20
"""So long after cards came into sight the next one below is made."""

GUESS = 140
"""Height of a card that was never in sight, until it is measured."""


@dataclass(frozen=True, slots=True)
class Selected:
    """Words selected in a candidate, and where they stand in its whole text (None: in no one place)."""

    position: int
    text: str
    start: int | None
    end: int | None


class CardList(QAbstractScrollArea):
    """Shows one prepared query. Cards are bound to candidates as they scroll into sight.

    `painted(query)` comes when a query's cards are really on screen; until then no digit counts for it. The
    cards stand in the middle, the one in front at one height.
    """

    grade_chosen = Signal(int, int)
    candidate_pressed = Signal(int)
    painted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Candidates")
        self.setProperty(PLACES, True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # scrolling moves pixels
        self._theme = theme
        self.setAutoFillBackground(True)  # nothing behind it is painted with it
        self._shown: Prepared | None = None
        self._judgments: list[JudgmentView] = []
        self._pending: int | None = None
        self._heights: list[int | None] = []
        self._tops: list[int] = []
        self._cards: dict[int, Card] = {}
        self._spare: list[Card] = []
        self._current = 0
        self._unpainted = False
        self._settling = False
        self._words: tuple[tuple[str, ...], tuple[str, ...]] = MEANINGS, ("",) * len(MEANINGS)
        self._template = ""
        self._clicked: int | None = None
        self._more = self._filled = 0
        """So much higher the card in front is than others."""
        self.show_marks = self._takes = True
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self._show_pending)
        self._soon = QTimer(self, singleShot=True, interval=READY_MS)
        self._soon.timeout.connect(self._make_ready)

    def show_query(self, prepared: Prepared | None, current: int = 0) -> None:
        """Show another query's candidates, or the same one's anew."""
        same = prepared and self._shown and prepared.view.key == self._shown.view.key
        self._shown = prepared
        self._judgments = [one.judgment for one in prepared.view.candidates] if prepared else []
        self._pending = None
        self._current = current
        self._release()
        self._unpainted = True
        if not same:
            self._tops, self._heights = [], []  # those of the other query; scrolling lays cards out
            self.verticalScrollBar().setValue(0)
        self._measure_anew()
        self.viewport().update()

    def set_current(self, position: int) -> None:
        """Frame a candidate and bring it into sight."""
        before = self._tops[position] if 0 <= position < len(self._tops) else 0
        self._current = position
        if not 0 <= position < len(self._tops):
            return
        if self._more:
            self._measure()
            if position == self._clicked:  # it stays where it is, with what the one before is lower by
                self.verticalScrollBar().setValue(
                    self.verticalScrollBar().value() + self._tops[position] - before
                )
            self._settle()
        self._reveal(position)
        self._frame()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keys are here."""
        super().focusInEvent(event)
        self._frame()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the keys are elsewhere."""
        super().focusOutEvent(event)
        self._frame()

    def _frame(self) -> None:
        for at, card in self._cards.items():
            card.set_current(at == self._current, at == self._current and self.hasFocus())

    def show_judgment(self, position: int, judgment: JudgmentView, pending: bool = False) -> None:
        """Show what was said of a candidate; `pending` until it is stored."""
        self._judgments[position] = judgment
        self._pending = position if pending else None
        if pending:
            self._late.start()
        elif position in self._cards:
            self._cards[position].show_judgment(judgment)

    def _show_pending(self) -> None:
        if self._pending in self._cards:
            self._cards[self._pending].show_judgment(self._judgments[self._pending], True)

    def card(self, position: int) -> Card:
        """Return the card of a candidate in sight; raises KeyError for one that is not."""
        return self._cards[position]

    def selection(self) -> Selected | None:
        """Return the words selected in a card in sight."""
        for position, card in self._cards.items():
            if (span := card.passage.selection()) is not None:
                marked = card.passage.marked
                return Selected(
                    position,
                    marked.text[span[0] : span[1]],
                    marked.source(span[0]),
                    marked.source(span[1]),
                )
        return None

    def show_words(self, meanings: tuple[str, ...], examples: tuple[str, ...], template: str) -> None:
        """Show the project's own words for the grades with examples, and other fields by its template."""
        same = (template, meanings) == (self._template, self._words[0])
        self._template, self._words = template, (meanings, examples)
        if not same:
            self._measure_anew()
        self.repaint_marks()

    def repaint_marks(self) -> None:
        """Show the cards in sight anew: marks switched, words changed."""
        for position in self._cards:
            self._fill(position)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours or another text size."""
        self._theme = theme
        for card in (*self._cards.values(), *self._spare):
            card.set_theme(theme)
        self._measure_anew()
        self.repaint_marks()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Measure anew at the new width."""
        super().resizeEvent(event)
        self._measure_anew()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Move the cards with their pixels; only what comes into sight is painted."""
        self.viewport().scroll(dx, dy)
        self._show_bar()
        self._settle()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is between the cards; tell, once per query, that they have reached the screen."""
        QPainter(self.viewport()).fillRect(event.rect(), QColor(self._theme.background))
        if self._unpainted and self._shown is not None:
            self._unpainted = False
            self.painted.emit(self._shown.view.key)

    def _width(self) -> int:
        left, right = edges(self.viewport().width())
        return self.viewport().width() - left - right

    def _left(self) -> int:
        return edges(self.viewport().width())[0]

    def _reveal(self, position: int) -> None:
        """Bring a card to the height where the one in front stands; measuring may move it, so look twice.

        One that was clicked stays where it is, as far as it is in sight.
        """
        bar = self.verticalScrollBar()
        for _ in range(2):
            top = self._tops[position]
            bottom = top + self._high(position) + GAP
            least = bottom - bar.pageStep() if position == self._clicked else top - GAP
            value = min(max(bar.value(), least), top - GAP)
            if value == bar.value():
                break
            bar.setValue(value)

    def _high(self, at: int) -> int:
        return (self._heights[at] or px(GUESS)) + (self._more if at == self._current else 0)

    def _measure_anew(self) -> None:
        self._more = more_height(self._words[0], self._width())
        self._heights = [None] * len(self._judgments)
        self._measure()
        self._settle()
        self.set_current(self._current)

    def _measure(self) -> None:
        """Set the places of all cards, with a guess for those never seen, and the range of the scroll bar."""
        heights = [self._high(at) for at in range(len(self._heights))]
        self._tops = list(accumulate((height + GAP for height in heights), initial=GAP))[:-1]
        last = self._tops[-1] - GAP + self.viewport().height() if self._tops else 0
        self._filled = GAP + sum(heights) + GAP * len(heights)
        whole = max(self._filled, last)  # the last one comes to that height too
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(px(40))
        bar.setRange(0, max(0, whole - self.viewport().height()))
        self._show_bar()

    def _show_bar(self) -> None:
        """Have a scroll bar, whose room always stays free, where a candidate is out of sight."""
        bar = self.verticalScrollBar()
        bar.setVisible(bar.value() > 0 or self._filled > self.viewport().height())

    def _settle(self) -> None:
        """Give every candidate in sight a card at its place; measure those seen for the first time."""
        if self._settling or self._shown is None:
            return
        self._settling = True
        while new := [at for at in self._in_sight() if self._heights[at] is None]:
            for at in new:
                self._heights[at] = self._height(at)
            self._measure()
        in_sight = self._in_sight()
        for at in [at for at in self._cards if at not in in_sight]:
            if at - 1 in in_sight and self._heights[at] is not None:
                self._show_card(at)  # made ready below those in sight
            else:
                self._spare.append(self._cards.pop(at))
        for at in in_sight:
            self._show_card(at)
        for card in self._spare:
            if card.geometry().intersects(self.viewport().rect()):
                card.hide()
        self._settling = False
        self._soon.start()

    def _height(self, at: int) -> int:
        assert self._shown is not None
        return card_height(self._shown.texts[at], self._fields(at), self._theme, self._width())

    def _fields(self, at: int) -> str:
        assert self._shown is not None
        return field_line(self._template, self._shown.view.candidates[at])

    def _show_card(self, at: int) -> None:
        assert self._shown is not None
        if at not in self._cards:
            self._cards[at] = self._spare.pop() if self._spare else self._make()
            self._fill(at)
        top = self._tops[at] - self.verticalScrollBar().value()
        more = self._more if at == self._current else 0
        self._cards[at].place(QRect(self._left(), top, self._width(), self._high(at)), more)
        self._cards[at].show()

    def _make_ready(self) -> None:
        """Have a card for the candidate below those in sight, before one comes to it."""
        for card in self._spare:
            card.hide()
        following = max(self._cards, default=-1) + 1
        if self._shown is None or following - 1 not in self._in_sight() or following >= len(self._tops):
            return
        if self._heights[following] is None:
            self._heights[following] = self._height(following)
            self._measure()
        self._show_card(following)

    def _in_sight(self) -> list[int]:
        top = self.verticalScrollBar().value()
        view = QRect(0, top, 1, max(self.viewport().height(), 1))
        return [
            at for at, y in enumerate(self._tops) if y < view.bottom() and y + self._high(at) > view.top()
        ]

    def _fill(self, position: int) -> None:
        assert self._shown is not None
        card = self._cards[position]
        view = self._shown.view.candidates[position]
        text, fields = self._shown.texts[position], self._fields(position)
        near = [at + 1 for at in self._shown.near(position)]
        card.show_candidate(view, text, position + 1, self._words, fields, self.show_marks, near)
        card.show_judgment(self._judgments[position], position == self._pending)
        card.set_current(position == self._current, position == self._current and self.hasFocus())

    def _make(self) -> Card:
        card = Card(self._theme, self.viewport())
        card.grade_chosen.connect(self.grade_chosen)
        self._enable(card)
        card.pressed.connect(self._click)
        return card

    def take_grades(self, on: bool) -> None:
        """Let the buttons of grades be pressed, or none where nothing is stored."""
        if on != self._takes:
            self._takes = on
            for card in (*self._cards.values(), *self._spare):
                self._enable(card)

    def _enable(self, card: Card) -> None:
        for grade in GRADES:
            card.button(grade).setEnabled(self._takes)

    def _click(self, candidate: int) -> None:
        assert self._shown is not None
        self._clicked = self._shown.position(candidate)
        self.candidate_pressed.emit(candidate)
        self._clicked = None

    def _release(self) -> None:
        self._spare += self._cards.values()
        self._cards.clear()


def edges(room: int, beside: int = 0) -> tuple[int, int]:
    """Return what stands free at both sides of the cards in so much room, `beside` of it their scroll bar."""
    width = min(room - beside - 2 * STEPS[3], px(WIDEST))
    left = max(STEPS[3], (room - beside - width) // 2)
    return left, room - left - width
