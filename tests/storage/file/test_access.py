import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.errors import DamagedError, DiskError, LockedError, ProjectError, ReadOnlyError
from annotator.storage.file import access, file_lock
from annotator.storage.store import Store
from tests.storage.projects import empty_store

WANTED = {
    "journal_mode": "delete",
    "synchronous": 3,
    "foreign_keys": 1,
    "trusted_schema": 0,
    "cell_size_check": 1,
    "mmap_size": 0,
    "busy_timeout": 5_000,
    "application_id": access.APPLICATION_ID,
    "user_version": access.VERSION,
}


@pytest.mark.parametrize(("name", "value"), WANTED.items())
def test_a_project_is_opened_with_the_settings_that_were_measured(
    on_disk: None, store: Store, name: str, value: object
) -> None:
    assert store.db.execute(f"PRAGMA {name}").fetchone() == (value,)


def test_the_database_attaches_nothing(store: Store) -> None:
    with pytest.raises(sqlite3.OperationalError, match="too many attached"):
        store.db.execute("ATTACH ':memory:' AS other")


def test_a_reader_can_change_nothing(store: Store) -> None:
    reader = access.connect(store.path)
    try:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.execute("DELETE FROM query")
    finally:
        reader.close()


def test_opening_and_closing_leaves_the_file_as_it_was(store: Store) -> None:
    store.close()
    before, changed = store.path.read_bytes(), store.path.stat().st_mtime_ns
    with Store.open(store.path), Store.open(store.path, read_only=True):
        pass
    assert (store.path.read_bytes(), store.path.stat().st_mtime_ns) == (before, changed)
    assert [one.name for one in store.path.parent.glob("*.annot*")] == [store.path.name]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"no file .*none\.annot"):
        Store.open(tmp_path / "none.annot")


def test_a_folder_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="cannot be read"):
        Store.open(tmp_path)


def test_a_name_with_signs_that_mean_something_in_a_uri_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "what? 100% #1 é.annot"
    with empty_store(path) as store:
        store.record("Ana", "setting", ("x",), 1)
    with Store.open(path) as store:
        assert store.value("", "setting", ("x",)) == 1


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (sqlite3.OperationalError("database or disk is full"), DiskError),
        (sqlite3.OperationalError("disk I/O error"), DiskError),
        (sqlite3.OperationalError("database is locked"), LockedError),
        (sqlite3.OperationalError("attempt to write a readonly database"), ReadOnlyError),
        (sqlite3.DatabaseError("database disk image is malformed"), DamagedError),
        (sqlite3.OperationalError("Could not decode to UTF-8 column"), DamagedError),
    ],
)
def test_what_a_user_can_act_on_is_told(error: sqlite3.Error, kind: type[Exception]) -> None:
    found = access.told(error, "x.annot")
    assert type(found) is kind
    assert "x.annot" in str(found)


def test_an_error_of_the_program_stays_one() -> None:
    assert access.told(sqlite3.OperationalError("no such column: x"), "x.annot") is None
    assert access.told(sqlite3.IntegrityError("CHECK constraint failed"), "x.annot") is None


def test_a_read_only_reader_finishes_what_a_crash_interrupted(store: Store, tmp_path: Path) -> None:
    store.record("Ana", "setting", ("x",), 1)
    store.db.execute("PRAGMA cache_size = 1")
    store.db.execute("BEGIN IMMEDIATE")
    store.db.executemany(
        "INSERT INTO candidate(external) VALUES (?)", ((f"more{number}" * 40,) for number in range(2_000))
    )
    crashed = tmp_path / "crashed.annot"
    crashed.write_bytes(store.path.read_bytes())
    journal = store.path.with_name(store.path.name + "-journal")
    crashed.with_name("crashed.annot-journal").write_bytes(journal.read_bytes())
    store.db.execute("ROLLBACK")
    with Store.open(crashed, read_only=True) as reader:
        assert reader.value("", "setting", ("x",)) == 1
        assert reader.db.execute("SELECT count(*) FROM candidate").fetchone() == (6,)


def test_a_second_program_is_told_who_has_the_file(store: Store) -> None:
    holder = file_lock.holder(store.path)
    assert holder is not None
    assert f"process {holder.process}" in file_lock.taken(store.path)
    store.close()
    assert file_lock.holder(store.path) is None


def test_a_lock_does_not_travel_with_a_copy(store: Store, tmp_path: Path) -> None:
    copy = tmp_path / "copy.annot"
    copy.write_bytes(store.path.read_bytes())
    with Store.open(copy) as second:
        assert not second.read_only


def test_closing_twice_is_fine(store: Store) -> None:
    store.close()
    store.close()
    with Store.open(store.path):
        store.close()
        assert file_lock.holder(store.path) is not None


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS])
def test_where_no_lock_can_be_had_that_is_said_and_one_can_grade(
    store: Store, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    store.close()

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(file_lock, "switch", refuse)
    with Store.open(store.path) as opened:
        assert "takes no locks" in opened.told
        opened.record("Ana", "setting", ("x",), 2)
        with pytest.raises(LockedError):
            Store.open(store.path)
    with Store.open(store.path, read_only=True) as reader:
        assert reader.told == ""


def test_a_file_is_held_under_every_name_that_it_has(store: Store, tmp_path: Path) -> None:
    (tmp_path / "link.annot").symlink_to(store.path)
    os.link(store.path, tmp_path / "hard.annot")
    for name in ("link.annot", "hard.annot"):
        with pytest.raises(LockedError):
            Store.open(tmp_path / name)
    assert file_lock.holder(tmp_path / "link.annot") is not None


def test_looking_at_the_file_that_is_open_here_does_not_let_others_write(store: Store) -> None:
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    with store.writing() as db:
        db.execute("UPDATE project SET created = created")
        with pytest.raises(LockedError):
            Store.open(store.path)
        Store.open(store.path, read_only=True).close()
        other = subprocess.run(
            [sys.executable, "-c", code, store.path], stderr=subprocess.PIPE, text=True, check=False
        )
        store.record("Ana", "setting", ("x",), 2)
    assert "locked" in other.stderr


@pytest.mark.parametrize("what", ["folder", "link", "pipe", "text", "huge", "escape", "year"])
def test_a_note_that_somebody_spoiled_is_not_believed_and_the_lock_holds(
    store: Store, tmp_path: Path, what: str
) -> None:
    note = file_lock.note_of(store.path)
    note.unlink()
    target = tmp_path / "precious"
    target.write_text("precious")
    said = {"user": "\x1b[2J", "computer": "", "process": 1, "since": 1.0}
    match what:
        case "folder":
            note.mkdir()
        case "link":
            note.symlink_to(target)
        case "pipe":
            os.mkfifo(note)
        case "text" | "huge":
            note.write_text("{" * (10 if what == "text" else 10_000_000))
        case "escape":
            note.write_text(json.dumps(said))
        case "year":
            note.write_text(json.dumps(said | {"user": "Ana", "since": 1e300}))
    with pytest.raises(LockedError, match="another window or program"):
        Store.open(store.path)
    store.close()
    with Store.open(store.path) as again:
        assert not again.read_only
    assert target.read_text() == "precious"
    with Store.open(store.path, read_only=True) as reader:
        assert reader.read_only
