"""Between the cards and the full text: Space leads there and back, moving on goes with it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from annotator.desktop.grade.cards import Selected
from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.workspace import Workspace
from annotator.desktop.worker import Worker
from annotator.project import browse
from annotator.project.views import JudgmentView

if TYPE_CHECKING:
    from annotator.project.project import Project


class Reading(QObject):
    """Decides whether cards or reader are in front, and fetches the texts that are long."""

    def __init__(
        self, flow: Flow, parts: Workspace, project: "Project", worker: Worker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._flow = flow
        self._parts = parts
        self._project = project
        self._worker = worker
        parts.reader.closed.connect(self.close)
        flow.judgment_shown.connect(self._show_judgment)

    @property
    def on(self) -> bool:
        """Whether a full text is in front."""
        return self._parts.middle.currentWidget() is self._parts.reader

    @property
    def seen(self) -> bool:
        """Whether the candidate in front is in sight, on its card or as a text."""
        return self._parts.middle.currentWidget() is not self._parts.message

    def switch(self) -> None:
        """Read the candidate in front, or go back to the cards."""
        if self.on:
            self.close()
        elif self._parts.middle.currentWidget() is self._parts.cards:
            self.follow()

    def follow(self) -> None:
        """Read the candidate in front."""
        prepared = self._flow.prepared
        if prepared is None:
            return
        candidate = prepared.view.candidates[self._flow.position]

        def show(text: str) -> None:
            if self._flow.candidate == candidate.key:
                self._parts.reader.show_text(prepared.view, candidate, text, self._parts.cards.show_marks)
                self._parts.middle.setCurrentWidget(self._parts.reader)
                self._show_judgment(self._flow.position, candidate.judgment, pending=False)
                self._flow.painted(prepared.view.key)  # the cards may not have been

        if candidate.kind == "answer":
            show(candidate.passage or candidate.text)
        elif candidate.length <= len(candidate.text):
            show(candidate.text)
        else:
            self._worker.submit(self, partial(partial(browse.full_text, self._project), candidate.key), show)

    def close(self) -> None:
        """Go back to the cards; the reader keeps its place."""
        if self.on:
            self._parts.reader.keep_place()
            self._parts.middle.setCurrentWidget(self._parts.cards)
        self._parts.cards.setFocus()

    def show_cards(self) -> None:
        """Bring the cards to the front, unless the same candidate is being read; typing goes on."""
        if self.on:
            read = self._parts.reader.candidate
            if read is not None and read.key == self._flow.candidate and self._flow.query is not None:
                self._flow.painted(self._flow.query)  # what is judged is on screen, the cards are not
                return
            self.close()
        self._parts.middle.setCurrentWidget(self._parts.cards)

    def _show_judgment(self, position: int, judgment: JudgmentView, pending: bool) -> None:
        prepared = self._flow.prepared
        if self.on and prepared is not None and position == self._flow.position:
            place = f"{position + 1} of {len(prepared.view.candidates)}"
            self._parts.reader.show_judgment(judgment, place, pending)

    def selected(self) -> Selected | None:
        """Return the words selected in the reader or in a card."""
        if self.on:
            return self._parts.reader.selection(self._flow.position)
        return self._parts.cards.selection()

    def switch_marks(self) -> None:
        """Mark words in cards and reader, or not."""
        cards = self._parts.cards
        cards.show_marks = not cards.show_marks
        cards.repaint_marks()
        self._parts.reader.set_marks(cards.show_marks)
