import sqlite3
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from annotator.errors import DamagedError, ProjectError, Stopped
from annotator.records import Dataset, Document
from annotator.storage.care import integrity
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.file import access, file_copies
from annotator.storage.file.file_copies import DAY, HOUR, Backup
from annotator.storage.store import Store
from annotator.watch import Watch

NOON = 1_800_000_000.0


def grade(store: Store, number: int) -> None:
    store.record("Ana", "grade", ("q2", "d3"), {"state": "graded", "grade": number})


def test_a_copy_is_a_sound_project_with_the_same_ledger(full: Store, tmp_path: Path) -> None:
    file_copies.save_copy(full.path, tmp_path / "copy.annot")
    with Store.open(tmp_path / "copy.annot") as copy:
        assert (copy.head(), copy.identity) == (full.head(), full.identity)
        assert integrity.check(copy.db) == []


def test_a_copy_replaces_an_older_one_and_leaves_nothing_else(full: Store, tmp_path: Path) -> None:
    target = tmp_path / "copies" / "copy.annot"
    file_copies.save_copy(full.path, target)
    grade(full, 2)
    file_copies.save_copy(full.path, target)
    assert [one.name for one in target.parent.iterdir()] == ["copy.annot"]
    assert file_copies.inside(target).head == full.head()


def test_a_copy_tells_how_much_is_written_and_can_be_stopped(
    full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.watch.STEPS_BETWEEN_LOOKS", 10)
    # more than SQLite keeps in memory before it writes
    documents = [Document(f"long {number}", "", "x" * 100_000) for number in range(450)]
    import_dataset(full, Dataset(documents=documents), Import("Ana", "made", "person"))
    told: list[tuple[int, int]] = []
    target = tmp_path / "copies" / "copy.annot"
    file_copies.save_copy(
        full.path, target, watch=Watch("Stopped.", lambda done, total, _: told.append((done, total)))
    )
    assert told == sorted(told)
    [whole] = {total for _, total in told}
    assert 45_000_000 < target.stat().st_size <= whole
    assert told[0][0] < told[-1][0] <= whole
    before = target.read_bytes()
    with pytest.raises(Stopped, match=r"Stopped\."):
        file_copies.save_copy(full.path, target, watch=Watch("Stopped.", None, lambda: True))
    assert [one.name for one in target.parent.iterdir()] == ["copy.annot"]
    assert target.read_bytes() == before


def test_a_project_is_not_copied_onto_itself(full: Store) -> None:
    with pytest.raises(ProjectError, match="onto itself"):
        file_copies.save_copy(full.path, full.path)


def test_a_backup_is_made_when_something_changed_and_an_hour_passed(full: Store) -> None:
    first = file_copies.back_up(full.path, now=NOON)
    assert first is not None
    assert file_copies.back_up(full.path, now=NOON + 2 * HOUR) is None
    grade(full, 2)
    assert file_copies.back_up(full.path, now=NOON + HOUR / 2) is None
    second = file_copies.back_up(full.path, now=NOON + 2 * HOUR)
    assert second is not None
    assert [one.path for one in file_copies.backups(full.identity)] == [second.path, first.path]
    assert file_copies.backups(full.identity)[0].time == NOON + 2 * HOUR


def test_a_damaged_project_is_not_backed_up_and_no_backup_goes(full: Store) -> None:
    file_copies.back_up(full.path, now=NOON)
    full.prove()
    raw = sqlite3.connect(full.path)
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 3")
    raw.commit()
    raw.close()
    grade(full, 2)
    with pytest.raises(DamagedError, match="not sound"):
        file_copies.back_up(full.path, now=NOON + 400 * DAY)
    assert len(file_copies.backups(full.identity)) == 1


def files(tmp_path: Path, ages: list[float], size: int = 100) -> list[Backup]:
    """Return backups of these ages in days, newest first."""
    made = []
    for age in ages:
        path = tmp_path / f"{age:09.3f}.annot"
        path.write_bytes(b"x" * size)
        made.append(Backup(path, NOON - age * DAY, size))
    return made


def test_backups_are_thinned_by_age() -> None:
    quarter_hours = [Backup(Path(f"/nowhere/{n}"), NOON - n * HOUR / 4, 1) for n in range(96 * 400)]
    gone = set(file_copies.thin(quarter_hours, NOON))
    ages = [round((NOON - one.time) / DAY) for one in quarter_hours if one not in gone]
    assert sum(age < 1 for age in ages) >= 48
    assert 29 <= sum(1 <= age <= 30 for age in ages) <= 80
    assert 11 <= sum(age > 30 for age in ages) <= 14


def test_the_cap_takes_the_oldest_and_never_the_last_one(tmp_path: Path) -> None:
    kept = files(tmp_path, [0.1, 0.2, 0.3, 2, 40])
    assert file_copies.thin(kept, NOON, cap=250) == kept[2:]
    assert file_copies.thin(kept[:2], NOON, cap=50) == kept[1:2]
    assert kept[0].path.exists()


def test_files_as_they_were_before_an_interrupted_step_are_thinned_like_backups(full: Store) -> None:
    assert file_copies.back_up(full.path, now=NOON - 90 * DAY)
    kept = file_copies.folder(full.identity)
    ages = (0.1, 0.2, 2.0, 2.1, 40.0)
    for age in ages:
        stamp = time.strftime(file_copies.STAMP, time.gmtime(NOON - age * DAY))
        (kept / f"interrupted {stamp} {age}").mkdir()
        (kept / f"interrupted {stamp} {age}" / "p.annot").write_bytes(b"x" * 100)
    (kept / "interrupted some day").mkdir()
    assert file_copies.back_up(full.path, now=NOON, every=None)
    assert {one.name.split(" ")[2] for one in kept.glob("interrupted *")} == {
        "0.1",
        "0.2",
        "2.0",
        "40.0",
        "day",
    }
    assert file_copies.back_up(full.path, now=NOON + DAY, every=None, cap=100)
    assert {one.name.split(" ")[2] for one in kept.glob("interrupted *")} == {"0.1", "day"}


def test_one_may_look_inside_before_restoring(full: Store) -> None:
    found = file_copies.inside(full.path)
    assert (found.queries, found.documents, found.answers, found.judgments) == (2, 4, 2, 6)
    assert found.annotators == ("imported:qrels", "Ana", "Ben")
    assert found.head == full.head()


def test_restoring_keeps_what_was_there_beside_it(full: Store) -> None:
    backup = file_copies.back_up(full.path, now=NOON)
    head = full.head()
    grade(full, 2)
    full.close()
    changed = full.path.read_bytes()
    assert backup is not None
    aside = file_copies.restore(backup.path, full.path, now=NOON)
    assert aside is not None
    assert aside.read_bytes() == changed
    assert file_copies.inside(full.path).head == head


def test_two_restorings_within_a_second_keep_both_files_that_were_there(full: Store) -> None:
    full.close()
    backup = file_copies.back_up(full.path, now=NOON)
    assert backup is not None
    asides = [file_copies.restore(backup.path, full.path, now=NOON) for _ in range(3)]
    assert len({one for one in asides if one and one.exists()}) == 3


def test_only_a_project_is_restored(full: Store, tmp_path: Path) -> None:
    (tmp_path / "text.annot").write_text("no project" * 20)
    before = full.path.read_bytes()
    with pytest.raises(ProjectError, match="not an Annotator project"):
        file_copies.restore(tmp_path / "text.annot", full.path)
    assert full.path.read_bytes() == before


def test_a_copy_that_cannot_be_written_leaves_the_old_one(
    full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy.annot"
    file_copies.save_copy(full.path, target)
    before = target.read_bytes()
    monkeypatch.setattr(Path, "mkdir", Mock(side_effect=[None, OSError(28, "No space left on device")]))
    with pytest.raises(ProjectError, match="cannot be written"):
        file_copies.save_copy(full.path, target)
    assert target.read_bytes() == before
    access.check_header(target)
