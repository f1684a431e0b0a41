"""Merging another copy of a project: what it would do is shown first, conflicts can be settled afterwards."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QListWidget, QWidget

from annotator.desktop.choice import Shown
from annotator.desktop.controls import button
from annotator.desktop.dialog import ChangingDialog, Dialog, Standard
from annotator.desktop.layouts import row
from annotator.desktop.line_field import LineField
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.row_table import Rows
from annotator.desktop.style import label, prose, px
from annotator.desktop.worker import Worker
from annotator.grades import GRADES, MEANINGS
from annotator.places import SUFFIX
from annotator.project.views import Change
from annotator.tasks import GRADE
from annotator.text.counts import counted
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.maintenance import Conflict, Tried
    from annotator.project.project import Project

MERGE = "Merge into the project"
HINT = (
    "Everything that either copy holds is in the result; where both changed the same value, one of the two "
    "counts, as is listed, and the other stays in the history. The project as it is now is kept beside it."
)
UNRELATED = (
    "This is another project: the two have no query in common. Merging would put both into one file; choose "
    "another copy of this project if you did not mean that."
)
COLUMNS = ("What", "Of", "Whose", "Counts now", "The other side")
TRIED = (*COLUMNS[:3], "Will count", "Will stay in the history")
"""Before it is merged the value that will count may stand in either copy."""


def rows_of(conflicts: "Sequence[Conflict]") -> list[tuple[str, ...]]:
    """Return conflicts as the rows of a table."""
    from annotator.project.maintenance import in_words

    return [
        (one.kind, " · ".join(one.subject), one.annotator, in_words(one.kept), in_words(one.other))
        for one in conflicts
    ]


def changed_twice(conflicts: "Sequence[Conflict]") -> str:
    """Say how many values both sides changed."""
    return f"{counted(len(conflicts), 'value was', 'values were')} changed on both sides"


class MergeDialog(Dialog):
    """Asks for the other copy, tries the merge, and shows what both sides changed.

    `merge_wanted(tried, target)`: the target is the project itself or a new file.
    """

    merge_wanted = Signal(object, Path)

    def __init__(self, path: Path, worker: Worker, parent: QWidget) -> None:
        from annotator.project import file_location

        super().__init__("Merge another copy", parent)
        self._path = path
        self._tried: Tried | None = None
        self._asked = ""
        """The file that was tried last, as it stands in the field."""
        self.other = LineField(parent=self)
        self.other.setAccessibleName("The other copy")
        self.other.setPlaceholderText("The file of the other copy")
        self.other.editingFinished.connect(self.look)
        place = row((self.other, 1), button("Choose…", self._browse, self))
        copies = file_location.conflict_copies(path)
        self.copies = QListWidget(self)
        self.copies.setItemDelegate(Shown(self.copies))
        self.copies.setAccessibleName("Conflict copies beside the project")
        self.copies.addItems([one.name for one in copies])
        self.copies.ensurePolished()
        rows, around = min(len(copies), 3), 2 * self.copies.frameWidth()
        self.copies.setMaximumHeight(max(self.copies.sizeHintForRow(0) * rows, 0) + around)
        self.copies.currentTextChanged.connect(lambda name: self.choose(path.with_name(name)))
        beside = label("A synchronised folder left these copies beside the project:", "", self)
        for part in (beside, self.copies):
            part.setVisible(bool(copies))
        self.said = prose("", "", self)
        self.problem = prose("", "danger", self)
        self.brings = Rows("What the other copy brings", ("Who", "Said or brought"), self)
        self.apart = prose("", "heading", self)
        self.table = Rows("Values that both sides changed", TRIED, self)
        self.bar = JobBar(worker, self)
        self.bar.problem.connect(self._refused)
        self.bar.busy_changed.connect(self._rest)
        self.into = button(MERGE, lambda: self._want(self._path), self, "primary")
        self.new = button("Merge into a new file…", self._ask_new, self)
        leave = self.way_out(Standard.Cancel)
        self.cancel = leave.button(Standard.Cancel)
        below = row(self.into, self.new, 1, leave, gap=STEPS[0])
        above = (beside, self.copies, place, self.said, self.problem)
        self.lay_out(*above, (self.brings, 1), self.apart, (self.table, 2), self.bar, 0, below, hint=HINT)
        self.resize(px(700), 0)
        self._offer(None)
        if copies:
            self.copies.setCurrentRow(0)

    def choose(self, other: Path) -> None:
        """Take this file as the other copy."""
        self.other.setText(str(other))
        self.look()

    def look(self) -> None:
        """Try the merge and show what it would do; no file is left."""
        text = self.other.text().strip()
        if self._tried is not None and text == self._asked:
            return  # the keys left the field, nothing else
        self._asked = text
        self._offer(None)
        if not text:
            return
        other = Path(text)
        if other.resolve() == self._path.resolve():
            self._refused("That is this project itself; choose another copy of it.")
            return

        def job(watch: Watch) -> "Tried":
            from annotator.project import maintenance

            return maintenance.try_merge(self._path, other, watch)

        self.said.setText("Looking…")
        self.bar.run("Trying the merge", job, self._offer)

    def _rest(self, busy: bool) -> None:
        """Say so when a trial ends; what it came to replaces this at once, unless it was cancelled."""
        if not busy:
            self.said.setText("Stopped; nothing was changed. Enter in the field tries again.")

    def _offer(self, tried: "Tried | None") -> None:
        if self._tried is not None:
            self._tried.drop()
        self._tried = tried
        merged = tried.merged if tried else None
        self._say_problem("")
        self.said.clear()
        self.brings.setVisible(merged is not None and bool(merged.brought))
        for part in (self.apart, self.table):
            part.setVisible(merged is not None and bool(merged.conflicts))
        for way in (self.into, self.new):
            way.setEnabled(merged is not None)
        related = merged is None or merged.related
        self.into.setText(MERGE if related else "Merge nevertheless")
        for one, first in ((self.into, related), (self.cancel, not related)):
            one.setProperty("kind", "primary" if first else "")
            one.style().polish(one)
        if merged is None:
            return
        if not merged.related:
            self._say_problem(UNRELATED)
        from annotator.project.maintenance import brought_in_words

        self.brings.show_rows(brought_in_words(merged))
        self.table.show_rows(rows_of(merged.conflicts))
        self.apart.setText(f"{changed_twice(merged.conflicts)}; they can be settled after merging")
        self.said.setText(
            f"The other copy brings {counted(merged.only_second, 'event')}; {merged.both:,} are in both, "
            f"{merged.only_first:,} in this project alone."
            + ("" if merged.conflicts else " No value was changed on both sides.")
        )

    def _refused(self, message: str) -> None:
        self.said.clear()
        self._say_problem(message)

    def _say_problem(self, message: str) -> None:
        self.problem.setText(message)
        self.problem.setVisible(bool(message))

    def _want(self, target: Path) -> None:
        tried, self._tried = self._tried, None
        self.accept()
        self.merge_wanted.emit(tried, target)

    def _ask_new(self) -> None:
        proposed = self._path.with_name(f"{self._path.stem} merged{SUFFIX}")
        name, _ = QFileDialog.getSaveFileName(
            self, "Merge into a new file", str(proposed), f"Projects (*{SUFFIX})"
        )
        if name:
            target = Path(name).with_suffix(SUFFIX)
            if os.path.exists(target):
                self._refused(f"{target.name} exists already; choose another name.")
            else:
                self._want(target)

    def _browse(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, "The other copy", str(self._path.parent), f"Projects (*{SUFFIX})"
        )
        if name:
            self.choose(Path(name))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter in the field try that file, rather than press a button."""
        if self.focusWidget() is not self.other or event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """Drop what is under way, and what was tried unless it is taken."""
        self.bar.cancel()
        self._offer(None)
        super().done(result)


class ConflictsDialog(ChangingDialog):
    """What both sides of a merge changed, to be settled judgment by judgment; what is settled leaves it."""

    def __init__(
        self, conflicts: "list[Conflict]", project: "Project", worker: Worker, parent: QWidget
    ) -> None:
        super().__init__("Changed on both sides", parent)
        self._conflicts = conflicts
        self._project = project
        self._worker = worker
        self.table = Rows("Values that both sides changed", COLUMNS, self)
        self.table.itemSelectionChanged.connect(self._choose)
        self.said = prose("", "muted", self)
        self.buttons = [
            button(f"{grade}  {MEANINGS[grade]}", partial(self._settle, grade), self) for grade in GRADES
        ]
        for grade, one in zip(GRADES, self.buttons, strict=True):
            key = QShortcut(QKeySequence(str(grade)), self)
            key.setAutoRepeat(False)  # a key held down settles one
            key.activated.connect(one.click)
        self.lay_out((self.table, 1), self.said, row(*self.buttons), self.way_out())
        self.resize(px(760), 0)
        self.table.show_rows(rows_of(self._conflicts))
        self._choose()

    def _choose(self) -> None:
        place = self.table.chosen()
        judged = place is not None and self._conflicts[place].kind == GRADE.name
        for one in self.buttons:
            one.setEnabled(judged)
        if place is None:
            self.said.setText("Everything is settled.")
        elif judged:
            self.said.setText(
                "Settle it by a grade, which wins over both; until then “Counts now” counts. The "
                "Agreement page lists what is settled."
            )
        else:
            self.said.setText("“Counts now” counts; change it where it is edited if the other was right.")

    def _settle(self, grade: int) -> None:
        place = self.table.chosen()
        if place is None:
            return
        conflict, project = self._conflicts[place], self._project

        def settle() -> Change:
            from annotator.project import maintenance

            return maintenance.settle(project, conflict, grade)

        def settled(change: Change) -> None:
            self._conflicts.remove(conflict)
            self.table.show_rows(rows_of(self._conflicts))
            self._choose()
            self.changed.emit(change)

        for one in self.buttons:
            one.setEnabled(False)
        self._worker.submit(self, settle, settled)
