"""What is asked of the candidate in front beside its grade: a row for each, whose values the digits give."""

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget

from annotator.desktop.controls import button, literal
from annotator.desktop.grade.rich_text import plain_words
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.style import breakable, label, prose, px, tip, wrapped
from annotator.desktop.wrap_layout import WrapLayout
from annotator.grades import GRADES
from annotator.project.views import Asked
from annotator.text.excerpts import excerpt
from annotator.text.matches import word_spans
from annotator.text.visible import visible
from annotator.theme import STEPS

DIGITS = {Qt.Key(Qt.Key.Key_0 + level): level for level in GRADES}
STEP = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
AROUND = 24
"""What stands at both sides of a value on its button."""

MOST_LINES = 4
LONGEST = 900
"""So many characters of a passage stand beside the sentence that cites it."""

TAKE_BACK = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


class AskedRow(QWidget):
    """One question with a button for each value; it is used again for others. `level_chosen(level)`."""

    level_chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._asked: Asked | None = None
        self.title = prose(kind="heading", parent=self)
        self.meaning = prose(kind="muted", parent=self)
        self.buttons: list[QPushButton] = []
        self._values = WrapLayout(gap=STEPS[0])
        self.passage = prose(parent=self)
        self.passage.setTextFormat(Qt.TextFormat.RichText)
        column(self.title, self.meaning, self.passage, self._values, on=self, around=FLUSH, gap=STEPS[0])

    def show_asked(self, asked: Asked, level: int | None, current: bool, width: int) -> None:
        """Show a question in so much width, what was said, and the digits where they are for it."""
        if asked != self._asked:
            self._asked = asked
            self.meaning.setText(breakable(visible(asked.meaning)))
            self.meaning.setVisible(bool(asked.meaning))
            self._make_buttons(len(asked.values))
            for one, words in zip(self.buttons, asked.values, strict=False):
                one.setAccessibleName(visible(f"{asked.title}: {words}"))
        self.title.setText(breakable(visible(f"▸ {asked.title}" if current else asked.title)))
        for at, one in enumerate(self.buttons):
            one.setVisible(at < len(asked.values))
            if at < len(asked.values):
                words, metrics = asked.values[at], one.fontMetrics()
                room, words = width - px(AROUND), f"{at}  {words}" if current else words
                fits = metrics.horizontalAdvance(words) <= room
                lines = [words] if fits else wrapped(words, metrics, room, MOST_LINES)
                one.setText(literal("\n".join(lines)))
                one.setToolTip(tip(asked.values[at]))
                one.setChecked(at == level)

    def _make_buttons(self, count: int) -> None:
        for level in range(len(self.buttons), count):
            one = button("", partial(self._choose, level), self, "chip")
            one.setCheckable(True)
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._values.addWidget(one)
            self.buttons.append(one)

    def show_passage(self, language: str | None) -> None:
        """Show what of the passage is likeliest to support the sentence, its words bold; None hides it."""
        shown = "" if self._asked is None or language is None else _likeliest(self._asked, language)
        self.passage.setText(shown)
        self.passage.setVisible(bool(shown))

    def _choose(self, level: int, _checked: bool = False) -> None:
        self.level_chosen.emit(level)


def _likeliest(asked: Asked, language: str) -> str:
    """Return the sentences of a passage that share most with what is asked, as HTML, shared words bold."""
    text = excerpt(plain_words(asked.passage, asked.format), asked.title, LONGEST, language).text
    parts, at = list[str](), 0
    for start, end in word_spans(text, asked.title, language):
        parts += (_html(text[at:start]), f"<b>{_html(text[start:end])}</b>")
        at = end
    return "".join((*parts, _html(text[at:]))).replace("\n", "<br>")


def _html(text: str) -> str:
    return escape(breakable(visible(text)))


class AskedPanel(QScrollArea):
    """The rows; while it has the keys, a digit is for the row that it names, and not a grade.

    `level_chosen(row, level)`: a value was pressed, None to take it back; row -1 is the one in front.
    `keys_taken(on)`: it has the keys, or no longer.
    """

    level_chosen = Signal(int, object)
    keys_taken = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[AskedRow] = []
        self.current = 0
        self._questions: Sequence[Asked] = ()
        self._said: Mapping[tuple[str, ...], int] = {}
        self._language = "en"
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("What else is asked of the candidate")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        content = QWidget(self)
        self._below = column(around=FLUSH, gap=STEPS[2])
        self.candidate = prose(kind="muted", parent=content)
        parts = (label("ASKED OF THE CANDIDATE", "caption", content), self.candidate, self._below, 1)
        column(*parts, on=content, around=(STEPS[2],) * 4, gap=STEPS[1])
        self.setWidget(content)

    def show_questions(
        self,
        candidate: str,
        questions: Sequence[Asked],
        said: Mapping[tuple[str, ...], int],
        language: str = "en",
    ) -> None:
        """Show what is asked of a candidate, and what was said: levels by task and end of the subject."""
        self.candidate.setText(breakable(candidate))
        self._questions, self._said, self._language = questions, said, language
        self._show()

    def put_in_front(self, row: int) -> None:
        """Let the digits be for another row."""
        self.current = max(0, min(row, len(self._questions) - 1))
        self._show()
        self._reveal()

    def _reveal(self) -> None:
        if self.current < len(self.rows):
            self.ensureWidgetVisible(self.rows[self.current], 0, STEPS[1])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep what is in front in sight when what stands above it, or its passage, takes other room."""
        kept = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.Resize and watched is self.widget():
            self._reveal()
        return kept

    def open_rows(self) -> list[int]:
        """Return the rows of which nothing is said."""
        return [at for at, one in enumerate(self._questions) if (one.task, *one.ending) not in self._said]

    def _show(self) -> None:
        """Show the rows; an answer may ask for dozens, so none are made before the tab is looked at."""
        if not self.isVisible():
            return
        while len(self.rows) < len(self._questions):
            row = AskedRow(self)
            row.level_chosen.connect(partial(self.level_chosen.emit, len(self.rows)))
            self.rows.append(row)
            self._below.addWidget(row)
        width = self.viewport().width() - 2 * STEPS[2]
        for at, row in enumerate(self.rows):
            row.setVisible(at < len(self._questions))
            if at < len(self._questions):
                one = self._questions[at]
                level = self._said.get((one.task, *one.ending))
                row.show_asked(one, level, at == self.current and self.hasFocus(), width)
                row.show_passage(self._language if at == self.current else None)

    def event(self, event: QEvent) -> bool:
        """Keep the digits, the arrows and Backspace from the commands of the page."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if plain and Qt.Key(event.key()) in (*DIGITS, *STEP, *TAKE_BACK):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give the row in front a value, take it back, or go to another row; a key held down counts once."""
        key = Qt.Key(event.key())
        if key in STEP:
            self.put_in_front(self.current + STEP[key])
        elif event.isAutoRepeat():
            event.accept()
        elif key in DIGITS:
            if self._questions and DIGITS[key] < len(self._questions[self.current].values):
                self.level_chosen.emit(-1, DIGITS[key])
        elif key in TAKE_BACK:
            self.level_chosen.emit(-1, None)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the values into other lines."""
        super().resizeEvent(event)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what there is meanwhile."""
        super().showEvent(event)
        self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the digits on the row in front."""
        super().focusInEvent(event)
        self._show()
        self.keys_taken.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show the digits no more: they are grades again."""
        super().focusOutEvent(event)
        self._show()
        self.keys_taken.emit(False)
