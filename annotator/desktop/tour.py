"""The tour: a few things to do on a copy of a sample, each told when the one before has really happened."""

from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QBoxLayout

from annotator.desktop.actions import COMMANDS, Actions
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.prepared import Prepared
from annotator.desktop.pages import Page
from annotator.desktop.safety.banner import Notice
from annotator.project.views import Change, JudgmentView
from annotator.tasks import GRADE

SAMPLE = "site-search"


class Step(NamedTuple):
    """What is told, with `{command}` for a command's key, and what has to happen before the next step."""

    until: str
    text: str


STEPS = (
    Step(
        "graded",
        "Does the page on the first card answer the query above it? Press a digit: {grade_0} for not at all, "
        "{grade_5} for perfectly.",
    ),
    Step(
        "undone",
        "Each grade is stored, and the next card is in front. {undo} takes it back, as often as you like.",
    ),
    Step("unsure", "Not sure about one? {skip} skips it, {cannot_tell} asks why. Neither counts as 0."),
    Step("read", "A card shows the sentences that fit. {read} shows the whole text."),
    Step("moved", "From there {read} goes back to the cards. {next_query} goes to the next query."),
    Step(
        "shown",
        "Ranks, scores and systems stay hidden until a query is complete, so that they cannot lead you. "
        "Press {unblind}, then Show, to see them now.",
    ),
    Step("found", "Every command has words, most have a key. {commands} finds them by their words."),
)

LAST = "That was the tour. {keys} shows all keys; the bar at the left leads to scores and comparisons."


def begin(page: Page, actions: Actions) -> None:
    """Begin the tour on the Grade page of an open project; one that was begun there goes on."""
    if isinstance(page, GradePage) and page.findChild(Tour) is None:
        Tour(page, actions)


class Tour(QObject):
    """Stands above the Grade page until it is done or left, by its button or by Esc; covers nothing."""

    def __init__(self, page: GradePage, actions: Actions) -> None:
        super().__init__(page)
        self._page = page
        self._actions = actions
        self._at = 0
        self._query: int | None = page.flow.query
        self.notice = Notice(page)
        self.notice.setAccessibleName("Tour")
        rows = page.layout()
        assert isinstance(rows, QBoxLayout)
        rows.insertWidget(0, self.notice)
        page.followed.connect(self._follow)
        page.flow.query_shown.connect(self._see)
        page.reading.turned.connect(self._read)
        actions["commands"].triggered.connect(self._find)
        actions.keys_changed.connect(self._tell)
        actions.on("back", self._go_back)
        self.notice.tell("…", (("Skip this step", self._go_on), ("End the tour", self.end)), lasting=True)
        self._tell()

    def end(self) -> None:
        """Go, and leave everything as it is."""
        self._actions.on("back", self._page.go_back)
        self.notice.hide()
        self.notice.deleteLater()
        self._page.reading.take_keys()
        self.deleteLater()

    def _tell(self) -> None:
        known = {one.name: self._actions.first_key(one.name) or f"“{one.words}”" for one in COMMANDS}
        if self._at < len(STEPS):
            text = f"{self._at + 1} of {len(STEPS)}   {STEPS[self._at].text}".format(**known)
            self.notice.say(text)
        else:
            text = LAST.format(**known)
            ways = (("New project from files…", self._begin), ("End the tour", self.end))
            if self._has_keys():
                self._page.reading.take_keys()  # its buttons go
            self.notice.tell(text, ways, lasting=True)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.notice, text))

    def _begin(self) -> None:
        self.end()
        self._actions["new"].trigger()

    def _go_on(self) -> None:
        self._at += 1
        self._tell()

    def _happened(self, what: str) -> None:
        if self._at < len(STEPS) and STEPS[self._at].until == what:
            self._go_on()

    def _follow(self, change: Change) -> None:
        judgment = change.after
        if change.undoes:
            self._happened("undone")
        elif change.kind == GRADE.name and isinstance(judgment, JudgmentView):
            states = {"graded": "graded", "skipped": "unsure", "cannot_tell": "unsure"}
            self._happened(states.get(judgment.state or "", ""))
        elif change.kind == "unblind":
            self._happened("shown")

    def _see(self, prepared: Prepared | None) -> None:
        before, self._query = self._query, prepared.view.key if prepared is not None else None
        if prepared is not None and before not in (None, self._query):
            self._happened("moved")

    def _read(self, on: bool) -> None:
        if on:
            self._happened("read")

    def _find(self) -> None:
        self._happened("found")

    def _go_back(self) -> None:
        if self._has_keys() or not self._page.go_back():
            self.end()

    def _has_keys(self) -> bool:
        return self.notice.isAncestorOf(self._page.window().focusWidget())
