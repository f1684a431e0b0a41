"""What is shown between two queries and behind the last: the pause, the finished one's scores, the end."""

from collections.abc import Callable
from textwrap import shorten
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.desktop.actions import BETWEEN, Actions
from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.metric_panel import MEASURES
from annotator.desktop.grade.prepared import NAMED, Prepared
from annotator.desktop.grade.query_scores import may_see
from annotator.desktop.grade.query_walk import END
from annotator.desktop.grade.workspace import Workspace
from annotator.desktop.worker import Worker
from annotator.project import panel, self_agreement
from annotator.project.state import state_of
from annotator.project.views import Filters, QueryPanel, QueryView
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project

ON = "All that you were to judge is done: see the scores, or let the next annotator go on."
OWN_END = "Your queue is done"
OWN_ON = (
    "All that is assigned to you is done: see the scores, or let the next annotator go on. All other queries "
    "stay open to you: take “Assigned to me” away to list them."
)
UNREAD = "What there is to judge could not be read"
FILTERED = "Only the queries that the filters let through were asked for: take them away to go on."
DRAWN = "Only what was drawn was asked for. The comparison says if the block is done, and what it proves."


BEFORE = "Just finished:  "
"""What begins the line of its scores; its system and its words end it, for they are the least missed."""


class Between(QObject):
    """Says that a query is complete and keeps its scores above the next one; says what became of it all.

    `said(text)`: for the status bar. `keys_are(name)`: what the page's keys are for from now on.
    """

    said = Signal(str)
    keys_are = Signal(str)

    def __init__(
        self,
        flow: Flow,
        parts: Workspace,
        project: "Project",
        worker: Worker,
        actions: Actions,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._flow = flow
        self._parts = parts
        self._project = project
        self._worker = worker
        self._actions = actions
        self._finished: int | None = None
        """The query whose scores are in sight, or will be."""
        self._beneath: int | None = None
        """The query that they stand above."""
        flow.pausing.connect(self._pause)
        flow.query_shown.connect(self._go_on)
        flow.all_done.connect(self._end)
        flow.walk.unread.connect(self._show_unread)
        flow.practised.connect(lambda: self.keys_are.emit("queries"))

    def forget(self) -> None:
        """Show no scores of a query before: another annotator may be blind for it."""
        self._finished = self._beneath = None
        self._parts.head.show_before("")

    def _go_on(self, prepared: Prepared | None) -> None:
        """Show the scores above the query that came next, and above no other."""
        self._parts.cards.take_grades(not self._project.read_only)
        self._parts.reader.grades.setDisabled(self._project.read_only)
        shown = prepared.view.key if prepared is not None else None
        if prepared is not None:
            view = prepared.view
            reviewed = view.learning and view.complete and not self._flow.went_to_candidate
            here = "reading" if self._project.read_only else "grade"
            self.keys_are.emit(here if view.candidates and not reviewed else "queries")
        if self._finished is None or (self._beneath is None and shown == self._finished):
            return
        if self._beneath is None:
            self._beneath = shown
        elif shown != self._beneath:
            self.forget()

    def show_none(self) -> None:
        """Say why there is no query, and the way to one."""
        filters = self._flow.walk.filters
        self.keys_are.emit("unmatched" if filters.narrow or filters.revisit else "nothing")
        if not filters.narrow and not filters.revisit:
            way = self._actions["import"].trigger
            why = "Import queries, documents or runs to begin."
            self._parts.show_nothing("No queries yet", why, "Import files…", way)
        else:
            why = "Take a filter away, or search for something else."
            self._parts.show_nothing("No query matches", why, "Show all queries", self._show_all)

    def _show_unread(self, error: Exception, way: str, on: Callable[[], object]) -> None:
        """Say that queries could not be read, and show the way on where none is in front."""
        if self._flow.prepared is not None:
            self.said.emit(f"{UNREAD}. {error}")
        else:
            self.keys_are.emit("queries")
            self._parts.show_nothing(UNREAD, str(error), way, on)

    def show_empty(self) -> None:
        """Say that a query has no candidates, and the way to some."""
        why = "Import a run, or let Annotator rank the project's documents."
        way = self._actions["baseline"].trigger
        self._parts.message.say("Nothing to judge for this query", why, "Add a baseline run…", way)
        self._parts.middle.setCurrentWidget(self._parts.message)

    def _show_all(self) -> None:
        self._parts.filter_bar.show_filters(Filters())
        self._flow.walk.show(Filters(), self._flow.query)

    def _pause(self, following: str) -> None:
        view = self._flow.prepared.view if self._flow.prepared is not None else None
        done = view is not None and view.complete
        self._parts.message.say("Query complete" if done else "Next query", f"Next:  {following}")
        self._parts.middle.setCurrentWidget(self._parts.message)
        if view is not None and may_see(view):
            self._score(view)

    def _score(self, view: QueryView) -> None:
        me = self._project.annotator

        def job(watch: Watch) -> QueryPanel:
            return panel.query_panel(self._project, view.key, MEASURES, None, watch)

        def show(found: QueryPanel) -> None:
            values = [f"{name}\u00a0{value:.3f}" for name, value in found.values if value is not None]
            if values and self._project.annotator == me and self._finished == view.key:
                parts = (*values, found.system, shorten(view.title, NAMED, placeholder="…"))
                self._parts.head.show_before(BEFORE + BETWEEN.join(parts))

        self.forget()
        self._finished = view.key
        self._worker.start(self, job, show)

    def _end(self) -> None:
        """Show how many grades were given in what time, how alike one graded twice, and what comes next."""
        if self._flow.query is None:
            return
        walk, summary = self._flow.walk, self._flow.pace.summary()
        own = self._parts.filter_bar.own_queue and not walk.filters.narrow and not walk.filters.revisit
        title = OWN_END if own else END[walk.filters.revisit]
        self.said.emit(f"{title}. {summary}")
        following = FILTERED if walk.filters.narrow else OWN_ON if own else ON
        way, see = "See the scores", self._actions["page_2"].trigger
        if walk.filters.narrow:
            way, see = "Show all queries", self._show_all
        if walk.filters.pairs:
            following, way, see = DRAWN, "Back to the comparison", self._actions["audit"].trigger
        me = self._project.annotator

        def show(again: str) -> None:
            text = "\n\n".join(filter(None, (summary, again, following)))
            self._parts.message.say(title, text, way, see)

        def job(_: Watch) -> str:
            agreed = self_agreement.self_agreement(state_of(self._project), me)
            return f"Asked again: {agreed.n}, the same grade {agreed.same} times." if agreed.n else ""

        show("")
        self.keys_are.emit("end")
        self._parts.middle.setCurrentWidget(self._parts.message)
        self._flow.painted(self._flow.query)  # keys are answered: they say why they do not count
        self._worker.start(self, job, lambda again: show(again) if self._at_end(title) else None)

    def _at_end(self, title: str) -> bool:
        message = self._parts.message
        return self._parts.middle.currentWidget() is message and message.title == title
