"""The files of an import as a table: what each is taken for, what it brings, what is wrong with it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QKeySequence,
    QPalette,
    QResizeEvent,
    QShortcut,
    QStandardItem,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidgetItem,
    QWidget,
)

from annotator.desktop.choice import Choice
from annotator.desktop.controls import button
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.row_table import Rows
from annotator.desktop.style import prose, px, tip
from annotator.text.visible import visible

if TYPE_CHECKING:
    from annotator.formats.declaration import Part
    from annotator.project.data_import import FileRead
    from annotator.project.import_preview import Glance

EMPTY = (
    "Drop files here or add them: queries, documents, runs, qrels, questions, predictions, or any table "
    "whose columns you name. What they are is recognised by their content."
)
COLUMNS = ("File", "Taken for", "Brings", "Problems")
NAME, TAKEN, BRINGS, PROBLEMS = range(len(COLUMNS))
PROBLEM = 420
"""What is wrong wants no more width: it stands below as well."""

AROUND = 46
"""What a list of formats has around its words."""

ROW, LEAST_ROWS, MOST_ROWS = 36, 2, 8
CHOOSE = "choose what it is"


@dataclass
class ChosenFile:
    """One file: the format the user says it is in, what its beginning shows, what its columns hold.

    `read` is what reading the whole of it came to, None until then.
    """

    path: Path
    key: str | None = None
    glance: "Glance | None" = None
    roles: dict[str, str] = field(default_factory=dict)
    read: "FileRead | None" = None

    @property
    def parts(self) -> "Collection[Part]":
        """The parts that the file holds; as long as it is not read, those that it can hold."""
        if self.glance is None:
            return ()
        known = self.read is not None and not self.problems and not self.glance.mapped
        return self.read.holds if self.read is not None and known else self.glance.holds(self.roles)

    @property
    def unknown(self) -> bool:
        """Whether nobody knows what the file is."""
        return self.glance is not None and self.glance.key is None

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the file, each with its place."""
        if self.glance is not None and self.unknown:
            return tuple(self.glance.problem.splitlines())
        return tuple(map(str, self.read.problems)) if self.read else ()

    @property
    def count(self) -> int:
        """How many problems there are, also those that are not named."""
        return len(self.problems) + (self.read.more if self.read and not self.unknown else 0)

    @property
    def places(self) -> list[str]:
        """What is wrong, each with the name of the file, its line and column."""
        more = self.count - len(self.problems)
        folder = f"{self.path.parent}/"
        return [one.removeprefix(folder) for one in self.problems] + ([f"and {more:,} more"] if more else [])

    @property
    def wrong(self) -> str:
        """The first problem, without the name of the file that stands beside it, and how many more."""
        if not self.problems:
            return ""
        first = self.problems[0].removeprefix(f"{self.path}:").strip()
        return f"{first}  (and {self.count - 1:,} more)" if self.count > 1 else first

    @property
    def left_out(self) -> str:
        """What of the file is not taken, in the words of its reader."""
        notes = [one.removeprefix(f"{self.path.name}: ") for one in (self.read.notes if self.read else ())]
        return " ".join(one for one in notes if one.startswith("left out"))


class CellBox(Choice):
    """A list in a cell of a table; the wheel scrolls the table, unless the keyboard is here."""

    def __init__(self, name: str, choices: QStandardItemModel, letters: int = 14) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("kind", "cell")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)
        self.setModel(choices)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Change nothing in passing."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class LongNames(QStyledItemDelegate):
    """Names that have no room keep their end, in which they differ."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Leave out the middle."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


class Problem(QStyledItemDelegate):
    """What is wrong keeps its colour also in the chosen row."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the ground of a chosen row without what else a style does there."""
        super().initStyleOption(option, index)
        if option.state & QStyle.StateFlag.State_Selected:
            option.state &= ~QStyle.StateFlag.State_Selected
            option.backgroundBrush = option.palette.brush(QPalette.ColorRole.Midlight)


class FileTable(Rows):
    """Files and what is known of each; the chosen one's format is the next stop of Tab. `named(row, key)`."""

    named = Signal(int, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Files to import", COLUMNS, parent, wide=PROBLEMS)
        self._formats = QStandardItemModel(self)
        self._files: Sequence[ChosenFile] = ()
        self._height = 0
        self.setItemDelegateForColumn(NAME, LongNames(self))
        self.setItemDelegateForColumn(PROBLEMS, Problem(self))
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        self.itemSelectionChanged.connect(self._follow)

    def know(self, titles: Mapping[str, str]) -> None:
        """Offer these formats, if none are offered yet."""
        if self._formats.rowCount() == 0:
            for key, title in titles.items():
                item = QStandardItem(title)
                item.setData(key, Qt.ItemDataRole.UserRole)
                self._formats.appendRow(item)

    def show_files(self, files: Sequence[ChosenFile], chosen: int) -> None:
        """Show other files."""
        self._files = files
        with QSignalBlocker(self):
            self.setRowCount(len(files))
            for at, name in enumerate(names_of([one.path for one in files])):
                self._put(at, NAME, name, str(files[at].path))
                box = CellBox(f"What {name} is taken for", self._formats)
                box.setPlaceholderText(CHOOSE)
                box.activated.connect(lambda _, at=at: self.named.emit(at, self.box(at).currentData()))
                self.setCellWidget(at, TAKEN, box)
            if files:
                self.selectRow(min(chosen, len(files) - 1))
        self.show_known()
        self._follow()
        head, line = self.horizontalHeader().sizeHint().height(), px(ROW)
        self._height = head + line * min(len(files), MOST_ROWS) + 2
        self.setMinimumHeight(head + line * min(len(files), LEAST_ROWS) + 2)
        self.setMaximumHeight(self._height)

    def sizeHint(self) -> QSize:
        """Return room for the files, up to so many."""
        return QSize(super().sizeHint().width(), self._height)

    def show_known(self) -> None:
        """Show what became known of the files."""
        for at, one in enumerate(self._files):
            key = None if one.glance is None else one.glance.key
            box = self.box(at)
            box.setEnabled(one.glance is not None)
            box.setCurrentIndex(-1 if key is None else box.findData(key))
            box.setToolTip(tip(box.currentText()))
            words = " · ".join(one.read.brings) if one.read else ""
            self._put(at, BRINGS, words or ("nothing" if one.read and not one.problems else ""))
            made = self._put(at, PROBLEMS, one.wrong or one.left_out, "\n".join(one.problems[:MOST_ROWS]))
            role = QPalette.ColorRole.BrightText if one.problems else QPalette.ColorRole.PlaceholderText
            made.setForeground(QBrush(self.palette().color(role)))
        sound = not any(one.wrong or one.left_out for one in self._files)
        self.setColumnHidden(PROBLEMS, sound)
        self.takes_rest = BRINGS if sound else PROBLEMS
        self.fit()

    def look(self) -> None:
        """Keep the lists of formats whole."""
        super().look()
        taken = [self.box(at).currentText() or CHOOSE for at in range(self.rowCount())]
        long = max(map(self.fontMetrics().horizontalAdvance, (*taken, COLUMNS[TAKEN])))
        self.wide[TAKEN] = self.least[TAKEN] = long + px(AROUND)
        self.wide[PROBLEMS] = min(self.wide[PROBLEMS], px(PROBLEM))

    def _put(self, at: int, place: int, words: str, whole: str = "") -> QTableWidgetItem:
        made = QTableWidgetItem(visible(words))
        made.setToolTip(tip(whole or words))
        self.setItem(at, place, made)
        return made

    def box(self, at: int) -> CellBox:
        """Return the list of formats of a file."""
        box = self.cellWidget(at, TAKEN)
        assert isinstance(box, CellBox)
        return box

    def _follow(self) -> None:
        """Let Tab stop at the format of the chosen file alone."""
        for at in range(self.rowCount()):
            stop = Qt.FocusPolicy.StrongFocus if at == self.chosen() else Qt.FocusPolicy.ClickFocus
            self.box(at).setFocusPolicy(stop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the chosen file in sight."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.rowCount():
            self.show_known()


class FilePane(QWidget):
    """The table of files, or what can be brought while there are none, and how to add and remove them.

    `files_changed` when files came or went, or one is taken for something else: look at them again;
    `chosen` when another file is.
    """

    files_changed = Signal()
    chosen = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.files: list[ChosenFile] = []
        self.table = FileTable(self)
        self.table.named.connect(self._take_for)
        self.table.itemSelectionChanged.connect(self.chosen)
        self.add = button("Add files…", self._ask, self)
        self.remove = button("Remove", self._remove, self)
        QShortcut(QKeySequence("Del"), self.table, self._remove, context=Qt.ShortcutContext.WidgetShortcut)
        self.nothing = prose(EMPTY, "drop", self)
        self.nothing.setMinimumHeight(px(180))
        self.nothing.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column(self.nothing, self.table, on=self, around=FLUSH, gap=0)
        self._show(0)

    def take(self, paths: Sequence[Path]) -> None:
        """Put further files into the table; each once."""
        known = {one.path for one in self.files}
        new = [ChosenFile(path) for path in dict.fromkeys(paths) if path not in known]
        if new:
            self.files += new
            self._show(len(self.files) - len(new))
            self.files_changed.emit()

    def unseen(self) -> list[tuple[Path, str | None]]:
        """Return the files nobody looked at yet, as what they are taken for now."""
        return [(one.path, one.key) for one in self.files if one.glance is None]

    def current(self) -> ChosenFile | None:
        """Return the file that is chosen."""
        at = self.table.chosen()
        return self.files[at] if at is not None and at < len(self.files) else None

    def show_known(self, first_wrong: bool = False) -> None:
        """Show what became known of the files; with `first_wrong` choose the first that cannot be taken."""
        wrong = [at for at, one in enumerate(self.files) if one.problems]
        if first_wrong and wrong:
            self.table.selectRow(wrong[0])
        self.table.show_known()
        self.chosen.emit()

    def _ask(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Files to import")
        self.take([Path(name) for name in names])

    def _remove(self) -> None:
        at = self.table.chosen()
        if at is not None:
            del self.files[at]
            self._show(at)
            self.files_changed.emit()

    def _take_for(self, at: int, key: str) -> None:
        one = self.files[at]
        if key != (one.glance.key if one.glance is not None else one.key):
            one.key, one.glance, one.read = key, None, None
            self.files_changed.emit()

    def _show(self, chosen: int) -> None:
        self.table.show_files(self.files, chosen)
        self.remove.setEnabled(bool(self.files))
        self.table.setVisible(bool(self.files))
        self.remove.setVisible(bool(self.files))
        self.nothing.setVisible(not self.files)
        self.chosen.emit()


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return the names of files, with their folders where two have the same."""
    often = Counter(path.name for path in paths)
    return [str(Path(path.parent.name, path.name)) if often[path.name] > 1 else path.name for path in paths]
