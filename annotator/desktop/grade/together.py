"""Several candidates of a query in one action, and what is asked before it."""

from collections import Counter
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.grade.flow import ONLY_A_GRADE, Flow
from annotator.desktop.question import confirm
from annotator.project import judging
from annotator.project.views import Change, QueryView
from annotator.text.counts import counted

if TYPE_CHECKING:
    from annotator.project.project import Project

TITLE = 80
"""A question names a query by so many characters of it."""

NOTHING_OPEN = "Nothing of this query is left unjudged."


class Together(QObject):
    """Asks whether the rest of the query in front is 0, and gives it in one action that undo takes back."""

    def __init__(self, flow: Flow, project: "Project", actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self._flow = flow
        self._project = project
        self._actions = actions
        self._window = parent
        actions.on("rest", lambda: flow.in_turn(self._ask_rest))

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
            f"{reach(view)} {f'{undo} takes it' if undo else 'Undo takes it'} back, all of it at once.",
            f"Give 0 to {len(unjudged(view)):,}",
            partial(self._give_rest, view),
        )

    def _give_rest(self, view: QueryView) -> None:
        verb = partial(judging.grade_rest, self._project, view.key, unjudged(view))
        self._flow.do(verb, self._given)

    def _given(self, change: Change) -> None:
        self._flow.pace.together += change.more_decided
        self._flow.changed.emit(change)


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
