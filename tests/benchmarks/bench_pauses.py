"""The longest pause of the window in each thing that a researcher does, by the wall clock."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

TOPICS = 400
BEAT_MS = 5
QUIET_SECONDS = 4.0
"""So long after opening the libraries of the researcher's pages are loaded behind the first one."""


def main() -> None:
    """Print every thing done, the slowest first, with what the window's own thread computed in it."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "CACHE", "STATE", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = f"{folder}/{kind.lower()}"
        app = QApplication.instance() or QApplication(sys.argv[:1])
        assert isinstance(app, QApplication)
        measure(app, Path(folder))


def measure(app: QApplication, folder: Path) -> None:
    """Work through a day in the window, two hearts beating."""
    from annotator.desktop.app import make_window
    from annotator.desktop.preferences import Settings
    from tests.journeys.day import ANNOTATORS, a_day, at_rest, judged_project

    path = judged_project(folder, TOPICS)
    Settings().set("annotator", ANNOTATORS[0])
    window = make_window(app, None)
    window.show()
    wall, own = Heartbeat(time.perf_counter), Heartbeat(time.thread_time)
    worst: list[tuple[float, float, str]] = []

    def during(name: str, over: Callable[[], bool]) -> None:
        wall.start()
        own.start()
        pump_until(app, over)
        worst.append((wall.worst, own.worst, name))

    for step in a_day(window, path, folder, TOPICS):
        QTimer.singleShot(0, window, step.act)
        beats = wall.beats
        during(step.name, lambda: wall.beats > beats + 2 and at_rest(window) and step.reached())  # noqa: B023
        if step.name == "opening":
            end = time.monotonic() + QUIET_SECONDS
            during("(doing nothing)", lambda: time.monotonic() > end)  # noqa: B023
    print("     ms of them computed in the window (goal 100)")
    for took, computed, name in sorted(worst, reverse=True):
        print(f"{took * 1000:7.0f} {computed * 1000:7.0f}  {name}")
    window.close()


class Heartbeat(QObject):
    """Beats whenever the window's thread is free for an event; `worst` is the most that passed in between.

    By the clock of that thread's processor time the load of the computer does not matter; by the wall clock
    waiting for another thread of the program counts too.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self.beats = 0
        self.start()
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def start(self) -> None:
        """Forget what was."""
        self.worst = 0.0
        self._last = self._clock()

    def _beat(self) -> None:
        self.beats += 1
        self.worst = max(self.worst, self._clock() - self._last)
        self._last = self._clock()


def pump_until(app: QApplication, condition: Callable[[], bool]) -> None:
    """Let the window work until something is so."""
    awake = QTimer(interval=20)
    awake.start()
    while not condition():
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


if __name__ == "__main__":
    main()
