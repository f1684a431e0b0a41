"""No pause of the window in a day's work: fault test 15, by the processor time of the window's thread.

`./dev bench pauses` prints the same by the wall clock, where waiting for other threads counts too.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.app import make_window
from annotator.desktop.settings import Settings
from annotator.desktop.window import Window
from tests.faults.pauses import ANNOTATORS, Act, Heartbeat, a_day, at_rest, judged_project

LIMIT = 0.1
TOPICS = 20
PATIENCE = 60_000


@pytest.fixture
def window(qapp: QApplication) -> Iterator[Window]:
    Settings().set("annotator", ANNOTATORS[0])
    window = make_window(qapp, None)
    window.show()
    yield window
    window.close()
    window.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def through(qtbot: QtBot, heart: Heartbeat, act: Act, rested: Act) -> float:
    """Do something in a turn of its own, wait until it is over, and return the longest pause in seconds."""
    heart.start()
    done: list[object] = []
    QTimer.singleShot(0, heart, lambda: done.append(act()))
    qtbot.waitUntil(lambda: bool(done and rested()), timeout=PATIENCE)
    beats = heart.beats
    qtbot.waitUntil(lambda: heart.beats > beats + 2, timeout=PATIENCE)
    return heart.worst


@pytest.mark.timeout(600)
def test_nothing_that_a_researcher_does_in_a_day_holds_the_window_up(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    """What was slow is done on another day again: a pause that the program makes comes back."""

    def slow_things(day: int) -> dict[str, float]:
        folder = tmp_path / f"day {day}"
        path = judged_project(folder, TOPICS)
        took = {
            name: through(qtbot, heart, act, lambda: at_rest(window))
            for name, act in a_day(window, path, folder, TOPICS)
        }
        assert (folder / "report.html").exists(), "the day was done to its end"
        return {name: seconds for name, seconds in took.items() if seconds >= LIMIT}

    heart = Heartbeat()
    slow = slow_things(1)
    if slow:
        again = slow_things(2)
        slow = {name: seconds for name, seconds in again.items() if name in slow}
    assert slow == {}


def test_a_pause_is_noticed(qtbot: QtBot) -> None:
    def hold_up() -> None:
        end = time.thread_time() + 1.5 * LIMIT
        while time.thread_time() < end:
            pass

    heart = Heartbeat()
    assert through(qtbot, heart, lambda: None, lambda: True) < LIMIT
    assert through(qtbot, heart, hold_up, lambda: True) > LIMIT
