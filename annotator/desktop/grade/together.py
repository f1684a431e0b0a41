"""Several candidates of a query in one action, and what is asked before it."""

from collections import Counter
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.grade.flow import ONLY_A_GRADE, Flow
from annotator.desktop.grade.prepared import Prepared
from annotator.desktop.question import confirm
from annotator.project import judging
from annotator.project.views import Change, QueryView
from annotator.tasks import GRADE
from annotator.text.counts import counted

if TYPE_CHECKING:
    from annotator.project.project import Project

TITLE = 80
"""A question names a query by so many characters of it."""

NOTHING_OPEN = "Nothing of this query is left unjudged."
CONSEQUENCE = (
    "The grades count in scores. Times and agreement leave them out, and reports say how many there are."
)
NOTHING_ALIKE = "It has no near-duplicate that is unjudged."
NO_GRADE_YET = "Give a grade first; its near-duplicates can then have the same."


class Together(QObject):
    """Gives the near-duplicates of a candidate its grade, and, after a question, the rest of the query 0.

    Each is one action, which undo takes back.
    """

    def __init__(self, flow: Flow, project: "Project", actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self._flow = flow
        self._project = project
        self._actions = actions
        self._window = parent
        actions.on("rest", lambda: flow.in_turn(self._ask_rest))
        actions.on("near_duplicates", lambda: flow.in_turn(self._give_near_duplicates))
        queued = Qt.ConnectionType.QueuedConnection  # behind what the window says of the grade itself
        flow.changed.connect(self._offer, queued)

    def _ask_rest(self) -> None:
        view = self._flow.prepared.view if self._flow.prepared is not None else None
        if view is None or not unjudged(view) or view.again:
            self._flow.said.emit(ONLY_A_GRADE if view is not None and view.again else NOTHING_OPEN)
            return
        count = counted(len(unjudged(view)), "unjudged candidate")
        undo = self._actions.first_key("undo")
        confirm(
            self._window,
            "The rest is 0?",
            f"Give grade 0 to the {count} of “{shorten(view.title, TITLE, placeholder='…')}”?",
            f"{reach(view)} {undo or 'Undo'} takes it back, all of it at once.\n\n{CONSEQUENCE}",
            f"Give 0 to {counted(len(unjudged(view)), 'candidate')}",
            partial(self._give_rest, view),
        )

    def _give_rest(self, view: QueryView) -> None:
        verb = partial(judging.grade_rest, self._project, view.key, unjudged(view))
        self._flow.do(verb, self._flow.changed.emit)

    def _offer(self, change: Change) -> None:
        """Say that near-duplicates of what was graded just now can have the same grade."""
        prepared = self._flow.prepared
        if (
            change.kind != GRADE.name
            or change.undoes
            or prepared is None
            or change.query != prepared.view.key
        ):
            return
        at = prepared.position(change.candidate or 0)
        if at is None or not graded(prepared, at) or source(prepared, self._flow.position) != at:
            return  # the key would give another grade, to those of the one in front
        if left := undecided_near(prepared, at):
            count = counted(len(left), "near-duplicate is", "near-duplicates are")
            key = self._actions.first_key("near_duplicates")
            grade = prepared.view.candidates[at].judgment.grade
            self._flow.said.emit(f"{count} unjudged: {key or 'a command'} gives grade {grade} there, too.")

    def _give_near_duplicates(self) -> None:
        prepared = self._flow.prepared
        if prepared is None or prepared.view.again:
            self._flow.said.emit(NOTHING_OPEN if prepared is None else ONLY_A_GRADE)
            return
        of = source(prepared, self._flow.position)
        left = undecided_near(prepared, of) if of is not None else []
        if of is None or not left:
            self._flow.said.emit(NO_GRADE_YET if of is None else NOTHING_ALIKE)
            return
        candidate = prepared.view.candidates[of].key
        verb = partial(judging.grade_near_duplicates, self._project, prepared.view.key, candidate, left)
        self._flow.do(verb, self._flow.changed.emit)


def graded(prepared: Prepared, position: int) -> bool:
    """Say whether a candidate has a grade."""
    return prepared.view.candidates[position].judgment.grade is not None


def source(prepared: Prepared, position: int) -> int | None:
    """Return the place of the candidate whose grade its near-duplicates are to get; None without a grade.

    It is the one in front if that has a grade, else the one graded last: of its near-duplicates, if one of
    them has a grade, of the query otherwise.
    """
    candidates = prepared.view.candidates
    if candidates and graded(prepared, position):
        return position
    near = [at for at in prepared.near(position) if graded(prepared, at)] if candidates else []
    among = near or [at for at in range(len(candidates)) if graded(prepared, at)]
    return max(among, key=lambda at: candidates[at].judgment.time or 0, default=None)


def undecided_near(prepared: Prepared, position: int) -> list[int]:
    """Return the keys of a candidate's near-duplicates that nothing was said of."""
    candidates = prepared.view.candidates
    return [candidates[at].key for at in prepared.near(position) if candidates[at].judgment.state is None]


def unjudged(view: QueryView) -> list[int]:
    """Return the keys of the candidates that the annotator has said nothing of."""
    return [one.key for one in view.candidates if one.judgment.state is None]


def reach(view: QueryView) -> str:
    """Say which candidates the rest of a query is, and which it is not."""
    said = Counter(one.judgment.state for one in view.candidates)
    kept = [
        words
        for count, words in (
            (said["skipped"], f"{said['skipped']:,} skipped"),
            (said["cannot_tell"], f"{said['cannot_tell']:,} that you can't tell"),
        )
        if count
    ]
    one = said["skipped"] + said["cannot_tell"] == 1
    stay = f" {' and '.join(kept)} {'stays as it is' if one else 'stay as they are'}." if kept else ""
    return f"These are all that you have not judged, also those that you never looked at.{stay}"
