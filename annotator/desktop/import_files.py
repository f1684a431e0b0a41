"""The files of an import: what each is taken for, its first rows, what its columns hold."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeySequence, QShortcut, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QHeaderView,
    QListWidget,
    QSizePolicy,
    QTableWidgetItem,
    QWidget,
)

from annotator.desktop import layouts
from annotator.desktop.controls import button, combo
from annotator.desktop.preferences import Settings
from annotator.desktop.row_table import TextTable
from annotator.desktop.style import label, prose, px
from annotator.theme import STEPS

if TYPE_CHECKING:
    from annotator.project.import_preview import Glance

NOT_USED = "not used"
BOXES_AT_ONCE = 30
EMPTY = (
    "Drop files here or add them: queries, documents, runs, qrels, questions, predictions, or any table "
    "whose columns you name. What they are is recognised by their content."
)
COLUMN = (90, 260)
"""A column of the preview is at least and at most so wide."""


@dataclass
class ChosenFile:
    """One file: the format the user says it is in, what its beginning shows, what its columns hold."""

    path: Path
    key: str | None = None
    glance: "Glance | None" = None
    roles: dict[str, str] = field(default_factory=dict)


class RoleBox(QComboBox):
    """What one column holds. `entered` when the keyboard comes to it, so that it can be scrolled to."""

    entered = Signal()

    def __init__(self, column: str, roles: QStandardItemModel) -> None:
        super().__init__()
        self.setAccessibleName(f"What the column {column} holds")
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(14)
        self.setModel(roles)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard is here."""
        super().focusInEvent(event)
        self.entered.emit()

    def show_role(self, role: str) -> None:
        """Show a role, or that the column is not used."""
        self.setCurrentIndex(max(self.findData(role), 0))


class FilePane(QWidget):
    """The list of files at the left; at the right what the chosen one is taken for and its first rows.

    `files_changed` when files came or went, or one is taken for something else: look at them again;
    `roles_changed` when a column is said to hold something else.
    """

    files_changed = Signal()
    roles_changed = Signal()

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self.files: list[ChosenFile] = []
        self._roles = QStandardItemModel(self)
        self.boxes: list[RoleBox] = []
        self._boxless: list[str] = []
        self._before: tuple[int, dict[str, str]] = (-1, {})
        self.list = QListWidget(self)
        self.list.setAccessibleName("Files to import")
        self.list.currentRowChanged.connect(self._show)
        self.add = button("Add files…", self._ask, self)
        self.remove = button("Remove", self._remove, self)
        QShortcut(QKeySequence("Del"), self.list, self._remove, context=Qt.ShortcutContext.WidgetShortcut)
        self.format = combo("What the file is taken for", self._take_for, parent=self)
        self.format.setPlaceholderText("choose what it is")
        self.format.setSizeAdjustPolicy(self.format.SizeAdjustPolicy.AdjustToContents)
        self.hint = prose("", "muted", self)
        self.table = TextTable("First rows", self)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.setMinimumHeight(px(204))
        self.nothing = prose(EMPTY, "muted", self)
        self.nothing.setMinimumWidth(px(320))
        self.nothing.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self._show()

    def _lay_out(self) -> None:
        self._taken = label("Taken for", "", self)
        self._taken.setBuddy(self.format)
        left = layouts.column((self.list, 1), layouts.row(self.add, self.remove, 1))
        taken = layouts.row(self._taken, self.format, (self.hint, 1))
        right = layouts.column(taken, (self.table, 1), (self.nothing, 1))
        layouts.row((left, 2), (right, 5), on=self, around=layouts.FLUSH, gap=STEPS[2])

    def take(self, paths: Sequence[Path]) -> None:
        """Put further files into the list; each once."""
        known = {one.path for one in self.files}
        new = [ChosenFile(path) for path in dict.fromkeys(paths) if path not in known]
        if new:
            self.files += new
            self.list.addItems([one.path.name for one in new])
            for row, one in enumerate(self.files):
                self.list.item(row).setToolTip(str(one.path))
            self.list.setCurrentRow(len(self.files) - len(new))
            self.files_changed.emit()

    def unseen(self) -> list[tuple[Path, str | None]]:
        """Return the files nobody looked at yet, as what they are taken for now."""
        return [(one.path, one.key) for one in self.files if one.glance is None]

    def seen(self, glances: "Sequence[Glance]", titles: Mapping[str, str], roles: Sequence[str]) -> None:
        """Take what a look showed; columns hold what they held when such a file was imported last."""
        if self.format.count() == 0:
            for role in ("", *roles):
                item = QStandardItem(role.replace("_", " ") or NOT_USED)
                item.setData(role, Qt.ItemDataRole.UserRole)
                self._roles.appendRow(item)
            for key, title in titles.items():
                self.format.addItem(title, key)
        by_path = {one.path: one for one in glances}
        for one in self.files:
            if one.glance is None and one.path in by_path:
                one.glance = by_path[one.path]
                kept = self._settings.get(memory(one.glance.header), dict[str, object]())
                known = {column: str(role) for column, role in kept.items() if role in roles}
                one.roles = known or one.glance.guessed()
        self._show()

    def remember(self) -> None:
        """Keep what the columns of each header hold, for the next such file."""
        for one in self.files:
            if one.glance is not None and one.glance.mapped:
                self._settings.set(memory(one.glance.header), dict[str, object](one.roles))

    def current(self) -> ChosenFile | None:
        """Return the file that is shown."""
        row = self.list.currentRow()
        return self.files[row] if 0 <= row < len(self.files) else None

    def _ask(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Files to import")
        self.take([Path(name) for name in names])

    def _remove(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self.files):
            del self.files[row]
            self.list.takeItem(row)
            self._show()
            self.files_changed.emit()

    def _take_for(self) -> None:
        one = self.current()
        key = self.format.currentData()
        if one is not None and one.glance is not None and key != one.glance.key:
            one.key, one.glance = key, None
            self.files_changed.emit()

    def _show(self, _row: int = 0) -> None:
        """Show the chosen file."""
        one = self.current()
        glance = None if one is None else one.glance
        self.remove.setEnabled(one is not None)
        for part in (self._taken, self.format, self.hint, self.table):
            part.setVisible(one is not None)
        self.nothing.setVisible(one is None)
        self.format.setEnabled(glance is not None)
        self.format.setCurrentIndex(-1 if glance is None else self.format.findData(glance.key))
        self.hint.setText(
            "" if glance is None else "Say what each column holds." if glance.mapped else "The first rows:"
        )
        self.boxes = []
        self._boxless = []
        self.table.clear()
        self.table.setRowCount(0)
        if one is not None and glance is not None:
            self._show_rows(glance)
            if glance.mapped:
                self.table.setRowHeight(0, px(40))
                self._boxless = list(glance.header)
                self._add_boxes()

    def _show_rows(self, glance: "Glance") -> None:
        above = int(glance.mapped)
        width = len(glance.header) or max(map(len, glance.rows), default=0)
        self.table.setColumnCount(width)
        self.table.setRowCount(above + len(glance.rows))
        self.table.setHorizontalHeaderLabels(glance.header)
        self.table.horizontalHeader().setVisible(bool(glance.header))
        for row, cells in enumerate(glance.rows):
            for column, text in enumerate(cells):
                item = QTableWidgetItem(" ".join(text.split()))
                item.setToolTip(text)
                self.table.setItem(above + row, column, item)
        self.table.verticalHeader().setDefaultSectionSize(px(28))
        self.table.resizeColumnsToContents()
        for column in range(width):
            fit = min(max(self.table.columnWidth(column), px(COLUMN[0])), px(COLUMN[1]))
            self.table.setColumnWidth(column, fit)
        self.table.horizontalHeader().setStretchLastSection(width <= 1)

    def _add_boxes(self) -> None:
        """Put boxes above the next columns; a table of hundreds of columns does not hold the window up."""
        one = self.current()
        for column in self._boxless[:BOXES_AT_ONCE]:
            at = len(self.boxes)
            box = RoleBox(column, self._roles)
            box.show_role(one.roles.get(column, "") if one else "")
            box.activated.connect(lambda _, column=column: self._say(column))
            box.entered.connect(lambda at=at: self._enter(at))
            self.table.setCellWidget(0, at, box)
            self.table.setColumnWidth(at, max(self.table.columnWidth(at), box.sizeHint().width() + px(8)))
            QWidget.setTabOrder(self.boxes[-1] if self.boxes else self.table, box)
            self.boxes.append(box)
        del self._boxless[:BOXES_AT_ONCE]
        if self._boxless:
            QTimer.singleShot(0, self, self._add_boxes)

    def _enter(self, at: int) -> None:
        """Scroll to a box that the keyboard comes to, and keep what the columns held before it changes."""
        self.table.scrollTo(self.table.model().index(0, at))
        one = self.current()
        self._before = (at, dict(one.roles)) if one is not None else (-1, {})

    def _say(self, column: str) -> None:
        """Let a column hold what its box says; another that held it holds nothing any more.

        What the arrow keys only pass on their way goes back to the column that had it.
        """
        one = self.current()
        if one is None or one.glance is None:
            return
        header = one.glance.header
        at = header.index(column)
        role = str(self.boxes[at].currentData())
        before = self._before[1] if self._before[0] == at else one.roles
        roles = {name: held for name, held in before.items() if name != column and held != role}
        one.roles = roles | ({column: role} if role else {})
        for name, box in zip(header, self.boxes, strict=False):
            box.show_role(one.roles.get(name, ""))
        self.roles_changed.emit()


def memory(header: Sequence[str]) -> str:
    """Return the name under which it is kept what the columns of a header hold."""
    digest = hashlib.sha256("\n".join(header).encode()).hexdigest()
    return f"columns/{digest[:16]}"
