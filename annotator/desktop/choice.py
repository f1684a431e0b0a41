"""Fields and lists to choose names from, which show with marks what acts in a name."""

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QComboBox, QStyle, QStyledItemDelegate, QStyleOptionComboBox, QWidget

from annotator.desktop.elided import elision
from annotator.text.templates import short
from annotator.text.visible import visible

ROUNDED = 2
"""So many pixels a choice that is as wide as its words may lack, by how Qt rounds what is around them."""


class Shown(QStyledItemDelegate):
    """Shows what nobody sees but acts as marks."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Return a choice as it is shown in the list."""
        return visible(short(super().displayText(value, locale)))


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
        option.currentText = self.fontMetrics().elidedText(words, elision(words), room + ROUNDED)
