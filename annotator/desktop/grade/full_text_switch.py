"""Cards, the full text, or both side by side: Space leads there and back, moving on goes along."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.desktop.grade.cards import Selected
from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.workspace import Workspace
from annotator.desktop.worker import Worker
from annotator.project import browse
from annotator.project.views import CandidateView, JudgmentView

if TYPE_CHECKING:
    from annotator.project.project import Project


NO_ROOM = "The window is too narrow for text and candidates side by side. Space shows the text."


class Reading(QObject):
    """Decides whether cards, text or both are in sight, and fetches the texts that are long.

    `turned(on)`: the text was brought to the place of the cards, or left it, because the annotator wished so.
    """

    turned = Signal(bool)

    def __init__(
        self, flow: Flow, parts: Workspace, project: "Project", worker: Worker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._flow = flow
        self._parts = parts
        self._seat = parts.seat
        self._project = project
        self._worker = worker
        parts.reader.closed.connect(self.close)
        parts.seat.turned.connect(self._follow_beside)
        flow.judgment_shown.connect(self._show_judgment)

    @property
    def on(self) -> bool:
        """Whether a full text is in sight."""
        return self.seen and self._seat.reader_shown

    @property
    def seen(self) -> bool:
        """Whether the candidate in front is in sight, on its card or as a text."""
        return self._parts.middle.currentWidget() is self._seat

    def switch(self) -> None:
        """Read the candidate in front in the place of the cards, or let them come back."""
        if self._seat.alone:
            self.close()
        elif self.seen:
            self.open()

    def switch_beside(self) -> None:
        """Have the text beside the cards, or no more."""
        if not self._seat.has_room:
            self._flow.said.emit(NO_ROOM)
            return
        self._seat.want(not self._seat.wanted)
        self.take_keys()

    def open(self) -> None:
        """Read the candidate in front in the place of the cards."""
        prepared = self._flow.prepared
        if prepared is None or not prepared.view.candidates:
            return
        self._seat.read(alone=True)
        self._parts.middle.setCurrentWidget(self._seat)
        self.follow()
        self.take_keys()
        self.turned.emit(True)
        self._flow.painted(prepared.view.key)  # the cards may not have been

    def follow(self) -> None:
        """Show the text of the candidate in front: its beginning at once, the rest when it is fetched."""
        prepared, reader = self._flow.prepared, self._parts.reader
        if prepared is None or not prepared.view.candidates:
            return
        candidate = prepared.view.candidates[self._flow.position]
        if _reads_alike(reader.candidate, candidate):
            reader.follow_query(prepared.view, candidate)
        else:
            answer = candidate.kind == "answer"
            text = candidate.passage or candidate.text if answer else candidate.text
            reader.show_text(prepared.view, candidate, text, self._parts.cards.show_marks)
            if not answer and candidate.length > len(candidate.text):
                self._fetch(candidate.key)
        self._show_judgment(self._flow.position, candidate.judgment, pending=False)

    def _fetch(self, candidate: int) -> None:
        def show(text: str) -> None:
            read = self._parts.reader.candidate
            if read is not None and read.key == candidate:
                self._parts.reader.show_rest(text)

        self._worker.submit(self, partial(browse.full_text, self._project, candidate), show)

    def _follow_beside(self) -> None:
        """Show the text beside the cards where there is room for it now."""
        self._parts.reader.stand_alone(not self._seat.both)
        if self._seat.both:
            self.follow()
            if self._parts.cards.hasFocus():
                self.take_keys()

    def close(self) -> None:
        """Go back to the cards; the reader keeps its place."""
        if self._seat.alone:
            self._parts.reader.keep_place()
            self._seat.read(alone=False)
            self.turned.emit(False)
        self._parts.cards.setFocus()

    def show_cards(self) -> None:
        """Bring the cards to the front, unless the same candidate is being read; typing goes on."""
        read = self._parts.reader.candidate
        same = read is not None and read.key == self._flow.candidate
        if self.seen and self._seat.alone and same and self._flow.query is not None:
            self._flow.painted(self._flow.query)  # what is judged is on screen, the cards are not
            self.follow()
            return
        if self._seat.alone:
            self.close()
        self._parts.middle.setCurrentWidget(self._seat)
        if self._seat.both:
            self.follow()

    def take_keys(self) -> None:
        """Give the keys to the text where it is in sight, else to the cards."""
        if self.on:
            self._parts.reader.take_keys()
        else:
            self._parts.cards.setFocus()

    def _show_judgment(self, position: int, judgment: JudgmentView, pending: bool) -> None:
        prepared = self._flow.prepared
        if self.on and prepared is not None and position == self._flow.position:
            place = f"{position + 1} of {len(prepared.view.candidates)}"
            self._parts.reader.show_judgment(judgment, place, pending)

    def selected(self) -> Selected | None:
        """Return the words selected in the reader or, where it shows none, in a card."""
        chosen = self._parts.reader.selection(self._flow.position) if self.on else None
        return self._parts.cards.selection() if chosen is None and not self._seat.alone else chosen

    def switch_marks(self) -> None:
        """Mark words in cards and reader, or not."""
        cards = self._parts.cards
        cards.show_marks = not cards.show_marks
        cards.repaint_marks()
        self._parts.reader.set_marks(cards.show_marks)


def _reads_alike(one: CandidateView | None, other: CandidateView) -> bool:
    """Say whether a candidate is another one as it was read before, whatever was said of it since."""
    return one is not None and (one.key, one.text, one.passage, one.length) == (
        other.key,
        other.text,
        other.passage,
        other.length,
    )
