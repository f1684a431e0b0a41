"""The backups of a project: where they are, what each holds, restoring one into the project or beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from annotator.desktop.controls import button
from annotator.desktop.dialog import Dialog
from annotator.desktop.layouts import row
from annotator.desktop.row_table import Rows
from annotator.desktop.style import label, prose, px
from annotator.desktop.worker import Worker
from annotator.errors import UserError
from annotator.text.counts import counted
from annotator.text.times import MINUTES, SECONDS, local_time
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.maintenance import Backup, Inside

COLUMNS = ("Made", "Size", "Judgments", "Last change")

Found = tuple["Backup", "Inside | None"]
"""A backup and what it holds, None when it cannot be read."""


def look(path: Path, watch: Watch) -> tuple[Path, list[Found]]:
    """Return where the backups of a project file are, and each with what it holds, newest first."""
    from annotator.project import maintenance

    looked_at: list[Found] = []
    for backup in maintenance.backups_of(path):
        if watch.asked():
            break
        try:
            looked_at.append((backup, maintenance.inside(backup.path)))
        except UserError:
            looked_at.append((backup, None))
    return maintenance.backups_folder(path), looked_at


class BackupsDialog(Dialog):
    """Lists the backups of the file `path`, which may be open, closed or damaged.

    `restore_wanted(backup, path)` puts one in the project's place, `beside_wanted(backup)` into a new file;
    `copy_wanted` asks for a copy of the project as it is.
    """

    restore_wanted = Signal(Path, Path)
    beside_wanted = Signal(Path)
    copy_wanted = Signal()

    def __init__(self, path: Path, worker: Worker, parent: QWidget) -> None:
        super().__init__("Backups", parent)
        self._path = path
        self._found: Sequence[Found] = ()
        self.place = prose("Looking…", "muted", self)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = Rows("Backups", COLUMNS, self, numbers={1, 2}, wraps=True)
        self.table.itemSelectionChanged.connect(self._look_inside)
        self.inside = prose("", "", self)
        self.inside.setMinimumHeight(px(58))
        self.caption = label("INSIDE", "caption", self)
        self.inside.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.restore = button("Restore into the project", self._restore, self, "primary")
        self.beside = button("Restore beside it…", self._restore_beside, self)
        copy = button("Save a copy…", self._copy, self)
        copy.setVisible(parent.isVisible())
        below = row(self.restore, self.beside, copy, 1, self.way_out(), gap=STEPS[0])
        self.lay_out(self.place, (self.table, 1), self.caption, self.inside, below)
        self.resize(px(680), 0)
        self._look_inside()
        for part in (self.caption, self.inside):
            part.hide()

        def job(watch: Watch) -> tuple[Path, list[Found]]:
            return look(path, watch)

        worker.start(self, job, self._show)

    def _show(self, looked: tuple[Path, list[Found]]) -> None:
        from annotator.project.maintenance import CAP

        folder, self._found = looked
        if not self._found:
            self.place.setText(
                "There is no backup yet. One is made soon after opening a project, when it changed and the "
                f"last one is an hour old, and kept in {folder}."
            )
        else:
            together = size(sum(backup.size for backup, _ in self._found))
            together += " together" if len(self._found) > 1 else ""
            self.place.setText(
                f"{counted(len(self._found), 'backup')}, {together}, in {folder}. All of the last "
                f"day are kept, then one a day for a month, then one a month, up to {size(CAP)}. "
                "Uninstalling leaves them alone."
            )
        self.table.show_rows(
            [
                (
                    local_time(round(backup.time * 1_000), SECONDS),
                    size(backup.size),
                    f"{inside.judgments:,}" if inside else "cannot be read",
                    local_time(inside.changed, MINUTES) if inside and inside.changed is not None else "",
                )
                for backup, inside in self._found
            ]
        )
        for part in (self.caption, self.inside):
            part.setVisible(bool(self._found))

    def _chosen(self) -> Found | None:
        row = self.table.chosen()
        return self._found[row] if row is not None and row < len(self._found) else None

    def _look_inside(self) -> None:
        chosen = self._chosen()
        inside = chosen[1] if chosen else None
        for way in (self.restore, self.beside):
            way.setEnabled(inside is not None)
        if inside is None:
            self.inside.setText("This backup cannot be read." if chosen else "")
            return
        changed = (
            ""
            if inside.changed is None
            else f"Last change {local_time(inside.changed, MINUTES)} by {inside.by}. "
        )
        self.inside.setText(
            f"{counted(inside.queries, 'query', 'queries')}, {counted(inside.documents, 'document')}, "
            f"{counted(inside.answers, 'predicted answer')}, {counted(inside.judgments, 'judgment')} "
            f"by {', '.join(inside.annotators) or 'nobody'}. {changed}"
            "When you restore it, the project as it is now is kept beside it."
        )

    def _restore(self) -> None:
        if (chosen := self._chosen()) is not None:
            self.accept()
            self.restore_wanted.emit(chosen[0].path, self._path)

    def _restore_beside(self) -> None:
        if (chosen := self._chosen()) is not None:
            self.accept()
            self.beside_wanted.emit(chosen[0].path)

    def _copy(self) -> None:
        self.accept()
        self.copy_wanted.emit()


def size(count: int) -> str:
    """Return a number of bytes as `812 bytes`, `3.4 MB`."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1_000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1_000
    return f"{amount:.1f} GB"
