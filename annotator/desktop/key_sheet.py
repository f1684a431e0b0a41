"""F1: every key, computed from the table of commands."""

from PySide6.QtWidgets import QGridLayout, QWidget

from annotator.desktop.actions import COMMANDS, TITLES, shown_keys
from annotator.desktop.dialog import Dialog
from annotator.desktop.layouts import column, row
from annotator.desktop.style import label, px
from annotator.theme import STEPS

WIDE = 1180
"""So much width three columns of keys need at the normal text size."""


class KeySheet(Dialog):
    """The commands by group, each with its keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Keys", parent)
        beside = row if px(WIDE) <= self.screen().availableSize().width() else column
        groups = beside(*map(self._column, ("grade", "project", "window")), gap=STEPS[3] * 2)
        self.lay_out(groups, self.way_out(), hint="Keys do nothing while you type in a text field.")

    def _column(self, group: str) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(STEPS[2])
        grid.setVerticalSpacing(STEPS[0] // 2)
        grid.addWidget(label(TITLES[group].upper(), "caption", self), 0, 0, 1, 2)
        for command in COMMANDS:
            if command.group == group:
                row = grid.rowCount()
                grid.addWidget(label(shown_keys(command), "heading", self), row, 0)
                grid.addWidget(label(command.words, "", self), row, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        return grid
