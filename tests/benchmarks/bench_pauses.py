"""The longest pause of the window in each thing that a researcher does, by the wall clock (fault test 15)."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

TOPICS = 400
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
    from annotator.desktop.settings import Settings
    from tests.faults.pauses import ANNOTATORS, Heartbeat, a_day, at_rest, judged_project

    path = judged_project(folder, TOPICS)
    Settings().set("annotator", ANNOTATORS[0])
    window = make_window(app, None)
    window.show()
    wall, own = Heartbeat(time.perf_counter), Heartbeat(time.thread_time)
    worst: list[tuple[float, float, str]] = []
    for name, act in a_day(window, path, folder, TOPICS):
        wall.start()
        own.start()
        QTimer.singleShot(0, window, act)
        beats = wall.beats
        pump_until(app, lambda: wall.beats > beats + 2 and at_rest(window))  # noqa: B023
        if name == "opening":
            end = time.monotonic() + QUIET_SECONDS
            pump_until(app, lambda: time.monotonic() > end)  # noqa: B023
        worst.append((wall.worst, own.worst, name))
    print("     ms of them computed in the window (goal 100)")
    for took, computed, name in sorted(worst, reverse=True):
        print(f"{took * 1000:7.0f} {computed * 1000:7.0f}  {name}")
    window.close()


def pump_until(app: QApplication, condition: Callable[[], bool]) -> None:
    """Let the window work until something is so."""
    awake = QTimer(interval=20)
    awake.start()
    while not condition():
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


if __name__ == "__main__":
    main()
