"""A project of an earlier version that is killed, or runs out of disk, while it is brought up to date."""

import itertools
import os
import random
import resource
import signal
import sqlite3
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import DamagedError, UserError
from annotator.project import twin
from annotator.storage import checking, copying, opening, upgrading
from annotator.storage.store import Store
from tests.faults.programs import started
from tests.storage.earlier import said, version1

Count = Callable[[int, int], int]
NAME = "documents"
UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def upgrade(path: Path, pipe: Connection, last: int) -> None:
    """Open for writing, with every statement told; die before the one with the number `last`."""
    numbers, connect = itertools.count(), opening.connect

    def before(statement: str) -> None:
        if next(numbers) == last:
            os.kill(os.getpid(), signal.SIGKILL)
        if last < 0:
            pipe.send(statement)

    def watched(*given: Any, **named: Any) -> sqlite3.Connection:
        db = connect(*given, **named)
        db.set_trace_callback(before)
        return db

    upgrading.PIECE = 2
    opening.connect = watched
    Store.open(path).close()
    pipe.send("")


def upgrade_in_two_steps(path: Path, pipe: Connection, last: int) -> None:
    """Do what must not be done: store each table by itself."""
    remake = upgrading.remake

    def apart(db: sqlite3.Connection, *given: Any) -> None:
        remake(db, *given)
        db.execute("COMMIT")
        db.execute("BEGIN IMMEDIATE")

    upgrading.remake = apart
    upgrade(path, pipe, last)


def upgrade_on_a_full_disk(path: Path, pipe: Connection, size: int) -> None:
    """Open for writing with files limited in size once the backup is made, and say how it ended."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    kept = upgrading.kept

    def kept_and_full(*given: Any) -> Path:
        found = kept(*given)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        return found

    upgrading.kept = kept_and_full
    try:
        Store.open(path).close()
        pipe.send("fine")
    except UserError as error:
        resource.setrlimit(resource.RLIMIT_FSIZE, UNLIMITED)
        pipe.send(str(error))


def statements(path: Path, work: Callable[[Path, Connection, int], None] = upgrade) -> list[str]:
    """Return all statements of an upgrade that nobody disturbs."""
    with started(work, path, -1) as (_, pipe):
        return list(iter(pipe.recv, ""))


def state_of(path: Path) -> int:
    """Return the version of a file once it was proved to be wholly of that version and to hold everything."""
    with Store.open(path, read_only=True) as store:
        assert checking.check(store.db) == []
        assert twin.dump(store, path.with_name("twin")) == said(NAME)["hash"]
        return opening.version(store.db)


def state_after(path: Path) -> int:
    """Return the version that was left, once the backups open too and another try brings it up to date."""
    found = state_of(path)
    for backup in copying.backups("*"):
        assert state_of(backup.path) == 1
    Store.open(path).close()
    assert state_of(path) == opening.VERSION
    return found


@pytest.mark.parametrize("step", ["check and backup", "tables", "check again"])
def test_an_upgrade_that_is_killed_in_any_step_leaves_the_old_file_or_the_new(
    tmp_path: Path, step: str, count: Count
) -> None:
    path = version1(NAME, tmp_path)
    all_of_them = statements(path)
    starts = [one.split(" (")[0].strip() for one in all_of_them]
    tables, again = starts.index("CREATE TABLE new_content"), starts.index("PRAGMA user_version = 2")
    first, last = {
        "check and backup": (0, tables),
        "tables": (tables, again + 1),
        "check again": (again + 1, len(starts)),
    }[step]
    rounds = count(10, 100)
    for number in sorted({first + place * (last - first) // rounds for place in range(rounds)}):
        version1(NAME, tmp_path)
        with started(upgrade, path, number) as (child, _):
            child.join()
            assert child.exitcode == -signal.SIGKILL
        committed = number > starts.index("COMMIT", again)
        assert state_after(path) == (opening.VERSION if committed else 1), all_of_them[number]


def test_an_upgrade_that_is_killed_while_it_is_stored_leaves_the_old_file_or_the_new(
    tmp_path: Path, count: Count
) -> None:
    chance = random.Random(9)
    path = version1(NAME, tmp_path)
    for _ in range(count(10, 100)):
        version1(NAME, tmp_path)
        with started(upgrade, path, -1) as (child, pipe):
            for statement in iter(pipe.recv, "PRAGMA user_version = 2"):
                assert statement
            for statement in iter(pipe.recv, "COMMIT"):
                assert statement
            pipe.poll(chance.random() * 0.02)
            child.kill()
        assert state_after(path) in {1, opening.VERSION}


def test_control_an_upgrade_in_two_transactions_is_found_half_done(tmp_path: Path) -> None:
    path = version1(NAME, tmp_path)
    at = statements(path, upgrade_in_two_steps).index("DROP TABLE candidate")
    version1(NAME, tmp_path)
    with started(upgrade_in_two_steps, path, at) as (child, _):
        child.join()
    with pytest.raises(DamagedError, match="table content is changed"):
        state_of(path)


def test_a_disk_that_is_full_in_the_middle_leaves_the_old_file_as_it_was(
    tmp_path: Path, count: Count
) -> None:
    path = version1(NAME, tmp_path)
    old = path.read_bytes()
    told = 0
    rounds = count(10, 100)
    for round_ in range(rounds):
        path.write_bytes(old)
        with started(upgrade_on_a_full_disk, path, round_ * len(old) * 11 // rounds // 10) as (_, pipe):
            ending = pipe.recv()
        if ending != "fine":
            told += 1
            assert "can be opened for reading" in ending
            assert state_of(path) == 1
            assert path.read_bytes() == old
        assert state_after(path) == (opening.VERSION if ending == "fine" else 1)
    assert told
