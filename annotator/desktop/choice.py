"""Fields and lists to choose names from, which show with marks what acts in a name."""

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionComboBox, QWidget

from annotator.text.templates import short
from annotator.text.visible import visible


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
        """Show the chosen name as it is shown in the list."""
        super().initStyleOption(option)
        option.currentText = visible(short(option.currentText))
