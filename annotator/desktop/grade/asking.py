"""The loop of what is asked beside the grade: a digit, the next question, the next candidate."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from annotator.desktop.actions import Actions
from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.loop import Decision
from annotator.desktop.grade.prepared import named
from annotator.desktop.grade.workspace import Workspace
from annotator.project import judging
from annotator.project.views import Asked, CandidateView, Change, QueryView
from annotator.tasks import STATED
from annotator.text.counts import counted

if TYPE_CHECKING:
    from annotator.project.project import Project

NOTHING = "Nothing is asked of the candidates beside the grade; the project's settings say what is."
ALL_SAID = "All that is asked of this query's candidates is said. N goes on to the next query."


def called(candidate: CandidateView) -> str:
    """Return what the candidate is called, and how many passages it cites that nobody can read here."""
    missing = len(candidate.missing)
    if not missing:
        return named(candidate)
    lacks = f"{counted(missing, 'cited passage')} cannot be judged: the project does not have the text."
    return f"{named(candidate)}\n{lacks}"


def _is_open(view: QueryView, candidate: CandidateView) -> bool:
    """Say whether something that is asked of a candidate is not said yet."""
    return any((one.task, *one.ending) not in candidate.said for one in view.asked_of(candidate))


class Asking(QObject):
    """Stores what is said of the candidate in front beside its grade, in its turn with the grades."""

    def __init__(
        self, flow: Flow, parts: Workspace, project: "Project", actions: Actions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._flow, self._parts, self._panel, self._project = flow, parts, parts.asked, project
        flow.query_shown.connect(lambda _: self._begin_query())
        flow.current_changed.connect(lambda _: self._begin_candidate())
        self._panel.level_chosen.connect(self._choose)
        actions.on("asked", self.begin)

    def begin(self) -> None:
        """Give the digits to what is asked of the candidate in front."""
        if not self._front()[0]:
            self._flow.said.emit(NOTHING)
            return
        self._parts.side.setCurrentWidget(self._panel)
        self._panel.setFocus()
        self._begin_candidate()

    def follow(self, change: Change) -> None:
        """Show what was stored or undone, wherever."""
        if change.kind in STATED:
            self.show()

    def show(self) -> None:
        """Show what was said, as it is stored."""
        questions, candidate = self._front()
        self._parts.offer_asked(bool(questions))
        if candidate is not None:
            self._show_panel(candidate, questions, candidate.said)

    def _show_panel(
        self, candidate: CandidateView, questions: Sequence[Asked], said: Mapping[tuple[str, ...], int]
    ) -> None:
        view = self._view()
        self._panel.show_questions(called(candidate), questions, said, view.language if view else "en")

    def _front(self) -> tuple[tuple[Asked, ...], CandidateView | None]:
        """Return what is asked of the candidate in front; nothing where it is asked again."""
        view = self._view()
        candidate = view.candidates[self._flow.position] if view else None
        return (view.asked_of(candidate), candidate) if view and candidate else ((), None)

    def _view(self) -> QueryView | None:
        view = self._flow.prepared.view if self._flow.prepared else None
        return view if view and view.candidates and not view.again else None

    def _begin_query(self) -> None:
        self._begin_candidate()
        if self._panel.hasFocus() and (at := self._next(-1)) is not None:
            self._flow.put_in_front(at)

    def _begin_candidate(self) -> None:
        self.show()
        self._panel.put_in_front(next(iter(self._panel.open_rows()), 0))

    def _next(self, after: int) -> int | None:
        """Return the next candidate of which something is not said yet, round to the start."""
        view = self._view()
        if view is None:
            return None
        count = len(view.candidates)
        places = (at % count for at in range(after + 1, after + 1 + count))
        return next((at for at in places if _is_open(view, view.candidates[at])), None)

    def _choose(self, row: int, level: int | None) -> None:
        self._flow.decide(partial(self._decide, row, level), self.show)

    def _decide(self, row: int, level: int | None, milliseconds: int) -> Decision | None:
        questions, candidate = self._front()
        row = self._panel.current if row < 0 else row
        view = self._view()
        if view is None or candidate is None or row >= len(questions):
            return None
        one = questions[row]
        key = (one.task, *one.ending)
        anew = key in candidate.said
        said = {name: value for name, value in candidate.said.items() if name != key}
        shown = said if level is None else {**said, key: level}
        self._show_panel(candidate, questions, shown)

        def stored(change: Change) -> None:
            self._flow.changed.emit(change)
            self._flow.stopwatch.restart()
            self.show()
            if self._flow.query == view.key and level is not None:
                self._move_on(row, anew)

        verb = partial(judging.answer, self._project, view.key, candidate.key, one, level, milliseconds)
        return Decision(verb, stored, self.show)

    def _move_on(self, row: int, anew: bool) -> None:
        """Put the next question in front; what is said anew leads to no other candidate."""
        open_rows = self._panel.open_rows()
        if open_rows or anew:
            below = [at for at in open_rows if at > row]
            self._panel.put_in_front(next(iter((*below, *open_rows)), row + 1))
        elif (following := self._next(self._flow.position)) is not None:
            self._flow.put_in_front(following)
        else:
            self._flow.said.emit(ALL_SAID)
