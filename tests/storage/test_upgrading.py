"""Files of version 1 hold afterwards what the program that made them said they hold."""

import itertools
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import DamagedError, ReadOnlyError, Stopped
from annotator.evaluation.options import Options
from annotator.project import keeping, twin
from annotator.project.project import Project
from annotator.records import Dataset, Document
from annotator.storage import checking, copying, opening, reading, upgrading
from annotator.storage.bulk import import_dataset
from annotator.storage.contents import Import
from annotator.storage.store import Store
from tests.storage.earlier import said, version1

NAMES = ["answers", "documents"]


def held(project: Project, folder: Path) -> dict[str, Any]:
    """Return what a project holds in the form in which the old program said it, once it is proved sound."""
    db = project.store.db
    assert checking.check(db) == []
    result = project.evaluate(Options())
    rows = db.execute(
        "SELECT name, query.external, candidate.external, state, grade, reason, flagged, note, rationale, "
        "judgment.time, judgment.milliseconds FROM judgment JOIN annotator ON annotator.id = annotator "
        "JOIN query ON query.id = judgment.query JOIN candidate ON candidate.id = candidate ORDER BY 1, 2, 3"
    )
    return {
        "head": project.store.head(),
        "hash": twin.dump(project.store, folder / "twin"),
        "judgments": [list(row) for row in rows],
        "means": {
            f"{system} {one.name}": result.mean(system, one.name)
            for system in result.systems
            for one in result.measures
        },
    }


def layout(path: Path) -> int:
    """Return the version that stands in the header of a file."""
    return int.from_bytes(path.read_bytes()[60:64], "big")


@pytest.mark.parametrize("rows", [2, 20_000])
@pytest.mark.parametrize("name", NAMES)
def test_an_old_project_is_brought_up_to_date_and_holds_what_it_held(
    tmp_path: Path, name: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrading, "PIECE", rows)
    path = version1(name, tmp_path)
    with Project.open(path, annotator="Ana") as project:
        assert held(project, tmp_path) == said(name)
        assert "A copy as it was lies in" in project.upgraded
    assert layout(path) == opening.VERSION
    with Project.open(path, annotator="Ana") as project:
        assert held(project, tmp_path) == said(name)
        assert project.upgraded == ""


@pytest.mark.parametrize("name", NAMES)
def test_an_old_project_can_be_read_as_it_is(tmp_path: Path, name: str) -> None:
    path = version1(name, tmp_path)
    before = path.read_bytes()
    with Project.open(path, annotator="Ana", read_only=True) as project:
        assert held(project, tmp_path) == said(name)
        assert project.upgraded == ""
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", NAMES)
def test_the_backup_is_the_old_file_and_can_be_restored(tmp_path: Path, name: str) -> None:
    path = version1(name, tmp_path)
    with Store.open(path) as store:
        copy = store.copy_as_it_was
        assert [one.path for one in copying.backups(store.identity)] == [copy]
    assert copy is not None
    assert layout(copy) == 1
    copying.restore(copy, path)
    with Project.open(path, annotator="Ana") as project:
        assert held(project, tmp_path) == said(name)


def test_the_progress_tells_the_check_and_the_tables(tmp_path: Path) -> None:
    told = []
    with Store.open(version1("answers", tmp_path), on_progress=lambda *one: told.append(one)):
        made = ["a copy of it as it is", "contents", "candidates"]
        assert [what for _, _, what in told] == [*checking.PARTS, *made, *checking.PARTS]


@pytest.mark.parametrize("after", range(19))
def test_stopping_in_any_step_leaves_the_old_file(tmp_path: Path, after: int) -> None:
    def stop(*_: object) -> None:
        if next(steps) == after:
            raise Stopped("enough")

    path = version1("answers", tmp_path)
    before, steps = path.read_bytes(), itertools.count()
    with pytest.raises(Stopped):
        Store.open(path, on_progress=stop)
    assert path.read_bytes() == before
    Store.open(path).close()


def test_an_old_project_that_is_damaged_stays_as_it_is_and_tells_what_is_wrong(tmp_path: Path) -> None:
    path = version1("documents", tmp_path)
    raw = sqlite3.connect(path)
    raw.execute("UPDATE judgment SET grade = 2 WHERE grade = 3")
    raw.commit()
    raw.close()
    before = path.read_bytes()
    with pytest.raises(DamagedError, match=r"Ana's judgment of d1 .* is not what was recorded"):
        Store.open(path)
    assert path.read_bytes() == before
    with Store.open(path, read_only=True) as store:
        assert [one.part for one in checking.check(store.db)] == ["current values"]
        assert copying.backups(store.identity) == []


def test_an_old_project_that_cannot_be_backed_up_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = version1("answers", tmp_path)
    before = path.read_bytes()
    (tmp_path / "file").touch()
    monkeypatch.setattr(copying, "folder", lambda identity: tmp_path / "file" / identity)
    with pytest.raises(ReadOnlyError, match="as it was and can be opened for reading"):
        Store.open(path)
    assert path.read_bytes() == before


def test_an_upgrade_that_loses_a_row_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(db: sqlite3.Connection, table: str, *given: Any) -> None:
        db.execute(f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})")
        remake(db, table, *given)

    path = version1("answers", tmp_path)
    before = path.read_bytes()
    remake = upgrading.remake
    monkeypatch.setattr(upgrading, "remake", careless)
    with pytest.raises(ReadOnlyError, match="would not be sound"):
        Store.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("named", [1, 2])
def test_a_file_that_is_not_built_like_the_version_it_names_is_refused(tmp_path: Path, named: int) -> None:
    path = version1("answers", tmp_path)
    if named == 1:
        Store.open(path).close()
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {named}")
    raw.close()
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(DamagedError, match="not built like"):
            Store.open(path, read_only=read_only)
    assert path.read_bytes() == before


def old_and_new(folder: Path) -> tuple[Path, Path]:
    """Return an old project and a copy of it that was brought up to date and worked on."""
    old = version1("documents", folder)
    (folder / "new").mkdir()
    new = version1("documents", folder / "new")
    with Store.open(new) as store:
        store.record("Eva", "judgment", ("q3", "d7"), {"state": "graded", "grade": 5})
        import_dataset(store, Dataset(documents=[Document("d99", "", "new")]), Import("Eva", "x", "person"))
    return old, new


@pytest.mark.parametrize("turned", [False, True])
def test_an_old_project_merges_with_a_new_copy(tmp_path: Path, turned: bool) -> None:
    sides = old_and_new(tmp_path)
    merged = keeping.merge(*(reversed(sides) if turned else sides), tmp_path / "merged.annot")
    assert (merged.conflicts, {merged.only_first, merged.only_second}) == ((), {0, 3})
    with Store.open(tmp_path / "merged.annot") as both, Store.open(sides[1], read_only=True) as new:
        assert checking.check(both.db) == []
        assert twin.dump(both, tmp_path / "one") == twin.dump(new, tmp_path / "other")


def test_an_old_project_is_recovered_into_a_new_file(tmp_path: Path) -> None:
    path = version1("documents", tmp_path)
    keeping.recover(path, tmp_path / "new.annot")
    with Store.open(tmp_path / "new.annot") as new, Store.open(path, read_only=True) as old:
        assert checking.check(new.db) == []
        assert list(reading.documents(new.db)) == list(reading.documents(old.db))


def test_imports_of_an_old_project_can_be_taken_back(tmp_path: Path) -> None:
    with Project.open(version1("documents", tmp_path), annotator="Ana") as project:
        in_force = [one for one in keeping.imports(project.store) if one.in_force]
        assert len(in_force) == 3
        for one in in_force:
            keeping.withdraw(project.store, "Ana", one.identity)
            assert checking.check(project.store.db) == []
