"""What is marked in a full text: query words, gold answers, the predicted answer and the rationale."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from annotator.desktop.grade.card import rationale_of
from annotator.desktop.grade.offsets import Span, spans_in_units
from annotator.desktop.grade.passage import Marked, places_of, reasoned, underlined
from annotator.desktop.grade.plain_text import PlainText, in_units, shown_place, stored_text
from annotator.desktop.grade.prepared import answer_places, mark, places_in
from annotator.desktop.grade.tick_bar import TickBar, place_of
from annotator.project.views import CandidateView, QueryView
from annotator.theme import Theme

MARK_MS, TICK_MS = 30, 60
"""So long after a text is shown its marks follow, and its ticks."""

MARKED = 200
"""So many words are marked in the part in sight: painting takes longer with each."""

TICKED = 400_000
"""Longer texts have no ticks in their scroll bar: looking for all places would hold the window up."""


class TextMarks(QObject):
    """Marks the text view that is in front, and ticks its scroll bar where marked words stand."""

    def __init__(self, theme: Theme, editor: Callable[[], PlainText | QTextBrowser], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._editor = editor
        self._view: QueryView | None = None
        self._candidate: CandidateView | None = None
        self._answer_places: tuple[Span, ...] = ()
        self._rationale = ""
        self._on = True
        self._mark_later = QTimer(self, singleShot=True, interval=MARK_MS)
        self._mark_later.timeout.connect(self._mark)
        self._tick_later = QTimer(self, singleShot=True, interval=TICK_MS)
        self._tick_later.timeout.connect(self._tick)

    def show_query(self, view: QueryView, candidate: CandidateView, on: bool | None = None) -> None:
        """Mark the words of a query in the text of one of its candidates, or leave words unmarked."""
        self._view, self._candidate = view, candidate
        self._on = self._on if on is None else on
        self._answer_places = answer_places(candidate)
        self._rationale = rationale_of(candidate.judgment)
        self.find_anew()

    def show_rationale(self, rationale: str) -> None:
        """Mark the words that were given as the reason of a grade."""
        if rationale != self._rationale:
            self._rationale = rationale
            self._mark()

    def switch(self, on: bool) -> None:
        """Mark query words and gold answers, or not."""
        self._on = on
        self._mark()
        self._tick()

    def theme_changed(self, theme: Theme) -> None:
        """Mark in other colours."""
        self._theme = theme
        self._mark()

    def mark_soon(self) -> None:
        """Mark another part: it came into sight."""
        self._mark_later.start()

    def find_anew(self) -> None:
        """Mark and tick another text."""
        self._mark_later.start()
        self._tick_later.start()

    def _mark(self) -> None:
        """Mark the words of the part in sight: a text of many megabytes costs no more than a short one."""
        editor = self._editor()
        made = self._answer() + self._reason()
        if self._view is not None and self._on:
            text, first = self._in_sight()
            marked = mark(Marked(text), self._view)
            for spans, ground in ((marked.words, False), (marked.gold, True)):
                look = QTextCharFormat()
                look.setForeground(QColor(self._theme.accent))
                if ground:
                    look.setBackground(QColor(self._theme.soft))
                for start, end in spans_in_units(text, list(spans[:MARKED])):
                    made.append(self._marked_part(first + start, first + end, look))
        editor.setExtraSelections(made)

    def _tick(self) -> None:
        """Show in the scroll bar where marked words stand in the whole text."""
        editor = self._editor()
        text, bar = stored_text(editor), editor.verticalScrollBar()
        assert isinstance(bar, TickBar)
        if self._view is None or not self._on or len(text) > TICKED:
            bar.show_places((), ())
            return
        marked = mark(Marked(text), self._view)
        whole = max(bar.maximum() + bar.pageStep(), 1)
        document = editor.document()
        words, gold = (
            [
                place_of(document, shown_place(editor, start)) / whole
                for start, _ in spans_in_units(text, list(spans))
            ]
            for spans in (marked.words, marked.gold)
        )
        bar.show_places(words, gold)

    def _in_sight(self, more: int = 0) -> tuple[str, int]:
        """Return the part in sight, with so much more on both sides, and where it begins, in Qt's units."""
        editor = self._editor()
        first = editor.cursorForPosition(editor.viewport().rect().topLeft()).position()
        last = editor.cursorForPosition(editor.viewport().rect().bottomRight()).position()
        if isinstance(editor, PlainText):
            first, last = max(0, editor.to_stored(first) - more), editor.to_stored(last) + more
            return in_units(editor.stored, first, last), first
        cursor = QTextCursor(editor.document())
        cursor.setPosition(max(0, first - more))
        cursor.setPosition(
            min(last + more, editor.document().characterCount() - 1), QTextCursor.MoveMode.KeepAnchor
        )
        return cursor.selectedText().replace("\u2029", "\n"), cursor.selectionStart()

    def _reason(self) -> list[QTextEdit.ExtraSelection]:
        """Return the places of the rationale, in the part in sight."""
        if not self._rationale:
            return []
        text, first = self._in_sight(2 * len(self._rationale))
        spans = spans_in_units(text, places_of(self._rationale, text))
        look = reasoned(self._theme)
        return [self._marked_part(first + start, first + end, look) for start, end in spans]

    def _answer(self) -> list[QTextEdit.ExtraSelection]:
        """Return the predicted answer's place in its passage, underlined; it is what is judged."""
        one = self._candidate
        if one is None or not one.passage:
            return []
        look = underlined(self._theme)
        plain = isinstance(self._editor(), PlainText)
        text = one.passage if plain else self._editor().toPlainText()
        spans = spans_in_units(text, list(self._answer_places if plain else places_in(text, one)))
        return [self._marked_part(start, end, look) for start, end in spans]

    def _marked_part(self, start: int, end: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        editor = self._editor()
        place = QTextCursor(editor.document())
        place.setPosition(shown_place(editor, start))
        place.setPosition(shown_place(editor, end), QTextCursor.MoveMode.KeepAnchor)
        part = QTextEdit.ExtraSelection()
        part.cursor, part.format = place, look
        return part
