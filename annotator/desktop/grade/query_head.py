"""Above the candidates: the query, its gold answers as chips, and how much of it is done."""

from collections import Counter

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QWidget

from annotator.desktop.actions import BETWEEN, keyed
from annotator.desktop.elided import Elided
from annotator.desktop.grade.gold_editor import added
from annotator.desktop.grade.query_scroll import QueryScroll
from annotator.desktop.icons import icon
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.line_field import LineField
from annotator.desktop.style import breakable, label, prose, px, tip
from annotator.desktop.wrap_layout import WrapLayout, chip
from annotator.project.views import QueryView
from annotator.records import GoldAnswer, GoldList, State
from annotator.text.templates import beginning
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

LONG = 240
"""A question of more letters than this is a text to read: it is not shown as a title."""

QUERY_AT_MOST = 5_000
"""Letters of a question that are shown."""

BESIDE: dict[State, str] = {"skipped": "SKIPPED", "cannot_tell": "CAN'T TELL"}
"""What is said beside grades."""

LEARNING = (
    "Practice: it counts in no score. When all is judged you see where you differ from the grades on record."
)
AGAIN = "You graded this before and are asked again. Your first grade stays as it is."


class QueryHead(QFrame):
    """The query in large type. `gold_wanted(GoldList)` when a chip or the field changes the gold answers."""

    gold_wanted = Signal(object)
    note_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: QueryView | None = None
        self._offers_gold = False
        self._before = Elided("muted", self, BETWEEN)
        self._before.hide()
        self._early = prose("", "told", self)
        self._early.hide()
        self._where = Elided("caption", self, BETWEEN)
        content = self._content = QWidget(self)
        self._text = label("", "title", content)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._note = label("", "muted", content)
        self._note.setWordWrap(True)
        self._note_button = QToolButton(self)
        self._note_button.setAccessibleName("Note on the query and its difficulty")
        keyed(self._note_button, "query_note", "Note on the query and its difficulty")
        self._note_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._note_button.clicked.connect(self.note_wanted)
        self._gold = WrapLayout()
        self.line = LineField(parent=content)
        self.line.setPlaceholderText("Add an accepted answer…")
        self.line.setAccessibleName("Add an accepted answer")
        self.line.returnPressed.connect(self._add)
        first = row((self._where, 1), self._note_button)
        column(self._text, self._note, self._gold, on=content, around=FLUSH, gap=STEPS[0])
        self._scroll = QueryScroll(content, parent, self, (self._before, self._early))
        around = (STEPS[3], STEPS[1], STEPS[3] + STEPS[0], STEPS[0])
        self._rows = column(
            self._before, self._early, first, self._scroll, on=self, around=around, gap=STEPS[0]
        )
        self._gold_title = label("Gold answers", "muted", content)
        self._gold.addWidget(self._gold_title)
        self._gold.addWidget(self.line)
        self.theme_changed(theme)

    def keep_edges(self, left: int, right: int) -> None:
        """Stand above the cards."""
        self._rows.setContentsMargins(left, STEPS[1], right, STEPS[0])

    def show_before(self, scores: str) -> None:
        """Show the scores of the query that was finished before this one, in one line; none hide it."""
        self._show_above(self._before, scores)

    def show_early(self, words: str) -> None:
        """Say what was pressed before the query was in sight; no words hide the line."""
        self._show_above(self._early, words)

    def _show_above(self, line: QLabel, words: str) -> None:
        """Show words above the question, which shares its room with them: most keys change nothing there."""
        was = line.isHidden(), line.text()
        line.setText(words)
        line.setVisible(bool(words))
        if (line.isHidden(), line.text()) != was:
            self._scroll.updateGeometry()

    def offer_gold(self, on: bool) -> None:
        """Have a line for gold answers, or none where a project has no use for it."""
        self._offers_gold = on
        if self._view is not None:
            self.show_query(self._view)

    def show_query(self, view: QueryView) -> None:
        """Show a query; what is being typed for the same query stays."""
        if self._view is None or self._view.key != view.key:
            self._scroll.verticalScrollBar().setValue(0)
            kind = "title" if len(view.title) <= LONG else ""
            if kind != self._text.property("kind"):
                self._text.setProperty("kind", kind)
                self._text.style().polish(self._text)
        self._view = view
        self._text.setText(breakable(visible(beginning(view.title, QUERY_AT_MOST))))
        self.show_progress(view)
        while self._gold.count() > 1:
            item = self._gold.takeAt(1)
            widget = item.widget() if item is not None else None
            if widget is not None and widget is not self.line:
                widget.hide()
                widget.deleteLater()
        for number, answer in enumerate(view.gold):
            self._gold.addWidget(self._chip(number, answer))
        if view.unanswerable:
            self._gold.addWidget(self._unanswerable())
        self._gold.addWidget(self.line)
        offered = self._offers_gold or bool(view.gold) or view.unanswerable or bool(self.line.text())
        self._gold_title.setVisible(offered)
        self.line.setVisible(offered and not view.unanswerable)
        self.updateGeometry()

    def show_progress(self, view: QueryView) -> None:
        """Show how much of the query is graded, what else was said, and what practice is until it is done."""
        said = Counter(one.judgment.state for one in view.candidates)
        first = "ASKED AGAIN" if view.again else "GRADED"
        practice = ["PRACTICE"] if view.practice else []
        parts = [view.id, *practice, f"{said['graded']} OF {len(view.candidates)} {first}"]
        parts += [f"{said[state]} {words}" for state, words in BESIDE.items() if said[state]]
        self._where.setText(visible(beginning(BETWEEN.join((*parts, *view.tags)))))
        difficulty = f"Difficulty: {view.difficulty}" if view.difficulty else ""
        first = AGAIN if view.again else LEARNING if view.learning and not view.complete else ""
        noted = "; ".join(filter(None, (difficulty, view.note)))
        self._note.setText(breakable(visible(beginning(" ".join(filter(None, (first, noted)))))))
        self._note.setHidden(not (first or noted))

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours or another text size."""
        self._theme = theme
        self._note_button.setIcon(icon("note", theme.muted))
        self._note_button.setIconSize(QSize(px(16), px(16)))
        self.line.setFixedWidth(px(180))

    def _chip(self, number: int, answer: GoldAnswer) -> QWidget:
        more = f"  +{len(answer.aliases)}" if answer.aliases else ""
        made = chip(f"{answer.text}{more}  ×", self._content, checkable=False)
        made.setProperty("kind", "gold")
        made.setToolTip(tip("\n".join(answer.wordings)))
        made.setAccessibleName(visible(f"Remove the gold answer {answer.text}"))
        made.clicked.connect(lambda _=False: self._remove(number))
        made.show()
        return made

    def _unanswerable(self) -> QWidget:
        made = chip("Unanswerable  ×", self._content, checkable=False)
        made.setProperty("kind", "gold")
        made.setAccessibleName("Take the mark unanswerable away")
        made.clicked.connect(lambda _=False: self._want(()))
        made.show()
        return made

    def _remove(self, number: int) -> None:
        if self._view is not None:
            self._want(self._view.gold[:number] + self._view.gold[number + 1 :])

    def _add(self) -> None:
        text = self.line.text().strip()
        if text and self._view is not None:
            self.line.clear()
            self._want(added(self._view.gold, GoldAnswer(text)))

    def _want(self, answers: tuple[GoldAnswer, ...]) -> None:
        if self._view is not None:
            self.gold_wanted.emit(GoldList(self._view.id, answers))
