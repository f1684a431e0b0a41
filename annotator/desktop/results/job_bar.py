"""The thin bar that shows long work: what is being done, how far it is, how long it will take, Cancel."""

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget

from annotator.desktop.controls import button, progress_bar
from annotator.desktop.elided import Elided
from annotator.desktop.layouts import row
from annotator.desktop.messages import fault
from annotator.desktop.worker import Job, Stop, Worker
from annotator.errors import Stopped, UserError
from annotator.theme import STEPS

APPEARS_AFTER = 500
"""Milliseconds before a job is shown at all: what is quicker does not flicker."""

CANCELLED = "Cancelled: nothing is computed."


class JobBar(QWidget):
    """Runs one job at a time; a new one stops the old one, whose result is then dropped.

    `problem(text)` is what a user's error says, or that there was a fault, which the worker reports as a bug.
    `cancelled` follows a cancel that gives up the result. Unless it `cancels`, what is around it has a button
    for that.
    """

    problem = Signal(str)
    busy_changed = Signal(bool)
    cancelled = Signal()

    def __init__(self, worker: Worker, parent: QWidget | None = None, cancels: bool = True) -> None:
        super().__init__(parent)
        self._worker = worker
        self._stop: Stop | None = None
        self._storing = False
        self._since = 0.0
        self._said = Elided("muted", self)
        self._bar = progress_bar()
        in_dialog = isinstance(parent, QDialog)  # which has an edge and a Cancel of its own
        self._cancel = button("Stop" if in_dialog else "Cancel", self.cancel)
        edge = 0 if in_dialog else STEPS[2]
        row(self._said, (self._bar, 1), self._cancel, on=self, around=(edge, 6, edge, 6))
        self._cancel.setVisible(cancels)
        self._timer = QTimer(self, singleShot=True, interval=APPEARS_AFTER)
        self._timer.timeout.connect(self.show)
        self.hide()

    def leave_edges(self) -> None:
        """Begin where what is around it begins, which has room at its edges."""
        if (layout := self.layout()) is not None:
            layout.setContentsMargins(0, 6, 0, 6)

    @property
    def busy(self) -> bool:
        """Say whether a job is running whose result is wanted."""
        return self._stop is not None

    def run(
        self,
        what: str,
        job: Job,
        done: Callable[[Any], object],
        storing: bool = False,
        elsewhere: bool = False,
    ) -> None:
        """Start a job; `done(result)` is called with its result unless it was cancelled or replaced.

        With `storing` the job runs where everything is stored. Cancelling it is a wish then: what became of
        it is waited for, and either `done` is called after all or `problem` says that it was stopped.
        What asks `elsewhere` keeps nobody from closing the window.
        """
        self._quit()
        self._storing = storing
        self._cancel.setEnabled(True)
        self._since = time.monotonic()
        self._said.setText(what)
        self._bar.setRange(0, 0)
        self._timer.start()

        def arrived(result: Any) -> None:
            if self._stop is mine:
                self._finish()
                done(result)

        def failed(error: Exception) -> None:
            if self._stop is not mine:
                return
            self._finish()
            if isinstance(error, Stopped) and not storing:
                return
            if isinstance(error, UserError):
                self.problem.emit(str(error))
            else:
                self.problem.emit(fault())
                self._worker.failed.emit(error)

        mine = self._worker.start(self, job, arrived, failed, self._progressed, storing, elsewhere)
        self._stop = mine
        self.busy_changed.emit(True)

    def cancel(self) -> None:
        """Stop the job, or ask one that stores to stop; what was shown before stays."""
        if self.busy:
            self._quit()
            if self._storing:
                self._said.setText("Stopping…")
                self._cancel.setEnabled(False)
            else:
                self._finish()
                self.cancelled.emit()

    def _quit(self) -> None:
        if self._stop is not None:
            self._stop.ask()

    def _finish(self) -> None:
        self._stop = None
        self._timer.stop()
        self.hide()
        self.busy_changed.emit(False)

    def _progressed(self, done: int, total: int, what: str) -> None:
        if self._stop is None or self._stop.asked():
            return
        self._bar.setRange(0, max(total, 0))
        self._bar.setValue(done)
        self._said.setText(f"{what}{time_left(done, total, time.monotonic() - self._since)}")


def time_left(done: int, total: int, seconds: float) -> str:
    """Return how long the rest will take, "" until a guess makes sense."""
    if done <= 0 or total <= done or seconds < 2:
        return ""
    left = seconds * (total - done) / done
    return f" · about {left:.0f} s left" if left < 90 else f" · about {left / 60:.0f} min left"
