"""Work leaves the window's thread and comes back only to those who still live."""

import gc
import threading
import weakref
from collections.abc import Iterator
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from annotator.desktop.worker import Worker, collect_garbage
from annotator.errors import Stopped, UserError
from annotator.watch import Watch


@pytest.fixture
def worker(qtbot: QtBot) -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


def test_storage_work_is_done_in_order_in_one_other_thread(qtbot: QtBot, worker: Worker) -> None:
    owner, names, got = QObject(), [], []

    def work(number: int) -> int:
        names.append(threading.current_thread().name)
        return number

    for number in range(50):
        worker.submit(owner, partial(work, number), got.append)
    qtbot.waitUntil(lambda: len(got) == 50, timeout=20_000)
    assert got == list(range(50))
    assert set(names) == {"storage"}


def test_who_computes_beside_gives_way_to_what_is_stored_but_not_for_long(
    qtbot: QtBot, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, waited, done = threading.Event(), list[float](), list[object]()
    monkeypatch.setattr("annotator.desktop.worker.time.sleep", waited.append)
    worker.give_way()
    assert waited == []
    worker.submit(worker, lambda: go.wait(20), done.append)
    worker.submit(worker, go.is_set, done.append)
    worker.give_way()
    assert 0 < sum(waited) < 0.1
    go.set()
    qtbot.waitUntil(lambda: done == [True, True], timeout=20_000)
    waited.clear()
    qtbot.waitUntil(lambda: (waited.clear(), worker.give_way(), waited == [])[2], timeout=20_000)


def test_results_arrive_in_the_thread_of_the_window(qtbot: QtBot, worker: Worker) -> None:
    threads = []
    worker.submit(QObject(worker), lambda: 1, lambda _: threads.append(threading.current_thread()))
    qtbot.waitUntil(lambda: bool(threads), timeout=20_000)
    assert threads == [threading.main_thread()]


def test_a_result_for_a_deleted_owner_is_dropped(qtbot: QtBot, worker: Worker) -> None:
    parent, go, got, last = QObject(), threading.Event(), [], []
    owner = QObject(parent)
    worker.submit(owner, lambda: go.wait(20), got.append)
    worker.submit(worker, lambda: "after it", last.append)
    shiboken6.delete(parent)
    go.set()
    qtbot.waitUntil(lambda: bool(last), timeout=20_000)
    assert got == []


def test_a_job_that_ends_after_its_owner_was_deleted_is_dropped(qtbot: QtBot, worker: Worker) -> None:
    owner, go, got, ended, last = QObject(), threading.Event(), [], threading.Event(), []

    def job(watch: Watch) -> str:
        go.wait(20)
        watch.tell(1, 2, "halfway")
        ended.set()
        return "late"

    worker.start(owner, job, got.append, progress=lambda *told: got.append(told))
    shiboken6.delete(owner)
    go.set()
    assert ended.wait(20)
    worker.submit(worker, lambda: "after it", last.append)
    qtbot.waitUntil(lambda: bool(last), timeout=20_000)
    assert got == []


def test_nothing_is_delivered_after_close_but_all_stored(qtbot: QtBot, worker: Worker) -> None:
    stored, got = [], []
    for number in range(20):
        worker.submit(worker, lambda n=number: stored.append(n), got.append)
    worker.close()
    qtbot.wait(0)
    assert stored == list(range(20))
    assert got == []


def test_close_asks_jobs_to_stop_and_waits_for_them(qtbot: QtBot, worker: Worker) -> None:
    ended = []

    def job(watch: Watch) -> None:
        wait = threading.Event()
        while not watch.asked():
            wait.wait(0.001)
        ended.append(True)
        raise Stopped("stopped")

    worker.start(worker, job, lambda _: None)
    worker.close()
    assert ended == [True]


def test_an_error_goes_to_who_asked_or_to_the_worker(qtbot: QtBot, worker: Worker) -> None:
    taken, untaken = [], []
    worker.failed.connect(untaken.append)

    def refuse() -> None:
        raise UserError("This cannot be done.")

    worker.submit(worker, refuse, lambda _: None, taken.append)
    worker.submit(worker, refuse, lambda _: None)
    qtbot.waitUntil(lambda: bool(untaken), timeout=20_000)
    assert [str(error) for error in taken + untaken] == ["This cannot be done."] * 2


def test_progress_is_told_in_the_thread_of_the_window(qtbot: QtBot, worker: Worker) -> None:
    told, results = [], []

    def job(watch: Watch) -> str:
        watch.tell(1, 3, "reading")
        return "done"

    worker.start(
        worker, job, results.append, progress=lambda *all_: told.append((*all_, threading.current_thread()))
    )
    qtbot.waitUntil(lambda: bool(results), timeout=20_000)
    assert told == [(1, 3, "reading", threading.main_thread())]


class Circle(QObject):
    """An object that only the collector frees, and that tells in which thread."""

    def __init__(self, freed: list[str]) -> None:
        super().__init__()
        self.itself = self
        weakref.finalize(self, lambda: freed.append(threading.current_thread().name))


def test_no_job_frees_an_object_of_the_window(qtbot: QtBot, worker: Worker) -> None:
    freed: list[str] = []
    Circle(freed)

    def litter() -> None:
        for _ in range(3 * gc.get_threshold()[0]):
            circle: list[object] = []
            circle.append(circle)

    done: list[object] = []
    worker.submit(worker, litter, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=20_000)
    assert freed in ([], [threading.main_thread().name]), "the window may have had time for it"
    collect_garbage()
    assert freed == [threading.main_thread().name]
    worker.close()
    assert gc.isenabled()
