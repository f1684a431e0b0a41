"""A damaged project: what the check found, and recovering it, of which the losses are listed first."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from annotator.desktop.dialog import Dialog
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.row_table import Rows
from annotator.desktop.style import prose, px
from annotator.desktop.worker import Worker
from annotator.text.counts import counted_plural
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.maintenance import TriedRecovery

HINT = (
    "What can be read goes into a new file; of history, runs and judgments what is proved alone. The damaged "
    "file stays as it is. A backup may hold more: look there first."
)


class FindingsDialog(Dialog):
    """A table of the parts that are not sound; the rest of the project is."""

    def __init__(self, findings: Sequence[str], parent: QWidget) -> None:
        super().__init__("What is damaged", parent)
        self.table = Rows("Findings", ("Part", "What is wrong"), self, wraps=True)
        self.lay_out((self.table, 1), self.way_out(), hint="What is not listed here matches its hashes.")
        self.resize(px(780), px(420))
        self.table.show_rows([one.partition(": ")[::2] for one in findings])


class RecoveryDialog(Dialog):
    """Tries the recovery of a file and lists what is lost; `keep_wanted(tried)` follows a yes."""

    keep_wanted = Signal(object)

    def __init__(self, path: Path, worker: Worker, parent: QWidget) -> None:
        super().__init__("Recover what can be read", parent)
        self._tried: TriedRecovery | None = None
        self.said = prose(f"Reading {path.name}…", "", self)
        self.table = Rows("What is lost", ("What is lost",), self, wraps=True)
        self.table.setMinimumHeight(px(160))
        self.table.hide()
        self.bar = JobBar(worker, self, cancels=False)
        self.bar.problem.connect(self.said.setText)
        self.buttons = self.question("Write a new file…", self._keep)
        self.buttons.buttons()[0].setEnabled(False)
        self.lay_out(self.said, (self.table, 1), self.bar, 0, self.buttons, hint=HINT)
        self.resize(px(640), 0)

        def job(watch: Watch) -> "TriedRecovery":
            from annotator.project import maintenance

            return maintenance.try_recovery(path, watch)

        self.bar.run("Recovering", job, self._offer)

    def _offer(self, tried: "TriedRecovery") -> None:
        self._tried = tried
        saved = ", ".join(
            counted_plural(count, what) for what, count in tried.recovered.saved.items() if count
        )
        lost = tried.recovered.lost
        self.said.setText(f"Can be saved: {saved}. " + ("Lost is:" if lost else "Nothing is lost."))
        self.table.show_rows([(one,) for one in lost])
        self.table.setVisible(bool(lost))
        take, *_ = self.buttons.buttons()
        take.setEnabled(True)
        take.setFocus()  # until now the keys were on Cancel

    def _keep(self) -> None:
        if self._tried is not None:
            tried, self._tried = self._tried, None
            self.accept()
            self.keep_wanted.emit(tried)

    def done(self, result: int) -> None:
        """Leave no file of a trial that nobody wanted."""
        self.bar.cancel()
        if self._tried is not None:
            self._tried.drop()
        super().done(result)
