"""The gold answers of a query: added, reworded, ordered and removed by keyboard or by dragging."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.grade.answer_mark import ADD, NO_ANSWER, AnswerMark
from annotator.desktop.grade.wording_field import WordingDelegate, WordingField
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.line_field import LineField
from annotator.desktop.style import label, prose
from annotator.desktop.wrap_layout import WrapLayout, chip
from annotator.project.views import QueryView
from annotator.records import GoldAnswer, GoldList
from annotator.text.nearness import near_misses
from annotator.text.normalisers import compared
from annotator.text.templates import beginning
from annotator.text.visible import visible
from annotator.theme import STEPS

EDITABLE = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEditable
    | Qt.ItemFlag.ItemIsDragEnabled
)
ANSWER = Qt.ItemDataRole.UserRole
OFFERED = 5


def added(answers: Sequence[GoldAnswer], new: GoldAnswer) -> tuple[GoldAnswer, ...]:
    """Return the answers with a new one behind, unless its text is a wording already."""
    known = {wording for one in answers for wording in one.wordings}
    return tuple(answers) if new.text in known else (*answers, new)


class AnswerTree(QTreeWidget):
    """Answers with their other wordings beneath; `edited` after any change, `closed` when a field goes.

    Alt+Up and Alt+Down move a line, Del removes it, Enter rewords it. Dragging an answer onto another
    makes it a wording of that one; dragging a wording between answers makes it an answer.
    """

    edited = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setHeaderHidden(True)
        self.setAccessibleName("Gold answers, most preferred first")
        self.setWordWrap(True)
        self.setItemDelegate(WordingDelegate(self))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.itemChanged.connect(lambda _item, _column: self.edited.emit())

    def show_answers(self, answers: Sequence[GoldAnswer]) -> None:
        """Show other answers, keeping the place of the cursor."""
        current = self.currentItem()
        above = current.parent() if current is not None else None
        at = self.indexOfTopLevelItem(above or current) if current is not None else 0
        wording = above.indexOfChild(current) if current is not None and above is not None else -1
        self.blockSignals(True)
        self.clear()
        for answer in answers:
            item = _line(answer.text, droppable=True)
            item.setData(0, ANSWER, answer)
            item.addChildren([_line(alias, droppable=False) for alias in answer.aliases])
            self.addTopLevelItem(item)
        self.expandAll()
        first = self.topLevelItem(min(max(at, 0), len(answers) - 1))
        if first is not None:
            self.setCurrentItem(first.child(min(wording, first.childCount() - 1)) or first)
        self.blockSignals(False)

    def answers(self) -> tuple[GoldAnswer, ...]:
        """Return the answers as they stand; empty lines are left out."""
        entered: list[GoldAnswer] = []
        for number in range(self.topLevelItemCount()):
            item = self.topLevelItem(number)
            if item is None:
                continue
            stored, text = item.data(0, ANSWER), item.text(0).strip()
            if isinstance(stored, GoldAnswer) and (not text or text in {one.text for one in entered}):
                text = stored.text  # a name it cannot have leaves it as it was
            if not text:
                continue
            aliases = tuple(dict.fromkeys(filter(None, _texts_under(item))))
            same = isinstance(stored, GoldAnswer) and stored.text == text
            entered.append(replace(stored, aliases=aliases) if same else GoldAnswer(text, aliases))
        return tuple(entered)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, remove or reword the line at the cursor."""
        item, alt = self.currentItem(), event.modifiers() == Qt.KeyboardModifier.AltModifier
        if item is not None and alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move(item, -1 if event.key() == Qt.Key.Key_Up else 1)
        elif item is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if not event.isAutoRepeat():  # a key held down would empty the list
                (item.parent() or self.invisibleRootItem()).removeChild(item)
                self.edited.emit()
        elif item is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.state() != QAbstractItemView.State.EditingState:  # the field passes Enter on
                self.editItem(item)
        else:
            super().keyPressEvent(event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Tell that the field is gone, also after Esc."""
        super().closeEditor(editor, hint)
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the answers at the new width."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the new order or belonging."""
        super().dropEvent(event)
        self.edited.emit()

    def _move(self, item: QTreeWidgetItem, by: int) -> None:
        parent = item.parent() or self.invisibleRootItem()
        at = parent.indexOfChild(item)
        if 0 <= at + by < parent.childCount():
            parent.takeChild(at)
            parent.insertChild(at + by, item)
            item.setExpanded(True)
            self.setCurrentItem(item)
            self.edited.emit()


class GoldEditor(QWidget):
    """The editor beside the candidates. `gold_wanted(GoldList)` on every finished change.

    `unanswerable_wanted` asks to switch the mark; whether that can be is not decided here.
    """

    gold_wanted = Signal(object)
    unanswerable_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._view: QueryView | None = None
        self.line = LineField(parent=self)
        self.line.setPlaceholderText(ADD)
        self.line.setAccessibleName("New gold answer")
        self.line.returnPressed.connect(self._add)
        self.line.textChanged.connect(lambda _: self._preview())
        self.tree = AnswerTree(self)
        self.tree.edited.connect(self._edited)
        self.tree.closed.connect(self._show_again, Qt.ConnectionType.QueuedConnection)
        self.tree.currentItemChanged.connect(lambda _new, _old: self._preview())
        self._wording = QPushButton("Add another wording of this answer", self)
        self._wording.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._wording.clicked.connect(self._add_wording)
        self.unanswerable = AnswerMark(self)
        self.unanswerable.clicked.connect(self._mark)
        self._compared = label("", "muted", self)
        self._matching = label("", "muted", self)
        self._near = WrapLayout()
        self._near_title = label("Nearly the same; add as another wording:", "muted", self)
        inside = QWidget(self)
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        rows.setSpacing(STEPS[1])
        rows.addWidget(label("GOLD ANSWERS, MOST PREFERRED FIRST", "caption", self))
        rows.addWidget(self.line)
        rows.addWidget(self.tree, 1)
        rows.addWidget(self._wording)
        rows.addWidget(self.unanswerable)
        for part in (self._compared, self._matching, self._near_title):
            part.setWordWrap(True)
            part.setMinimumWidth(1)  # a long word widens nothing
            rows.addWidget(part)
        rows.addLayout(self._near)
        self._hint = prose("Enter rewords · Alt+↑ ↓ moves · Del removes", "muted", self)
        rows.addWidget(self._hint)
        rows.addStretch()  # where there is no list
        area = QScrollArea(self)  # large text leaves the answers their room, and what explains them scrolls
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for ground in (inside, area.viewport()):
            ground.setAutoFillBackground(False)
        column(area, on=self, around=FLUSH)
        self.line.installEventFilter(self)

    def show_query(self, view: QueryView) -> None:
        """Show a query's gold answers; what is being typed for the same query stays."""
        other = self._view is None or self._view.key != view.key
        self._view = view
        if self.tree.state() != QAbstractItemView.State.EditingState or other:
            self.tree.show_answers(view.gold)
        self._offer_wordings()
        self.unanswerable.show_mark(view.unanswerable)
        self.tree.setHidden(view.unanswerable)
        self.line.setEnabled(not view.unanswerable)
        self.line.setPlaceholderText(NO_ANSWER if view.unanswerable else ADD)
        self._preview()

    def show_nothing(self) -> None:
        """Show that there is no query."""
        self._view = None
        self.tree.show_answers(())
        self._offer_wordings()
        self.setEnabled(False)
        self._preview()

    def _offer_wordings(self) -> None:
        """Offer and explain what can be done with answers where there are any."""
        for part in (self._wording, self._hint):
            part.setVisible(self.tree.topLevelItemCount() > 0)

    def leave(self) -> None:
        """Store the words that are being changed in the list: the project is about to close."""
        if self.tree.state() == QAbstractItemView.State.EditingState:
            for field in self.tree.viewport().findChildren(WordingField):
                self.tree.commitData(field)

    def start_typing(self) -> None:
        """Put the cursor where a new answer is typed, or the keys on the mark that forbids one."""
        free = self.line if self.line.isEnabled() else self.unanswerable
        free.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Down lead from the field into the list."""
        if (
            watched is self.line
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Down
        ):
            self.tree.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return super().eventFilter(watched, event)

    def _add(self) -> None:
        text = self.line.text().strip()
        if text and self._view is not None:
            self.line.clear()
            self._want(added(self.tree.answers(), GoldAnswer(text)))

    def _add_wording(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            item = item.parent() or item
            child = _line("", droppable=False)
            self.tree.blockSignals(True)
            item.addChild(child)
            self.tree.blockSignals(False)
            item.setExpanded(True)
            self.tree.setCurrentItem(child)
            self.tree.editItem(child)

    def _edited(self) -> None:
        answers = self.tree.answers()
        if self._view is not None and answers != self._view.gold:
            self._want(answers)
        elif self._view is not None:  # once the line is no longer being changed
            QTimer.singleShot(0, self, self._show_again)

    def _show_again(self) -> None:
        if self._view is not None:
            self.show_query(self._view)

    def _mark(self) -> None:
        self.unanswerable.setChecked(self._view is not None and self._view.unanswerable)
        self.unanswerable_wanted.emit()

    def _want(self, answers: tuple[GoldAnswer, ...]) -> None:
        if self._view is not None:
            self.gold_wanted.emit(GoldList(self._view.id, answers))

    def _preview(self) -> None:
        """Show what EM and F1 compare, which predictions match, and what nearly does."""
        view, item = self._view, self.tree.currentItem()
        had_keys = False
        while (old := self._near.takeAt(0)) is not None:
            if (widget := old.widget()) is not None:
                had_keys |= widget.hasFocus()
                widget.hide()
                widget.deleteLater()
        text = self.line.text() or (item.text(0) if item is not None else "")
        tokens = compared(text).split()
        self._compared.setText(
            beginning(f"EM and F1 compare: {' | '.join(tokens) or 'nothing'}") if text else ""
        )
        if view is None:
            return
        predictions = [one.text for one in view.candidates if one.kind == "answer"]
        wordings = [wording for gold in view.gold for wording in gold.wordings]
        gold = {""} if view.unanswerable else {compared(wording) for wording in wordings}
        matching = [one for one in predictions if compared(one) in gold]
        which = ", ".join(f"“{one}”" for one in matching[:OFFERED])
        said = "are empty; only those are right" if view.unanswerable else f"match{which and ': '}{which}"
        self._matching.setText(
            f"{len(matching)} of {len(predictions)} predictions {said}" if predictions and gold else ""
        )
        near = near_misses(predictions, wordings)[:OFFERED] if wordings else []
        self._near_title.setVisible(bool(near))
        for one, _ in near:
            offer = chip(f"+ {one}", self, checkable=False)
            offer.setAccessibleName(visible(f"Add {one} as another wording"))
            offer.clicked.connect(lambda _=False, wording=one: self._take_wording(wording))
            self._near.addWidget(offer)
            offer.show()
        if had_keys:
            following = self._near.itemAt(0)
            ((following.widget() if following else None) or self.tree).setFocus()

    def _take_wording(self, wording: str) -> None:
        """Add a near miss to the answer at the cursor."""
        answers = list(self.tree.answers())
        item = self.tree.currentItem()
        if not answers or item is None:
            return
        at = max(self.tree.indexOfTopLevelItem(item.parent() or item), 0)
        answers[at] = replace(answers[at], aliases=(*answers[at].aliases, wording))
        self._want(tuple(answers))


def _line(text: str, droppable: bool) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    item.setFlags(EDITABLE | Qt.ItemFlag.ItemIsDropEnabled if droppable else EDITABLE)
    return item


def _texts_under(item: QTreeWidgetItem) -> list[str]:
    """Return the texts below an item, at any depth: an answer dropped on another brings its wordings."""
    texts = []
    for number in range(item.childCount()):
        child = item.child(number)
        if child is not None:
            texts += [child.text(0).strip(), *_texts_under(child)]
    return texts
