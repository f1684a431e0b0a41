import pytest

from annotator.errors import ProjectError, Stopped
from annotator.records import Dataset, Document, Query
from annotator.storage import checking, reading, withdrawing
from annotator.storage.bulk import import_dataset
from annotator.storage.contents import Import
from annotator.storage.store import Store
from tests.storage.projects import run_of

OVER = Import("imported:late", "late.run", replace=True)


def test_a_withdrawn_import_takes_its_runs_judgments_and_gold_answers_along(full: Store) -> None:
    (first, in_force), *_ = withdrawing.imports(full)
    assert in_force
    withdrawing.withdraw(full, first.identity, "Ana")
    assert reading.runs(full.db) == []
    assert full.value("imported:qrels", "judgment", ("q2", "d2")) is None
    assert full.value("", "gold", ("q1",)) is None
    assert withdrawing.imports(full) == [(first, False)]
    assert checking.check(full.db) == []


def test_what_people_did_with_an_import_stays(full: Store) -> None:
    withdrawing.withdraw(full, withdrawing.imports(full)[0][0].identity, "Ana")
    assert full.value("Ana", "judgment", ("q2", "d1"))["grade"] == 3
    assert full.value("", "gold", ("q2",))["answers"][0]["text"] == "behind"
    assert [query.id for _, query in reading.queries(full.db)] == ["q1", "q2"]
    assert [document.id for document in reading.documents(full.db)] == ["d1", "d2"]


def test_content_that_nothing_uses_goes_with_its_import(full: Store) -> None:
    late = Dataset(
        queries=[Query("q9", "late")], documents=[Document("d8", "late"), Document("d1", "Hours!")]
    )
    event, _ = import_dataset(full, late, OVER)
    withdrawing.withdraw(full, event.identity, "Ana")
    assert [query.id for _, query in reading.queries(full.db)] == ["q1", "q2"]
    assert [document.id for document in reading.documents(full.db)] == ["d1", "d2"]
    assert checking.check(full.db) == []


def test_the_run_before_becomes_current_again(full: Store) -> None:
    event, _ = import_dataset(full, Dataset(runs=[run_of("dense", {"q2": ["d2", "d1"]})]), OVER)
    assert {run.name: run.rows for run in reading.runs(full.db)} == {"bm25": 4, "dense": 2}
    withdrawing.withdraw(full, event.identity, "Ana")
    assert {run.name: run.rows for run in reading.runs(full.db)} == {"bm25": 4, "dense": 1}


def test_stopping_in_the_middle_leaves_everything_in_force(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.storage.opening.STEPS_BETWEEN_LOOKS", 50)
    identity = withdrawing.imports(full)[0][0].identity
    before = full.head()
    with pytest.raises(Stopped, match="still in force"):
        withdrawing.withdraw(full, identity, "Ana", lambda: True)
    assert (full.head(), withdrawing.imports(full)[0][1]) == (before, True)
    withdrawing.withdraw(full, identity, "Ana", lambda: False)
    assert checking.check(full.db) == []


def test_an_import_is_withdrawn_once(full: Store) -> None:
    identity = withdrawing.imports(full)[0][0].identity
    withdrawing.withdraw(full, identity, "Ana")
    with pytest.raises(ProjectError, match="taken back already"):
        withdrawing.withdraw(full, identity, "Ana")


def test_undo_passes_over_imports_and_their_withdrawal(full: Store) -> None:
    withdrawing.withdraw(full, withdrawing.imports(full)[0][0].identity, "Ana")
    event = full.undo("Ana")
    assert event is not None
    assert event.kind == "adjudication"
