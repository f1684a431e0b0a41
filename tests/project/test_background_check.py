"""Looking after a project in a process of its own: its outcome, its end, and that it keeps nobody waiting."""

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from annotator.errors import ProjectError, Stopped
from annotator.project import background_check, browse, judging, maintenance
from annotator.project.project import Project
from annotator.storage.file import file_copies
from annotator.watch import Watch


def left_behind() -> list[str]:
    """Return what stands beside the backups."""
    return [one.name for one in file_copies.folder("").glob(".*")]


def test_a_project_is_backed_up_by_another_process_while_it_is_open_for_writing(project: Project) -> None:
    care = background_check.look_after(project.path)
    assert care.findings == ()
    assert care.backup is not None
    assert maintenance.inside(care.backup).queries == 3
    assert left_behind() == []
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    assert background_check.look_after(project.path).backup is None


def test_what_another_process_finds_wrong_is_handed_over(project: Project) -> None:
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    with sqlite3.connect(project.path) as db:
        db.execute("UPDATE judgment SET grade = 5")
    db.close()
    care = background_check.look_after(project.path)
    assert any("not what was recorded" in one for one in care.findings)
    assert maintenance.backups_of(project.path) == []


def test_an_error_for_the_user_is_handed_over(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="unable to open"):
        background_check.look_after(tmp_path / "missing.annot")
    assert left_behind() == []


def test_stopping_ends_the_process_and_leaves_nothing(project: Project) -> None:
    looks = iter([False, False])
    with pytest.raises(Stopped):
        background_check.look_after(project.path, Watch(should_stop=lambda: next(looks, True)))
    assert left_behind() == []


def test_what_a_power_cut_left_is_removed_after_a_day(project: Project) -> None:
    for age in (0, 2):
        left = file_copies.folder("") / f"{background_check.PREFIX}{age}"
        left.mkdir(parents=True)
        (left / "copy.annot").touch()
        os.utime(left, (time.time() - age * file_copies.DAY,) * 2)
    with pytest.raises(Stopped):
        background_check.look_after(project.path, Watch(should_stop=lambda: True))
    assert left_behind() == [f"{background_check.PREFIX}0"]


def test_the_process_ends_when_the_program_that_began_it_is_killed(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    words = [sys.executable, "-c", background_check.PROGRAM, str(project.path), str(folder), *sys.path]
    holding = sqlite3.connect(project.path, isolation_level=None)
    holding.execute("BEGIN EXCLUSIVE")  # the snapshot waits, so the process lives until its input ends
    try:
        with subprocess.Popen(words, stdin=subprocess.PIPE) as child:
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(0.2)
            assert child.stdin is not None
            child.stdin.close()
            child.wait(60)
    finally:
        holding.execute("ROLLBACK")
        holding.close()
    assert not folder.exists()
