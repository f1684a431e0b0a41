"""Practice on the Grade page: a lead marks queries, a beginner sees where they differ and begins the work."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.practice_review import PracticeReview
from annotator.desktop.grade.prepared import Prepared
from annotator.desktop.grade.workspace import Workspace
from annotator.desktop.question import confirm
from annotator.desktop.worker import Worker
from annotator.project import lead_role, practice
from annotator.project.practice import Practising, Review
from annotator.project.views import Change, QueryView
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.project.project import Project

MARKING = (
    "Who is new here grades practice queries first, and sees then where they differ from what was judged "
    "until now, with the rationales and notes beside it. The query counts in no score, agreement, progress "
    "or report from now on. Undo takes it back."
)
COUNTING = (
    "All that was judged of it counts then, also what beginners gave while they practised. Undo takes it "
    "back."
)
AT_WORK = "You do not practise: there is no practice query for you, or you are at the real work already."


class Practice(QObject):
    """Shows a review when a practice query is finished, and does what is asked for there."""

    def __init__(
        self,
        flow: Flow,
        parts: Workspace,
        project: "Project",
        worker: Worker,
        actions: Actions,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._flow = flow
        self._parts = parts
        self._project = project
        self._worker = worker
        self._window = parent
        self._wanted: int | None = None
        """The query whose review is to be in front, None when something else was gone to since."""
        self.review = PracticeReview(theme, parts.middle)
        parts.middle.addWidget(self.review)
        parts.seat.edges_moved.connect(self.review.keep_edges)
        self.review.candidate_chosen.connect(self._look)
        self.review.repeat_wanted.connect(self._repeat)
        self.review.next_wanted.connect(flow.next_unjudged)
        self.review.work_wanted.connect(self._begin_work)
        flow.practised.connect(self._compare)
        flow.query_shown.connect(self._query_shown)
        actions.on("practice", self._ask_mark)
        actions.on("begin_work", self._begin_work)

    def _view(self) -> QueryView | None:
        return self._flow.prepared.view if self._flow.prepared is not None else None

    def _query_shown(self, prepared: Prepared | None) -> None:
        """Show the review of a query that was finished before, unless one of its candidates is wanted."""
        finished = prepared is not None and prepared.view.learning and prepared.view.complete
        self._wanted = None
        if finished and not self._flow.went_to_candidate:
            self._compare()

    def _compare(self) -> None:
        view = self._view()
        if view is None:
            return
        self._wanted = view.key

        def read() -> tuple[Review, Practising | None]:
            return practice.review(self._project, view.key), practice.practising(self._project)

        self._worker.submit(self, read, self._show)

    def _show(self, found: tuple[Review, Practising | None]) -> None:
        if self._wanted == found[0].query:
            self._flow.leave(practice.DONE)  # the cards may have come to the screen meanwhile
            self._parts.middle.setCurrentWidget(self.review)
            if not self._parts.folded:
                self._parts.side.setCurrentWidget(self._parts.guide)
            self.review.show_review(*found)

    def _look(self, candidate: int) -> None:
        if (view := self._view()) is not None:
            self._flow.go(view.key, candidate)

    def _repeat(self, query: int) -> None:
        def again(change: Change) -> None:
            self._flow.changed.emit(change)
            self._flow.reload()

        self._flow.do(partial(practice.repeat, self._project, query), again)

    def _begin_work(self) -> None:
        def begin(practising: Practising | None) -> None:
            if practising is None:
                self._flow.said.emit(AT_WORK)
            else:
                self._flow.do(partial(practice.begin_work, self._project), self._flow.changed.emit)

        self._worker.submit(self, partial(practice.practising, self._project), begin)

    def _ask_mark(self) -> None:
        """Ask a lead whether the query in front is for practice, or counts again; say who may."""
        view = self._view()
        if view is None:
            return

        def ask(lead: bool) -> None:
            if not lead:
                self._flow.said.emit(lead_role.not_lead(self._project.annotator))
                return
            text, more, words = (
                (f"Let “{view.title}” count again?", COUNTING, "Count it again")
                if view.practice
                else (f"Make “{view.title}” a query for practice?", MARKING, "For practice")
            )
            verb = partial(practice.mark, self._project, view.key, not view.practice)
            done = partial(self._flow.do, verb, self._flow.changed.emit)
            confirm(self._window, "Practice", text, more, words, done)

        self._worker.submit(self, partial(lead_role.is_lead, self._project), ask)
