"""The field in which a line of the gold answers is reworded: as large as its whole text."""

from math import ceil

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from annotator.desktop.style import px
from annotator.desktop.text_field import TextField
from annotator.text.templates import beginning
from annotator.text.visible import visible

Index = QModelIndex | QPersistentModelIndex

SPARE = 2
"""Qt scrolls a line away that has exactly its room."""

PADDING = 8
"""What the style sheet leaves free around the text of a line, on both sides together."""


class WordingField(TextField):
    """A text that grows as it is typed, down to the end of the list it stands in."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("kind", "wording")
        self.setAccessibleName("Wording")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self.grow)

    def event(self, event: QEvent) -> bool:
        """Take the height of the lines once they are broken at a new width or in another font."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.StyleChange):
            QTimer.singleShot(0, self, self.grow)
        return super().event(event)

    def grow(self) -> None:
        """Take the height of the text, moving up where the list ends below."""
        text, block, room = 0.0, self.document().begin(), self.parentWidget().height()  # type: ignore[union-attr]
        while block.isValid() and text < room:
            text += self.blockBoundingRect(block).height()
            block = block.next()
        frame = self.height() - self.viewport().height() + 2 * round(self.document().documentMargin())
        height = min(whole := ceil(text) + frame + SPARE, room)
        bar = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(bar.ScrollBarAlwaysOff if height == whole else bar.ScrollBarAsNeeded)
        self.setGeometry(self.x(), max(0, min(self.y(), room - height)), self.width(), height)


class WordingDelegate(QStyledItemDelegate):
    """Enter keeps the wording, Shift+Enter begins a line in it, Esc leaves it as it was."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return an empty field."""
        return WordingField(parent)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fill the field with the whole text, selected."""
        if isinstance(editor, WordingField) and not editor.document().isModified():
            editor.begin(str(index.data(Qt.ItemDataRole.EditRole) or ""))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Keep what is typed."""
        if isinstance(editor, WordingField):
            model.setData(index, editor.text().strip())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Stand over the line, as high as the text."""
        place: QRect = option.rect
        editor.setGeometry(place)

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Show the beginning of an endless wording, and what would act in it as marks."""
        return visible(beginning(super().displayText(value, locale)))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return room for the whole text of a line: Qt would cut it to one."""
        size, tree = super().sizeHint(option, index), self.parent()
        if isinstance(tree, QTreeView):
            depth = 2 if index.parent().isValid() else 1
            width = tree.viewport().width() - depth * tree.indentation() - 2 * px(PADDING)
            flags = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere
            text = self.displayText(index.data(Qt.ItemDataRole.DisplayRole) or "", option.locale)
            whole = option.fontMetrics.boundingRect(QRect(0, 0, width, 0), flags, text)
            size.setHeight(max(size.height(), whole.height() + px(PADDING)))
        return size

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Take Enter as the end."""
        if (
            isinstance(editor, WordingField)
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor, self.EndEditHint.NoHint)
            return True
        return super().eventFilter(editor, event)
