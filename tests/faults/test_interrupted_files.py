"""Journals beside a project: what a crash left is taken back when that is proved, all else is left alone."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import DamagedError, LockedError, ProjectError
from annotator.project import history, maintenance
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.storage.care import integrity
from annotator.storage.file import access, file_copies, interrupted
from annotator.storage.store import Store
from tests.faults import programs

Count = Callable[[int, int], int]
PAGE = 4_096


def journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def one_step(path: Path, step: tuple[int, int, int]) -> bytes:
    """Grade once and return the journal as it stood just before the step was stored."""
    with Project.open(path, annotator="Ana") as project:
        project.store.db.execute("PRAGMA synchronous = OFF")  # which writes the journal's head at once
        with project.store.writing() as db:
            programs.grade(project, step)
            db.execute("PRAGMA user_version = 1")  # so that the first page is in it too, as at the end
            return journal_of(path).read_bytes()


def grades(path: Path) -> int:
    with Store.open(path, read_only=True) as store:
        assert integrity.check(store.db) == []
        return int(store.db.execute("SELECT count(*) FROM judgment").fetchone()[0])


def lies(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project of five grades; beside its folder stand journals of the `first` and `last` step."""
    folder = tmp_path / "here"
    folder.mkdir()
    path = folder / "p.annot"
    programs.new_project(path)
    one_step(path, (1, 9, 5))  # opens a session, and so on: what follows changes few pages
    (tmp_path / "first").write_bytes(one_step(path, (1, 1, 5)))
    for number in (2, 3):
        one_step(path, (1, number, 5))
    shutil.copy(path, tmp_path / "before.annot")
    (tmp_path / "last").write_bytes(one_step(path, (1, 4, 5)))
    return path


def wal_of(path: Path, folder: Path) -> bytes:
    """Return a write-ahead log that another program wrote beside a copy."""
    copy = folder / "wal.annot"
    shutil.copy(path, copy)
    db = sqlite3.connect(copy, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("DELETE FROM judgment")
    found = copy.with_name("wal.annot-wal").read_bytes()
    db.close()
    return found


READING: dict[str, Callable[[Path, Path], object]] = {
    "check": lambda path, _: maintenance.check(path),
    "look into": lambda path, _: file_copies.inside(path),
    "copy": lambda path, folder: file_copies.save_copy(path, folder / "copy.annot"),
    "snapshot": lambda path, folder: file_copies.snapshot(path, folder / "snapshot.annot"),
    "evaluate": lambda path, _: evaluated(path),
    "recover": lambda path, folder: maintenance.recover(path, folder / "recovered.annot"),
    "merge": lambda path, folder: maintenance.merge(path, folder / "before.annot", folder / "merged.annot"),
}


def evaluated(path: Path) -> None:
    with Project.open(path, read_only=True) as opened:
        assert opened.damage == ()
        assert len(state_of(opened).judged.grade) == 5


@pytest.mark.parametrize("verb", READING)
@pytest.mark.parametrize("kind", ["journal of the first step", "journal of the last step", "log"])
def test_reading_a_sound_file_leaves_what_lies_beside_it_alone(
    project: Path, tmp_path: Path, kind: str, verb: str
) -> None:
    if kind == "log":
        project.with_name("p.annot-wal").write_bytes(wal_of(project, tmp_path))
    else:
        journal_of(project).write_bytes((tmp_path / kind.split()[3]).read_bytes())
    before = lies(project.parent)
    READING[verb](project, tmp_path)
    assert lies(project.parent) == before
    assert grades(project) == 5


WHILE_OPEN: dict[str, Callable[[Project], object]] = {
    "grade": lambda opened: programs.grade(opened, (1, 6, 5)),
    "undo": history.undo,
    "evaluate": state_of,
    "look up": lambda opened: opened.store.value("Ana", "query", ("q1",)),
}


@pytest.mark.parametrize("verb", WHILE_OPEN)
@pytest.mark.parametrize("kind", ["first", "last"])
def test_a_journal_put_beside_an_open_file_is_not_believed(
    project: Path, tmp_path: Path, kind: str, verb: str
) -> None:
    with Project.open(project, annotator="Ana") as opened:
        programs.grade(opened, (1, 5, 5))
        journal_of(project).write_bytes((tmp_path / kind).read_bytes())
        before = lies(project.parent)
        for _ in range(2):
            with pytest.raises(ProjectError, match="Close the project and open it again"):
                WHILE_OPEN[verb](opened)
        assert lies(project.parent) == before
        journal_of(project).unlink()
        WHILE_OPEN["grade"](opened)
        journal_of(project).write_bytes((tmp_path / kind).read_bytes())
    with Project.open(project, annotator="Ana") as again:
        assert "It was put aside into" in again.told
    assert grades(project) == 7


def test_checking_says_what_lies_there(project: Path, tmp_path: Path) -> None:
    journal_of(project).write_bytes((tmp_path / "first").read_bytes())
    findings, _, note = maintenance.check(project)
    assert findings == ()
    assert "Beside p.annot lies p.annot-journal, which it does not need" in note


@pytest.mark.parametrize("kind", ["first", "last", "log"])
def test_writing_puts_aside_what_a_sound_file_does_not_need_and_says_so(
    project: Path, tmp_path: Path, kind: str
) -> None:
    other = project.with_name("p.annot-wal") if kind == "log" else journal_of(project)
    content = wal_of(project, tmp_path) if kind == "log" else (tmp_path / kind).read_bytes()
    other.write_bytes(content)
    with Project.open(project, annotator="Ana") as opened:
        assert "It was put aside into" in opened.told
        programs.grade(opened, (1, 5, 5))
    (kept,) = file_copies.folder(opened.identity).glob("interrupted*")
    assert lies(kept) == {other.name: content}
    assert grades(project) == 6


def test_a_step_that_was_interrupted_is_taken_back_once_both_are_kept(
    project: Path, tmp_path: Path, count: Count
) -> None:
    whole, before = project.read_bytes(), (tmp_path / "before.annot").read_bytes()
    assert len(whole) == len(before)
    changed = [at for at in range(0, len(whole), PAGE) if whole[at : at + PAGE] != before[at : at + PAGE]]
    assert len(changed) > 3
    journal = (tmp_path / "last").read_bytes()
    seen = set()

    @settings(max_examples=count(12, 200), deadline=None, database=None)
    @given(st.sets(st.sampled_from(changed)))
    def hold(written: set[int]) -> None:
        half = bytearray(before)
        for at in written:
            half[at : at + PAGE] = whole[at : at + PAGE]
        project.write_bytes(half)
        journal_of(project).write_bytes(journal)
        there = lies(project.parent)
        with Store.open(project, read_only=True) as reader:
            assert integrity.check(reader.db) == []
            assert reader.told
        assert lies(project.parent) == there
        with Store.open(project) as writer:
            seen.add("it was taken back" in writer.told)
            newest = max(file_copies.folder(writer.identity).glob("interrupted*"))
        assert set(lies(newest).items()) <= set(there.items())
        assert journal_of(project).name in lies(newest)
        assert grades(project) in {4, 5}
        if written == set(changed):
            assert grades(project) == 5
        shutil.rmtree(newest)

    hold()
    assert seen == {True, False}


def test_a_journal_that_helps_no_more_than_none_leaves_a_damaged_file_alone(
    project: Path, tmp_path: Path
) -> None:
    content = bytearray(project.read_bytes())
    at = content.index(b"text 7 text 7")
    content[at] ^= 1
    project.write_bytes(content)
    journal_of(project).write_bytes((tmp_path / "first").read_bytes())
    before = lies(project.parent)
    findings, _, note = maintenance.check(project)
    assert findings
    assert "neither with it nor without" in note
    with pytest.raises(DamagedError, match="neither with it nor without"):
        Store.open(project)
    assert lies(project.parent) == before


def test_a_damaged_file_is_not_called_sound_by_a_journal_of_an_older_state(
    project: Path, tmp_path: Path
) -> None:
    """The first step's pages over a file whose only damage lies in them would be a sound older state."""
    whole, before = project.read_bytes(), (tmp_path / "before.annot").read_bytes()
    half = bytearray(whole)
    changed = [at for at in range(PAGE, len(whole), PAGE) if whole[at : at + PAGE] != before[at : at + PAGE]]
    half[changed[0] : changed[0] + PAGE] = before[changed[0] : changed[0] + PAGE]
    project.write_bytes(half)
    journal_of(project).write_bytes((tmp_path / "first").read_bytes())
    there = lies(project.parent)
    with pytest.raises(DamagedError, match="neither with it nor without"):
        Store.open(project)
    assert lies(project.parent) == there


def test_the_step_of_another_program_that_is_under_way_is_not_touched(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "BUSY_SECONDS", 0.1)
    other = sqlite3.connect(project, isolation_level=None)
    other.execute("PRAGMA synchronous = OFF")
    other.execute("BEGIN IMMEDIATE")
    other.execute("UPDATE judgment SET grade = 0")
    before = lies(project.parent)
    assert journal_of(project).name in before
    evaluated(project)
    with pytest.raises(LockedError):
        Store.open(project)
    assert lies(project.parent) == before
    other.execute("ROLLBACK")
    other.close()
    assert grades(project) == 5


def test_control_sqlite_alone_destroys_the_file(project: Path, tmp_path: Path) -> None:
    journal_of(project).write_bytes((tmp_path / "first").read_bytes())
    db = sqlite3.connect(project)
    db.execute("SELECT 1 FROM sqlite_master").fetchone()
    db.close()
    with Store.open(project, read_only=True) as store:
        assert integrity.check(store.db) != [] or grades(project) < 5


def test_a_file_with_nothing_beside_it_is_read_as_it_stands(project: Path) -> None:
    assert interrupted.beside(project) == []
    with Store.open(project, read_only=True) as store:
        assert store.told == ""
