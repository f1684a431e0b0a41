"""Who does the parts of a large piece of work: this process, others on this computer, or a Dask cluster.

An engine calls a function for each task and hands over what it returns. All but the first are an executor
with the interface of `concurrent.futures`, which is given whole tasks.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from annotator.errors import MissingExtra, UserError, how_to_install
from annotator.watch import Watch

Task = tuple[Any, ...]
Take = Callable[[int, Any], None]
"""Is given the number of a task and what came of it, in any order."""
Engine = Callable[[Callable[..., Any], Sequence[Task], Take, Watch], None]

LOOK = 0.2
"""So many seconds pass between two looks whether to stop."""
TRIES = 3
"""So often in a row a worker may die without any task being done meanwhile."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_turn(do: Callable[..., Any], tasks: Sequence[Task], take: Take, watch: Watch) -> None:
    """Do one task after the other in this process."""
    for at, task in enumerate(tasks):
        watch.look()
        take(at, do(*task))


def on(executor: Executor) -> Engine:
    """Return the engine that gives tasks to an executor that is there, and stays there."""
    return _engine(lambda: nullcontext(executor), renewed=False)


def local(jobs: int | None = None) -> Engine:
    """Return the engine of so many processes on this computer; as many as it has processors for None.

    Where a process dies new ones do what was not done.
    """
    return _engine(lambda: _processes(jobs or processors()), renewed=True)


def dask(address: str = "", jobs: int | None = None) -> Engine:
    """Return the engine of a Dask cluster: at an address, or of so many processes on this computer.

    Dask itself does the tasks of a worker that died again. Raises MissingExtra without `distributed`.
    """
    return _engine(lambda: _cluster(address, jobs), renewed=False)


def _engine(executors: Callable[[], AbstractContextManager[Executor]], renewed: bool) -> Engine:
    def run(do: Callable[..., Any], tasks: Sequence[Task], take: Take, watch: Watch) -> None:
        left = dict(enumerate(tasks))
        deaths = 0

        def done(at: int, found: Any) -> None:
            nonlocal deaths
            deaths = 0
            del left[at]
            take(at, found)

        while left:
            try:
                with executors() as executor:
                    _round(executor, do, dict(left), done, watch)
            except BrokenExecutor:
                deaths += 1
                if not renewed or deaths == TRIES:
                    raise _dead(len(left), len(tasks)) from None

    return run


def _dead(left: int, total: int) -> UserError:
    return UserError(
        f"Worker processes died, and {left:,} of {total:,} parts are not done. Mostly that is for want of "
        "memory: give fewer jobs, or make smaller parts."
    )


def _round(
    executor: Executor, do: Callable[..., Any], tasks: dict[int, Task], done: Take, watch: Watch
) -> None:
    """Give all tasks to an executor and hand over what comes; what is not begun is cancelled in the end."""
    futures = {executor.submit(do, *task): at for at, task in tasks.items()}
    try:
        while futures:
            watch.look()
            for future in wait(futures, LOOK, FIRST_COMPLETED).done:
                done(futures.pop(future), _result(future))
    finally:
        for future in futures:
            future.cancel()


def _result(future: Any) -> Any:
    """Return what came of a task; a worker that died over it is told as such, whatever the executor."""
    try:
        return future.result()
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # of Dask, which is not loaded here
            raise BrokenExecutor from error
        raise


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Give processes that begin anew, so that no thread or lock of this one comes with them."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    """Let a process leave Ctrl-C to the one that it works for, and end when that one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def _cluster(address: str, jobs: int | None) -> Iterator[Executor]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtra(
            f"Dask is not installed. Install it with: {how_to_install('cluster')} (nothing else changes)."
        ) from None
    with _cluster_of(address, jobs, LocalCluster) as cluster:
        try:
            client = Client(cluster)
        except OSError as error:
            raise UserError(f"No Dask scheduler answers at {address} ({error}).") from None
        with client, client.get_executor(pure=False) as executor:
            yield executor


def _cluster_of(address: str, jobs: int | None, local_cluster: Any) -> AbstractContextManager[Any]:
    if address:
        return nullcontext(address)
    cluster: AbstractContextManager[Any] = local_cluster(
        n_workers=jobs or processors(), threads_per_worker=1, dashboard_address=None
    )
    return cluster
