"""Imports and exports that are killed, and a disk that is full."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import ProjectError
from annotator.project.project import Project
from annotator.storage.care import integrity
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.file import file_copies
from annotator.storage.store import Store
from tests.faults import programs
from tests.faults.programs import fill_the_disk, lost, started

Count = Callable[[int, int], int]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    programs.new_project(tmp_path / "step.annot")
    return tmp_path / "step.annot"


def held(path: Path) -> tuple[int, int]:
    """Return how many queries and documents a file holds, once it was proved sound."""
    with Store.open(path) as store:
        assert integrity.check(store.db) == []
        found = file_copies.inside(path)
    return found.queries, found.documents


BEFORE = (programs.QUERIES, programs.CANDIDATES)
AFTER = (programs.QUERIES + 500, programs.CANDIDATES + 4_000)


def test_an_import_that_is_killed_is_all_there_or_not_at_all(project: Path, count: Count) -> None:
    chance = random.Random(12)
    good = project.read_bytes()
    seen = set()
    for _ in range(count(20, 200)):
        project.write_bytes(good)
        with started(programs.import_a_lot, project) as (child, pipe):
            assert pipe.recv() == "started"
            pipe.poll(chance.random() * 0.4)
            child.kill()
        seen.add(held(project))
    assert seen <= {BEFORE, AFTER}
    assert BEFORE in seen


def test_control_an_import_in_two_transactions_is_found_half_done(project: Path) -> None:
    with started(programs.import_in_two_steps, project) as (child, pipe):
        assert pipe.recv() == "started"
        child.kill()
    assert held(project) not in {BEFORE, AFTER}


def test_an_export_that_is_killed_leaves_the_old_files_or_the_new(project: Path, count: Count) -> None:
    chance = random.Random(13)
    copy, twin = project.with_name("copy.annot"), project.with_name("twin")
    with started(programs.export_for_ever, project) as (_, pipe):
        assert pipe.recv() == "written"
    for _ in range(count(20, 200)):
        with started(programs.export_for_ever, project) as (child, pipe):
            assert pipe.recv() == "written"
            time.sleep(chance.random() * 0.02)
            child.kill()
        assert held(copy) == BEFORE
        files = [one for one in twin.rglob("*.jsonl") if ".part" not in str(one.relative_to(twin))]
        assert files, "what was begun lies in a hidden folder, which the next who writes there clears"
        for file in files:
            for line in file.read_text("utf-8").splitlines():
                json.loads(line)


def limited(path: Path, what: str, size: int) -> tuple[list[tuple[str, str, int]], tuple[str, str]]:
    """Let a child do something with files limited to a size; return what it acknowledged and how it ended."""
    with started(fill_the_disk, path) as (_, pipe):
        pipe.send((what, size))
        done: list[Any] = [pipe.recv()]
        while len(done[-1]) == 3:
            done.append(pipe.recv())
    return done[:-1], done[-1]


@pytest.mark.parametrize("what", ["grade", "import", "export", "backup"])
def test_a_full_disk_is_told_and_nothing_is_half_done(project: Path, what: str, count: Count) -> None:
    good, copy = project.read_bytes(), project.with_name("copy.annot")
    file_copies.save_copy(project, copy)
    old = copy.read_bytes()
    endings = set()
    number = count(20, 200)
    for round_ in range(number):
        project.write_bytes(good)
        size = (
            int(1_500 + round_ * 1_800_000 / number)
            if what == "import"
            else 1_500 + round_ * len(good) // number
        )
        if what == "grade":
            size = len(good) - 15_000 + round_ * 30_000 // number
        acknowledged, (ending, message) = limited(project, what, size)
        endings.add(ending)
        assert ending != "untold", message
        assert ("disk" in message) or ("written" in message) or ending == "fine"
        assert lost(project, acknowledged) == 0
        assert held(project) in {BEFORE, AFTER}
        assert copy.read_bytes() == old or held(copy) == BEFORE
        assert not list(project.parent.glob("*.part"))
        assert not list(project.parent.glob(".*part*"))
    assert "told" in endings


def test_a_database_that_may_not_grow_is_told_and_keeps_what_it_has(project: Path) -> None:
    with Project.open(project, annotator="Ana") as opened:
        opened.store.db.execute("PRAGMA max_page_count = 1")
        acknowledged: list[tuple[str, str, int]] = []
        with pytest.raises(ProjectError, match="disk is full"):
            acknowledged.extend(programs.grade(opened, step) for step in programs.steps(0))
        with pytest.raises(ProjectError, match="disk is full"):
            import_dataset(opened.store, programs.big_dataset(), Import("imported:x", "x"))
        assert opened.store.db.in_transaction is False
    assert lost(project, acknowledged) == 0
    assert held(project) == BEFORE


def test_control_a_file_written_carelessly_is_left_half(project: Path) -> None:
    _, (ending, _) = limited(project, "carelessly", 5_000)
    assert ending == "untold"
    assert project.with_name("careless").stat().st_size == 5_000
