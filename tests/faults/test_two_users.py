"""Two real users of one computer on one project: one writes at a time, and what they store stays."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.storage.care import integrity
from annotator.storage.file import file_lock
from annotator.storage.store import Store
from tests.faults import programs
from tests.faults.programs import as_user, grade_and_wait, lost, open_and_read, started

Count = Callable[[int, int], int]
Work = Callable[..., None]

GROUP, ANA, BEN = 61_000, 61_001, 61_002

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be two other users"
)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a project of Ana's in a folder of a group, and let every user have a home."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    homes, place = top / "homes", top / "place"
    homes.mkdir()
    homes.chmod(0o777)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(homes / name))
    place.mkdir()
    os.chown(place, ANA, GROUP)
    place.chmod(0o2770)
    programs.new_project(place / "shared.annot")
    os.chown(place / "shared.annot", ANA, GROUP)
    (place / "shared.annot").chmod(0o660)
    yield place / "shared.annot"
    shutil.rmtree(top)


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o007])
def test_the_second_user_is_told_who_has_the_file_and_writes_when_that_one_was_killed(
    shared: Path, count: Count, umask: int
) -> None:
    done: list[tuple[str, str, int]] = []
    bens: list[tuple[str, str, int]] = []
    for _ in range(count(2, 50)):
        with started(as_user, shared, len(done)) as (first, pipe):
            pipe.send((grade_and_wait, ANA, GROUP, umask))
            for _ in range(3):
                pipe.send("grade")
                done.append(pipe.recv())
            with started(as_user, shared) as (_, other):
                other.send((open_and_read, BEN, GROUP, umask))
                said = other.recv()
                assert f"user{ANA}" in said
                assert f"process {first.pid}" in said
                pipe.send("grade")
                done.append(pipe.recv())
                other.send("stop")
                assert other.recv() == "read along"
            first.kill()
            first.join()
        with started(as_user, shared, 0) as (child, other):
            other.send((open_and_read, BEN, GROUP, umask))
            assert other.recv() == "opened"
            bens = [other.recv() for _ in range(50)]
            child.join()
    assert lost(shared, done) == 0
    assert lost(shared, bens, "Ben") == 0
    assert [one.name for one in shared.parent.iterdir()] == [shared.name]
    with Store.open(shared) as store:
        assert integrity.check(store.db) == []


def test_removing_the_note_of_who_has_the_file_does_not_let_the_second_write(shared: Path) -> None:
    with started(as_user, shared) as (_, pipe):
        pipe.send((grade_and_wait, ANA, GROUP, 0o022))
        pipe.send("grade")
        pipe.recv()
        file_lock.note_of(shared).unlink()
        with started(as_user, shared) as (_, other):
            other.send((open_and_read, BEN, GROUP, 0o022))
            assert "another window or program" in other.recv()
            other.send("stop")
            assert other.recv() == "read along"


def test_a_note_that_a_killed_program_left_and_nobody_else_may_remove_stops_nobody(shared: Path) -> None:
    shared.parent.chmod(0o3770)  # as /tmp is: everybody removes only what is theirs
    with started(as_user, shared) as (first, pipe):
        pipe.send((grade_and_wait, ANA, GROUP, 0o022))
        pipe.send("grade")
        pipe.recv()
        first.kill()
        first.join()
    assert file_lock.note_of(shared).exists()
    with started(as_user, shared) as (_, other):
        other.send((open_and_read, BEN, GROUP, 0o022))
        assert other.recv() == "opened"


def test_who_may_only_read_reads_along_while_the_other_writes(shared: Path) -> None:
    shared.chmod(0o640)
    with started(as_user, shared) as (_, pipe):
        pipe.send((grade_and_wait, ANA, GROUP, 0o022))
        pipe.send("grade")
        pipe.recv()
        with started(as_user, shared) as (_, other):
            other.send((open_and_read, BEN, GROUP, 0o022))
            assert "can be opened for reading" in other.recv()
            pipe.send("grade")
            assert pipe.recv()
            other.send("stop")
            assert other.recv() == "read along"


def test_control_without_the_lock_the_second_user_is_not_refused(shared: Path) -> None:
    with started(as_user, shared) as (_, pipe):
        pipe.send((grade_and_wait, ANA, GROUP, 0o022))
        pipe.send("grade")
        pipe.recv()
        with started(as_user, shared) as (_, other):
            other.send((programs.without_a_lock, BEN, GROUP, 0o022))
            assert other.recv() == "opened"
