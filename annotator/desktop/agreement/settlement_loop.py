"""The queue of disagreements without its looks: what is in front, what a grade does, what follows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.desktop.grade.loop import Decision, Loop
from annotator.desktop.grade.timing import Pace
from annotator.desktop.worker import Worker
from annotator.project.views import Change
from annotator.tasks import SETTLING

if TYPE_CHECKING:
    from annotator.project.adjudication import Disagreement
    from annotator.project.project import Project

END = "Everything here is settled"

CHOOSE = "That key did not count: everything here is settled. Choose a line to settle it anew."

Key = tuple[int, int, tuple[str, ...]]
"""A query, a candidate, and what the subject says after them."""


def key_of(pair: "Disagreement") -> Key:
    """Return what a disagreement is about."""
    return pair.query, pair.candidate, pair.ending


class Settling(Loop):
    """Settles one disagreement after the other, in the order on screen.

    What is settled stays in the list until the list is `tidied`: nothing moves under the eyes of who settles,
    whatever is computed meanwhile. Undo and redo put what they changed in front.

    `listed(rows)`: other rows. `grade_shown(row, grade)`: what settles one of them, None for nothing.
    `current_changed(Disagreement | None)`: another one is in front; keys count once it is `painted`.
    """

    listed = Signal(object)
    grade_shown = Signal(int, object)
    current_changed = Signal(object)

    def __init__(
        self, project: "Project", worker: Worker, order: Callable[[], Sequence[int]], parent: QObject
    ) -> None:
        super().__init__(worker, parent)
        self._project = project
        self._order = order
        self.in_sight = False
        """Whether what is put in front comes to the screen."""
        self.with_settled = False
        self.judged_by = ""
        """What is settled in the place of grades."""
        self.rows: list[Disagreement] = []
        self._row_of: dict[Key, int] = {}
        self._found: Sequence[Disagreement] = ()
        self._since: dict[Key, int | None] = {}
        """What was settled, or taken back, since the list was tidied: known before it is computed anew."""
        self._front: Key | None = None
        self._wanted: Key | None = None

    @property
    def current(self) -> "Disagreement | None":
        """The disagreement in front."""
        return None if self._front is None else self.rows[self._row_of[self._front]]

    @property
    def row(self) -> int:
        """The row of the disagreement in front, -1 without one."""
        return -1 if self._front is None else self._row_of[self._front]

    def show(self, disputed: "Sequence[Disagreement]", judged_by: str = "") -> None:
        """Take what was computed, settled ones among it; what is in front stays so if it is still listed."""
        if judged_by != self.judged_by:
            self.forget()
            self.judged_by = judged_by
        self._found = disputed
        self._list()

    def tidy(self, with_settled: bool) -> None:
        """List what is open, and what is settled if that is wanted."""
        self._found = [self._as_it_stands(one) for one in self._found]
        self._since.clear()
        self.with_settled = with_settled
        self._list()

    def forget(self) -> None:
        """List nothing any more, and let no key that waits count: somebody else goes on."""
        self.leave()
        self._found = ()
        self._since.clear()
        self._list()

    def choose(self, row: int) -> None:
        """Put a row in front that somebody points at."""
        key = key_of(self.rows[row])
        if key != self._wanted:
            self._put_in_front(key)

    def in_front(self, pair: "Disagreement") -> bool:
        """Say whether this one is in front, settled or not."""
        return key_of(pair) == self._front

    def painted(self, pair: "Disagreement") -> None:
        """Let keys count: this one has reached the screen."""
        if key_of(pair) == self._wanted and not self._painted:
            self.count_keys()

    def settle(self, grade: int | None, reason: Callable[[], str]) -> None:
        """Settle what is in front by a grade, and put the next one in front; None takes it back."""
        self.decide(partial(self._begin, self._project.annotator, grade, reason))

    def take(self, change: Change) -> None:
        """Follow what was settled, here or elsewhere, undone or done again; who goes on begins at no pace."""
        if change.kind == "annotator":
            self.pace = Pace()
        if change.kind not in SETTLING or change.query is None or change.candidate is None:
            return
        key = change.query, change.candidate, change.ending
        assert change.after is None or isinstance(change.after, int)
        self._show_grade(key, change.after)
        if change.undoes:
            self._list()
            if key in self._row_of:
                self._put_in_front(key, follows=True)

    def _begin(
        self, annotator: str, grade: int | None, reason: Callable[[], str], milliseconds: int
    ) -> Decision | None:
        pair, why = self.current, reason()
        if pair is None:
            return None
        key, following, judged_by = key_of(pair), self._following(pair), self.judged_by

        def settle() -> Change:
            from annotator.project.adjudication import adjudicate

            return adjudicate(
                self._project,
                *key[:2],
                grade,
                why,
                milliseconds,
                annotator=annotator,
                judged_by=judged_by,
                ending=key[2],
            )

        def stored(change: Change) -> None:
            if grade is not None and pair.settled is None:
                self.pace.add(milliseconds, str(grade))
            self.changed.emit(change)
            if grade is not None and self._front == key:
                self._move_on(following)

        def not_stored() -> None:
            self._show_grade(key, pair.settled)
            if key in self._row_of and self._front != key:
                self._put_in_front(key)

        self._show_grade(key, grade)
        return Decision(settle, stored, not_stored)

    def _following(self, pair: "Disagreement") -> Key | None:
        """Return the next open one, round to the start; without any, the one below what is settled anew."""
        order = self._order()
        place = list(order).index(self._row_of[key_of(pair)])
        below, above = ([self.rows[row] for row in part] for part in (order[place + 1 :], order[:place]))
        following = next((one for one in (*below, *above) if one.settled is None), None)
        if following is None and pair.settled is not None:
            following = next(iter(below), None)
        return None if following is None else key_of(following)

    def _move_on(self, following: Key | None) -> None:
        if following in self._row_of:
            self._put_in_front(following, follows=True)
        else:
            self._wanted = None
            self.leave(CHOOSE)
            self.said.emit(f"{END}. {self.pace.summary()}")

    def _put_in_front(self, key: Key | None, follows: bool = False) -> None:
        self._front = self._wanted = key
        if follows and self.in_sight:
            self.come()
        else:
            self.leave()
        self.current_changed.emit(self.current)

    def _show_grade(self, key: Key, grade: int | None) -> None:
        self._since[key] = grade
        if (row := self._row_of.get(key)) is not None:
            self.rows[row] = replace(self.rows[row], settled=grade)
            self.grade_shown.emit(row, grade)

    def _as_it_stands(self, pair: "Disagreement") -> "Disagreement":
        return replace(pair, settled=self._since.get(key_of(pair), pair.settled))

    def _list(self) -> None:
        rows = [
            one
            for one in map(self._as_it_stands, self._found)
            if self.with_settled or one.settled is None or key_of(one) in self._since
        ]
        if rows == self.rows and rows:
            return
        place = self.row
        self.rows = rows
        self._row_of = {key_of(one): row for row, one in enumerate(rows)}
        gone = self._front not in self._row_of
        if gone:
            self._front = None
        self.listed.emit(rows)
        if gone:
            open_ones = [one for one in (*rows[max(place, 0) :], *rows) if one.settled is None]
            first = next(iter((*open_ones, *rows)), None)
            self._put_in_front(None if first is None else key_of(first))
