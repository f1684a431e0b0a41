"""Long work: shown after a moment, cancelled, replaced, its errors told."""

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from annotator.desktop import log
from annotator.desktop.messages import FAULT
from annotator.desktop.results.job_bar import JobBar, time_left
from annotator.desktop.worker import Worker
from annotator.errors import MeasureError, Stopped
from annotator.watch import Watch


@pytest.fixture
def worker(qapp: object) -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


@pytest.fixture
def bar(qtbot: QtBot, worker: Worker) -> JobBar:
    bar = JobBar(worker)
    qtbot.addWidget(bar)
    return bar


def until_stopped(watch: Watch) -> None:
    asked = threading.Event()
    while not watch.asked():
        asked.wait(0.01)
    raise Stopped("stopped")


def test_a_quick_job_hands_over_its_result_and_never_shows_the_bar(bar: JobBar, qtbot: QtBot) -> None:
    results: list[int] = []
    bar.run("Adding", lambda watch: 2 + 2, results.append)
    qtbot.waitUntil(lambda: results == [4], timeout=20_000)
    assert bar.isHidden()
    assert not bar.busy


def test_a_long_job_shows_itself_and_cancel_ends_it_without_a_result(bar: JobBar, qtbot: QtBot) -> None:
    results: list[object] = []
    bar.run("Waiting", until_stopped, results.append)
    qtbot.waitUntil(lambda: not bar.isHidden(), timeout=20_000)
    bar.cancel()
    assert bar.isHidden()
    assert not bar.busy
    assert results == []


def test_what_becomes_of_a_storing_job_is_told_after_it_was_asked_to_stop(bar: JobBar, qtbot: QtBot) -> None:
    said: list[str] = []
    bar.problem.connect(said.append)
    bar.run("Storing", until_stopped, said.append, storing=True)
    bar.cancel()
    assert bar.busy
    qtbot.waitUntil(lambda: said == ["stopped"], timeout=20_000)
    assert not bar.busy


def test_a_storing_job_that_was_too_far_to_stop_still_hands_over_its_result(
    bar: JobBar, qtbot: QtBot
) -> None:
    results: list[str] = []

    def stored(watch: Watch) -> str:
        while not watch.asked():
            pass
        return "stored"

    bar.run("Storing", stored, results.append, storing=True)
    bar.cancel()
    qtbot.waitUntil(lambda: results == ["stored"], timeout=20_000)


def test_the_result_of_a_replaced_job_is_dropped(bar: JobBar, qtbot: QtBot) -> None:
    results: list[str] = []

    def slow(watch: Watch) -> str:
        while not watch.asked():
            pass
        return "old"

    bar.run("First", slow, results.append)
    bar.run("Second", lambda watch: "new", results.append)
    qtbot.waitUntil(lambda: not bar.busy, timeout=20_000)
    assert results == ["new"]


def test_a_users_error_is_told(bar: JobBar, qtbot: QtBot) -> None:
    def failing(watch: Watch) -> None:
        raise MeasureError("There is no measure nDGC.")

    with qtbot.waitSignal(bar.problem, timeout=20_000) as told:
        bar.run("Failing", failing, lambda _: None)
    assert told.args == ["There is no measure nDGC."]
    assert not bar.busy


def test_of_a_fault_it_is_said_what_is_safe_and_where_the_log_is(
    bar: JobBar, worker: Worker, qtbot: QtBot
) -> None:
    told: list[str] = []
    bar.problem.connect(told.append)
    with qtbot.waitSignal(worker.failed, timeout=20_000) as reported:
        bar.run("Failing", lambda _: 1 // 0, lambda _: None)
    assert isinstance(reported.args[0], ZeroDivisionError)
    assert told[0].startswith(FAULT)
    assert str(log.place()) in told[0]


def test_the_time_left_is_a_guess_only_when_there_is_ground_for_one() -> None:
    assert time_left(0, 10, 30) == ""
    assert time_left(5, 10, 1) == ""
    assert time_left(5, 10, 20) == " · about 20 s left"
    assert time_left(1, 10, 60) == " · about 9 min left"
