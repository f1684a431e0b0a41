"""What an annotator can say of a candidate or query beside a grade: small questions, then one verb each."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from annotator.desktop.controls import combo
from annotator.desktop.grade.addresses import addresses, in_full
from annotator.desktop.grade.drafts import Drafts
from annotator.desktop.grade.flow import ONLY_A_GRADE, Flow
from annotator.desktop.grade.full_text_switch import Reading
from annotator.desktop.grade.gold_editor import added
from annotator.desktop.grade.loop import TOO_EARLY
from annotator.desktop.grade.prepared import named
from annotator.desktop.history_dialog import HistoryDialog
from annotator.desktop.nuggets_dialog import NuggetsDialog, draft_of
from annotator.desktop.question import Ask, Choose, confirm
from annotator.desktop.style import label
from annotator.desktop.worker import Worker
from annotator.project import blindness, history, judging
from annotator.project.nuggets import Nugget, nuggets, set_nuggets
from annotator.project.views import CandidateView, Change, QueryView
from annotator.records import GoldAnswer, GoldList
from annotator.tasks import Mark

if TYPE_CHECKING:
    from annotator.project.project import Project

REASONS = (
    "The text is missing or broken",
    "I do not know the subject well enough",
    "The query can mean several things",
    "It is in a language I do not read",
)
NOT_IN_SIGHT = "That key did not count: no candidate is in sight."

NOTE_LEFT = "The note is not kept yet; it is there again when you come back to it."
NUGGETS_LEFT = "The nuggets are not kept yet; they are there again when you come back to them."

NOTE_ON_QUERY = "Everybody sees it, also before judging: it should say nothing of grades."

READ = "Others can read it in the history once they have finished the query or asked to see its scores."
READ_IN_PRACTICE = "New annotators are shown it when they have finished this practice query."
READ_IF_PRACTICE = "If this query becomes one for practice, new annotators may be shown the note after it."

OFFERED = 9
"""So many addresses have a digit each."""

DIFFICULTIES = ("easy", "medium", "hard")


def who_reads(practice: bool, learning: bool) -> str:
    """Say who may read a note on a candidate; nobody is shown what somebody wrote who practised."""
    if learning:
        return READ
    return f"{READ} {READ_IN_PRACTICE if practice else READ_IF_PRACTICE}"


class Wishes(QObject):
    """Asks where a verb needs words, and runs the verb on what is in front.

    `gold_told(QueryView)` is a query with the gold answers that it is about to have.
    """

    gold_told = Signal(object)

    def __init__(
        self,
        flow: Flow,
        project: "Project",
        worker: Worker,
        reading: Reading,
        drafts: Drafts,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._flow = flow
        self._project = project
        self._worker = worker
        self._reading = reading
        self._drafts = drafts
        self._window = parent
        self._gold: deque[tuple[int, GoldList]] = deque()

    def do(self, verb: "Callable[[Project], Change]", left: Callable[[], object] = lambda: None) -> None:
        """Run a verb; it names what it is about, for something else may be in front by then.

        `left` is called where nothing is stored: what was typed must not be lost.
        """

        def not_stored(error: Exception) -> None:
            left()
            self._flow.failed.emit(error)

        self._worker.submit(self, partial(verb, self._project), self._flow.changed.emit, not_stored)

    def clear(self) -> None:
        """Take the judgment of the candidate in front away."""
        if (front := self._in_front()) is not None:
            query, candidate = front
            self.do(lambda project: judging.clear(project, query, candidate.key))

    def mark(self, mark: Mark) -> None:
        """Put a mark on the candidate in front, or take it away; ask for its words where it has some."""
        if mark.given == "selection":
            self._mark_selection(mark)
        elif (front := self._in_front()) is not None:
            query, candidate = front
            now = candidate.judgment.marks.get(mark.name, "")

            name = f"{mark.name} {query} {candidate.key} {self._project.annotator}"
            left = partial(self._leave, name)

            def keep(value: bool | str) -> None:
                typed = value if isinstance(value, str) else ""
                self.do(
                    lambda project: judging.set_mark(project, query, candidate.key, mark.name, value),
                    partial(left, typed),
                )

            if mark.given == "switch":
                keep(not now)
            else:
                title = f"{mark.said.capitalize()} on “{named(candidate)}”"
                begun, view = self._drafts.begun(name), self._view()
                hint = "" if view is None else who_reads(view.practice, view.learning)
                Ask(self._window, title, hint, keep, str(now), begun=begun, left=left).open()

    def _mark_selection(self, mark: Mark) -> None:
        """Keep the selected words as a mark on the candidate they stand in."""
        chosen, view = self._reading.selected(), self._view()
        if chosen is None or view is None:
            self._flow.said.emit(f"Select the words of the {mark.said} first.")
            return
        if view.again:
            self._flow.said.emit(ONLY_A_GRADE)
            return
        key, text = view.candidates[chosen.position].key, chosen.text.strip()
        self.do(lambda project: judging.set_mark(project, view.key, key, mark.name, text))
        self._flow.said.emit(f"{mark.said.capitalize()}: “{text}”")

    def ask_reason(self) -> None:
        """Ask why one cannot tell."""
        if (front := self._in_front()) is None or not self._flow.may_decide():
            return
        asked = front[0], front[1].key

        def keep(reason: str) -> None:
            if (self._flow.query, self._flow.candidate) == asked:
                self._flow.cannot_tell(reason)
            else:
                self._flow.said.emit(TOO_EARLY)

        hint = "Why? The candidate then counts as unjudged, never as 0."
        Choose(self._window, "Can't tell", hint, keep, REASONS, "Another reason…").open()

    def ask_query_note(self) -> None:
        """Ask how hard the query is and for a note on it."""
        view = self._open_view()
        if view is None:
            return
        levels = [
            (words or "Not said", words) for words in dict.fromkeys(("", *DIFFICULTIES, view.difficulty))
        ]
        difficulty = combo("How hard is this query to judge?", items=levels, parent=self._window)
        difficulty.setCurrentIndex(difficulty.findData(view.difficulty))

        def keep(text: str) -> None:
            said = {"difficulty": str(difficulty.currentData()), "note": text}
            if said != {"difficulty": view.difficulty, "note": view.note}:
                self.do(lambda project: judging.set_query_part(project, view.key, said), partial(left, text))

        name = f"query {view.key} {self._project.annotator}"
        title, begun = "Note on the query", self._drafts.begun(name)
        left = partial(self._leave, name)
        above = (label(difficulty.accessibleName(), "muted"), difficulty)
        ask = Ask(self._window, title, NOTE_ON_QUERY, keep, view.note, above=above, begun=begun, left=left)
        ask.open()
        ask.field.setFocus()

    def _leave(self, name: str, words: str, told: str = NOTE_LEFT) -> None:
        """Keep the words of a note, or the lines of nuggets, that were left, and say so."""
        self._drafts.left(name, words)
        if words:
            self._flow.said.emit(told)

    def edit_nuggets(self) -> None:
        """Show the nuggets of the query for writing, rewording and merging."""
        if (view := self._open_view()) is None:
            return

        def show(now: Sequence[Nugget]) -> None:
            def keep(wanted: list[Nugget]) -> None:
                lines = partial(left, draft_of(wanted))
                self.do(lambda project: set_nuggets(project, view.key, wanted), lines)

            name = f"nuggets {view.key} {self._project.annotator}"
            begun, left = self._drafts.begun(name), partial(self._leave, name, told=NUGGETS_LEFT)
            NuggetsDialog(view.title, now, keep, self._window, begun, left).open()

        self._worker.submit(self, lambda: nuggets(self._project, view.key), show)

    def selection_to_gold(self) -> None:
        """Make the selected words a gold answer, with the place they were selected from."""
        chosen, view = self._reading.selected(), self._view()
        if chosen is None or view is None:
            self._flow.said.emit("Select an answer in a text first.")
            return
        candidate = view.candidates[chosen.position]
        text = chosen.text.strip()
        placed = chosen.start is not None and candidate.kind == "document" and text == chosen.text
        new = GoldAnswer(text, (), candidate.id, chosen.start, chosen.end) if placed else GoldAnswer(text)
        self.set_gold(GoldList(view.id, added(view.gold, new)))
        self._flow.said.emit(f"Gold answer: “{text}”")

    def switch_unanswerable(self) -> None:
        """Mark the question unanswerable, or take the mark away."""
        view = self._open_view()
        if view is None:
            return
        if view.gold:
            self._flow.said.emit("Remove the gold answers first: a question that has one is answerable.")
        else:
            self.set_gold(GoldList(view.id, (), not view.unanswerable))

    def set_gold(self, gold: GoldList) -> None:
        """Store the gold answers of the query in front; they are shown, and added to, at once."""
        view = self._open_view()
        if view is None:
            return
        self._gold.append((view.key, gold))
        self.gold_told.emit(self.newest(view))

        def stored(change: "Change") -> None:
            self._gold.popleft()
            self._flow.changed.emit(change)

        def not_stored(error: Exception) -> None:
            self._gold.popleft()
            self._flow.reload()
            self._flow.failed.emit(error)

        self._worker.submit(self, lambda: judging.set_gold(self._project, view.key, gold), stored, not_stored)

    def newest(self, view: QueryView) -> QueryView:
        """Return a query with the gold answers that are on their way to the disk."""
        for key, gold in reversed(self._gold):
            if key == view.key:
                return replace(view, gold=gold.answers, unanswerable=gold.unanswerable)
        return view

    def unblind(self) -> None:
        """Show ranks and scores before the query is complete, after asking; this is recorded."""
        view = self._view()
        if view is None or view.revealed or view.again or view.practice:
            return
        confirm(
            self._window,
            "Show ranks and scores?",
            "Show ranks, scores and systems of this query now?",
            "They can lead your grades. That you asked for them is recorded; once you have judged something "
            "of this query, reports say so.",
            "Show",
            lambda: self.do(lambda project: blindness.unblind(project, view.key)),
        )

    def ask_address(self) -> None:
        """Open the address of the document in front in the browser, after showing it in full."""
        if (front := self._in_front()) is None:
            return
        found = {in_full(url): url for url in addresses(front[1])}
        if not found:
            self._flow.said.emit("This document names no address that a browser opens (http or https).")
        elif len(found) == 1:
            self._open(*found.values())
        else:
            hint = "Which one? It is shown in full before it is opened."
            take = lambda text: self._open(found[text])  # noqa: E731
            Choose(self._window, "Addresses of the document", hint, take, list(found)[:OFFERED]).open()

    def _open(self, url: QUrl) -> None:
        confirm(
            self._window,
            "Open in the browser?",
            in_full(url),
            f"Your browser asks {url.host()} for this page, which may have changed since the document was "
            "stored. Judge what stands here.",
            "Open",
            lambda: QDesktopServices.openUrl(url),
        )

    def show_history(self) -> None:
        """Show what happened to the candidate in front."""
        if (front := self._in_front()) is not None:
            query, candidate = front
            title = f"History of “{named(candidate)}”"
            self._worker.submit(
                self,
                partial(history.history, self._project, query, candidate.key, as_seen=True),
                lambda lines: HistoryDialog(title, lines, self._window, of_one=True).open(),
            )

    def _view(self) -> QueryView | None:
        return self.newest(self._flow.prepared.view) if self._flow.prepared else None

    def _open_view(self) -> QueryView | None:
        """Return the query; none while asked again: that takes a grade alone."""
        view = self._view()
        if view is not None and view.again:
            self._flow.said.emit(ONLY_A_GRADE)
            return None
        return view

    def _in_front(self) -> tuple[int, CandidateView] | None:
        """Return the query and the candidate in front; none while asked again, or when it is not in sight."""
        view = self._open_view()
        if view is None or not view.candidates:
            return None
        if not self._reading.seen:
            self._flow.said.emit(NOT_IN_SIGHT)
            return None
        return view.key, view.candidates[self._flow.position]
