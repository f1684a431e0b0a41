"""The whole text of a candidate: plain, Markdown or sanitised HTML; nothing is ever fetched."""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.actions import keyed
from annotator.desktop.elided import Elided
from annotator.desktop.grade.card import rationale_of
from annotator.desktop.grade.cards import Selected
from annotator.desktop.grade.find_bar import FindField
from annotator.desktop.grade.grade_buttons import GradeBar
from annotator.desktop.grade.offsets import to_points, to_units
from annotator.desktop.grade.plain_text import PlainText, shown_place, stored_place, stored_text
from annotator.desktop.grade.prepared import ANSWER, field_line, named
from annotator.desktop.grade.rich_text import read_as, sanitised
from annotator.desktop.grade.text_lines import COLUMNS, column_width, space_paragraphs
from annotator.desktop.grade.text_marks import TextMarks
from annotator.desktop.grade.tick_bar import TickBar
from annotator.desktop.icons import icon
from annotator.desktop.offline_browser import OfflineBrowser
from annotator.desktop.rich_limits import AS_PLAIN
from annotator.desktop.style import breakable, prose, px, tip
from annotator.project.views import CandidateView, JudgmentView, QueryView
from annotator.text.direction import from_the_right
from annotator.text.matches import whole_words
from annotator.text.templates import beginning, short, told
from annotator.theme import STEPS, Theme

PIECE = 200_000
"""Longer plain texts come in pieces of so many characters, so that the window never waits."""

FIELDS_AT_MOST = 200
"""So many characters of the other fields stand above a text, which keeps its room; a tooltip has them all."""


class Reader(QFrame):
    """The text of a candidate; it keeps its place per text. `closed` when the user goes back to the cards.

    `width_changed` when the user wants other lines; `scrolled` when another part comes into sight.
    """

    closed = Signal()
    width_changed = Signal()
    scrolled = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._candidate: CandidateView | None = None
        self._places: dict[int, int] = {}
        self.field_line = ""
        self._rest = ""
        self._kind = "plain"
        self._left_at = self._begun = 0
        self._width = 0
        self._bars: list[TickBar] = []
        self._marks = TextMarks(theme, self._editor, self)
        self._title = Elided("heading", self)
        self._fields = prose("", "muted", self)
        self._fields.setMinimumWidth(1)  # a long word widens nothing
        self._note = prose("", "muted", self)
        self._plain = PlainText(self)
        self._rich = OfflineBrowser(self)
        self._texts = QStackedWidget(self)
        for text in (self._plain, self._rich):
            text.setReadOnly(True)
            text.setFrameShape(QFrame.Shape.NoFrame)
            text.setAccessibleName("Full text")
            text.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            text.setProperty("kind", "reader")
            self._bars.append(TickBar(theme, text))
            text.setVerticalScrollBar(self._bars[-1])
            text.verticalScrollBar().valueChanged.connect(self._show_other_part)
            self._texts.addWidget(text)
        self._more = QTimer(self, interval=0)
        self._more.timeout.connect(self._append)
        self.searched = FindField(self)
        self.searched.wanted.connect(self._find)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], STEPS[1], STEPS[3], STEPS[0])
        rows.setSpacing(STEPS[0])
        rows.addLayout(self._head())
        rows.addWidget(self._fields)
        rows.addWidget(self._note)
        rows.addWidget(self.searched)
        rows.addWidget(self._texts, 1)
        self.grades = GradeBar(theme, self)
        rows.addWidget(self.grades)
        self._rows = rows

    def _head(self) -> QHBoxLayout:
        columns = QHBoxLayout()
        columns.addWidget(self._title, 1)
        for text, name, call in (
            ("↔", "Narrower or wider text", self._next_width),
            ("", "Back to the candidates", self.closed.emit),
        ):
            button = QToolButton(self)
            button.setText(text)
            button.setAccessibleName(name)
            button.setToolTip(tip(name))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(call)
            columns.addWidget(button)
            self._back = button
        keyed(self._back, "read", self._back.toolTip())
        return columns

    @property
    def candidate(self) -> CandidateView | None:
        """What is being read."""
        return self._candidate

    def take_keys(self) -> None:
        """Give the keys to the text."""
        self._editor().setFocus(Qt.FocusReason.OtherFocusReason)

    def show_text(self, view: QueryView, candidate: CandidateView, text: str, marks: bool) -> None:
        """Show a text where it was left the last time; its rest may follow (`show_rest`)."""
        self.keep_place()
        self._candidate = candidate
        below = candidate.kind == "answer" and not candidate.passage and candidate.text.strip()
        self._title.setText(beginning(told(candidate.title)) or (ANSWER if below else named(candidate)))
        fields = field_line(self.field_line, candidate)
        self._fields.setText(breakable(short(fields, FIELDS_AT_MOST)))
        self._fields.setToolTip(tip(fields))
        self._fields.setVisible(bool(fields))
        self._fill(candidate, text)
        self._narrow()
        self._marks.show_query(view, candidate, marks)
        self._begun = len(text)
        self._go_back_to(self._places.get(candidate.key, 0))
        if not self._rest and len(text) >= candidate.length:
            self._left_at = 0

    def show_rest(self, text: str) -> None:
        """Show the whole of the text whose beginning is there."""
        if self._candidate is None:
            return
        if self._kind == "plain":
            self._rest += text[self._begun :]
            self._append()
            if self._rest:
                self._more.start()
        else:
            place = max(self.place(), self._left_at)
            self._fill(self._candidate, text)
            self._go_back_to(place)
        self._marks.find_anew()

    def _go_back_to(self, place: int) -> None:
        """Scroll to where a text was left, as far as it is there; more of it may follow."""
        self.scroll_to(max(place, self.place()))
        self._left_at = place if place > self.place() else 0

    def _fill(self, candidate: CandidateView, text: str) -> None:
        """Show a text as what it is, or as plain text and why."""
        self._kind, why = read_as(candidate, text)
        self._note.setText(AS_PLAIN.format(why))
        self._note.setVisible(bool(why))
        self._more.stop()
        self._rest = ""
        self._texts.setCurrentWidget(self._plain if self._kind == "plain" else self._rich)
        if self._kind == "plain":
            self._plain.show_piece(text[:PIECE])
            self._rest = text[PIECE:]
            if self._rest:
                self._more.start()
            return
        if self._kind == "html":
            self._rich.setHtml(sanitised(text))
        else:
            self._rich.show_markdown(text)
        space_paragraphs(self._rich.document())
        self._rich.moveCursor(QTextCursor.MoveOperation.Start)

    def follow_query(self, view: QueryView, candidate: CandidateView) -> None:
        """Mark the words of a query that is read anew; the text of its candidate is the same."""
        self._candidate = candidate
        self._marks.show_query(view, candidate)

    def stand_alone(self, alone: bool) -> None:
        """Offer the way back to the cards where they are not beside the text."""
        self._back.setVisible(alone)

    def keep_place(self) -> None:
        """Remember where this text was left."""
        if self._candidate is not None:
            self._places[self._candidate.key] = max(self.place(), self._left_at)

    def place(self) -> int:
        """Return how far the text is scrolled."""
        return self._editor().verticalScrollBar().value()

    def scroll_to(self, place: int) -> None:
        """Scroll the text to a place."""
        self._editor().verticalScrollBar().setValue(place)

    def shown_text(self) -> str:
        """Return the text as far as it is loaded."""
        return stored_text(self._editor())

    def set_marks(self, on: bool) -> None:
        """Mark query words and gold answers, or not."""
        self._marks.switch(on)

    def find_in_text(self) -> None:
        """Show the field that searches in the text."""
        self.searched.start()

    def clear_selection(self) -> None:
        """Select nothing: words elsewhere are about to be."""
        cursor = self._editor().textCursor()
        cursor.clearSelection()
        self._editor().setTextCursor(cursor)

    def leave_find(self) -> bool:
        """Go from the search field back to the text; False when nobody is searching."""
        if self.searched.line.hasFocus():
            self.searched.hide()
            self._editor().setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return False

    def selection(self, position: int) -> Selected | None:
        """Return the selected words of the candidate at a position; places are known in plain text only."""
        editor, cursor = self._editor(), self._editor().textCursor()
        whole = stored_text(editor)
        ends = (cursor.selectionStart(), cursor.selectionEnd())
        marked = [to_points(whole, stored_place(editor, end)) for end in ends]
        start, end = whole_words(whole, *marked)
        if start == end:
            return None
        cursor.setPosition(shown_place(editor, to_units(whole, start)))
        cursor.setPosition(shown_place(editor, to_units(whole, end)), QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        placed = editor is self._plain
        return Selected(position, whole[start:end], start if placed else None, end if placed else None)

    def show_judgment(self, judgment: JudgmentView, place: str, pending: bool = False) -> None:
        """Show the grade of what is read, its place such as `3 of 6`, and the words given as the reason."""
        self.grades.show_judgment(judgment, place, pending)
        if not pending:
            self._marks.show_rationale(rationale_of(judgment))

    def keep_edges(self, left: int, right: int) -> None:
        """Stand where the cards do."""
        self._rows.setContentsMargins(left, STEPS[1], right, STEPS[0])
        self._narrow()

    def theme_changed(self, theme: Theme) -> None:
        """Mark in other colours."""
        for bar in self._bars:
            bar.theme = theme
        self._back.setIcon(icon("close", theme.muted))
        self._back.setIconSize(QSize(px(16), px(16)))
        self.grades.theme_changed(theme)
        self._marks.theme_changed(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines at a readable length."""
        super().resizeEvent(event)
        self._narrow()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the lines at a readable length when the text grows."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._narrow()

    def _editor(self) -> PlainText | QTextBrowser:
        return self._plain if self._texts.currentWidget() is self._plain else self._rich

    def _append(self) -> None:
        piece, self._rest = self._rest[:PIECE], self._rest[PIECE:]
        self._plain.append_piece(piece)
        self._go_back_to(self._left_at)
        if not self._rest:
            self._left_at = 0
            self._more.stop()
            self._marks.find_anew()

    def _next_width(self) -> None:
        self._width = (self._width + 1) % len(COLUMNS)
        self._narrow()
        self.width_changed.emit()

    def width_wanted(self) -> int:
        """Return how wide the text stands if nothing takes its room."""
        return column_width(self._plain, COLUMNS[self._width])

    def _narrow(self) -> None:
        around = self._rows.contentsMargins()
        free = self.width() - around.left() - around.right() - self.width_wanted()
        free = max(0, free)
        for text in (self._plain, self._rich):  # their frames end where everything else does
            mirrored = from_the_right(text.document().firstBlock().text())
            text.setViewportMargins(free * mirrored, 0, free * (not mirrored), 0)
        self._marks.mark_soon()

    def _show_other_part(self) -> None:
        self._marks.mark_soon()
        self.scrolled.emit()

    def _find(self, again: bool) -> None:
        """Select the words that are looked for, from the selection on; `again` from behind its start."""
        editor, text, cursor = self._editor(), self.shown_text(), self._editor().textCursor()
        start = to_points(text, stored_place(editor, cursor.selectionStart()))
        place = self.searched.next_place(text, start + again)
        if place is None:
            cursor.setPosition(cursor.selectionStart())
        else:
            start, end = (shown_place(editor, to_units(text, at)) for at in place)
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
