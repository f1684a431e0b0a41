"""One candidate on screen: title, other fields, excerpt, the six grades, its state in words and colour."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QToolTip, QWidget

from annotator.desktop.actions import BETWEEN
from annotator.desktop.elided import elision
from annotator.desktop.grade.grade_buttons import (
    GradeButton,
    button_rows,
    button_side,
    place_in_row,
    place_in_rows,
)
from annotator.desktop.grade.passage import Marked, Passage, text_height
from annotator.desktop.grade.prepared import ANSWER
from annotator.desktop.icons import icon
from annotator.desktop.layouts import PLACES
from annotator.desktop.style import Weight, factor, font, px, tip
from annotator.grades import GRADES
from annotator.project import near_duplicates
from annotator.project.views import EMPTY_ANSWER, UNJUDGED, CandidateView, JudgmentView
from annotator.tasks import GRADE, WITH_OTHERS
from annotator.text.direction import from_the_right
from annotator.text.templates import short, told
from annotator.text.visible import visible
from annotator.theme import RADIUS, STEPS, Theme

LINES = 4
OF = "-duplicate of"
"""What the chip of near-duplicates leaves out where the title would be cut for it."""

NAMED_NEAR = 3
"""So many near-duplicates are told by their numbers."""

NAMED_PLACES = 2
"""So many systems are named at most, of those that found a candidate."""

TITLE_GAP = 12
MARK = 16
ROUNDING = 2
"""Qt cuts a text in exactly the width that it says the text has."""


class Card(QWidget):
    """Shows a candidate and announces a chosen grade; it is used again for other candidates.

    It and its parts paint every pixel of theirs, so that Qt paints what changed and nothing around it.

    `grade_chosen(candidate, grade)`; `pressed(candidate)` when the card is clicked.
    """

    grade_chosen = Signal(int, int)
    pressed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(PLACES, True)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.candidate: CandidateView | None = None
        self._judgment = UNJUDGED
        self._meanings: tuple[str, ...] = ()
        self._examples: tuple[str, ...] = ()
        self._number = 0
        self._current = False
        self.focused = False
        """Whether the list that the card stands in has the keys."""
        self._laid = (0, 0, 0.0, False, 0)
        self._wide: bool | None = None
        self._words: tuple[str, str] | None = None
        self._fields = self._near = self._chip = ""
        self.passage = Passage(theme, LINES, self)
        self.passage.pressed.connect(self._press)
        self._buttons = [GradeButton(grade, theme, self) for grade in GRADES]
        self._group = QButtonGroup(self)
        for button in self._buttons:
            self._group.addButton(button, button.grade)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._group.idToggled.connect(self._toggle)

    def button(self, grade: int) -> GradeButton:
        """Return the button of a grade."""
        return self._buttons[grade]

    def show_candidate(
        self,
        candidate: CandidateView,
        text: Marked,
        number: int,
        words: tuple[tuple[str, ...], tuple[str, ...]],
        fields: str,
        marks: bool,
        near: Sequence[int] = (),
    ) -> None:
        """Show another candidate, with the line of its other fields if there are any.

        `words` are what the grades mean, and an example of each; `near` the numbers of its near-duplicates.
        """
        self.candidate, self._fields, self._near = candidate, fields, near_words(near)
        self._number, self._words = number, None
        if words != (self._meanings, self._examples):
            self._meanings, self._examples = words
            for button, meaning, example in zip(self._buttons, *words, strict=True):
                button.show_meaning(meaning, example)
            self._wide = None
        self.passage.show_text(text, self._theme, marks)
        self.passage.setVisible(bool(text.text))
        self.setAccessibleDescription(visible(f"{fields}\n{text.text}" if fields else text.text))
        self.show_judgment(candidate.judgment)

    def show_judgment(self, judgment: JudgmentView, pending: bool = False) -> None:
        """Show a grade or state; `pending` until it is stored."""
        self._judgment, self._words = judgment, None
        self.passage.show_rationale(rationale_of(judgment))
        self._group.blockSignals(True)
        self._group.setExclusive(False)
        for button in self._buttons:
            chosen = button.grade == judgment.grade
            button.show_state(chosen, chosen and pending)
        self._group.setExclusive(True)
        self._group.blockSignals(False)
        if self.candidate is not None:
            words = (
                f"{self._number}. {self._title()}",
                self._near,
                state_words(judgment, self._meanings),
                self._others(),
                rationale_of(judgment),
            )
            self.setAccessibleName(visible(", ".join(filter(None, words))))
        self._arrange()
        self.update()

    def set_current(self, current: bool, focused: bool) -> None:
        """Frame the card that the next digit is for, more strongly where the list has the keys."""
        if current != self._current:
            for button in self._buttons:  # Tab reaches what is in front, which is in sight
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus if current else Qt.FocusPolicy.NoFocus)
        if (current, focused) != (self._current, self.focused):
            self._current, self.focused = current, focused
            self._arrange()
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours from the next showing on."""
        self._theme = theme
        for button in self._buttons:
            button.theme = theme
            button.update()

    def place(self, place: QRect, more: int = 0) -> None:
        """Stand at a place of the list and set the parts, with so much for further rows of buttons."""
        self.setGeometry(place)
        laid = (place.width(), place.height(), factor(), bool(self._fields), more)
        if laid == self._laid:
            return
        self._laid, self._words = laid, None
        top = STEPS[1] + head_height(self._fields)
        bottom = place.height() - STEPS[1] - more - button_side()
        self.passage.setGeometry(STEPS[2], top, place.width() - 2 * STEPS[2], bottom - top - STEPS[0])
        self._wide = None
        self._arrange()

    def _arrange(self) -> None:
        """Put what the grades mean on the buttons of the card in front, unless its state is to be told."""
        wide = self._current and bool(self._meanings) and not self._needs_line()
        if wide == self._wide:
            return
        self._wide = wide
        side, more = button_side(), self._laid[-1]
        words = self._meanings if wide else ("",) * len(GRADES)
        first = QRect(STEPS[2], self.height() - STEPS[1] - more - side, 0, side)
        place = place_in_rows if wide and more else place_in_row
        place(self._buttons, words, self.width() - 2 * STEPS[2], first)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card, its title line and its state."""
        if self.candidate is None:
            return
        theme, painter = self._theme, QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.background))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = 2 if self._current and self.focused else 1
        box = QRectF(self.rect()).adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2)
        painter.setPen(QPen(QColor(theme.accent if self._current else theme.line), edge))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        painter.setClipRect(box.adjusted(edge, edge, -edge, -edge))  # no mark upon marks leaves the card
        left, right = STEPS[2], self.width() - STEPS[2]
        line = QRectF(left, STEPS[1], right - left, title_height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font(11, Weight.DemiBold))
        painter.setPen(QColor(theme.muted))
        painter.drawText(line, middle, str(self._number))
        indent = QFontMetrics(painter.font()).horizontalAdvance(f"{self._number}  ") + 2
        if self._words is None:
            self._fit(round(line.width()) - indent)
        if self._near:
            line.setRight(self._paint_near(painter).left() - STEPS[0])
        for name in self._drawn_marks():
            line.setRight(line.right() - px(MARK))
            at = round(line.right()), round(line.center().y()) - px(MARK) // 2
            painter.drawPixmap(*at, icon(name, theme.accent).pixmap(px(MARK), px(MARK)))
            line.setRight(line.right() - STEPS[0])
        painter.setPen(QColor(theme.muted))
        painter.setFont(font())
        assert self._words is not None
        title, place = self._words
        behind, sides = (
            line.adjusted(indent, 0, 0, 0),
            (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight),
        )
        first, last = sides[::-1] if from_the_right(title) else sides
        painter.drawText(behind, middle | last, place)
        painter.setFont(font(13, Weight.DemiBold))
        painter.setPen(QColor(theme.text))
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.drawText(behind, middle | first, title)
        if self._fields:
            painter.setFont(font(12))
            painter.setPen(QColor(theme.muted))
            line.moveTop(line.bottom())
            line.setHeight(fields_height())
            cut = Qt.TextElideMode.ElideRight
            fields = painter.fontMetrics().elidedText(self._fields, cut, round(line.width()))
            painter.drawText(line, middle, fields)
        self._paint_state(painter)

    def _fit(self, room: int) -> None:
        """Cut title and what stands behind it as far as they must be, but the words of the chip first."""
        title, short = self._title(), self._near.replace(OF, "", 1)
        room -= TITLE_GAP + len(self._drawn_marks()) * (px(MARK) + STEPS[0])
        tries = zip(
            (self._near, short, short, short, short), (NAMED_PLACES, NAMED_PLACES, 1, 0, 1), strict=True
        )
        for words, most in tries:
            self._chip, place = words, self._place(most)
            chip = round(self._near_place().width()) + STEPS[0] if self._near else 0
            self._words = fitted(title, place, room - chip)
            if self._words == (title, place) or (words == short and self._words[1] == place):
                break

    def _near_place(self) -> QRectF:
        """Return where the chip stands that says of what this is a near-duplicate."""
        height = title_height()
        width = QFontMetrics(font(11)).horizontalAdvance(self._chip) + height
        return QRectF(self.width() - STEPS[2] - width, STEPS[1], width, height)

    def _paint_near(self, painter: QPainter) -> QRectF:
        chip = self._near_place()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.soft))
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
        painter.setFont(font(11))
        painter.setPen(QColor(self._theme.text))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, self._chip)
        return chip

    def event(self, event: QEvent) -> bool:
        """Say, over the chip, what near-duplicates are."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._near:
            over = self._near_place().contains(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(near_duplicates.RULE if over else ""), self)
            return True
        return super().event(event)

    def _paint_state(self, painter: QPainter) -> None:
        side, more = button_side(), self._laid[-1]
        x = STEPS[2] + (0 if more else len(self._buttons) * (side + STEPS[0]) + 4)
        below = more - side - STEPS[0] if more else 0  # rows that are free while the buttons are squares
        line = QRectF(x, self.height() - STEPS[1] - below - side, self.width() - x - STEPS[2], side)
        if any(button.word for button in self._buttons):
            return
        painter.setFont(font())
        painter.setPen(QColor(self._theme.muted))
        state = state_words(self._judgment, self._meanings) if self._judgment != UNJUDGED else ""
        words, cut = "  ·  ".join(filter(None, (state, *self._beside()))), Qt.TextElideMode.ElideRight
        fitting = painter.fontMetrics().elidedText(words, cut, round(line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, fitting)

    def _beside(self) -> list[str]:
        """Return what stands behind the state: what others gave, where that may be seen, and why."""
        rationale = rationale_of(self._judgment)
        reason = f"Rationale: “{told(rationale)}”" if rationale else ""
        return [words for words in (self._others(), reason) if words]

    def _drawn_marks(self) -> list[str]:
        """Return the marks whose icons stand at the end of the title's line, from the right."""
        given = self._judgment.marks
        return [mark.name for mark in reversed(GRADE.marks) if mark.drawn and mark.name in given]

    def _needs_line(self) -> bool:
        """Say whether there is a state, and something of it that the buttons do not say themselves."""
        one = self._judgment
        plain = one.state == "graded" and not (one.quick or one.how)
        return one.state is not None and (not plain or bool(self._beside()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make this card the one the next digit is for."""
        self._press()

    def _press(self) -> None:
        if self.candidate is not None:
            self.pressed.emit(self.candidate.key)

    def _toggle(self, grade: int, on: bool) -> None:
        if on and self.candidate is not None:
            self.grade_chosen.emit(self.candidate.key, grade)

    def _title(self) -> str:
        assert self.candidate is not None
        if self.candidate.kind == "answer":
            below = told(self.passage.marked.text.rstrip(" …"))
            words = told(self.candidate.text)
            return ANSWER if below and words.startswith(below) else visible(short(words)) or EMPTY_ANSWER
        return visible(short(told(self.candidate.title)) or self.candidate.id)

    def _others(self) -> str:
        """Return what other annotators gave, where that may be seen: `Jonas 3, Mara 4`."""
        others = self.candidate.others if self.candidate else ()
        return visible(", ".join(f"{name} {grade}" for name, grade in others))

    def _place(self, most: int = NAMED_PLACES) -> str:
        """Return the id and where so many systems put it; the last one is never named without `+2` others."""
        assert self.candidate is not None
        parts = (
            [self.candidate.id] if self.candidate.kind == "document" and told(self.candidate.title) else []
        )
        for place in self.candidate.places[:most]:
            score = "" if place.score is None else f" ({place.score:.2f})"
            parts.append(f"{place.system} {place.rank}{score}")
        if more := self.candidate.places[most:]:
            parts = parts or [""]
            parts[-1] += f"{BETWEEN * bool(parts[-1])}+{len(more)}".replace(" ", "\xa0")
        return visible(BETWEEN.join(parts))


def near_words(near: Sequence[int]) -> str:
    """Return of which candidates one is a near-duplicate, by their numbers: `near-duplicate of 3, 8`."""
    more = f" and {len(near) - NAMED_NEAR} more" if len(near) > NAMED_NEAR else ""
    return f"near{OF} {', '.join(map(str, near[:NAMED_NEAR]))}{more}" if near else ""


def title_height() -> int:
    """Return the height of a card's title line."""
    return QFontMetrics(font(13, Weight.DemiBold)).height()


def fields_height() -> int:
    """Return the height of the line of other fields."""
    return QFontMetrics(font(12)).height() + px(2)


def head_height(fields: str) -> int:
    """Return the height of what stands above a card's text."""
    return title_height() + (fields_height() if fields else 0) + px(6)


def card_height(text: Marked, fields: str, theme: Theme, width: int) -> int:
    """Return how high the card of a text is at a width."""
    lines = text_height(text, theme, width - 2 * STEPS[2], LINES) + px(4) if text.text else 0
    return STEPS[1] + head_height(fields) + lines + button_side() + STEPS[0] + STEPS[1]


def more_height(meanings: Sequence[str], width: int) -> int:
    """Return what the card in front is higher than others: where its words take further rows of buttons."""
    return (button_rows(meanings, width - 2 * STEPS[2]) - 1) * (button_side() + STEPS[0])


def shares(room: int, title: int, place: int) -> tuple[int, int]:
    """Return how much of a line a title and what stands behind it get, of the widths that they want.

    When both do not fit, the title has at least two thirds of the line before it is cut.
    """
    wide = min(title, max(room - place, room * 2 // 3))
    return wide, min(place, room - wide)


def fitted(title: str, place: str, room: int) -> tuple[str, str]:
    """Return a title and what stands behind it, cut as far as they must be to stand in one line.

    Of what stands behind it the last parts go whole, and the first where the title lacks its room too.
    """
    large, small = QFontMetrics(font(13, Weight.DemiBold)), QFontMetrics(font())
    right, parts = Qt.TextElideMode.ElideRight, place.split(BETWEEN)
    for count in range(len(parts), 0, -1):
        place = BETWEEN.join(parts[:count])
        wanted = small.horizontalAdvance(place) + ROUNDING
        wide, rest = shares(room, large.horizontalAdvance(title) + ROUNDING, wanted)
        if wanted <= rest:
            break
    shown = large.elidedText(title, right, wide)
    if 2 * rest < wanted and shown != title:
        return large.elidedText(title, right, room), ""
    return shown, small.elidedText(place, elision(place), rest)


def rationale_of(judgment: JudgmentView) -> str:
    """Return the words that were given as a judgment's rationale, empty when none were."""
    return str(judgment.marks.get("rationale", ""))


def state_words(judgment: JudgmentView, meanings: tuple[str, ...]) -> str:
    """Return a judgment's state in words, such as `Perfect` or `Can't tell: wrong language`."""
    if judgment.state == "graded" and judgment.grade is not None:
        words = meanings[judgment.grade]
        how = "given quickly" if judgment.quick else WITH_OTHERS.get(judgment.how, "")
        return f"{words} · {how}" if how else words
    if judgment.state == "skipped":
        return "Skipped"
    if judgment.state == "cannot_tell":
        return f"Can't tell: {judgment.reason}" if judgment.reason else "Can't tell"
    return "Unjudged"
