"""The gate before every number and every write: a file is proved once, and again when it was changed."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from annotator.errors import DamagedError, Stopped
from annotator.project import browse, history, judging, panel, project_scores, self_agreement
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.storage.care import integrity
from annotator.storage.file import proof
from annotator.storage.store import Store
from annotator.watch import Watch
from tests.storage.care.test_integrity import alter

CHANGE = "UPDATE judgment SET grade = 5 WHERE grade = 3"


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with every check of a file."""
    made: list[str] = []
    check = integrity.check

    def counted(db: sqlite3.Connection, watch: Watch) -> list[integrity.Finding]:
        made.append("check")
        return check(db, watch)

    monkeypatch.setattr(integrity, "check", counted)
    return made


def test_a_file_is_checked_once_and_what_is_written_to_it_leaves_it_proved(
    full: Store, checks: list[str]
) -> None:
    for grade in (1, 4):
        full.prove()
        full.record("Ana", "grade", ("q2", "d1"), {"state": "graded", "grade": grade})
    full.prove()
    assert len(checks) == 1


def test_a_new_file_is_sound_without_a_check(tmp_path: Path, checks: list[str]) -> None:
    with Store.create(tmp_path / "new.annot") as store:
        store.record("Ana", "setting", ("name",), "Ducks")
        store.prove()
    assert checks == []


def test_what_another_program_writes_is_checked(full: Store, checks: list[str]) -> None:
    full.prove()
    alter(full, "UPDATE project SET id = 1")
    full.prove()
    assert len(checks) == 2
    alter(full, CHANGE)
    with pytest.raises(DamagedError, match="Ana's judgment of d1 for the query q2 is not what was recorded"):
        full.prove()


def test_nothing_is_written_to_a_damaged_file(full: Store) -> None:
    alter(full, CHANGE)
    before = full.path.read_bytes()
    with pytest.raises(DamagedError, match="nothing is written"):
        full.record("Ana", "grade", ("q2", "d1"), {"state": "graded", "grade": 1})
    assert full.read_only
    assert full.path.read_bytes() == before


def test_several_threads_that_ask_share_one_check(full: Store, checks: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: full.prove(), range(8)))
    assert len(checks) == 1


def test_who_waits_for_the_check_of_another_thread_can_be_stopped(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = Event(), Event()

    def patient(db: sqlite3.Connection, watch: Watch) -> list[integrity.Finding]:
        begun.set()
        may_end.wait()
        return []

    monkeypatch.setattr(integrity, "check", patient)
    with ThreadPoolExecutor(1) as pool:
        check = pool.submit(full.prove)
        begun.wait()
        with pytest.raises(Stopped):
            full.prove(watch=Watch(should_stop=lambda: True))
        may_end.set()
        check.result()
    full.prove()


def test_a_large_file_can_be_opened_unproved_and_is_checked_before_the_first_change(
    full: Store, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    full.close()
    with Project.open(full.path, annotator="Ana", prove_later=True) as project:
        assert not project.unproved
    assert len(checks) == 1
    monkeypatch.setattr(proof, "SLOW", 0)
    with Project.open(full.path, annotator="Ana") as project:
        assert not project.unproved
    assert len(checks) == 2
    with Project.open(full.path, annotator="Ana", prove_later=True) as project:
        assert project.unproved
        assert len(checks) == 2
        judging.set_grade(project, 1, 1, 2)
        assert not project.unproved
        assert len(checks) == 3
        state_of(project)
        assert len(checks) == 3
    monkeypatch.setattr(proof, "LARGE", 0)
    Project.open(full.path).close()
    with Project.open(full.path, annotator="Ana", prove_later=True) as project:
        assert not project.unproved


def test_a_damaged_file_that_is_opened_unproved_takes_no_change(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    alter(full, CHANGE)
    full.close()
    monkeypatch.setattr(proof, "SLOW", 0)
    for use in (
        lambda project: judging.set_grade(project, 1, 1, 2),
        state_of,
        lambda project: panel.query_panel(project, 1, ("P@5",)),
        lambda project: project.proved(),
    ):
        with Project.open(full.path, annotator="Ana", prove_later=True) as project:
            assert project.unproved
            with pytest.raises(DamagedError, match="is damaged"):
                use(project)
        assert project.damage
        assert not project.unproved


def test_a_check_that_was_stopped_proves_nothing(full: Store, checks: list[str]) -> None:
    with pytest.raises(Stopped):
        full.prove(watch=Watch(should_stop=lambda: True))
    full.prove()
    assert len(checks) == 2


def test_a_large_file_is_known_again_until_it_changes(
    full: Store, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "LARGE", 0)

    def opened_again() -> int:
        with Store.open(full.path, read_only=True) as store:
            store.prove()
        return len(checks)

    full.close()
    assert [opened_again(), opened_again()] == [1, 1]
    with Store.open(full.path) as store:
        store.record("Ana", "grade", ("q2", "d1"), {"state": "graded", "grade": 1})
    assert opened_again() == 1
    content = bytearray(full.path.read_bytes())
    content[content.index(b"behind the house")] ^= 1
    full.path.write_bytes(content)
    with pytest.raises(DamagedError, match="documents"):
        opened_again()
    with pytest.raises(DamagedError, match="documents"):
        opened_again()
    content[content.index(b"ehind the house") - 1] ^= 1
    full.path.write_bytes(content)
    before = len(checks)
    assert [opened_again(), opened_again()] == [before + 1, before + 1]
    monkeypatch.setattr(proof, "CHECK", proof.CHECK + 1)
    assert opened_again() == before + 2


def test_a_file_that_was_only_changed_by_this_program_after_damage_is_not_noted_as_sound(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "LARGE", 0)
    full.prove()
    alter(full, CHANGE)
    full.record("Ana", "grade", ("q2", "d2"), {"state": "graded", "grade": 1})
    full.close()
    with Store.open(full.path) as store, pytest.raises(DamagedError):
        store.prove()


def test_a_file_that_was_closed_is_not_called_damaged(full: Store) -> None:
    full.close()
    with pytest.raises(sqlite3.ProgrammingError), full.reading() as db:
        db.execute("SELECT 1")
    assert full.damage == ()


UNWRITTEN = {
    "a grade beyond the scale": "UPDATE judgment SET grade = 9",
    "marks that are none": "UPDATE judgment SET beside = '[]'",
    "a state that is none": "UPDATE judgment SET state = 'perhaps'",
    "gold answers that are none": "UPDATE value SET value = '{\"answers\": 7}' WHERE task = 'gold'",
    "a gold answer without text": "UPDATE value SET value = '{\"answers\": [{}]}' WHERE task = 'gold'",
    "a setting of another kind": "UPDATE value SET value = '\"deep\"' WHERE subject = '[\"pool_depth\"]'",
    "tags that are none": "UPDATE query SET tags = '7'",
    "fields that are none": "UPDATE content SET fields = '[1]'",
    "no JSON": "UPDATE query SET fields = 'no JSON'",
    "two at one rank": "UPDATE ranking SET rank = 1",
    "a subject too short": "UPDATE value SET subject = '[]' WHERE task = 'gold' AND query = 1",
    "an event too short": "UPDATE event SET subject = '[\"q2\"]' WHERE task = 'grade'",
    "an event of no task": "UPDATE event SET task = 'grad' WHERE task = 'grade' AND sequence = 14",
    "text that is none": "UPDATE query SET text = x'ff'",
}
"""Values that this program never writes, and how they come into a file."""


@pytest.mark.parametrize("kind", UNWRITTEN)
def test_values_that_no_program_writes_are_damage_and_never_a_fault(full: Store, kind: str) -> None:
    alter(full, UNWRITTEN[kind])
    full.close()
    with Project.open(full.path, annotator="Ana") as project:
        assert project.damage
        assert project.read_only
        looks: list[Callable[[], object]] = [
            partial(browse.contents, project),
            lambda: browse.query_rows(project, browse.query_keys(project)),
            *(partial(partial(browse.query, project), key) for key in (1, 2)),
            partial(history.history, project),
            partial(history.recent, project),
            partial(self_agreement.next_again, project),
            partial(browse.annotators, project),
        ]
        for look in looks:
            with suppress(DamagedError):
                look()
        numbers: list[Callable[[], object]] = [
            partial(project_scores.evaluate_project, project),
            partial(state_of, project),
            partial(partial(panel.query_panel, project), 1, ("P@5",)),
            partial(partial(judging.set_grade, project), 1, 1, 3),
        ]
        for number in numbers:
            with pytest.raises(DamagedError, match="is damaged"):
                number()
