"""No pause of the window in a day's work: fault test 15, by the processor time of the window's thread.

What the wall clock says beside the load of other threads is printed by `./dev bench pauses`.
"""

import time
from pathlib import Path

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tests.desktop.conftest import PATIENCE, OpenWindow, open_window  # noqa: F401
from tests.faults import pauses
from tests.faults.pauses import Heartbeat, a_day, at_rest, judged_project

LIMIT = 0.1
TOPICS = 40


def through(qtbot: QtBot, heart: Heartbeat, act: pauses.Act, rested: pauses.Act) -> float:
    """Do something in a turn of its own, wait until it is over, and return the longest pause in seconds."""
    heart.start()
    done: list[object] = []
    QTimer.singleShot(0, heart, lambda: done.append(act()))
    qtbot.waitUntil(lambda: bool(done and rested()), timeout=PATIENCE)
    beats = heart.beats
    qtbot.waitUntil(lambda: heart.beats > beats + 2, timeout=PATIENCE)
    return heart.worst


def test_nothing_that_a_researcher_does_in_a_day_holds_the_window_up(
    qtbot: QtBot,
    open_window: OpenWindow,
    tmp_path: Path,  # noqa: F811
) -> None:
    path = judged_project(tmp_path, TOPICS)
    window = open_window()
    heart = Heartbeat()
    worst: dict[str, float] = {}
    for name, act in a_day(window, path, tmp_path, TOPICS):
        closing = name == "closing the project"
        worst[name] = through(qtbot, heart, act, lambda: closing or at_rest(window))  # noqa: B023
    print({name: f"{seconds * 1000:.0f} ms" for name, seconds in worst.items()})
    assert {name: seconds for name, seconds in worst.items() if seconds >= LIMIT} == {}


def test_a_pause_is_noticed(qtbot: QtBot) -> None:
    def hold_up() -> None:
        end = time.thread_time() + 1.5 * LIMIT
        while time.thread_time() < end:
            pass

    heart = Heartbeat()
    assert through(qtbot, heart, lambda: None, lambda: True) < LIMIT
    assert through(qtbot, heart, hold_up, lambda: True) > LIMIT
