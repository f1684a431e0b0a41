"""Power cuts: the statements of the real program replayed on a disk that forgets what was not synced."""

import itertools
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from annotator.project.project import Project
from annotator.storage.file import access
from tests.faults import programs
from tests.faults.power import Disk, File

Count = Callable[[int, int], int]
GRADES = 40
ACKNOWLEDGED = "COMMIT"
NUMBERS = itertools.count()


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[bytes, list[str]]:
    """Return a project's bytes, and every statement of the program that opens it and grades."""
    path = tmp_path / "power.annot"
    programs.new_project(path)
    before = path.read_bytes()
    statements: list[str] = []
    real = sqlite3.connect

    def connect(*positional: object, **named: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*positional, **named)  # type: ignore[call-overload]
        if "mode=rw" in str(positional[0]):
            connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(access.sqlite3, "connect", connect)
    with Project.open(path, annotator="Ana") as project:
        for step, _ in zip(programs.steps(0), range(GRADES), strict=False):
            programs.grade(project, step)
    return before, statements


class Trial:
    """One replay: cuts the power at random steps and keeps what was acknowledged by then."""

    def __init__(self, before: bytes, seed: int, cuts: int, steps: int) -> None:
        self.chance = random.Random(seed)
        self.disk = Disk(f"power {next(NUMBERS)}", self.step)
        self.disk.files["/project.annot"] = File(bytearray(before), before, [], on_disk=True)
        self.acknowledged = 0
        self.share = cuts / steps if steps else 0.0
        self.steps = 0
        self.found: list[tuple[int, dict[str, bytes]]] = []

    def step(self) -> None:
        self.steps += 1
        if self.share and self.chance.random() < self.share:
            self.found.append((self.acknowledged, self.disk.after_a_power_cut(self.chance)))

    def replay(self, statements: list[str]) -> None:
        db = apsw.Connection("/project.annot", vfs=self.disk.vfs_name)
        for statement in statements:
            for _ in db.execute(statement):
                pass
            if statement == ACKNOWLEDGED:
                self.acknowledged += 1
                self.step()
        db.close()
        self.disk.unregister()


def outcomes(folder: Path, before: bytes, statements: list[str], cuts: int) -> Iterator[tuple[bool, bool]]:
    """Replay until the power was cut often enough; yield (grades lost, file corrupt) of each cut."""
    counting = Trial(before, 0, 0, 0)
    counting.replay(statements)
    seed = done = 0
    while done < cuts:
        seed += 1
        trial = Trial(before, seed, 60, counting.steps)
        trial.replay(statements)
        for acknowledged, files in trial.found[: cuts - done]:
            done += 1
            yield judged(folder, acknowledged, files)


def judged(folder: Path, acknowledged: int, files: dict[str, bytes]) -> tuple[bool, bool]:
    """Open what a power cut left, as SQLite does after a restart, and tell (grades lost, file corrupt)."""
    path = folder / "after.annot"
    journal = folder / "after.annot-journal"
    path.write_bytes(files["/project.annot"])
    journal.unlink(missing_ok=True)
    if "/project.annot-journal" in files:
        journal.write_bytes(files["/project.annot-journal"])
    db = sqlite3.connect(path)
    try:
        grades = db.execute("SELECT count(*) FROM event WHERE task = 'grade'").fetchone()[0]
        sound = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return grades < acknowledged, not sound
    except sqlite3.DatabaseError:
        return True, True
    finally:
        db.close()


def weaker(statements: list[str], synchronous: str) -> list[str]:
    """Return the statements with another `synchronous`."""
    changed = [
        f"PRAGMA synchronous = {synchronous}" if one == "PRAGMA synchronous = EXTRA" else one
        for one in statements
    ]
    assert changed != statements
    return changed


def test_no_acknowledged_grade_is_lost_and_no_file_corrupt_when_the_power_fails(
    tmp_path: Path,
    traced: tuple[bytes, list[str]],
    count: Count,
    record_property: Callable[[str, object], None],
) -> None:
    record_property("sqlite", f"program {sqlite3.sqlite_version}, replay {apsw.sqlite_lib_version()}")
    found = list(outcomes(tmp_path, *traced, count(200, 1_000)))
    assert len(found) == count(200, 1_000)
    assert (sum(lost for lost, _ in found), sum(corrupt for _, corrupt in found)) == (0, 0)


def test_control_without_syncing_files_are_corrupt(tmp_path: Path, traced: tuple[bytes, list[str]]) -> None:
    before, statements = traced
    assert any(corrupt for _, corrupt in outcomes(tmp_path, before, weaker(statements, "OFF"), 60))


def test_control_without_syncing_the_folder_the_last_grade_is_lost(
    tmp_path: Path, traced: tuple[bytes, list[str]]
) -> None:
    before, statements = traced
    found = list(outcomes(tmp_path, before, weaker(statements, "FULL"), 120))
    assert any(lost for lost, _ in found)
    assert not any(corrupt for _, corrupt in found)
