"""The whole text of a candidate: plain, Markdown or sanitised HTML; nothing is ever fetched."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QStackedWidget,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.actions import keyed
from annotator.desktop.grade.card import rationale_of
from annotator.desktop.grade.cards import Selected
from annotator.desktop.grade.find_bar import FindField
from annotator.desktop.grade.grade_buttons import GradeBar
from annotator.desktop.grade.offsets import Span, spans_in_units, to_points, to_units
from annotator.desktop.grade.passage import Marked, places_of, reasoned, underlined
from annotator.desktop.grade.prepared import answer_places, field_line, mark, named, places_in
from annotator.desktop.grade.rich_text import MARKDOWN_IMAGE, RICH, kind_of, sanitised
from annotator.desktop.grade.tick_bar import TickBar, place_of
from annotator.desktop.icons import icon
from annotator.desktop.offline_browser import MARKDOWN, OfflineBrowser
from annotator.desktop.style import label, px
from annotator.project.views import CandidateView, JudgmentView, QueryView
from annotator.text.matches import whole_words
from annotator.theme import STEPS, Theme

PIECE = 200_000
"""Longer plain texts come in pieces of so many characters, so that the window never waits."""

TICK_MS = 60
"""So long after a text is shown its ticks follow."""

USUAL = "as people write it, line by line and word after word, in texts of every kind"
"""Its letters are as wide as those of most texts."""

BESIDE = 44
"""What stands beside the letters of a line: margins and the scroll bar."""

COLUMNS = (70, 90, 50, 1_000)
"""So many letters stand in a line at most; 70 are read best."""

TICKED = 400_000
"""Longer texts have no ticks in their scroll bar: looking for all places would hold the window up."""


class Reader(QFrame):
    """A text over the candidates' place. `closed` when the user goes back; it keeps its place per text."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: QueryView | None = None
        self._candidate: CandidateView | None = None
        self._places: dict[int, int] = {}
        self._answer_places: tuple[Span, ...] = ()
        self._rationale = ""
        self.field_line = ""
        self._rest = ""
        self._marks = True
        self._width = 0
        self._bars: list[TickBar] = []
        self._mark_later = QTimer(self, singleShot=True, interval=30)
        self._mark_later.timeout.connect(self._mark)
        self._tick_later = QTimer(self, singleShot=True, interval=TICK_MS)
        self._tick_later.timeout.connect(self._tick)
        self._title = label("", "heading", self)
        self._fields = label("", "muted", self)
        self._fields.setWordWrap(True)
        self._plain = QPlainTextEdit(self)
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
            text.verticalScrollBar().valueChanged.connect(lambda _: self._mark_later.start())
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
            button.setToolTip(name)
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

    def show_text(self, view: QueryView, candidate: CandidateView, text: str, marks: bool) -> None:
        """Show a whole text where it was left the last time."""
        self.keep_place()
        self._view, self._candidate, self._marks = view, candidate, marks
        self._answer_places = answer_places(candidate)
        self._rationale = rationale_of(candidate.judgment)
        self._title.setText(named(candidate))
        told = field_line(self.field_line, candidate)
        self._fields.setText(told)
        self._fields.setVisible(bool(told))
        kind = kind_of(candidate) if len(text) <= RICH else "plain"
        self._more.stop()
        self._rest = ""
        if kind == "plain":
            self._texts.setCurrentWidget(self._plain)
            self._plain.setPlainText(text[:PIECE])
            self._rest = text[PIECE:]
            if self._rest:
                self._more.start()
        else:
            self._texts.setCurrentWidget(self._rich)
            if kind == "html":
                self._rich.setHtml(sanitised(text))
            else:
                self._rich.document().setMarkdown(MARKDOWN_IMAGE.sub(r"[image: \1]", text), MARKDOWN)
        self._narrow()
        self._tick_later.start()
        self.scroll_to(self._places.get(candidate.key, 0))
        self._editor().setFocus(Qt.FocusReason.OtherFocusReason)
        self._mark_later.start()

    def keep_place(self) -> None:
        """Remember where this text was left."""
        if self._candidate is not None:
            self._places[self._candidate.key] = self.place()

    def place(self) -> int:
        """Return how far the text is scrolled."""
        return self._editor().verticalScrollBar().value()

    def scroll_to(self, place: int) -> None:
        """Scroll the text to a place."""
        self._editor().verticalScrollBar().setValue(place)

    def shown_text(self) -> str:
        """Return the text as far as it is loaded."""
        return self._editor().toPlainText()

    def set_marks(self, on: bool) -> None:
        """Mark query words and gold answers, or not."""
        self._marks = on
        self._mark()
        self._tick()

    def find_in_text(self) -> None:
        """Show the field that searches in the text."""
        self.searched.start()

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
        whole = editor.toPlainText()
        marked = to_points(whole, cursor.selectionStart()), to_points(whole, cursor.selectionEnd())
        start, end = whole_words(whole, *marked)
        if start == end:
            return None
        cursor.setPosition(to_units(whole, start))
        cursor.setPosition(to_units(whole, end), QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        placed = editor is self._plain
        return Selected(position, whole[start:end], start if placed else None, end if placed else None)

    def show_judgment(self, judgment: JudgmentView, place: str, pending: bool = False) -> None:
        """Show the grade of what is read, its place such as `3 of 6`, and the words given as the reason."""
        self.grades.show_judgment(judgment, place, pending)
        if not pending and self._rationale != rationale_of(judgment):
            self._rationale = rationale_of(judgment)
            self._mark()

    def keep_edges(self, left: int, right: int) -> None:
        """Stand where the cards do."""
        self._rows.setContentsMargins(left, STEPS[1], right, STEPS[0])
        self._narrow()

    def theme_changed(self, theme: Theme) -> None:
        """Mark in other colours."""
        self._theme = theme
        for bar in self._bars:
            bar.theme = theme
        self._back.setIcon(icon("close", theme.muted))
        self.grades.theme_changed(theme)
        self._mark()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines at a readable length."""
        super().resizeEvent(event)
        self._narrow()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the lines at a readable length when the text grows."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._narrow()

    def _editor(self) -> QPlainTextEdit | QTextBrowser:
        return self._plain if self._texts.currentWidget() is self._plain else self._rich

    def _append(self) -> None:
        piece, self._rest = self._rest[:PIECE], self._rest[PIECE:]
        cursor = QTextCursor(self._plain.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)
        if not self._rest:
            self._more.stop()
            self._tick_later.start()

    def _next_width(self) -> None:
        self._width = (self._width + 1) % len(COLUMNS)
        self._narrow()

    def _narrow(self) -> None:
        around = self._rows.contentsMargins()
        letters = COLUMNS[self._width] * self._plain.fontMetrics().horizontalAdvance(USUAL) // len(USUAL)
        free = self.width() - around.left() - around.right() - letters - px(BESIDE)
        self._texts.setContentsMargins(0, 0, max(0, free), 0)
        self._mark_later.start()

    def _mark(self) -> None:
        """Mark the words of the part in sight: a text of many megabytes costs no more than a short one."""
        editor = self._editor()
        made = self._answer() + self._reason()
        if self._view is not None and self._marks:
            text, first = self._in_sight()
            marked = mark(Marked(text), self._view)
            for spans, ground in ((marked.words, False), (marked.gold, True)):
                look = QTextCharFormat()
                look.setForeground(QColor(self._theme.accent))
                if ground:
                    look.setBackground(QColor(self._theme.soft))
                for start, end in spans_in_units(text, list(spans)):
                    made.append(self._marked_part(first + start, first + end, look))
        editor.setExtraSelections(made)

    def _tick(self) -> None:
        """Show in the scroll bar where marked words stand in the whole text."""
        editor, text = self._editor(), self.shown_text()
        bar = self._bars[0 if editor is self._plain else 1]
        if self._view is None or not self._marks or len(text) > TICKED:
            bar.show_places((), ())
            return
        marked = mark(Marked(text), self._view)
        whole = max(bar.maximum() + bar.pageStep(), 1)
        document = editor.document()
        words, gold = (
            [place_of(document, start) / whole for start, _ in spans_in_units(text, list(spans))]
            for spans in (marked.words, marked.gold)
        )
        bar.show_places(words, gold)

    def _in_sight(self, more: int = 0) -> tuple[str, int]:
        """Return the part in sight, with so much more on both sides, and where it begins, in Qt's units."""
        editor = self._editor()
        first = editor.cursorForPosition(editor.viewport().rect().topLeft()).position()
        last = editor.cursorForPosition(editor.viewport().rect().bottomRight()).position()
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
        plain = self._editor() is self._plain
        text = one.passage if plain else self.shown_text()
        spans = spans_in_units(text, list(self._answer_places if plain else places_in(text, one)))
        return [self._marked_part(start, end, look) for start, end in spans]

    def _marked_part(self, start: int, end: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        place = QTextCursor(self._editor().document())
        place.setPosition(start)
        place.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        part = QTextEdit.ExtraSelection()
        part.cursor, part.format = place, look
        return part

    def _find(self, again: bool) -> None:
        """Select the words that are looked for, from the selection on; `again` from behind its start."""
        text, cursor = self.shown_text(), self._editor().textCursor()
        place = self.searched.next_place(text, to_points(text, cursor.selectionStart()) + again)
        if place is None:
            cursor.setPosition(cursor.selectionStart())
        else:
            cursor.setPosition(to_units(text, place[0]))
            cursor.setPosition(to_units(text, place[1]), QTextCursor.MoveMode.KeepAnchor)
        self._editor().setTextCursor(cursor)
