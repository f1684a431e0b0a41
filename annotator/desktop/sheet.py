"""F1: every key, computed from the table of commands."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from annotator.desktop.actions import COMMANDS, TITLES, shown_keys
from annotator.desktop.style import label
from annotator.theme import STEPS


class KeySheet(QDialog):
    """The commands by group, each with its keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        columns = QHBoxLayout()
        columns.setSpacing(STEPS[3] * 2)
        columns.addLayout(self._column(("grade",)))
        columns.addLayout(self._column(("project", "window")))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], STEPS[3], STEPS[3], STEPS[2])
        rows.addLayout(columns)
        rows.addWidget(label("Keys do nothing while you type in a text field.", "muted", self))
        rows.addWidget(buttons)

    def _column(self, groups: tuple[str, ...]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(STEPS[2])
        grid.setVerticalSpacing(STEPS[0])
        for group in groups:
            heading = label(TITLES[group].upper(), "caption", self)
            grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
            for command in COMMANDS:
                if command.group == group:
                    row = grid.rowCount()
                    grid.addWidget(label(shown_keys(command), "heading", self), row, 0)
                    grid.addWidget(label(command.words, "", self), row, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        return grid
