"""The grading loop without its looks: what a key does, when the next query comes."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from annotator.desktop.grade.in_front import InFront
from annotator.desktop.grade.loop import TOO_EARLY, Decision
from annotator.desktop.grade.prepared import Prepared, prepare_again
from annotator.desktop.worker import Worker
from annotator.project import judging, self_agreement
from annotator.project.finished import unsaid
from annotator.project.practice import DONE
from annotator.project.views import Change, JudgmentView
from annotator.tasks import PREFERENCE, SETTLING, STATED, TOGETHER

if TYPE_CHECKING:
    from annotator.project.project import Project

PAUSE_MS = 300
"""Between the last judgment of a query and the next query: time to see that another one comes."""

JUDGED = "This one is judged, and you did not go to it: move on or back, then judge anew what is in front."
"""Why a digit does not count for a candidate that the walk, not the annotator, put in front."""

ONLY_A_GRADE = "Asked again: only a grade counts here. N goes on without one."

OTHER_QUERIES = (
    *("setting", "import", "system"),
    *("annotator", "assignment", "practice", "ready", "lead"),  # who leads does not practise
)
"""After these changes other queries, or other candidates of them, may be offered."""

Verb = Callable[[int, int, int], Change]
"""It takes query, candidate and milliseconds."""


class Flow(InFront):
    """Stores what is said of the candidates in front, in order, and walks on.

    Keys that wait reach no other query. What is judged is judged anew only where the annotator went to it, or
    asked to go over it.

    Between two queries one's own earlier candidates may be asked again (`asking_again`); what is said is
    stored beside the first grades, and the walk goes on from where it was.

    `judgment_shown(position, JudgmentView, pending)`. `pausing(text)`: the query is complete and the one with
    this text comes next. `all_done`: nothing is left. `practised`: the query in front was one for practice
    and is complete. `too_early(JudgmentView, again)`: this was said by a key before what comes next was in
    sight, and did not count; `again()` says it of what is in front then.
    """

    judgment_shown = Signal(int, object, bool)
    too_early = Signal(object, object)
    pausing = Signal(str)
    all_done = Signal()
    practised = Signal()

    def __init__(self, project: "Project", worker: Worker, parent: QObject) -> None:
        super().__init__(project, worker, parent)
        self._again: Prepared | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._end_pause)

    def leave(self, why: str = TOO_EARLY) -> None:
        """Let no key count until something is painted again, nor the next query come by itself."""
        self._pause.stop()
        super().leave(why)

    def reload(self) -> None:
        """Show the query in front anew: something about it changed."""
        if self.query is not None:
            self._ahead.forget()
            self._pause.stop()
            if self.asking_again:
                self._ask_again(self.query)
            else:
                self._load(self.query, self.candidate, self._own)

    def next_unjudged(self) -> None:
        """Go to the next candidate of which something is to be said, in this query or the next such one."""
        places = unsaid(self.prepared.view) if self.prepared else []
        following = next((at for at in places if at > self.position), next(iter(places), None))
        if following is not None:
            self._set_position(following, own=False)
        elif (query := self.walk.next_open(itself=self.asking_again)) is not None:
            self.go(query)
        else:
            self._end()

    def move(self, by: int) -> None:
        """Put another candidate in front; between two queries up stays, down goes on at once."""
        if not self._pause.isActive():
            super().move(by)
        elif by > 0:
            self._pause.stop()
            self._end_pause()
        elif self.query is not None and not self.asking_again:
            self.go(self.query, self.candidate)
        else:
            self.said.emit(TOO_EARLY)

    def grade(self, grade: int, how: str = "key", position: int | None = None) -> None:
        """Give a candidate, the one in front unless another is named, a grade and move on."""
        verb = self_agreement.grade_again if self.asking_again else judging.set_grade
        self._decide(
            lambda query, one, ms: verb(self._project, query, one, grade, milliseconds=ms, how=how),
            JudgmentView("graded", grade),
            partial(self.grade, grade, how),
            position,
        )

    def skip(self) -> None:
        """Pass over the candidate in front and move on."""
        verb = partial(judging.skip, self._project)
        expected = JudgmentView("skipped")
        self._decide(lambda query, one, ms: verb(query, one, milliseconds=ms), expected, self.skip)

    def cannot_tell(self, reason: str) -> None:
        """Say that one cannot tell, and why, and move on."""
        verb = partial(judging.cannot_tell, self._project)
        self._decide(
            lambda query, one, ms: verb(query, one, reason, milliseconds=ms),
            JudgmentView("cannot_tell", reason=reason),
            partial(self.cannot_tell, reason),
        )

    def take(self, change: Change) -> None:
        """Follow a change that was stored, by this page or another."""
        if change.kind in ("proof", "arrived", *SETTLING):
            return
        if change.kind == PREFERENCE.name:
            self._ahead.forget()  # who says nothing else finishes a query by its preferences
            if change.query == self.query:
                self.reload()
            return
        if change.kind in STATED and change.query is not None and change.candidate is not None:
            self._ahead.forget()
            if self.prepared is not None and change.query == self.query and not self.asking_again:
                self.prepared = self.prepared.told(change)
                self._note_open(self.prepared)
            if change.undoes:
                self.go(change.query, change.candidate)
            return
        if change.kind == "repeat" and change.query is not None and change.candidate is not None:
            if change.undoes:
                self._ask_again(change.query)
            elif isinstance(change.after, int):
                self._take_judgments({change.candidate: JudgmentView("graded", change.after)})
        elif change.judgments and change.query is not None:
            here = (self.query, self.candidate) if not self.asking_again else None
            if change.query != self.query:
                self._ahead.forget()
            elif here is not None:
                self._take_judgments(change.judgments)
            first = next(iter(change.judgments))
            if change.undoes and (change.query, first) != here:
                self.go(change.query, first)
            elif change.undoes:
                self._own = True
            elif change.kind == TOGETHER.name and here is not None and self.prepared is not None:
                if self.prepared.view.complete:
                    self._complete()
                elif self.candidate in change.judgments:
                    self.next_unjudged()
        elif change.kind in OTHER_QUERIES:
            begins = change.kind in ("ready", "annotator") and not change.undoes
            self.walk.show(self.walk.filters, self.walk.at, to_open=begins)
        elif change.query is None or change.query == self.query:
            self.reload()
        else:
            self._ahead.forget()
            if change.undoes:
                self.go(change.query)

    def _take_judgments(self, judgments: Mapping[int, JudgmentView]) -> None:
        assert self.prepared is not None
        self.prepared = self.prepared.judged(judgments)
        for at, one in enumerate(self.prepared.view.candidates):
            if one.key in judgments:
                self.judgment_shown.emit(at, one.judgment, False)
        self._note_open(self.prepared)

    def _decide(
        self, verb: Verb, expected: JudgmentView, again: Callable[[], object], position: int | None = None
    ) -> None:
        def refused() -> None:
            if position is None:
                self.too_early.emit(expected, again)
            elif self.prepared is not None:  # the pressed button comes up again
                self.judgment_shown.emit(position, self.prepared.view.candidates[position].judgment, False)

        self.decide(partial(self._begin, verb, expected, position), refused)

    def may_decide(self) -> bool:
        """Say whether what is in front may be judged: it is not yet, or the annotator asked for it."""
        candidates = self.prepared.view.candidates if self.prepared else ()
        refused = bool(candidates) and candidates[self.position].judgment.state is not None and not self._own
        if refused:
            self.said.emit(JUDGED)
        return not refused

    def _begin(
        self, verb: Verb, expected: JudgmentView, position: int | None, milliseconds: int
    ) -> Decision | None:
        if self.prepared is None or not self.prepared.view.candidates:
            self.said.emit(TOO_EARLY)
            return None
        if self.asking_again and expected.grade is None:
            self.said.emit(ONLY_A_GRADE)
            return None
        if position is not None:
            self.put_in_front(position)
        if not self.may_decide():
            return None
        at, query = self.position, self.prepared.view.key
        candidate = self.prepared.view.candidates[at]
        was_open = self.walk.revisits(self.prepared.view) or self.prepared.next_unjudged(at) is not None
        self.judgment_shown.emit(at, expected, True)

        def stored(change: Change) -> None:
            if candidate.judgment.state is None:
                decision = str(expected.grade) if expected.grade is not None else str(expected.state)
                self.pace.add(milliseconds, decision.replace("_", " "))
            self.changed.emit(change)
            if self.query == query:
                self._move_on(at, was_open, candidate.judgment.state is not None)

        def not_stored() -> None:
            if self.query == query:
                self.judgment_shown.emit(at, candidate.judgment, False)
                self._set_position(at, own=True)

        return Decision(partial(verb, query, candidate.key, milliseconds), stored, not_stored)

    def _move_on(self, at: int, was_open: bool, corrected: bool) -> None:
        assert self.prepared is not None
        following = self.walk.following(self.prepared, at, corrected)
        if following is not None:
            self._set_position(following, own=self.walk.asks_for(self.prepared.view, following))
        elif not was_open:
            self.stopwatch.restart()
        else:
            self._complete()

    def _complete(self) -> None:
        """The query has no candidate left to judge: a pause, then the next one."""
        if self.prepared is not None and self.prepared.view.learning and self.prepared.view.complete:
            self.leave(DONE)
            self.practised.emit()
            return
        self.leave()
        following = self.walk.following_query(itself=self.asking_again)
        if following is None:
            self._ask_again()
            return
        self._again = None if self.asking_again else self._ahead.again
        self._wanted = following if self._again is None else self._again.view.key
        ready = self._again or self._ahead.ready(following)
        again = "One asked again: " if self._again else ""
        self.pausing.emit(again + (ready.view.title if ready is not None else "…"))
        self._pause.start()

    def _ask_again(self, query: int | None = None) -> None:
        """Show what is asked again of a query, or whatever is; when nothing is, all is done."""

        def take(made: Prepared | None) -> None:
            if made is not None:
                self._show_again(made)
            elif query is None and self.walk.at is not None:
                self.query_shown.connect(self._end, Qt.ConnectionType.SingleShotConnection)
                self._load(self.walk.at, None if self.asking_again else self.candidate, own=False)

        self._worker.submit(self, partial(prepare_again, self._project, query), take)

    def _end(self) -> None:
        self._own = False  # nobody went to what is behind the end
        self.all_done.emit()

    def _show_again(self, made: Prepared) -> None:
        self._wanted, self._then, self._own = made.view.key, None, False
        self._show(made)

    def _end_pause(self) -> None:
        if self._again is not None:
            self._show_again(self._again)
        elif self._wanted is not None:
            self.go(self._wanted)
