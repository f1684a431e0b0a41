import random
import sqlite3
from pathlib import Path

import pytest

from annotator.errors import DamagedError, UserError
from annotator.storage.care import integrity, recovery
from annotator.storage.content import plain_rows
from annotator.storage.ledger import undo_stack
from annotator.storage.reads import holdings
from annotator.storage.store import Store


def alter(path: Path, sql: str) -> None:
    """Change a file behind the program's back."""
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute(sql)
    raw.close()


def content(store: Store) -> list[object]:
    """Return what a project holds, without the names of events."""
    db = store.db
    parts: list[object] = []
    for read in (plain_rows.queries, plain_rows.documents, plain_rows.answers, plain_rows.gold):
        parts.append([{name: part for name, part in row.items() if name != "import"} for row in read(db)])
    parts.append([(run.name, run.digest, run.current) for run in holdings.runs(db, current_only=False)])
    parts.append(
        sorted(
            map(
                str,
                db.execute(
                    "SELECT a.name, q.external, c.external, state, grade, beside, j.time "
                    "FROM judgment j JOIN annotator a ON a.id = j.annotator JOIN query q ON q.id = j.query "
                    "JOIN candidate c ON c.id = j.candidate"
                ),
            )
        )
    )
    return parts


def test_a_run_that_names_an_answer_whose_text_is_lost_is_left_out(full: Store, tmp_path: Path) -> None:
    raw = sqlite3.connect(full.path)
    raw.execute("UPDATE content SET text = 'Loki' WHERE text = 'Thor'")
    raw.commit()
    raw.close()
    found = recovery.recover(full.path, tmp_path / "new.annot")
    assert "the run of 'bm25' cannot be proved and is left out" in found.lost
    with Store.open(tmp_path / "new.annot") as new:
        assert [run.name for run in holdings.runs(new.db)] == ["dense"]
        assert integrity.check(new.db) == []


@pytest.mark.parametrize(
    ("sql", "lost"),
    [
        ("UPDATE event SET after = NULL WHERE task = 'import'", "the run of 'bm25' is left out"),
        ("UPDATE event SET annotator = 99 WHERE sequence = 14", "not there: 1"),
        ("DELETE FROM event WHERE sequence = 6", "events missing: 1"),
    ],
)
def test_whatever_is_lost_is_listed(full: Store, tmp_path: Path, sql: str, lost: str) -> None:
    raw = sqlite3.connect(full.path)
    raw.execute(sql)
    raw.commit()
    raw.close()
    found = recovery.recover(full.path, tmp_path / "new.annot")
    assert [one for one in found.lost if lost in one]
    with Store.open(tmp_path / "new.annot") as new:
        assert len(holdings.runs(new.db)) == found.saved["runs"]
        assert integrity.check(new.db) == []


def test_an_event_changed_together_with_its_value_is_not_taken_over(full: Store, tmp_path: Path) -> None:
    raw = sqlite3.connect(full.path)
    for table, column in (("event", "after"), ("value", "value")):
        raw.execute(f"UPDATE {table} SET {column} = replace({column}, '4', '0') WHERE task = 'adjudication'")
    raw.commit()
    raw.close()
    found = recovery.recover(full.path, tmp_path / "new.annot")
    assert any("events left out, as they were changed" in one for one in found.lost)
    with Store.open(tmp_path / "new.annot") as new:
        assert new.value("", "adjudication", ("q2", "d1")) is None


def test_of_a_sound_project_everything_is_recovered(full: Store, tmp_path: Path) -> None:
    found = recovery.recover(full.path, tmp_path / "new.annot")
    assert found.lost == ()
    with Store.open(tmp_path / "new.annot") as new:
        assert content(new) == content(full)
        assert (new.identity, integrity.check(new.db)) == (full.identity, [])
        assert undo_stack.undo(new, "Ana") is not None


def test_a_changed_judgment_is_not_taken_over_as_if_it_were_good(full: Store, tmp_path: Path) -> None:
    alter(
        full.path,
        "UPDATE event SET after = replace(after, '\"grade\":3', '\"grade\":5') WHERE task = 'grade'",
    )
    alter(full.path, "UPDATE judgment SET grade = 1 WHERE grade = 3")
    found = recovery.recover(full.path, tmp_path / "new.annot")
    assert any("events left out, as they were changed" in one for one in found.lost)
    with Store.open(tmp_path / "new.annot") as new:
        value = new.value("Ana", "grade", ("q2", "d1"))
        assert value is None or value["grade"] not in (1, 5)
        assert new.value("Ben", "grade", ("q2", "d1"))["reason"] == "cut off"
        assert integrity.check(new.db) == []


def test_a_changed_run_is_left_out_and_named(full: Store, tmp_path: Path) -> None:
    alter(full.path, "UPDATE ranking SET score = 0.1 WHERE rank = 3")
    found = recovery.recover(full.path, tmp_path / "new.annot")
    assert found.lost == ("the run of 'bm25' cannot be proved and is left out",)
    with Store.open(tmp_path / "new.annot") as new:
        assert [run.name for run in holdings.runs(new.db)] == ["dense"]
        assert integrity.check(new.db) == []


def test_a_changed_document_is_kept_and_said(full: Store, tmp_path: Path) -> None:
    alter(full.path, "UPDATE content SET text = 'Open from ten.' WHERE title = 'Hours'")
    found = recovery.recover(full.path, tmp_path / "new.annot")
    assert found.lost == ("some of the documents: missing, or not as they were imported",)
    with Store.open(tmp_path / "new.annot") as new:
        assert new.value("", "setting", ("recovered",))["lost"] == list(found.lost)


@pytest.mark.parametrize("seed", range(12))
def test_a_page_of_noise_costs_what_stood_there_and_no_more_than_that(
    full: Store, tmp_path: Path, seed: int
) -> None:
    full.close()
    damaged = bytearray(full.path.read_bytes())
    chance = random.Random(seed)
    page = chance.randrange(1, len(damaged) // 4096) * 4096
    damaged[page : page + 4096] = chance.randbytes(4096)
    full.path.write_bytes(damaged)
    try:
        found = recovery.recover(full.path, tmp_path / "new.annot")
    except DamagedError:
        assert not (tmp_path / "new.annot").exists()
        return
    with Store.open(tmp_path / "new.annot") as new:
        assert integrity.check(new.db) == []
        assert sum(found.saved.values())
    assert full.path.read_bytes() == bytes(damaged)


def test_a_recovered_project_never_replaces_a_file(full: Store) -> None:
    before = full.path.read_bytes()
    with pytest.raises(UserError, match="exists already"):
        recovery.recover(full.path, full.path)
    assert full.path.read_bytes() == before
