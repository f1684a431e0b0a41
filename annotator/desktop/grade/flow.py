"""The grading loop without its looks: where one is, what a key does, when the next query comes."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from annotator.desktop.grade.loop import TOO_EARLY, Decision, Loop
from annotator.desktop.grade.prefetch import Ahead
from annotator.desktop.grade.prepared import Prepared, prepare, prepare_again
from annotator.desktop.grade.query_walk import Walk
from annotator.desktop.worker import Worker
from annotator.project import judging, self_agreement
from annotator.project.practice import DONE
from annotator.project.views import Change, JudgmentView
from annotator.tasks import TOGETHER

if TYPE_CHECKING:
    from annotator.project.project import Project

PAUSE_MS = 300
"""Between the last judgment of a query and the next query: time to see that another one comes."""

JUDGED = "This one is judged, and you did not go to it: move on or back, then judge anew what is in front."
"""Why a digit does not count for a candidate that the walk, not the annotator, put in front."""

ONLY_A_GRADE = "Asked again: only a grade counts here. N goes on without one."

Verb = Callable[[int, int, int], Change]
"""It takes query, candidate and milliseconds."""


class Flow(Loop):
    """Walks through queries and candidates and stores what is said of them, in order.

    A digit counts for the candidate in front, once its query is painted (`painted`); keys that wait reach no
    other query. What is judged is judged anew only where the annotator went to it, or asked to go over it.

    Between two queries one's own earlier candidates may be asked again (`asking_again`); what is said is
    stored beside the first grades, and the walk goes on from where it was.

    `query_shown(Prepared | None)`: another query, the same one anew, or none that the filters let through.
    `current_changed(position)`; `judgment_shown(position, JudgmentView, pending)`.
    `pausing(text)`: the query is complete and the one with this text comes next. `all_done`: nothing is left.
    `practised`: the query in front was one for practice and is complete.
    """

    query_shown = Signal(object)
    current_changed = Signal(int)
    judgment_shown = Signal(int, object, bool)
    pausing = Signal(str)
    all_done = Signal()
    practised = Signal()

    def __init__(self, project: "Project", worker: Worker, parent: QObject) -> None:
        super().__init__(worker, parent)
        self._project = project
        self.walk = Walk(project, worker, self)
        self.walk.chosen.connect(self._choose)
        self.walk.known.connect(self._look_ahead)
        self.walk.found_open.connect(
            lambda query: self._look_ahead() if self._own else self._choose(query, None)
        )
        self.prepared: Prepared | None = None
        self.position = 0
        self._wanted: int | None = None
        self._then: int | None = None
        self._own: bool = False
        """Whether the annotator put in front what is there."""
        self._again: Prepared | None = None
        self._ahead = Ahead(project, worker, self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._end_pause)

    @property
    def query(self) -> int | None:
        """The query in front, None when there is none."""
        return self.prepared.view.key if self.prepared else None

    @property
    def candidate(self) -> int | None:
        """The candidate in front, None when the query has none."""
        candidates = self.prepared.view.candidates if self.prepared else ()
        return candidates[self.position].key if candidates else None

    @property
    def went_to_candidate(self) -> bool:
        """Whether it was one of its candidates that the query in front was shown for."""
        return self._then is not None

    @property
    def asking_again(self) -> bool:
        """Whether what is in front was graded before and is asked again."""
        return self.prepared is not None and self.prepared.view.again

    def go(self, query: int, candidate: int | None = None) -> None:
        """Show a query, with this candidate in front, or one that the filters ask for, or an unjudged one."""
        self._pause.stop()
        here = self.prepared.position(candidate) if self.prepared and candidate is not None else None
        there = query == self.query == self._wanted and self._painted and not self.asking_again
        if there and here is not None:
            self._set_position(here, own=True)
        else:
            self._load(query, candidate, own=candidate is not None)

    def _choose(self, query: int | None, candidate: int | None) -> None:
        """Follow another choice of queries: go to one of them, or show that there is none."""
        self._ahead.forget()
        if query is None:
            self._show(None)
        else:
            self.go(query, candidate)

    def _load(self, query: int, candidate: int | None, own: bool) -> None:
        self.leave()
        self._own = own
        self._wanted = self.walk.at = query
        self._then = candidate
        if (ready := self._ahead.ready(query)) is not None:
            self._show(ready)
        else:
            job = partial(prepare, self._project, query, self.walk.filters.order)
            self._worker.submit(self, job, self._show_wanted)

    def reload(self) -> None:
        """Show the query in front anew: something about it changed."""
        if self.query is not None:
            self._ahead.forget()
            self._pause.stop()
            if self.asking_again:
                self._ask_again(self.query)
            else:
                self._load(self.query, self.candidate, self._own)

    def step(self, by: int) -> None:
        """Go to the next or previous query of the list."""
        if (query := self.walk.neighbour(by)) is not None:
            self.go(query)

    def move(self, by: int) -> None:
        """Put the next or previous candidate in front; past the ends, choose the one that is."""

        def move() -> None:
            if self.prepared and self.prepared.view.candidates:
                last = len(self.prepared.view.candidates) - 1
                self._set_position(min(max(self.position + by, 0), last), own=True)

        self.in_turn(move)

    def put_in_front(self, position: int) -> None:
        """Put a candidate in front, after what was pressed before."""
        self.in_turn(partial(self._set_position, position, own=True))

    def next_unjudged(self) -> None:
        """Go to the next candidate without grade or state, in this query or the next one that has any."""
        following = self.prepared.next_unjudged(self.position) if self.prepared else None
        if following is not None:
            self._set_position(following, own=False)
        elif (query := self.walk.next_open(itself=self.asking_again)) is not None:
            self.go(query)
        else:
            self._end()

    def grade(self, grade: int, how: str = "key", position: int | None = None) -> None:
        """Give a candidate, the one in front unless another is named, a grade and move on."""
        verb = self_agreement.grade_again if self.asking_again else judging.set_grade
        self._decide(
            lambda query, one, ms: verb(self._project, query, one, grade, milliseconds=ms, how=how),
            JudgmentView("graded", grade),
            position,
        )

    def skip(self) -> None:
        """Pass over the candidate in front and move on."""
        verb = partial(judging.skip, self._project)
        self._decide(lambda query, one, ms: verb(query, one, milliseconds=ms), JudgmentView("skipped"))

    def cannot_tell(self, reason: str) -> None:
        """Say that one cannot tell, and why, and move on."""
        verb = partial(judging.cannot_tell, self._project)
        self._decide(
            lambda query, one, ms: verb(query, one, reason, milliseconds=ms),
            JudgmentView("cannot_tell", reason=reason),
        )

    def painted(self, query: int) -> None:
        """Let keys count: the query has reached the screen."""
        if query == self.query == self._wanted and not self._painted:
            self.count_keys()

    def take(self, change: Change) -> None:
        """Follow a change that was stored, by this page or another."""
        if change.kind in ("adjudication", "proof", "lead"):
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
        elif change.kind in ("setting", "import", "system", "annotator", "assignment", "practice", "ready"):
            begins = change.kind == "ready" and not change.undoes
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

    def _decide(self, verb: Verb, expected: JudgmentView, position: int | None = None) -> None:
        def refused() -> None:  # the pressed button comes up again
            if position is not None and self.prepared is not None:
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
        self._pause.stop()
        self._wanted, self._then, self._own = made.view.key, None, False
        self._show(made)

    def _end_pause(self) -> None:
        if self._again is not None:
            self._show_again(self._again)
        elif self._wanted is not None:
            self.go(self._wanted)

    def _show_wanted(self, prepared: Prepared) -> None:
        if prepared.view.key == self._wanted:
            self._show(prepared)

    def _show(self, prepared: Prepared | None) -> None:
        self.leave()
        self.prepared = prepared
        self.position = 0
        if prepared is not None:
            begin = self.walk.begin(prepared.view)
            self.position = (begin if self._then is None else prepared.position(self._then)) or 0
            self._own |= self._then is None and self.walk.asks_for(prepared.view, self.position)
            self._note_open(prepared)
        self.query_shown.emit(prepared)
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Make the query ready that comes next."""
        self._ahead.forget()
        following = self.walk.following_query(itself=self.asking_again)
        if self.prepared is not None and following is not None:
            self._ahead.prepare(following, self.walk.filters.order)

    def _note_open(self, prepared: Prepared) -> None:
        if not prepared.view.again:
            self.walk.order.mark(prepared.view.key, prepared.next_unjudged(-1) is not None)

    def _set_position(self, position: int, own: bool) -> None:
        if position != self.position:
            self.stopwatch.restart()
        self.position, self._own = position, own
        self.current_changed.emit(position)
