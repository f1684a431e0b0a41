"""Fields and lists to choose names from, which show with marks what acts in a name."""

from PySide6.QtCore import QAbstractItemModel, QLocale, QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QWidget,
)

from annotator.desktop.elided import elided, elision
from annotator.text.templates import short
from annotator.text.visible import visible

ROUNDED = 2
"""So many pixels a choice that is as wide as its words may lack, by how Qt rounds what is around them."""


MOST = 200
"""Of more names in a list than these nobody tells one from another by what is left of it."""


def fitting(words: str, names: QAbstractItemModel, font: QFont, room: int) -> str:
    """Return words as they have room, so that they are told from the other names of a list."""
    shown = QFontMetrics(font).elidedText(words, elision(words), room)
    if shown == words or names.rowCount() > MOST:
        return shown
    others = (names.index(row, 0).data() or "" for row in range(names.rowCount()))
    return elided(tuple(sorted({visible(short(one)) for one in others})), font, room).get(words, shown)


class Shown(QStyledItemDelegate):
    """Shows what nobody sees but acts as marks, and names that have no room told from one another."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Return a choice as it is shown in the list."""
        return visible(short(super().displayText(value, locale)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a choice as Qt does, its name fitted into its place."""
        item = QStyleOptionViewItem(option)
        self.initStyleOption(item, index)
        style, part = item.widget.style(), QStyle.SubElement.SE_ItemViewItemText
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, item, item.widget) + 1
        room = style.subElementRect(part, item, item.widget).width() - 2 * margin
        item.text = fitting(item.text, index.model(), QFont(item.font), room)  # a copy, for it is kept
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, item, painter, item.widget)


class Choice(QComboBox):
    """A combo box whose `currentText` is the name itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(Shown(self))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Show the chosen name as it is shown in the list; what has no room ends in an ellipsis."""
        super().initStyleOption(option)
        box, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(box, option, part, self).width()
        words = visible(short(option.currentText))
        option.currentText = fitting(words, self.model(), self.font(), room + ROUNDED)
