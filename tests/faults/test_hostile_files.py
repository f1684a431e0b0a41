"""Hostile and foreign files: refused, unchanged to the byte."""

import random
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.errors import DamagedError, ProjectError, UserError
from annotator.project import browse, judging, maintenance
from annotator.project.project import Project
from tests.faults import programs

Count = Callable[[int, int], int]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    programs.new_project(tmp_path / "victim.annot")
    return tmp_path / "victim.annot"


def refused(path: Path) -> str:
    """Open a file in every way, assert that it is refused and unchanged, and return why."""
    before, beside = path.read_bytes(), sorted(path.parent.iterdir())
    for read_only in (False, True):
        with pytest.raises(ProjectError) as caught:
            Project.open(path, read_only=read_only)
    assert path.read_bytes() == before
    assert sorted(path.parent.iterdir()) == beside
    return str(caught.value)


def foreign(path: Path, kind: str) -> None:
    """Write a file that is no project."""
    if kind == "empty":
        path.write_bytes(b"")
    elif kind == "text":
        path.write_text("q1 Q0 d1 1\n" * 50)
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("a", "b" * 500)
    elif kind == "half a header":
        path.write_bytes(b"SQLite format 3\0" + bytes(20))
    elif kind == "a header alone":
        path.write_bytes(b"SQLite format 3\0" + bytes(84))
    else:
        raw = sqlite3.connect(path)
        raw.execute("CREATE TABLE judgment(grade)")
        if kind == "our application id, no version":
            raw.execute("PRAGMA application_id = 1097756271")
        elif kind == "our application id and version":
            raw.execute("PRAGMA application_id = 1097756271")
            raw.execute("PRAGMA user_version = 1")
        raw.commit()
        raw.close()


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("empty", "is empty"),
        ("text", "is not an Annotator project"),
        ("zip", "is not an Annotator project"),
        ("half a header", "is not an Annotator project"),
        ("a header alone", "of another program"),
        ("another program's database", "of another program"),
        ("our application id, no version", "names no version"),
        ("our application id and version", "not built like"),
    ],
)
def test_a_file_that_is_no_project_is_refused_by_name(tmp_path: Path, kind: str, why: str) -> None:
    path = tmp_path / "foreign.annot"
    foreign(path, kind)
    assert why in refused(path)


HOSTILE = {
    "trigger": "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM judgment; DELETE FROM value; END",
    "temporary-looking trigger": "CREATE TRIGGER main.x BEFORE UPDATE ON project BEGIN SELECT 1; END",
    "view": "CREATE VIEW v AS SELECT * FROM judgment",
    "view in the place of a table": "CREATE VIEW query2 AS SELECT randomblob(1000000000)",
    "table": "CREATE TABLE more(x)",
    "full text index": "CREATE VIRTUAL TABLE f USING fts5(text)",
    "index": "CREATE INDEX i ON judgment(grade)",
    "expression index": "CREATE INDEX i ON judgment(abs(grade))",
    "column": "ALTER TABLE query ADD COLUMN x TEXT DEFAULT (1)",
    "generated column": "ALTER TABLE query ADD COLUMN x TEXT AS (zeroblob(100)) VIRTUAL",
    "renamed column": "ALTER TABLE judgment RENAME COLUMN beside TO remark",
    "renamed table": "ALTER TABLE judgment RENAME TO verdict",
    "dropped index": "DROP INDEX ix_event_subject",
    "dropped table": "DROP TABLE digest",
    "statistics": "ANALYZE",
}
"""What is done to the structure of a good project to make a hostile one."""


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_project_with_anything_else_in_its_structure_is_refused(project: Path, kind: str) -> None:
    raw = sqlite3.connect(project)
    raw.execute(HOSTILE[kind])
    raw.commit()
    raw.close()
    assert "not built like" in refused(project)


ENDLESS = (
    "CREATE VIEW {0} AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
    "SELECT max(id) AS id, 'x' AS identity FROM n"
)


@pytest.mark.parametrize(
    "kind", ["trigger", "view", "full text index", "generated column", "query", "project"]
)
def test_nothing_is_run_by_looking_for_backups_or_recovering_either(project: Path, kind: str) -> None:
    raw = sqlite3.connect(project)
    if kind not in HOSTILE:
        raw.execute(f"ALTER TABLE {kind} RENAME TO real")
    raw.execute(HOSTILE.get(kind, ENDLESS.format(kind)))
    raw.commit()
    raw.close()
    before = project.read_bytes()
    assert maintenance.backups_of(project) == []
    for read in (maintenance.inside, lambda path: maintenance.recover(path, path.with_name("saved.annot"))):
        with pytest.raises(DamagedError, match="Annotator never writes"):
            read(project)
    assert project.read_bytes() == before
    assert not project.with_name("saved.annot").exists()


def test_a_file_switched_to_wal_is_refused(project: Path) -> None:
    raw = sqlite3.connect(project)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.close()
    assert "journal mode" in refused(project)


def test_a_schema_rewritten_by_hand_is_refused(project: Path, count: Count) -> None:
    chance = random.Random(8)
    good = project.read_bytes()
    raw = sqlite3.connect(project)
    texts = [
        (name, sql) for name, sql in raw.execute("SELECT name, sql FROM sqlite_master WHERE sql NOT NULL")
    ]
    raw.close()
    swaps = [
        ("VARCHAR NOT NULL", "VARCHAR"), ("INTEGER", "TEXT"), ("VARCHAR", "BLOB"),
        ("CHECK (", "CHECK (1 OR "),
        ("UNIQUE", "PRIMARY KEY"), ("REFERENCES", "REFERENCES main."), ("WITHOUT ROWID", ""),
        ("PRIMARY KEY", "UNIQUE"), ("id INTEGER", "id INTEGER DEFAULT 7"),
        ("typeof", "unicode"), ("IN (0, 1)", "IN (0, 1, 2)"), ("BETWEEN 0 AND 5", "BETWEEN 0 AND 9"),
        ("<= 100", "<= 10"), ("VARCHAR NOT NULL", "VARCHAR NOT NULL COLLATE NOCASE"),
    ]  # fmt: skip
    done = 0
    while done < count(50, 500):
        name, sql = chance.choice(texts)
        old, new = chance.choice(swaps)
        places = [at for at in range(len(sql)) if sql.startswith(old, at)]
        if not places:
            continue
        at = chance.choice(places)
        project.write_bytes(good)
        raw = sqlite3.connect(project)
        raw.execute("PRAGMA writable_schema = ON")
        changed = sql[:at] + new + sql[at + len(old) :]
        raw.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (changed, name))
        raw.commit()
        raw.close()
        refused(project)
        done += 1


def test_a_huge_value_is_refused_when_read_and_harms_nothing(project: Path) -> None:
    raw = sqlite3.connect(project)
    raw.execute("UPDATE content SET text = CAST(zeroblob(80000000) AS TEXT) WHERE candidate = 1")
    raw.commit()
    raw.close()
    with Project.open(project) as opened, pytest.raises(UserError):
        browse.full_text(opened, 1)


def test_control_opened_carelessly_the_trigger_destroys_what_people_did(project: Path) -> None:
    with Project.open(project, annotator="Ana") as opened:
        judging.set_grade(opened, 1, 1, 5)
    copy = shutil.copy(project, project.with_name("careless.annot"))
    raw = sqlite3.connect(copy)
    raw.execute(HOSTILE["trigger"])
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute(
        "INSERT INTO event SELECT NULL, session, sequence + 1, clock + 1, time, annotator, task, subject, "
        "before, after, milliseconds, blind, how, undoes, hash FROM event ORDER BY id DESC LIMIT 1"
    )
    assert raw.execute("SELECT count(*) FROM judgment").fetchone() == (0,)
    raw.close()
