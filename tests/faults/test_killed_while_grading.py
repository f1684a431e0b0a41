"""Kill -9 while grading through the project layer, and copies of the file at such moments."""

import random
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.storage.care import integrity
from annotator.storage.store import Store
from tests.faults import programs
from tests.faults.programs import grade_and_wait, grade_for_ever, lost, messages, started

Count = Callable[[int, int], int]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    programs.new_project(tmp_path / "killed.annot")
    return tmp_path / "killed.annot"


def killed(work: Callable[..., None], path: Path, done: list[tuple[str, str, int]], wait: float) -> None:
    """Let a child grade on, kill it after a few grades and a moment, and note what it acknowledged."""
    with started(work, path, len(done)) as (child, pipe):
        done.append(pipe.recv())
        done.append(pipe.recv())
        time.sleep(wait)
        child.kill()
        done.extend(messages(pipe))


def test_no_acknowledged_grade_is_lost_when_the_program_is_killed(project: Path, count: Count) -> None:
    chance = random.Random(1)
    done: list[tuple[str, str, int]] = []
    for _ in range(count(45, 995)):
        killed(grade_for_ever, project, done, chance.random() * 0.02)
        assert lost(project, done) == 0
    with Store.open(project) as store:
        assert store.db.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert integrity.check(store.db) == []


def test_nor_when_it_was_started_from_nothing(project: Path) -> None:
    done: list[tuple[str, str, int]] = []
    for round_ in range(5):
        with programs.cold(project, len(done)) as program:
            assert program.stdout is not None
            for line in program.stdout:
                query, candidate, value = line.split()
                done.append((query, candidate, int(value)))
                if len(done) == 7 * (round_ + 1):
                    program.kill()
        assert lost(project, done) == 0


def test_control_a_grade_acknowledged_before_the_commit_is_lost(project: Path) -> None:
    with started(programs.acknowledge_too_early, project) as (child, pipe):
        query, candidate, _ = pipe.recv()
        child.kill()
    assert (query, candidate) not in programs.stored(project)


def test_a_copy_of_the_open_file_holds_every_acknowledged_grade(project: Path, count: Count) -> None:
    copy = project.with_name("copy.annot")
    done = []
    with started(grade_and_wait, project) as (_, pipe):
        for _ in range(count(50, 500)):
            pipe.send("grade")
            done.append(pipe.recv())
            shutil.copy(project, copy)
            assert lost(copy, done) == 0


def test_a_copy_after_a_kill_and_after_closing_holds_them_too(project: Path) -> None:
    copy = project.with_name("copy.annot")
    done: list[tuple[str, str, int]] = []
    for _ in range(50):
        with started(grade_and_wait, project, len(done)) as (child, pipe):
            for _ in range(5):
                pipe.send("grade")
                done.append(pipe.recv())
            child.kill()
        shutil.copy(project, copy)
        assert lost(copy, done) == 0
        with Store.open(project):
            pass
        shutil.copy(project, copy)
        assert lost(copy, done) == 0


def test_control_a_copy_of_a_file_in_wal_mode_lacks_the_grades(tmp_path: Path) -> None:
    wal, copy = tmp_path / "wal.db", tmp_path / "copy.db"
    db = sqlite3.connect(wal, isolation_level=None)
    db.execute("CREATE TABLE grade(value)")
    db.execute("PRAGMA journal_mode = WAL")
    for value in range(50):
        db.execute("INSERT INTO grade VALUES (?)", (value,))
    shutil.copy(wal, copy)
    db.close()
    copied = sqlite3.connect(copy)
    assert copied.execute("SELECT count(*) FROM grade").fetchone() == (0,)
    copied.close()
