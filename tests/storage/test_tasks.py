"""A new task is a declaration: the file has room for it, and everything that serves grades serves it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import NewerError, ProjectError, UserError
from annotator.project import history, maintenance, project_scores, text_twin
from annotator.project.project import Project
from annotator.storage.care import integrity, merger, recovery
from annotator.storage.file import access, layout
from annotator.storage.ledger import current_values, event_fold, undo_stack
from annotator.storage.reads import holdings
from annotator.storage.store import Store
from annotator.tasks import TASKS, Task

BACKING = Task(
    "backing",
    "support of a sentence",
    ("query", "candidate", "sentence", "candidate"),
    own=True,
    undone=True,
    levels=(0, 1, 2),
)
"""A task of this test alone: how far a cited document supports a sentence of an answer."""

VERDICT = Task("verdict", "verdict", ("query",), undone=True)
"""Another one: something that is the project's, not everybody's own."""

OF = ("q2", "d1", "0", "d2")


@pytest.fixture(autouse=True)
def _declared(monkeypatch: pytest.MonkeyPatch) -> None:
    for task in (BACKING, VERDICT):
        monkeypatch.setitem(TASKS, task.name, task)


@pytest.fixture
def said(full: Store) -> Store:
    """Return a project in which two annotators said something under the new tasks."""
    full.record("Ana", "backing", OF, {"grade": 2, "words": "from nine"}, milliseconds=700)
    full.record("Ben", "backing", OF, {"grade": 0})
    full.record("Ana", "verdict", ("q2",), {"choice": "left", "order": ["d1", "d2"]})
    full.record("Ben", "verdict", ("q2",), {"choice": "equal"})
    return full


def values(store: Store) -> list[Any]:
    """Return everything that was said last under the new tasks, once the project is proved sound."""
    assert integrity.check(store.db) == []
    assert layout.differences(store.db) == []
    return [*holdings.values(store.db, "backing"), *holdings.values(store.db, "verdict")]


SAID = [(OF, {"grade": 2, "words": "from nine"}), (OF, {"grade": 0}), (("q2",), {"choice": "equal"})]


def test_everybody_has_their_own_value_or_the_project_has_one(said: Store) -> None:
    assert values(said) == SAID
    assert said.value("Ana", "backing", OF) == {"grade": 2, "words": "from nine"}
    assert said.value("Ana", "verdict", ("q2",)) == {"choice": "equal"}
    assert said.value("Cleo", "backing", OF) is None


def test_the_file_is_of_the_same_version_as_before(said: Store) -> None:
    said.close()
    header = said.path.read_bytes()[60:64]
    assert int.from_bytes(header, "big") == access.VERSION == 1
    with Store.open(said.path) as again:
        assert values(again) == SAID


def test_undo_and_redo_serve_it(said: Store) -> None:
    said.record("Ana", "backing", OF, {"grade": 1})
    undo_stack.undo(said, "Ana")
    assert said.value("Ana", "backing", OF) == {"grade": 2, "words": "from nine"}
    undo_stack.redo(said, "Ana")
    assert said.value("Ana", "backing", OF) == {"grade": 1}


def test_a_value_off_its_scale_and_a_subject_that_is_not_there_are_refused(said: Store) -> None:
    before = said.head()
    with pytest.raises(UserError, match="grades go from 0 to 2"):
        said.record("Ana", "backing", OF, {"grade": 3})
    with pytest.raises(ProjectError, match="no query"):
        said.record("Ana", "verdict", ("q9",), {"choice": "left"})
    assert said.head() == before


def test_the_history_tells_it(said: Store) -> None:
    lines = history.history(Project(said), limit=4)
    assert [(line.annotator, line.said, line.query_id) for line in lines] == [
        ("Ben", "verdict q2", "q2"),
        ("Ana", "verdict q2", "q2"),
        ("Ben", "support of a sentence d2", "q2"),
        ("Ana", "support of a sentence d2", "q2"),
    ]


def test_the_current_values_follow_from_the_events(said: Store) -> None:
    before = list(said.db.iterdump())
    with said.writing() as db:
        db.execute("DELETE FROM value")
        event_fold.write_current(db)
    assert list(said.db.iterdump()) == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE value SET value = '{\"grade\":1}' WHERE task = 'backing'",
        "DELETE FROM value WHERE task = 'verdict'",
        "UPDATE value SET candidate = 3 WHERE task = 'backing'",
        "UPDATE value SET query = 1 WHERE task = 'verdict'",
        "UPDATE event SET after = '{\"grade\":1}' WHERE task = 'backing'",
    ],
)
def test_what_is_changed_behind_its_back_is_found(said: Store, change: str) -> None:
    said.db.execute("PRAGMA foreign_keys = OFF")
    said.db.execute(change)
    assert integrity.check(said.db)


def through_text(store: Store, folder: Path) -> Path:
    text_twin.dump(Project(store), folder / "text")
    text_twin.load(folder / "text", folder / "loaded.annot").close()
    return folder / "loaded.annot"


def recovered(store: Store, folder: Path) -> Path:
    recovery.recover(store.path, folder / "recovered.annot")
    return folder / "recovered.annot"


@pytest.mark.parametrize("way", [through_text, recovered])
def test_it_goes_through_text_and_recovery(
    said: Store, tmp_path: Path, way: Callable[[Store, Path], Path]
) -> None:
    with Store.open(way(said, tmp_path)) as other:
        assert values(other) == SAID


def test_copies_merge_whatever_was_said_in_each(said: Store, tmp_path: Path) -> None:
    other = tmp_path / "other.annot"
    said.close()
    other.write_bytes(said.path.read_bytes())
    with Store.open(said.path) as here, Store.open(other) as there:
        here.record("Ana", "backing", OF, {"grade": 1})
        there.record("Ana", "backing", OF, {"grade": 0})
        there.record("Cleo", "backing", OF, {"grade": 2})
    for turn, pair in enumerate(((said.path, other), (other, said.path))):
        merged = merger.merge(*pair, tmp_path / f"merged{turn}.annot")
        assert [(one.kind, one.subject, one.annotator) for one in merged.conflicts] == [
            ("backing", OF, "Ana")
        ]
        with Store.open(tmp_path / f"merged{turn}.annot") as both:
            found = dict(zip(("Ana", "Ben", "Cleo"), holdings.values(both.db, "backing"), strict=True))
            assert {name: value["grade"] for name, (_, value) in found.items()} == {
                "Ana": merged.conflicts[0].kept["grade"],
                "Ben": 0,
                "Cleo": 2,
            }
            assert integrity.check(both.db) == []


def test_nothing_said_under_it_changes_a_score(said: Store) -> None:
    with Project(said, "Ana") as project:
        grades = project_scores.evaluate_project(project)
        said.record("Ana", "verdict", ("q1",), {"choice": "right"})
        assert project_scores.evaluate_project(project).scores.tolist() == grades.scores.tolist()


def test_taking_an_import_back_leaves_what_it_names(said: Store) -> None:
    (one,) = [one for one in maintenance.imports(Project(said)) if one.in_force]
    maintenance.withdraw(Project(said, "Ana"), one.identity)
    assert values(said) == SAID
    assert all(current_values.candidate_key(said.db, one) for one in (OF[1], OF[3]))


def test_a_program_that_does_not_know_the_task_refuses_the_file(
    said: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    said.close()
    before = said.path.read_bytes()
    monkeypatch.delitem(TASKS, "verdict")
    for read_only in (False, True):
        with pytest.raises(NewerError, match=r"newer version of Annotator recorded \(verdict\)"):
            Store.open(said.path, read_only=read_only)
    assert said.path.read_bytes() == before
