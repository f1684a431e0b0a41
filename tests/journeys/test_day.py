"""A researcher's day, done to its end. `./dev bench pauses` says how long each step holds the window up."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.app import make_window
from annotator.desktop.preferences import Settings
from annotator.desktop.window import Window
from tests.journeys.day import ANNOTATORS, Step, a_day, at_rest, judged_project

TOPICS = 8
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


def reaches(step: Step) -> None:
    assert step.reached(), step.name


@pytest.mark.timeout(600)
def test_everything_that_a_researcher_does_in_a_day_reaches_its_result(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    path = judged_project(tmp_path / "day", TOPICS)
    done = []
    for step in a_day(window, path, tmp_path / "day", TOPICS):
        begun: list[object] = []
        QTimer.singleShot(0, window, lambda: begun.append(step.act()))  # noqa: B023
        qtbot.waitUntil(lambda: bool(begun and at_rest(window)), timeout=PATIENCE)  # noqa: B023
        qtbot.waitUntil(partial(reaches, step), timeout=PATIENCE)
        qtbot.waitUntil(lambda: at_rest(window), timeout=PATIENCE)
        done.append(step.name)
    assert len(done) > 60
    assert done[-1] == "closing the project"
