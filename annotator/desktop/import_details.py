"""What there is to see or to say of one file of an import: its problems, its first rows, its columns."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPlainTextEdit,
    QTableWidgetItem,
    QWidget,
)

from annotator.desktop.import_files import CellBox, ChosenFile
from annotator.desktop.preferences import Settings
from annotator.desktop.row_table import TextTable
from annotator.desktop.style import prose, px, tip
from annotator.text.counts import counted
from annotator.text.visible import visible

if TYPE_CHECKING:
    from annotator.project.import_preview import Glance

NO_ROLE = "no role"
MANY = "field"
"""Of all roles the one that several columns may have."""

ROLE_LETTERS = 10
"""So many letters of a role are read at least; the list of roles shows each whole."""

BOXES_AT_ONCE = 30
LEAST_LINES, MOST_LINES, LEAST_ROWS = 2, 7, 1
PADDING, EDGES = 10, 6
"""What the list of problems has above and below its lines: the one grows with the text, the other not."""
COLUMN = (90, 260)
"""A column of the preview is at least and at most so wide."""


class RoleBox(CellBox):
    """What one column holds. `entered` when the keyboard comes to it, so that it can be scrolled to."""

    entered = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard is here."""
        super().focusInEvent(event)
        self.entered.emit()

    def show_role(self, role: str) -> None:
        """Show a role, or that the column has none."""
        self.setCurrentIndex(max(self.findData(role), 0))


class FirstRows(TextTable):
    """The first rows of a file; above those of a plain table stands what each column holds, to be changed.

    `roles_changed` when a column is said to hold something else.
    """

    roles_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("First rows", parent)
        self._file: ChosenFile | None = None
        self._roles = QStandardItemModel(self)
        self.boxes: list[RoleBox] = []
        self._boxless: list[str] = []
        self._before: tuple[int, dict[str, str]] = (-1, {})
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(px(28))

    def know(self, roles: Sequence[str]) -> None:
        """Offer these roles, if none are offered yet."""
        if self._roles.rowCount() == 0:
            for role in ("", *roles):
                item = QStandardItem(shown_role(role))
                item.setData(role, Qt.ItemDataRole.UserRole)
                self._roles.appendRow(item)

    def sizeHint(self) -> QSize:
        """Return room for all rows."""
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def show_file(self, one: ChosenFile) -> None:
        """Show the first rows of a file that was looked at."""
        assert one.glance is not None
        self._file = one
        self.boxes = []
        self.clear()
        self.setRowCount(0)
        above = int(one.glance.mapped)
        self._show_cells(one.glance, above)
        if above:
            self.setRowHeight(0, px(40))
            self._boxless = list(one.glance.header)
            self._add_boxes()
        bar = self.horizontalScrollBar().sizeHint().height()
        height = self.horizontalHeader().sizeHint().height() if one.glance.header else 0
        rows = [self.rowHeight(at) for at in range(self.rowCount())]
        self.setMinimumHeight(height + sum(rows[: above + LEAST_ROWS]) + bar + 4)
        self.setMaximumHeight(height + sum(rows) + bar + 4)

    def _show_cells(self, glance: "Glance", above: int) -> None:
        width = len(glance.header) or max(map(len, glance.rows), default=0)
        self.setColumnCount(width)
        self.setRowCount(above + len(glance.rows))
        self.setHorizontalHeaderLabels([visible(one) for one in glance.header])
        self.horizontalHeader().setVisible(bool(glance.header))
        for at, cells in enumerate(glance.rows):
            for place, text in enumerate(cells):
                item = QTableWidgetItem(visible(" ".join(text.split())))
                item.setToolTip(tip(text))
                self.setItem(above + at, place, item)
        self.resizeColumnsToContents()
        for place in range(width):
            fit = min(max(self.columnWidth(place), px(COLUMN[0])), px(COLUMN[1]))
            self.setColumnWidth(place, fit)
        self.horizontalHeader().setStretchLastSection(True)

    def _add_boxes(self) -> None:
        """Put boxes above the next columns; a table of hundreds of columns does not hold the window up."""
        one = self._file
        for name in self._boxless[:BOXES_AT_ONCE]:
            at = len(self.boxes)
            box = RoleBox(f"What the column {name} holds", self._roles, ROLE_LETTERS)
            box.show_role(one.roles.get(name, "") if one else "")
            box.activated.connect(lambda _, name=name: self._say(name))
            box.entered.connect(lambda at=at: self._enter(at))
            self.setCellWidget(0, at, box)
            self.setColumnWidth(at, max(self.columnWidth(at), box.sizeHint().width() + px(8)))
            self.boxes.append(box)
        del self._boxless[:BOXES_AT_ONCE]
        if self._boxless:
            QTimer.singleShot(0, self, self._add_boxes)

    def _enter(self, at: int) -> None:
        """Scroll to a box that the keyboard comes to, and keep what the columns held before it changes."""
        self.scrollTo(self.model().index(0, at))
        self._before = (at, dict(self._file.roles)) if self._file is not None else (-1, {})

    def _say(self, name: str) -> None:
        """Let a column hold what its box says; another that held it holds nothing any more.

        What the arrow keys only pass on their way goes back to the column that had it.
        """
        one = self._file
        if one is None or one.glance is None:
            return
        header = one.glance.header
        at = header.index(name)
        role = str(self.boxes[at].currentData())
        before = self._before[1] if self._before[0] == at else one.roles
        roles = {
            other: held for other, held in before.items() if other != name and (held != role or role == MANY)
        }
        one.roles = roles | ({name: role} if role else {})
        self.show_roles(one)
        self.roles_changed.emit()

    def show_roles(self, one: ChosenFile) -> None:
        """Show what the columns of a file hold now."""
        assert one.glance is not None
        for name, box in zip(one.glance.header, self.boxes, strict=False):
            box.show_role(one.roles.get(name, ""))


class FileDetails:
    """What concerns the chosen file, where there is anything to mend or to say; else nothing is shown.

    Its `parts` stand in a dialog each of its own: there lists give way before all around them scrolls.
    """

    def __init__(self, parent: QWidget) -> None:
        self._shown: tuple[object, ...] = ()
        self.heading = prose("", "heading", parent)
        self.first = prose("", "danger", parent)
        self.problems = QPlainTextEdit(parent)
        self.problems.setReadOnly(True)
        self.problems.setTabChangesFocus(True)
        self.problems.setAccessibleName("Further problems of the file")
        self.first_rows = FirstRows(parent)
        self.hint = prose("", "muted", parent)
        self.parts = (self.heading, self.first, self.problems, self.hint, self.first_rows)
        for part in self.parts:
            part.hide()

    def show_file(self, one: ChosenFile | None) -> None:
        """Show what there is to say of a file."""
        glance = None if one is None else one.glance
        rows = glance is not None and bool(glance.rows) and (glance.mapped or glance.key is None)
        shown = one is not None and (bool(one.problems) or rows)
        for part in self.parts:
            part.setVisible(shown)
        if one is None or glance is None or not shown:
            return
        self.heading.setText(heading(one))
        self.heading.setVisible(one.unknown or one.count != 1)  # one place tells its file itself
        first, *others = one.places or [""]
        self.first.setText(first)
        self.first.setVisible(bool(first))
        if others and visible("\n".join(others)) != self.problems.toPlainText():
            self.problems.setPlainText(visible("\n".join(others)))
            line, lines = self.problems.fontMetrics().lineSpacing(), min(len(others) + 1, MOST_LINES)
            around = px(PADDING) + EDGES
            self.problems.setMinimumHeight(LEAST_LINES * line + around)
            self.problems.setMaximumHeight(lines * line + around)
            self.problems.verticalScrollBar().setValue(0)  # filled without room it stood further down
        self.problems.setVisible(bool(others))
        notes = (
            [] if one.read is None else [note.removeprefix(f"{one.path.name}: ") for note in one.read.notes]
        )
        said = "Say what each column holds:" if glance.mapped else "Its first lines:"
        self.hint.setText(" ".join([*(f"{note[:1].upper()}{note[1:]}" for note in notes), said]))
        self.hint.setVisible(rows)
        self.first_rows.setVisible(rows)
        if rows and self._shown != (one.path, glance):
            self.first_rows.show_file(one)
        elif rows:
            self.first_rows.show_roles(one)
        self._shown = (one.path, glance)


def shown_role(role: str) -> str:
    """Return what a column holds as people read it."""
    return "a field of the document" if role == MANY else role.replace("_", " ") or NO_ROLE


def heading(one: ChosenFile) -> str:
    """Return what is said above the details of a file."""
    if one.unknown:
        return f"{one.path.name} is not recognised; choose above what it is taken for, or remove it"
    if one.problems:
        places = counted(one.count, "place")
        return f"{one.path.name}: {places} cannot be taken"
    return f"The first rows of {one.path.name}"


def remembered(one: ChosenFile, settings: Settings, roles: Sequence[str]) -> dict[str, str]:
    """Return what the columns of a file hold: as said, or as in the last such file, or as they seem to."""
    assert one.glance is not None
    if one.roles and one.roles.keys() <= set(one.glance.header):
        return one.roles
    kept = settings.get(memory(one.glance.header), dict[str, object]())
    return {name: str(role) for name, role in kept.items() if role in roles} or one.glance.guessed()


def remember(files: Sequence[ChosenFile], settings: Settings) -> None:
    """Keep what the columns of each header hold, for the next such file."""
    for one in files:
        if one.glance is not None and one.glance.mapped:
            settings.set(memory(one.glance.header), dict[str, object](one.roles))


def memory(header: Sequence[str]) -> str:
    """Return the name under which it is kept what the columns of a header hold."""
    digest = hashlib.sha256("\n".join(header).encode()).hexdigest()
    return f"columns/{digest[:16]}"
