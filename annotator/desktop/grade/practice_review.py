"""What a beginner sees behind a practice query: each candidate, their grade, the one that stands, and why."""

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from annotator.desktop.controls import button
from annotator.desktop.grade.prepared import named
from annotator.desktop.grade_chip import paint_grade
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.style import Weight, font, label, px
from annotator.desktop.wrap_layout import WrapLayout
from annotator.grades import MEANINGS
from annotator.project.practice import Compared, Practising, Review
from annotator.text.counts import counted
from annotator.text.templates import beginning
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

STATES = {"skipped": "you skipped it", "cannot_tell": "you could not tell"}


class Chip(QWidget):
    """A grade in its colour."""

    def __init__(self, grade: int | None, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._grade, self._theme = grade, theme
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """Return the size of one digit with room around it."""
        return QSize(px(24), px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        paint_grade(painter, box, self._grade, self._theme, font(12, Weight.DemiBold))


class PracticeReview(QWidget):
    """Shows a review and announces what to do next.

    `candidate_chosen(key)` to look at one, `repeat_wanted(query)`, `next_wanted`, `work_wanted`.
    """

    candidate_chosen = Signal(int)
    repeat_wanted = Signal(int)
    next_wanted = Signal()
    work_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Where you differ")
        self._theme = theme
        self.shown: tuple[Review, Practising | None] | None = None
        self.meanings: tuple[str, ...] = MEANINGS
        self.examples: tuple[str, ...] = ("",) * len(MEANINGS)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName("Candidates, those first that differ most")
        self._next = button("", self.next_wanted, self)
        self._again = button("Grade it again", self._repeat, self)
        self._work = button("Start the real work", self.work_wanted, self)
        self._edges = STEPS[3], STEPS[3]
        self._below = WrapLayout()  # large text needs a row for each
        for one in (self._again, self._work, self._next):
            one.setAutoDefault(True)  # Enter presses it, as Space does
            self._below.addWidget(one)
        column((self._area, 1), self._below, on=self, around=FLUSH, gap=0)

    def keep_edges(self, left: int, right: int) -> None:
        """Stand where the cards do."""
        self._edges = left, right
        self._below.setContentsMargins(left, STEPS[1], right, STEPS[1])
        self._keep_inside()

    def _keep_inside(self) -> None:
        if (inside := self._area.widget()) is not None and (laid := inside.layout()) is not None:
            bar = self._area.verticalScrollBar().sizeHint().width()
            laid.setContentsMargins(self._edges[0], STEPS[1], max(0, self._edges[1] - bar), STEPS[1])

    def show_review(self, review: Review, practising: Practising | None) -> None:
        """Show where the annotator and what stands differ, and what there is to do next."""
        self.shown = review, practising
        inside = QWidget(self._area)
        parts: list[QWidget] = [label("Where you differ", "title", inside)]
        parts.append(_wrapped(in_words(review), "muted", inside))
        if review.guidelines:
            parts.append(_wrapped(visible(beginning(f"For this query: {review.guidelines}")), "", inside))
        parts += [self._card(one, inside) for one in review.rows]
        column(*parts, 1, on=inside, around=FLUSH, gap=STEPS[1])
        self._area.setWidget(inside)
        self._keep_inside()
        self._offer(practising)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours or another text size."""
        self._theme = theme
        if self.shown is not None:
            self.show_review(*self.shown)

    def _offer(self, practising: Practising | None) -> None:
        """Let one button be the way on: the next query, or behind the last the real work."""
        left = len(practising.queries) - practising.done if practising is not None else 0
        self._next.setText(f"Next practice query  ({counted(left, 'left', 'left')})")
        self._next.setVisible(left > 0)
        self._work.setVisible(practising is not None)
        for one, primary in ((self._next, left > 0), (self._work, left == 0)):
            one.setProperty("kind", "primary" if primary else "")
            one.style().polish(one)
        first = self._next if left else self._work if practising is not None else self._again
        first.setFocus()

    def _card(self, one: Compared, parent: QWidget) -> QWidget:
        card = QFrame(parent)
        card.setProperty("kind", "card")
        title = _wrapped(named(one.candidate), "heading", card)
        look = button("Look at it", partial(self._choose, one.candidate.key), card, "link")
        look.setAccessibleName(visible(f"Look at {named(one.candidate)}"))
        mine, stands = one.candidate.judgment.grade, one.grade
        chips = WrapLayout(gap=STEPS[1])
        for part in (
            label("you", "muted", card),
            Chip(mine, self._theme, card),
            label("on record", "muted", card),
            Chip(stands, self._theme, card),
            label(apart(one), "heading" if one.difference else "muted", card),
        ):
            chips.addWidget(part)
        head = row((title, 1), look, gap=STEPS[1])
        lines = [self._meaning(grade) for grade in dict.fromkeys((mine, stands)) if grade is not None]
        beside = [_wrapped(text, "muted", card) for text in lines if one.difference]
        beside += [_wrapped(text, "", card) for text in one.words]
        card.setAccessibleName(visible(f"{named(one.candidate)}: {apart(one)}"))
        column(head, chips, *beside, on=card, around=(STEPS[2], STEPS[0], STEPS[1], STEPS[1]), gap=STEPS[0])
        return card

    def _meaning(self, grade: int) -> str:
        example = f". For example: {self.examples[grade]}" if self.examples[grade] else ""
        return f"{grade}  {self.meanings[grade]}{example}"

    def _choose(self, key: int) -> None:
        self.candidate_chosen.emit(key)

    def _repeat(self) -> None:
        if self.shown is not None:
            self.repeat_wanted.emit(self.shown[0].query)


def in_words(review: Review) -> str:
    """Say how many grades are the same: `1 of 6 grades is the one on record. Practice …`"""
    if not review.both:
        return "No candidate has both your grade and one on record. Practice counts in no score."
    are = "is the one on record" if review.same == 1 else "are those on record"
    return f"{review.same} of {counted(review.both, 'grade')} {are}. Practice counts in no score."


def apart(one: Compared) -> str:
    """Return how far a grade is from the one that stands: `2 higher`, `the same`."""
    if one.difference is None:
        return STATES.get(one.candidate.judgment.state or "", "no grade is on record")
    if not one.difference:
        return "the same"
    return f"{abs(one.difference)} {'higher' if one.difference > 0 else 'lower'}"


def _wrapped(text: str, kind: str, parent: QWidget) -> QWidget:
    made = label(text, kind, parent)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    return made
