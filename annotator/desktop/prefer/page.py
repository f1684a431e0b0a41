"""The Prefer page: two answers to a query side by side, without names; a key says which is better."""

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from annotator.desktop.controls import button
from annotator.desktop.grade.loop import Decision, Loop
from annotator.desktop.grade.painted_text import PaintedText
from annotator.desktop.grade.query_scroll import QueryScroll
from annotator.desktop.grade.rich_text import in_lines
from annotator.desktop.layouts import AROUND, FLUSH, column, row, tab_in_order
from annotator.desktop.messages import Message, may_pass
from annotator.desktop.pages import Page, Surroundings
from annotator.desktop.style import breakable, label, prose, px
from annotator.desktop.worker import Stop
from annotator.project import preferences
from annotator.project.preferences import VERDICTS, SideBySide, ToPrefer, Verdict
from annotator.project.views import Change
from annotator.tasks import ASSIGNMENT, PRACTICE, PREFERENCE, READY
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotator.project.project import Project
    from annotator.storage.reads.preferred import Two
    from annotator.watch import Watch

    Places = dict[tuple[object, ...], int]

OTHER_PAIRS = ("import", "system", "setting", "annotator", ASSIGNMENT.name, PRACTICE.name, READY.name)
"""Kinds of changes after which other pairs may be there to decide on."""

KEYS: dict[Verdict, tuple[str, ...]] = {
    "left": ("1", "Left"),
    "equal": ("0", "="),
    "right": ("2", "Right"),
}
WORDS: dict[Verdict, str] = {"left": "Left is better", "equal": "Equally good", "right": "Right is better"}
SCROLLS = {"Up": -1, "Down": 1, "PgUp": -10, "PgDown": 10}
"""So many lines further the keys lead in both texts."""

WIDEST = 1_080
"""So wide the two answers are together at most, at the normal text size: some 80 letters a line."""

READING = "Reading the answers…"
UNREAD = "The answers could not be read"
NONE = "No two answers to compare"
HOW = (
    "Import what two systems answer: where they answer a query differently, "
    "their two answers stand here side by side."
)
END = "All pairs are decided. N and P lead through them; a key decides anew."


class PreferPage(Page):
    """Puts one pair after the other in front: those not decided on first, in the order of the queries."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.loop = Loop(self.worker, self)
        self.loop.changed.connect(self.changed)
        self.loop.said.connect(self.said)
        self.loop.failed.connect(self.worker.failed)
        self.stale = True
        self._reading: Stop | None = None
        self.pairs: tuple[Two, ...] = ()
        self.decided: dict[int, int] = {}
        """The levels of those decided on, by place."""
        self._places: Places = {}
        self.at = -1
        """The place of the pair in front."""
        self.front: SideBySide | None = None
        """What is shown of it; None until it is read."""
        self.query = prose(kind="title", parent=self)
        self.progress = label(kind="muted", parent=self)
        self.texts = (PaintedText("The left answer", self), PaintedText("The right answer", self))
        self.buttons: dict[Verdict, QPushButton] = {
            one: button(f"{KEYS[one][0]}  {WORDS[one]}", partial(self.decide, one), self, "verdict")
            for one in VERDICTS
        }
        self.back = button("Take back  (⌫)", partial(self.decide, None), self)
        self.message = Message(self)
        self._lay_out()
        self._answer_keys()
        self._show_message(READING)

    def _lay_out(self) -> None:
        self.stack = QStackedWidget(self)
        asked = QWidget(self.stack)
        for one in self.buttons.values():
            one.setCheckable(True)
        for one in (*self.buttons.values(), self.back):
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for text in self.texts:
            text.setProperty("kind", "answer")
        halves = [
            column(label(words, "caption", asked), (text, 1), gap=STEPS[0])
            for words, text in zip(("LEFT", "RIGHT"), self.texts, strict=True)
        ]
        answers = row((halves[0], 1), (halves[1], 1), gap=STEPS[2])
        sides = row((self.buttons["left"], 1), (self.buttons["right"], 1), gap=STEPS[2])
        words = QWidget(asked)
        column(self.query, on=words, around=FLUSH)
        parts = (
            QueryScroll(words, asked, asked),
            row(self.progress, 1, self.back),
            (answers, 1),
            sides,
            self.buttons["equal"],
        )
        self._rows = QWidget(asked)
        column(*parts, on=self._rows, around=FLUSH, gap=STEPS[1])
        row(1, (self._rows, 1_000), 1, on=asked, around=AROUND, gap=0)
        tab_in_order(self._rows)
        self._keep_lines()
        self.stack.addWidget(self.message)
        self.stack.addWidget(asked)
        column(self.stack, on=self, around=FLUSH)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        self._keep_lines()

    def _keep_lines(self) -> None:
        """Keep the lines short enough to be read, also in a wide window."""
        self._rows.setMaximumWidth(px(WIDEST))

    def _answer_keys(self) -> None:
        calls: list[tuple[str, Callable[[], object]]] = [
            (key, partial(self.decide, one)) for one in VERDICTS for key in KEYS[one]
        ]
        calls += [(key, partial(self.decide, None)) for key in ("Backspace", "Del")]
        calls += [("N", partial(self.step, 1)), ("P", partial(self.step, -1))]
        for key, call in calls:
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(call)
        for key, lines in SCROLLS.items():
            QShortcut(QKeySequence(key), self).activated.connect(partial(self._scroll, lines))
        for text in self.texts:
            text.painted.connect(self._painted)

    def _scroll(self, lines: int) -> None:
        for bar in (text.verticalScrollBar() for text in self.texts):
            bar.setValue(bar.value() + lines)

    def shown(self) -> None:
        """Read which pairs there are, if they may have changed."""
        if self.stale:
            self.refresh()
        self.setFocus()

    def refresh(self) -> None:
        """Read which pairs there are, and put one in front that is not decided on."""
        self.stale = False
        self.loop.leave()
        if self._reading is not None:
            self._reading.ask()

        def read(_: "Watch") -> "tuple[ToPrefer, Places, dict[int, int]]":
            found = preferences.to_prefer(self.project)
            places: Places = {about_of(one): at for at, one in enumerate(found.pairs)}
            said = {at: found.said.get(one.subject) for at, one in enumerate(found.pairs)}
            return found, places, {at: level for at, level in said.items() if level is not None}

        def take(found: "tuple[ToPrefer, Places, dict[int, int]]") -> None:
            if self._reading is reading:  # else others are being read
                self._take(*found)

        def failed(error: Exception) -> None:
            if self._reading is reading and may_pass(error):
                self.message.say(UNREAD, str(error), "Try again", self.refresh)
                self.stack.setCurrentIndex(0)
            else:
                self.worker.failed.emit(error)

        # beside what is stored: of very many queries it takes long
        reading = self.worker.start(self, read, take, failed)
        self._reading = reading

    def do(self, verb: "Callable[[Project], Any]", done: "Callable[[Any], object]") -> None:
        """Run a verb in its turn: after the keys that still wait."""
        self.loop.do(partial(verb, self.project), done)

    def project_changed(self, change: Change) -> None:
        """Follow what was decided, undone or done again; other pairs are read when they are looked at."""
        if change.kind in OTHER_PAIRS:
            self.stale = True
            if change.kind == "annotator":
                self._show_message(READING)
            if self.isVisible():
                self.refresh()
        elif change.kind == PREFERENCE.name:
            place = self._places.get((change.query, change.candidate, *change.ending))
            if place is None:
                return
            if change.after is None:
                self.decided.pop(place, None)
            elif isinstance(change.after, int):
                self.decided[place] = change.after
            if change.undoes:
                self._put_in_front(place)

    def decide(self, verdict: Verdict | None, _checked: bool = False) -> None:
        """Say which side is better, and go on to the next pair; None takes back what was said."""
        self.loop.decide(partial(self._begin, verdict), self._show_verdict)

    def step(self, by: int) -> None:
        """Put the next pair in front, or the one before, round to the other end."""
        if self.pairs:
            self.loop.in_turn(lambda: self._put_in_front((self.at + by) % len(self.pairs)))

    def _begin(self, verdict: Verdict | None, milliseconds: int) -> Decision | None:
        front = self.front
        if front is None or (verdict is None and front.verdict is None):
            self._show_verdict()
            return None
        anew, two = front.verdict is not None, front.two
        self._show_verdict(verdict)

        def stored(change: Change) -> None:
            self.changed.emit(change)
            if verdict is None or anew:
                self._put_in_front(self.at, follows=True)
            elif (following := self._next_open()) is not None:
                self._put_in_front(following, follows=True)
            else:
                self._put_in_front(self.at)
                self.said.emit(END)

        verb = partial(
            preferences.prefer, self.project, two.query, *front.keys, verdict, milliseconds=milliseconds
        )
        return Decision(verb, stored, self._show_verdict)

    def _next_open(self) -> int | None:
        """Return the next pair that is not decided on, round to the start."""
        count = len(self.pairs)
        places = (at % count for at in range(self.at + 1, self.at + 1 + count))
        return next((at for at in places if at not in self.decided), None)

    def _take(self, found: ToPrefer, places: "Places", decided: dict[int, int]) -> None:
        before = about_of(self.pairs[self.at]) if self.at >= 0 else (0, 0, "")
        self.pairs, self._places, self.decided = found.pairs, places, decided
        if not self.pairs:
            self.at, self.front = -1, None
            self.keys_become("nothing")
            self._show_message(NONE)
            self.message.say(NONE, HOW, "Import files…", self.surroundings.actions["import"].trigger)
            return
        self.at = places.get(before, -1)
        open_one = self._next_open() if self.at < 0 else self.at
        self._put_in_front(open_one or 0)

    def _put_in_front(self, place: int, follows: bool = False) -> None:
        self.at, self.front = place, None
        if follows and self.isVisible():
            self.loop.come()
        else:
            self.loop.leave()
        two = self.pairs[place]

        def read() -> tuple[SideBySide, list[str]]:
            found = preferences.side_by_side(self.project, two)
            return found, [in_lines(one) for one in found.texts]

        def show(found: tuple[SideBySide, list[str]]) -> None:
            if self.at == place and self.pairs[place] == two:
                self._show(*found)

        self.worker.submit(self, read, show)

    def _show(self, found: SideBySide, texts: list[str]) -> None:
        self.front = found
        self.keys_become("pairs" if self.project.read_only else "prefer")
        for made in self.buttons.values():
            made.setDisabled(self.project.read_only)
        self.stack.setCurrentIndex(1)
        self.query.setText(breakable(visible(found.asked)))
        self.progress.setText(
            f"Pair {self.at + 1:,} of {len(self.pairs):,}  ·  {len(self.decided):,} decided"
        )
        self._show_verdict()
        for text, words in zip(self.texts, texts, strict=True):
            text.show_text(words)

    def _show_verdict(self, verdict: Verdict | None = None) -> None:
        """Show what is said of the pair in front, or what is being stored."""
        shown = verdict or (self.front.verdict if self.front else None)
        for one, made in self.buttons.items():
            made.setChecked(one == shown)
        self.back.setEnabled(shown is not None and not self.project.read_only)

    def _show_message(self, title: str) -> None:
        self.message.say(title)
        self.stack.setCurrentIndex(0)

    def _painted(self) -> None:
        if self.front is not None and not any(text.unpainted for text in self.texts):
            self.loop.count_keys()

    def showEvent(self, event: QShowEvent) -> None:
        """Let keys count once what is in front is painted."""
        super().showEvent(event)
        for text in self.texts:
            text.show_again()

    def hideEvent(self, event: QHideEvent) -> None:
        """Let no key count that was not taken by now."""
        super().hideEvent(event)
        self.loop.leave()


def about_of(two: "Two") -> tuple[int, int, str]:
    """Return what a change says of two answers: the query, the first answer, and the other's id."""
    return two.query, two.first, two.subject[2]
