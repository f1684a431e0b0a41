import sqlite3
from itertools import count, cycle
from typing import Any

import numpy as np
import pytest

from annotator.errors import Stopped
from annotator.records import Dataset, GoldAnswer, GoldList, RunTable
from annotator.storage.care import integrity
from annotator.storage.content import digests
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.file import access
from annotator.storage.ledger import event_fold
from annotator.storage.store import Store
from annotator.watch import Watch


def alter(store: Store, sql: str) -> None:
    """Change the file behind the program's back, as a hostile editor would."""
    raw = sqlite3.connect(store.path, isolation_level=None)
    raw.execute("PRAGMA ignore_check_constraints = ON")
    raw.execute(sql)
    raw.close()


def test_a_project_with_something_of_everything_is_sound(full: Store) -> None:
    assert integrity.check(full.db) == []


def test_an_empty_project_is_sound(store: Store) -> None:
    with store.writing() as db:
        db.execute("DELETE FROM query")
        digests.recount(db)
    assert integrity.check(store.db) == []


def test_a_score_of_minus_nothing_is_the_score_that_is_stored(store: Store) -> None:
    first = np.array([0], np.int32)
    run = RunTable("sys", ["q1"], ["d1"], first, first, first + 1, np.array([-0.0]), "made")
    import_dataset(store, Dataset(runs=[run]), Import("Ana", "made", "person"))
    assert integrity.check(store.db) == []


@pytest.mark.parametrize(
    ("part", "sql"),
    [
        (
            "ledger",
            "UPDATE event SET after = replace(after, '3', '2') WHERE task = 'grade' AND after LIKE '%3%'",
        ),
        ("ledger", "UPDATE event SET time = time + 1 WHERE sequence = 4"),
        ("ledger", "UPDATE event SET blind = 0 WHERE sequence = 5"),
        ("ledger", "UPDATE event SET how = 'mouse' WHERE sequence = 5"),
        ("ledger", "UPDATE annotator SET name = 'Eve' WHERE name = 'Ana'"),
        ("ledger", "DELETE FROM event WHERE sequence = 6"),
        ("ledger", "UPDATE event SET hash = zeroblob(32) WHERE sequence = 3"),
        ("current values", "UPDATE judgment SET grade = 5 WHERE grade = 3"),
        ("current values", "UPDATE judgment SET beside = '{}' WHERE beside ->> '$.flag'"),
        ("current values", "DELETE FROM judgment WHERE grade = 0"),
        ("current values", "INSERT INTO judgment VALUES (1, 1, 2, 'graded', 5, NULL, '{}')"),
        ("current values", "UPDATE value SET value = replace(value, 'Thor', 'Loki') WHERE task = 'gold'"),
        (
            "current values",
            "UPDATE value SET value = json_set(value, '$.answers[0].start', 4) WHERE task = 'gold'",
        ),
        ("current values", "UPDATE value SET value = json_set(value, '$.note', 'hard') WHERE task = 'query'"),
        ("current values", "UPDATE value SET value = '10' WHERE subject = '[\"pool_depth\"]'"),
        ("current values", "DELETE FROM value WHERE task = 'snapshot'"),
        ("current values", "DELETE FROM value WHERE task = 'unblind'"),
        (
            "current values",
            "UPDATE value SET value = json_set(value, '$.grade', 1) WHERE task = 'adjudication'",
        ),
        ("current values", "UPDATE run SET current = 0"),
        ("contents", "UPDATE content SET text = 'Open from ten.' WHERE title = 'Hours'"),
        ("contents", "UPDATE content SET start = 1 WHERE start = 0"),
        ("contents", "UPDATE query SET tags = '[]' WHERE external = 'q1'"),
        ("contents", "UPDATE candidate SET external = 'd7' WHERE external = 'd1'"),
        ("contents", "UPDATE digest SET digest = '00'"),
        ("runs and imported judgments", "UPDATE ranking SET rank = 4 WHERE rank = 3"),
        ("runs and imported judgments", "UPDATE ranking SET score = 0.3 WHERE rank = 3"),
        ("runs and imported judgments", "DELETE FROM ranking WHERE rank = 3"),
        ("runs and imported judgments", "UPDATE system SET name = 'splade' WHERE name = 'dense'"),
        ("runs and imported judgments", "UPDATE imported SET grade = 4 WHERE grade = 5"),
        ("runs and imported judgments", "DELETE FROM ranking_length"),
        ("runs and imported judgments", "UPDATE run SET source = 'x' WHERE source = 'bm25.run'"),
        ("runs and imported judgments", "UPDATE run SET order_rule = 'given'"),
        ("runs and imported judgments", "UPDATE run SET digest = 'ff'"),
        ("identity", "UPDATE project SET identity = 'x'"),
        ("identity", "UPDATE project SET created = created + 1"),
        ("keys", "UPDATE content SET candidate = 99 WHERE title = 'Hours'"),
        ("structure", "CREATE VIEW sneaky AS SELECT 1"),
        ("structure", "CREATE TRIGGER t AFTER INSERT ON judgment BEGIN DELETE FROM query; END"),
    ],
)
def test_whatever_is_changed_behind_its_back_is_found(full: Store, part: str, sql: str) -> None:
    alter(full, sql)
    db = access.connect(full.path)
    try:
        assert part in {finding.part for finding in integrity.check(db)}
    finally:
        db.close()


@pytest.mark.parametrize(
    ("sql", "findings"),
    [
        (
            "UPDATE judgment SET grade = 5 WHERE grade = 3",
            ["Ana's judgment of d1 for the query q2 is not what was recorded"],
        ),
        (
            "DELETE FROM judgment WHERE grade = 0",
            ["imported:qrels's judgment of d9 for the query q2 is not what was recorded"],
        ),
        (
            "UPDATE imported SET grade = 4 WHERE grade = 5",
            [
                "imported:qrels's judgment of d1 for the query q1 is not",
                "the judgments of 'qrels.txt' are not",
            ],
        ),
        (
            "UPDATE value SET value = json_set(value, '$.grade', 1) WHERE task = 'adjudication'",
            ["the adjudicated grade of q2 and d1 differs from what was recorded"],
        ),
        (
            "UPDATE value SET value = replace(value, 'Thor', 'Loki') WHERE task = 'gold'",
            ["the gold answers of q1 differs"],
        ),
        ("UPDATE event SET after = 'no JSON' WHERE sequence = 14", ["was changed", "cannot be read"]),
        ("UPDATE content SET text = 'Open from ten.' WHERE title = 'Hours'", ["the documents are not"]),
        ("UPDATE content SET passage = 'Thor went.' WHERE text = 'Thor'", ["the answers are not"]),
        ("UPDATE query SET tags = 'no JSON', text = x'ff' WHERE external = 'q1'", ["the queries are not"]),
        ("UPDATE ranking SET rank = 7 WHERE run = 2", ["the run of"]),
        (
            "UPDATE value SET value = '30' WHERE task = 'setting'",
            ["of pool_depth differs from what was recorded"],
        ),
    ],
)
def test_all_that_is_not_what_was_recorded_is_named(full: Store, sql: str, findings: list[str]) -> None:
    alter(full, sql)
    found = [one.message for one in integrity.check(full.db)]
    assert len(found) == len(findings)
    for message, words in zip(found, findings, strict=True):
        assert words in message


def graded_meanwhile(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let somebody grade, and settle, each time after the events were folded."""
    fold, grades = event_fold.fold, cycle(range(6))

    def slow(*given: Any, **named: Any) -> event_fold.Folded:
        found = fold(*given, **named)
        store.record("Ana", "grade", ("q2", "d2"), {"state": "graded", "grade": next(grades)})
        store.record("Ana", "adjudication", ("q2", "d2"), {"grade": next(grades), "reason": ""})
        return found

    monkeypatch.setattr(event_fold, "fold", slow)


def test_what_is_said_while_a_project_is_checked_is_no_damage(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    full.prove()
    graded_meanwhile(full, monkeypatch)
    for _ in range(3):
        assert integrity.check(full.db) == []


def test_what_is_damaged_is_found_while_somebody_grades(full: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    full.prove()
    alter(full, "UPDATE judgment SET grade = 5 WHERE grade = 3")
    alter(full, "UPDATE value SET value = json_set(value, '$.note', 'hard') WHERE task = 'query'")
    graded_meanwhile(full, monkeypatch)
    assert [str(one) for one in integrity.check(full.db)] == [
        "current values: Ana's judgment of d1 for the query q2 is not what was recorded",
        "current values: the note of q1 differs from what was recorded",
    ]


def test_an_import_that_never_ends_is_told(full: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    full.prove()
    fold, numbers = event_fold.fold, count()

    def slow(*given: Any, **named: Any) -> event_fold.Folded:
        found = fold(*given, **named)
        new = Dataset(gold=[GoldList("q1", (GoldAnswer(f"Loki {next(numbers)}"),))])
        import_dataset(full, new, Import("imported:gold", "gold", replace=True))
        return found

    monkeypatch.setattr(event_fold, "fold", slow)
    assert [one.message for one in integrity.check(full.db)] == [
        "they changed all the time through imports; check once more"
    ]


def test_findings_name_people_queries_and_candidates(full: Store) -> None:
    alter(full, "UPDATE judgment SET grade = 5 WHERE grade = 3")
    alter(full, "UPDATE value SET value = json_set(value, '$.note', 'hard') WHERE task = 'query'")
    assert [str(one) for one in integrity.check(full.db)] == [
        "current values: Ana's judgment of d1 for the query q2 is not what was recorded",
        "current values: the note of q1 differs from what was recorded",
    ]


def test_content_changed_together_with_its_digest_differs_from_the_ledger(full: Store) -> None:
    full.prove()
    alter(full, "UPDATE content SET text = 'Open from ten.' WHERE title = 'Hours'")
    with full.writing() as db:
        digests.recount(db)
    assert [str(one) for one in integrity.check(full.db)] == [
        "contents: the documents are not those that the ledger states"
    ]


def test_a_check_reports_progress_and_can_be_stopped(full: Store) -> None:
    parts: list[str] = []
    integrity.check(full.db, Watch("", lambda done, total, what: parts.append(what)))
    assert parts == [f"Checking {part}" for part in integrity.PARTS]
    with pytest.raises(Stopped):
        integrity.check(full.db, Watch(should_stop=lambda: True))


def test_current_tables_are_written_anew_from_the_events_alone(full: Store) -> None:
    before = list(full.db.iterdump())
    with full.writing() as db:
        db.execute("DELETE FROM judgment")
        db.execute("DELETE FROM value")
        db.execute("UPDATE run SET current = 0")
        event_fold.write_current(db)
    assert list(full.db.iterdump()) == before
