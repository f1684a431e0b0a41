"""F1: every key, computed from the table of commands."""

from PySide6.QtWidgets import QGridLayout, QWidget

from annotator.desktop.actions import COMMANDS, TITLES, shown_keys
from annotator.desktop.dialog import Dialog
from annotator.desktop.layouts import column, row
from annotator.desktop.style import label
from annotator.theme import STEPS


class KeySheet(Dialog):
    """The commands by group, each with its keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Keys", parent)
        groups = row(self._column(("grade",)), self._column(("project", "window")), gap=STEPS[3] * 2)
        hint = label("Keys do nothing while you type in a text field.", "muted", self)
        around = (STEPS[3], STEPS[3], STEPS[3], STEPS[2])
        column(groups, hint, self.way_out(), on=self, around=around)

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
