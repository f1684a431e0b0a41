"""Above the candidates: the query, its gold answers as chips, and what the six grades mean."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QToolButton, QWidget

from annotator.desktop.actions import keyed
from annotator.desktop.elided import Elided
from annotator.desktop.grade.gold_editor import added
from annotator.desktop.grade.query_scroll import QueryScroll
from annotator.desktop.grade_chip import paint_chip
from annotator.desktop.icons import icon
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.style import Weight, font, label, px
from annotator.desktop.wrap_layout import WrapLayout, chip
from annotator.grades import GRADES, MEANINGS
from annotator.project.views import QueryView
from annotator.records import GoldAnswer, GoldList, State
from annotator.theme import STEPS, Theme

ROW = 20
LONG = 240
"""A question of more letters than this is a text to read: it is not shown as a title."""

BESIDE: dict[State, str] = {"skipped": "SKIPPED", "cannot_tell": "CAN'T TELL"}
"""What is said beside grades."""

AGAIN = "You graded this before and are asked again. Your first grade stays as it is."


class Legend(QWidget):
    """The six grades in their colours, each with its meaning; the examples are in the tooltip."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._meanings: Sequence[str] = MEANINGS

    def show_meanings(self, meanings: Sequence[str], examples: Sequence[str]) -> None:
        """Show the project's own words for the grades."""
        self._meanings = meanings
        lines = [f"{grade} · {meanings[grade]}" for grade in GRADES]
        told = [
            f"{line}: {example}" if example else line
            for line, example in zip(lines, [*examples, *[""] * 6][:6], strict=True)
        ]
        self.setToolTip("\n".join(told))
        self.setAccessibleName("Grades: " + ", ".join(told))
        self.update()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Say that six meanings side by side may not fit."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of one, two or three rows."""
        return px(ROW) * (len(GRADES) // self._columns(width))

    def sizeHint(self) -> QSize:
        """Return the height at the width there is."""
        return QSize(px(400), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the same height: no row is cut."""
        return QSize(px(120), self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take another height when the rows change."""
        super().resizeEvent(event)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the six in equal columns, in as few rows as they fit."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side, columns = px(16), self._columns(self.width())
        width = self.width() / columns
        for grade in GRADES:
            row, column = divmod(grade, columns)
            x, y = column * width, row * px(ROW)
            box = QRectF(x, y + (px(ROW) - side) / 2, side, side)
            colour, letters = self._theme.grades[grade], font(11, Weight.Bold)
            paint_chip(painter, box, str(grade), letters, colour, self._theme.on_grade, radius=4)
            painter.setFont(font(12))
            painter.setPen(QColor(self._theme.muted))
            words = QRectF(x + side + 6, y, width - side - 10, px(ROW))
            shown = painter.fontMetrics().elidedText(
                self._meanings[grade], Qt.TextElideMode.ElideRight, round(words.width())
            )
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)

    def _columns(self, width: int) -> int:
        metrics = QFontMetrics(font(12))
        widest = max(metrics.horizontalAdvance(words) for words in self._meanings) + px(16) + 12
        return next((columns for columns in (6, 3) if widest * columns <= width), 2)


class QueryHead(QFrame):
    """The query in large type. `gold_wanted(GoldList)` when a chip or the field changes the gold answers."""

    gold_wanted = Signal(object)
    note_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: QueryView | None = None
        self._where = Elided("caption", self)
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
        self.line = QLineEdit(content)
        self.line.setPlaceholderText("Add an accepted answer…")
        self.line.setAccessibleName("Add an accepted answer")
        self.line.returnPressed.connect(self._add)
        self.legend = Legend(theme, self)
        first = row((self._where, 1), self._note_button)
        column(self._text, self._note, self._gold, on=content, around=FLUSH, gap=STEPS[0])
        self._scroll = QueryScroll(content, parent, self)
        around = (STEPS[3], STEPS[1], STEPS[3] + STEPS[0], STEPS[0])
        column(first, self._scroll, self.legend, on=self, around=around, gap=STEPS[0])
        self._gold_title = label("Gold answers", "muted", content)
        self._gold.addWidget(self._gold_title)
        self._gold.addWidget(self.line)
        self.theme_changed(theme)

    def show_query(self, view: QueryView) -> None:
        """Show a query; what is being typed for the same query stays."""
        if self._view is None or self._view.key != view.key:
            self._scroll.verticalScrollBar().setValue(0)
            kind = "title" if len(view.title) <= LONG else ""
            if kind != self._text.property("kind"):
                self._text.setProperty("kind", kind)
                self._text.style().polish(self._text)
        self._view = view
        self._text.setText(view.title)
        difficulty = f"Difficulty: {view.difficulty}" if view.difficulty else ""
        told = [part for part in (AGAIN if view.again else "", difficulty, view.note) if part]
        self._note.setText(" · ".join(told))
        self._note.setVisible(bool(told))
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
        self.line.setVisible(not view.unanswerable)
        self.updateGeometry()

    def show_progress(self, view: QueryView) -> None:
        """Show how much of the query is graded, and what else was said."""
        said = Counter(one.judgment.state for one in view.candidates)
        first = "ASKED AGAIN" if view.again else "GRADED"
        parts = [view.id, f"{said['graded']} OF {len(view.candidates)} {first}"]
        parts += [f"{said[state]} {words}" for state, words in BESIDE.items() if said[state]]
        self._where.setText("  ·  ".join((*parts, *view.tags)))

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours or another text size."""
        self._theme = theme
        self.legend.theme_changed(theme)
        self._note_button.setIcon(icon("note", theme.muted))
        self._note_button.setIconSize(QSize(px(16), px(16)))
        self.line.setFixedWidth(px(180))

    def _chip(self, number: int, answer: GoldAnswer) -> QWidget:
        more = f"  +{len(answer.aliases)}" if answer.aliases else ""
        made = chip(f"{answer.text}{more}  ×", self._content, checkable=False)
        made.setProperty("kind", "gold")
        made.setToolTip("\n".join(answer.wordings))
        made.setAccessibleName(f"Remove the gold answer {answer.text}")
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
