"""The first upgrade there will be, tried with a version of the file that exists in this test alone."""

import sqlite3
from pathlib import Path

import pytest

from annotator.errors import NewerError, ReadOnlyError
from annotator.project import settings
from annotator.project.project import Project
from annotator.storage.file import access, file_copies, layout, upgrade
from annotator.storage.store import Store

STATEMENTS = ("ALTER TABLE project ADD COLUMN motto VARCHAR", "UPDATE project SET motto = 'onward'")


@pytest.fixture
def old(store: Store) -> Path:
    """Return a project of version 1 in which something was done."""
    store.record("Ana", "setting", ("pool_depth",), 20)
    store.close()
    return store.path


@pytest.fixture
def _next_version(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program write version 2, whose project has a motto."""
    scratch = sqlite3.connect(":memory:")
    for statement in layout.recorded(1).values():
        scratch.execute(statement)
    scratch.execute(STATEMENTS[0])
    recorded = {1: layout.recorded(1), 2: layout.stored(scratch)}
    scratch.close()
    monkeypatch.setattr(access, "VERSION", 2)
    monkeypatch.setattr(layout, "recorded", recorded.__getitem__)
    monkeypatch.setitem(upgrade.STATEMENTS, 2, STATEMENTS)


def version(path: Path) -> int:
    """Return the version that stands in the header of a file."""
    return int.from_bytes(path.read_bytes()[60:64], "big")


def test_every_later_version_says_how_it_is_reached() -> None:
    assert sorted(upgrade.STATEMENTS) == list(range(2, access.VERSION + 1))


@pytest.mark.usefixtures("_next_version")
def test_a_file_of_an_earlier_version_is_backed_up_and_brought_up_to_date(old: Path) -> None:
    before = old.read_bytes()
    with Project.open(old) as project:
        said = project.told
        assert settings.value_of(project, "pool_depth") == 20
        assert project.store.db.execute("SELECT motto FROM project").fetchone() == ("onward",)
        (backup,) = file_copies.backups(project.store.identity)
    assert str(backup.path) in said
    assert (version(old), version(backup.path)) == (2, 1)
    assert layout.recorded(1) != layout.recorded(2)
    raw = sqlite3.connect(backup.path)
    assert layout.stored(raw) == layout.recorded(1)
    raw.close()
    assert before != old.read_bytes()
    with Project.open(old) as project:
        assert project.told == ""


@pytest.mark.usefixtures("_next_version")
def test_it_is_not_touched_where_it_is_only_to_be_read(old: Path) -> None:
    before = old.read_bytes()
    with pytest.raises(ReadOnlyError, match="brought up to date to be read"):
        Store.open(old, read_only=True)
    assert old.read_bytes() == before


@pytest.mark.usefixtures("_next_version")
@pytest.mark.parametrize("fault", ["DROP TABLE digest", "no such statement"])
def test_an_upgrade_that_goes_wrong_is_taken_back(
    old: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    before = old.read_bytes()
    monkeypatch.setitem(upgrade.STATEMENTS, 2, (*STATEMENTS, fault))
    with pytest.raises((ReadOnlyError, sqlite3.OperationalError)):
        Store.open(old)
    assert old.read_bytes() == before
    monkeypatch.setitem(upgrade.STATEMENTS, 2, STATEMENTS)
    Store.open(old).close()


@pytest.mark.usefixtures("_next_version")
def test_without_a_backup_nothing_is_changed(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()
    (tmp_path / "file").touch()
    monkeypatch.setattr(file_copies, "folder", lambda identity: tmp_path / "file" / identity)
    with pytest.raises(ReadOnlyError, match="so it is as it was"):
        Store.open(old)
    assert old.read_bytes() == before


def test_a_file_of_a_newer_version_is_refused_and_unchanged(old: Path) -> None:
    raw = sqlite3.connect(old)
    raw.execute(f"PRAGMA user_version = {access.VERSION + 1}")
    raw.close()
    before = old.read_bytes()
    for read_only in (False, True):
        with pytest.raises(NewerError, match="newer version of Annotator"):
            Store.open(old, read_only=read_only)
    assert old.read_bytes() == before
