"""Two programs on one file, a read-only place, a newer version."""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.errors import LockedError, NewerError
from annotator.project.project import Project
from annotator.storage.file import access
from annotator.storage.store import Store
from tests.faults import programs
from tests.faults.programs import grade_and_wait, lost, open_and_read, open_as_nobody, started

Count = Callable[[int, int], int]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    programs.new_project(tmp_path / "shared.annot")
    return tmp_path / "shared.annot"


def test_the_second_program_is_told_who_has_the_file_reads_along_and_nothing_is_lost(
    project: Path, count: Count
) -> None:
    with started(grade_and_wait, project) as (first, pipe):
        pipe.send("grade")
        done = [pipe.recv()]
        with started(open_and_read, project) as (_, other):
            assert f"process {first.pid}" in other.recv()
            for _ in range(count(49, 499)):
                pipe.send("grade")
                done.append(pipe.recv())
            other.send("stop")
            assert other.recv() == "read along"
    assert lost(project, done) == 0


def test_the_refusal_waits_for_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(grade_and_wait, project) as (first, pipe):
        pipe.send("grade")
        pipe.recv()
        with monkeypatch.context() as patch:
            patch.setattr(time, "sleep", lambda _: pytest.fail("it waited"))
            with pytest.raises(LockedError, match=f"process {first.pid}"):
                Project.open(project, annotator="Ben")


def test_when_the_first_has_closed_or_died_the_second_may_write(project: Path) -> None:
    with started(grade_and_wait, project) as (first, pipe):
        pipe.send("grade")
        done = [pipe.recv()]
        first.kill()
        first.join()
        with started(open_and_read, project) as (_, other):
            assert other.recv() == "opened"
            bens = [other.recv() for _ in range(50)]
    assert lost(project, done) == 0
    assert lost(project, bens, "Ben") == 0


def test_control_without_the_lock_the_second_is_not_refused(project: Path) -> None:
    with started(grade_and_wait, project) as (_, pipe):
        pipe.send("grade")
        pipe.recv()
        with started(programs.without_a_lock, project) as (_, other):
            assert other.recv() == "opened"


def test_control_two_writers_that_read_before_they_lock_lose_updates(tmp_path: Path) -> None:
    first, second = (sqlite3.connect(tmp_path / "naive.db", isolation_level=None) for _ in range(2))
    first.execute("CREATE TABLE counter(value)")
    first.execute("INSERT INTO counter VALUES (0)")
    read = [db.execute("SELECT value FROM counter").fetchone()[0] for db in (first, second)]
    for db, value in zip((first, second), read, strict=True):
        db.execute("UPDATE counter SET value = ?", (value + 1,))
    assert first.execute("SELECT value FROM counter").fetchone() == (1,)
    first.close()
    second.close()


@pytest.fixture
def public(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a project in a folder that everybody may enter, with folders of the user that all may use."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    state = folder / "state"
    state.mkdir()
    state.chmod(0o777)
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    place = folder / "place"
    place.mkdir()
    place.chmod(0o777)
    shutil.copy(project, place)
    (place / project.name).chmod(0o666)
    yield place / project.name
    place.chmod(0o777)
    shutil.rmtree(folder)


def answer(path: Path) -> tuple[object, ...]:
    with started(open_as_nobody, path) as (_, pipe):
        found: tuple[object, ...] = pipe.recv()
        return found


def test_a_read_only_file_opens_for_reading_and_says_so(public: Path) -> None:
    public.chmod(0o444)
    before = public.read_bytes()
    kind, message, queries = answer(public)
    assert (kind, queries) == ("ReadOnlyError", programs.QUERIES)
    assert "opened for reading" in str(message)
    assert public.read_bytes() == before


def test_so_does_a_file_in_a_read_only_folder(public: Path) -> None:
    public.parent.chmod(0o555)
    kind, _, queries = answer(public)
    assert (kind, queries) == ("ReadOnlyError", programs.QUERIES)


def test_control_the_same_program_grades_where_it_may_write(public: Path) -> None:
    assert answer(public) == ("opened", ("q0", "d0", 0))


@pytest.mark.parametrize("version", [access.VERSION + 1, 7, 2**31 - 1])
def test_a_file_of_a_newer_version_is_refused_by_name_and_unchanged(project: Path, version: int) -> None:
    content = bytearray(project.read_bytes())
    content[60:64] = version.to_bytes(4, "big")
    project.write_bytes(content)
    for read_only in (False, True):
        with pytest.raises(NewerError, match=f"schema {version}"):
            Project.open(project, read_only=read_only)
    assert project.read_bytes() == bytes(content)


def test_control_a_file_of_this_version_opens(project: Path) -> None:
    with Store.open(project) as store:
        assert store.identity
