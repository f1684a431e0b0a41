"""The longest pause of the window in each thing that a researcher does, by the wall clock."""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QObject, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

TOPICS = 400
SECONDS = 30
"""So long the grades of twenty people arrive, a second one of each, on each of two pages."""

KEY_MS = 500
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
        while_others_work(app, Path(folder) / "team")


def while_others_work(app: QApplication, folder: Path) -> None:
    """Grade, and look at the scores, alone and while the grades of others arrive by a carrier that tells."""
    from annotator.carriers.folder import Folder
    from annotator.desktop.app import make_window
    from annotator.desktop.preferences import Settings
    from annotator.desktop.team import exchange_thread
    from annotator.project import blindness, sharing
    from annotator.project.project import Project
    from annotator.storage.ledger import events
    from tests.benchmarks.bench_sharing import PEOPLE, grades, segments_of
    from tests.journeys.day import at_rest, in_front, judged_project

    Folder.pause = exchange_thread.LOOK_SECONDS = 1.0
    path, place = judged_project(folder, TOPICS), folder / "carrier"
    with Project.open(path, annotator="me") as project:
        blindness.unblind_all(project)
        sharing.share(project, str(place))
        _, clock = events.tips(project.store.db)
    sent = segments_of([*grades(clock, 2 * PEOPLE * SECONDS, one_of_ten)], 1)
    Settings().set("annotator", "me")
    window = make_window(app, None)
    window.show()
    window.open_project(path)

    def came() -> int:
        team = window.team.team
        return -1 if team is None or team.standing is None else team.standing.exchanged.came

    def press() -> None:
        if window.stack.currentWidget() is window.pages[0]:
            QTest.keyClicks(window.pages[0].parts.cards, "3")  # type: ignore[attr-defined]

    pump_until(app, lambda: in_front(window, 0) and at_rest(window) and came() == 0)
    end = time.monotonic() + QUIET_SECONDS
    pump_until(app, lambda: time.monotonic() > end)
    keys = QTimer(interval=KEY_MS)
    keys.timeout.connect(press)
    keys.start()
    hearts = [Heartbeat(clock) for clock in (time.perf_counter, time.thread_time, time.process_time)]
    print("     ms of them computed in the window, and in the whole program (goal 100)")
    for number, name in enumerate(("grading", "Evaluate in front")):
        window.stack.show_page(number)
        pump_until(app, lambda: in_front(window, number) and at_rest(window))  # noqa: B023
        half = sent[number * len(sent) // 2 : (number + 1) * len(sent) // 2]
        for whose, some in (("alone", []), ("while others' work arrives", half)):
            before = came()
            thread = threading.Thread(target=put, args=(some, place / "segments"))
            for heart in hearts:
                heart.start()
            thread.start()
            end = time.monotonic() + SECONDS
            pump_until(app, lambda: time.monotonic() > end and came() >= before + len(some))  # noqa: B023
            thread.join()
            pauses = " ".join(f"{heart.worst * 1000:7.0f}" for heart in hearts)
            print(f"{pauses}  {name} {whose}, {came() - before:,} events", flush=True)
    keys.stop()
    window.close()


def one_of_ten(at: int) -> tuple[str, str]:
    """Return a candidate of `judged_project` for each place."""
    query = at % TOPICS + 1
    return f"q{query}", f"d{query}-{at // TOPICS % 10 + 1}"


def put(segments: list[tuple[str, bytes]], place: Path) -> None:
    """Let segments arrive in a folder one after the other, as by a service that copies files."""
    begin = time.monotonic()
    for at, (name, data) in enumerate(segments):
        time.sleep(max(begin + at * SECONDS / len(segments) - time.monotonic(), 0))
        (place / f".{name}").write_bytes(data)
        (place / f".{name}").rename(place / name)


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
