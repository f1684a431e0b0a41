"""A list of things of which each can be checked."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from annotator.desktop.choice import Shown

KEY = Qt.ItemDataRole.UserRole


class Lines(QListWidget):
    """A list that asks for the height of what it shows: Qt counts hidden lines, too."""

    def viewportSizeHint(self) -> QSize:
        """Ask for no line that is hidden."""
        hidden = [self.sizeHintForRow(at) for at in range(self.count()) if self.isRowHidden(at)]
        return super().viewportSizeHint() - QSize(0, sum(hidden))


def check_list(
    name: str, items: Iterable[tuple[str, str, bool]], changed: Callable[..., object]
) -> QListWidget:
    """Return a list of (words, key, whether it is checked)."""
    made = Lines()
    made.setItemDelegate(Shown(made))
    made.setAccessibleName(name)
    made.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    for words, key, on in items:
        item = QListWidgetItem(words, made)
        item.setData(KEY, key)
        item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
    made.itemChanged.connect(changed)
    return made


def checked(box: QListWidget) -> tuple[str, ...]:
    """Return the keys of the checked items."""
    items = [box.item(at) for at in range(box.count())]
    return tuple(one.data(KEY) for one in items if one.checkState() is Qt.CheckState.Checked)
