"""The file of an open project is overwritten, replaced, moved or deleted: no step goes into another one."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.errors import ProjectError
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.storage.file import file_copies, file_lock
from tests.faults import programs


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Return an open project; beside it stand the project as it was, a colleague's copy, and another one."""
    path = tmp_path / "work" / "mine.annot"
    path.parent.mkdir()
    programs.new_project(path)
    for name in ("early", "theirs"):
        shutil.copy(path, path.with_name(f"{name}.annot"))
    programs.new_project(path.with_name("other.annot"))
    for name in ("theirs", "other"):
        with Project.open(path.with_name(f"{name}.annot"), annotator="Ben") as colleague:
            for number in range(1, 4):
                programs.grade(colleague, (2, number, 0))
    path.with_name("none.annot").write_text("no project at all\n" * 1_000)
    with Project.open(path, annotator="Ana") as opened:
        for number in range(1, 4):
            programs.grade(opened, (1, number, 5))
        yield opened


def overwritten(path: Path, by: str) -> None:
    with path.open("r+b") as file:
        file.write(path.with_name(f"{by}.annot").read_bytes())
        file.truncate()


def replaced(path: Path, by: str) -> None:
    shutil.copy(path.with_name(f"{by}.annot"), path.with_name("new"))
    os.replace(path.with_name("new"), path)


def file_for_folder(path: Path) -> None:
    folder = path.parent
    folder.rename(folder.with_name("away"))
    folder.touch()


def linked_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


SWAPS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a colleague's copy written over it": (lambda path: overwritten(path, "theirs"), "another state"),
    "an earlier state written over it": (lambda path: overwritten(path, "early"), "another state"),
    "another project written over it": (lambda path: overwritten(path, "other"), "another project"),
    "something else written over it": (lambda path: overwritten(path, "none"), "no project"),
    "emptied": (lambda path: os.truncate(path, 0), "not built like a project"),
    "a colleague's copy in its place": (lambda path: replaced(path, "theirs"), "in the place"),
    "a backup in its place": (lambda path: replaced(path, "early"), "in the place"),
    "moved": (lambda path: path.rename(path.with_name("elsewhere.annot")), "moved, renamed or deleted"),
    "deleted": (lambda path: path.unlink(), "moved, renamed or deleted"),
    "moved with its folder": (file_for_folder, "moved, renamed or deleted"),
    "out of reach": (linked_to_itself, "cannot be reached any more"),
}


@pytest.mark.parametrize("kind", SWAPS)
def test_no_step_goes_into_another_file_and_the_user_is_told_what_happened(
    project: Project, kind: str
) -> None:
    swap, words = SWAPS[kind]
    path = project.path
    swap(path)
    there = path.read_bytes() if path.exists() else None
    for _ in range(2):
        with pytest.raises(ProjectError, match=words) as told:
            programs.grade(project, (1, 9, 2))
    assert "stored nowhere" in str(told.value)
    assert (path.read_bytes() if path.exists() else None) == there
    with pytest.raises(ProjectError, match=words):
        state_of(project)


@pytest.mark.parametrize("kind", ["a backup in its place", "moved", "deleted"])
def test_what_was_stored_in_a_file_that_is_gone_is_kept_as_a_backup(project: Project, kind: str) -> None:
    head = project.store.head()
    SWAPS[kind][0](project.path)
    with pytest.raises(ProjectError) as told:
        programs.grade(project, (1, 9, 2))
    (kept, *_) = file_copies.backups(project.identity)
    assert str(kept.path) in str(told.value)
    assert file_copies.inside(kept.path).head == head


def test_a_file_that_goes_in_the_instant_behind_a_step_is_missed_by_the_next(project: Project) -> None:
    project.path.unlink()
    project.store.file.stamp = project.store.file.seen()  # as the step takes it when it is stored
    with pytest.raises(ProjectError, match="moved, renamed or deleted"):
        programs.grade(project, (1, 9, 2))
    with pytest.raises(ProjectError, match="moved, renamed or deleted"):
        state_of(project)


def test_without_a_copy_the_backups_are_named_where_there_are_any(project: Project) -> None:
    made = file_copies.back_up(project.path)
    assert made is not None
    overwritten(project.path, "theirs")
    with pytest.raises(ProjectError) as told:
        programs.grade(project, (1, 9, 2))
    assert f"The newest backup is {made.path}." in str(told.value)


def test_a_file_that_comes_back_goes_on(project: Project) -> None:
    away = project.path.rename(project.path.with_name("away.annot"))
    with pytest.raises(ProjectError, match="moved"):
        programs.grade(project, (1, 9, 2))
    away.rename(project.path)
    assert programs.grade(project, (1, 9, 2)) == ("q0", "d8", 2)


def test_control_a_file_that_was_only_touched_goes_on(project: Project) -> None:
    for touch in (lambda: project.path.chmod(0o600), lambda: os.utime(project.path, (1, 1))):
        touch()
        programs.grade(project, (1, 9, project.path.stat().st_mode % 6))
        state_of(project)


def test_the_event_of_another_program_is_no_end_to_build_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the file system has no locks."""
    sleeping = project.store.lock
    assert sleeping is not None
    file_lock.switch(sleeping.descriptor, "off")
    monkeypatch.setattr(file_lock, "HELD", set[tuple[int, int]]())
    with Project.open(project.path, annotator="Ben") as other:
        programs.grade(other, (3, 3, 3))
    with pytest.raises(ProjectError, match="Another program wrote"):
        programs.grade(project, (1, 9, 2))
    state_of(project)


def test_who_only_reads_follows_a_file_that_grows_and_refuses_another(project: Project) -> None:
    with Project.open(project.path, read_only=True) as reader:
        state_of(reader)
        programs.grade(project, (1, 9, 2))
        assert len(state_of(reader).judged.grade) == 4
        replaced(project.path, "theirs")
        with pytest.raises(ProjectError, match="in the place"):
            state_of(reader)
