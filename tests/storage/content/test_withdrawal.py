import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import ProjectError, Stopped
from annotator.records import Answer, Dataset, Document, GoldAnswer, GoldList, JudgmentTable, Query, answer_id
from annotator.storage.care import integrity
from annotator.storage.content import plain_rows, repeated, withdrawal
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import undo_stack
from annotator.storage.reads import holdings
from annotator.storage.store import Store
from annotator.watch import Watch
from tests.examples import examples
from tests.storage.projects import empty_store, run_of

OVER = Import("imported:late", "late.run", replace=True)


def test_a_withdrawn_import_takes_its_runs_judgments_and_gold_answers_along(full: Store) -> None:
    (first, in_force), *_ = withdrawal.imports(full)
    assert in_force
    withdrawal.withdraw(full, first.identity, "Ana")
    assert holdings.runs(full.db) == []
    assert full.value("imported:qrels", "grade", ("q2", "d2")) is None
    assert full.value("", "gold", ("q1",)) is None
    assert withdrawal.imports(full) == [(first, False)]
    assert integrity.check(full.db) == []


def test_what_people_did_with_an_import_stays(full: Store) -> None:
    withdrawal.withdraw(full, withdrawal.imports(full)[0][0].identity, "Ana")
    assert full.value("Ana", "grade", ("q2", "d1"))["grade"] == 3
    assert full.value("", "gold", ("q2",))["answers"][0]["text"] == "behind"
    assert [query.id for _, query in holdings.queries(full.db)] == ["q1", "q2"]
    assert [document.id for document in holdings.documents(full.db)] == ["d1", "d2"]


def test_content_that_nothing_uses_goes_with_its_import(full: Store) -> None:
    late = Dataset(
        queries=[Query("q9", "late")], documents=[Document("d8", "late"), Document("d1", "Hours!")]
    )
    event, _ = import_dataset(full, late, OVER)
    withdrawal.withdraw(full, event.identity, "Ana")
    assert [query.id for _, query in holdings.queries(full.db)] == ["q1", "q2"]
    assert [document.id for document in holdings.documents(full.db)] == ["d1", "d2"]
    assert integrity.check(full.db) == []


def test_the_run_before_becomes_current_again(full: Store) -> None:
    event, _ = import_dataset(full, Dataset(runs=[run_of("dense", {"q2": ["d2", "d1"]})]), OVER)
    assert {run.name: run.rows for run in holdings.runs(full.db)} == {"bm25": 4, "dense": 2}
    withdrawal.withdraw(full, event.identity, "Ana")
    assert {run.name: run.rows for run in holdings.runs(full.db)} == {"bm25": 4, "dense": 1}


def test_stopping_in_the_middle_leaves_everything_in_force(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.watch.STEPS_BETWEEN_LOOKS", 50)
    identity = withdrawal.imports(full)[0][0].identity
    before = full.head()
    with pytest.raises(Stopped, match="still in force"):
        withdrawal.withdraw(full, identity, "Ana", Watch(withdrawal.KEPT, None, lambda: True))
    assert (full.head(), withdrawal.imports(full)[0][1]) == (before, True)
    withdrawal.withdraw(full, identity, "Ana", Watch("", None, lambda: False))
    assert integrity.check(full.db) == []


def test_stopping_between_the_texts_that_come_back_leaves_everything_in_force(full: Store) -> None:
    other = Dataset(documents=[Document("d1", "", "other"), Document("d2", "", "other")])
    event, _ = import_dataset(full, other, OVER)
    looks = iter([False])
    with pytest.raises(Stopped):
        withdrawal.withdraw(full, event.identity, "Ana", Watch("", None, lambda: next(looks, True)))
    assert [document.text for document in holdings.documents(full.db)] == ["other", "other"]
    assert integrity.check(full.db) == []


def test_an_import_is_withdrawn_once(full: Store) -> None:
    identity = withdrawal.imports(full)[0][0].identity
    withdrawal.withdraw(full, identity, "Ana")
    with pytest.raises(ProjectError, match="taken back already"):
        withdrawal.withdraw(full, identity, "Ana")


def test_undo_passes_over_imports_and_their_withdrawal(full: Store) -> None:
    withdrawal.withdraw(full, withdrawal.imports(full)[0][0].identity, "Ana")
    event = undo_stack.undo(full, "Ana")
    assert event is not None
    assert event.task == "adjudication"


def state(store: Store) -> dict[str, object]:
    """Return everything that a project holds besides its ledger, proved sound, as its text twin writes it."""
    db = store.db
    assert integrity.check(db) == []
    runs = holdings.runs(db, current_only=False)
    judged = db.execute(
        "SELECT name, query.external, candidate.external, state, grade, beside, judgment.time FROM judgment "
        "JOIN annotator ON annotator.id = annotator JOIN query ON query.id = judgment.query "
        "JOIN candidate ON candidate.id = candidate ORDER BY 1, 2, 3"
    )
    return {
        "contents": [
            list(rows(db)) for rows in (plain_rows.queries, plain_rows.documents, plain_rows.answers)
        ],
        "candidates": db.execute("SELECT external FROM candidate ORDER BY 1").fetchall(),
        "gold": list(plain_rows.gold(db)),
        "runs": [
            (plain_rows.run_head(run), run.current, list(plain_rows.rankings(db, run.key))) for run in runs
        ],
        "imported": [list(plain_rows.imported(db, key)) for key, _ in plain_rows.imports_with_judgments(db)],
        "judgments": judged.fetchall(),
    }


QUERIES, DOCUMENTS, ANSWERS = ("q1", "q2"), ("d1", "d2", "d3"), ("Thor", "")
WORDS = st.sampled_from(["", "one", "two"])


def table_of(judged: dict[tuple[str, str], int]) -> JudgmentTable:
    """Return judgments as columns that name nothing else."""
    queries, query = np.unique([pair[0] for pair in judged], return_inverse=True)
    documents, document = np.unique([pair[1] for pair in judged], return_inverse=True)
    codes = (part.astype(np.int32) for part in (query, document))
    return JudgmentTable(queries.tolist(), documents.tolist(), *codes, np.array([*judged.values()]), "qrels")


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Return any data set over a few ids, so that one brings what others named, filled or replaced."""

    def some(ids: Sequence[str]) -> list[str]:
        return draw(st.lists(st.sampled_from(ids), unique=True, max_size=2))

    answers = [
        Answer("q1", text, f"{text} {draw(WORDS)}", 0, len(text))
        if draw(st.booleans())
        else Answer("q1", text)
        for text in some(ANSWERS)
    ]
    judged = draw(st.dictionaries(st.tuples(*map(st.sampled_from, (QUERIES, DOCUMENTS))), st.integers(0, 5)))
    ranked = {query: ranking for query in some(QUERIES) if (ranking := some(DOCUMENTS))}
    if answers and draw(st.booleans()):
        ranked["q1"] = [answer_id("q1", one.text) for one in answers]
    return Dataset(
        queries=[
            Query(one, draw(WORDS), fields={"n": draw(st.sampled_from([1, 1.0]))}) for one in some(QUERIES)
        ],
        documents=[Document(one, draw(WORDS), draw(WORDS)) for one in some(DOCUMENTS)],
        answers=answers,
        runs=[run_of(draw(st.sampled_from(["bm25", "dense"])), ranked)] if ranked else [],
        judgments=table_of(judged) if judged else None,
        gold=[GoldList(one, (GoldAnswer(draw(WORDS)),)) for one in some(QUERIES)],
    )


@st.composite
def acts(draw: st.DrawFn) -> tuple[str, str, int] | Dataset:
    """Return an import, or a grade of Ana's."""
    if draw(st.booleans()):
        return draw(st.sampled_from(QUERIES)), draw(st.sampled_from(DOCUMENTS)), draw(st.integers(0, 5))
    return draw(datasets())


def do(store: Store, act: tuple[str, str, int] | Dataset) -> str | None:
    """Import or grade, where that can be done; return the name of the import."""
    try:
        if isinstance(act, Dataset):
            return import_dataset(store, act, OVER)[0].identity
        store.record("Ana", "grade", act[:2], {"state": "graded", "grade": act[2]})
    except ProjectError:
        pass
    return None


EMPTY: list[bytes] = []


def empty(folder: str) -> Store:
    """Return an empty project, whose bytes are made once."""
    path = Path(folder) / "empty.annot"
    if EMPTY:
        path.write_bytes(EMPTY[0])
        return Store.open(path)
    store = empty_store(path)
    EMPTY.append(path.read_bytes())
    return store


@settings(max_examples=40)
@given(before=st.lists(acts(), max_size=4), late=datasets())
def test_taking_back_an_import_restores_everything_that_was_there_before(
    before: list[tuple[str, str, int] | Dataset], late: Dataset
) -> None:
    with tempfile.TemporaryDirectory() as folder, empty(folder) as store:
        for act in before:
            do(store, act)
        there = state(store)
        identity = do(store, late)
        if identity:
            withdrawal.withdraw(store, identity, "Ana")
            assert state(store) == there


@settings(max_examples=examples(15, 40))
@given(brought=st.lists(datasets(), min_size=1, max_size=4), chance=st.randoms())
def test_once_all_imports_are_taken_back_in_any_order_nothing_is_left(
    brought: list[Dataset], chance: Random
) -> None:
    with tempfile.TemporaryDirectory() as folder, empty(folder) as store:
        before = state(store)
        names = [name for one in brought if (name := do(store, one))]
        chance.shuffle(names)
        for name in names:
            withdrawal.withdraw(store, name, "Ana")
            assert integrity.check(store.db) == []
        assert state(store) == before


def test_a_text_that_was_changed_again_since_stays(full: Store) -> None:
    first, _ = import_dataset(full, Dataset(documents=[Document("d1", "Hours", "From ten.")]), OVER)
    import_dataset(full, Dataset(documents=[Document("d1", "Hours", "From noon.")]), OVER)
    withdrawal.withdraw(full, first.identity, "Ana")
    assert next(iter(holdings.documents(full.db))).text == "From noon."
    assert integrity.check(full.db) == []


def test_documents_that_another_import_brought_stay_when_their_first_run_goes(full: Store) -> None:
    run, _ = import_dataset(full, Dataset(runs=[run_of("late", {"q2": ["d7"]})]), OVER)
    import_dataset(full, Dataset(documents=[Document("d7", "", "Seven.")]), OVER)
    withdrawal.withdraw(full, run.identity, "Ana")
    assert [one.id for one in holdings.documents(full.db)] == ["d1", "d2", "d7"]


def test_what_a_later_import_brought_again_stays_until_that_is_taken_back_too(full: Store) -> None:
    late = Dataset([Query("q9", "late")], [Document("d8", "late")], [Answer("q1", "Odin")])
    first, _ = import_dataset(full, late, OVER)
    again, counts = import_dataset(full, late, OVER)
    assert counts.same == {"queries": 1, "documents": 1, "answers": 1}

    def held() -> tuple[bool, bool, bool]:
        assert integrity.check(full.db) == []
        return (
            "q9" in [query.id for _, query in holdings.queries(full.db)],
            "d8" in [document.id for document in holdings.documents(full.db)],
            "Odin" in [answer.text for answer in holdings.answers(full.db)],
        )

    withdrawal.withdraw(full, first.identity, "Ana")
    assert held() == (True, True, True)
    withdrawal.withdraw(full, again.identity, "Ana")
    assert held() == (False, False, False)


def test_a_grade_that_was_taken_away_again_is_no_damage(full: Store) -> None:
    event, _ = import_dataset(full, Dataset(documents=[Document("d8", "", "Eight.")]), OVER)
    full.record("Ana", "grade", ("q1", "d8"), {"state": "graded", "grade": 1})
    full.record("Ana", "grade", ("q1", "d8"), None)
    withdrawal.withdraw(full, event.identity, "Ana")
    assert integrity.check(full.db) == []


def judged(full: Store, judgments: dict[tuple[str, str], int], who: str = "Dora") -> str:
    """Import judgments and return the name of the import."""
    how = Import(who, "qrels", "person", replace=True)
    return import_dataset(full, Dataset(judgments=table_of(judgments)), how)[0].identity


def test_a_judgment_that_two_imports_brought_stands_until_both_are_taken_back(full: Store) -> None:
    names = [judged(full, {("q2", "d1"): 4, ("q2", "d2"): grade}) for grade in (1, 2, 2)]
    first = full.value("Dora", "grade", ("q2", "d1"))
    for name, grades in zip(names, [(4, 2), (4, 2), (None, None)], strict=True):
        withdrawal.withdraw(full, name, "Ana")
        values = [full.value("Dora", "grade", ("q2", one)) for one in ("d1", "d2")]
        assert tuple(one and one["grade"] for one in values) == grades
        assert integrity.check(full.db) == []
    assert first["time"] == withdrawal.imports(full)[2][0].time


def test_importing_what_was_given_by_hand_leaves_time_and_undo_as_they_were(full: Store) -> None:
    full.record("Dora", "grade", ("q2", "d1"), {"state": "graded", "grade": 4}, milliseconds=700)
    before = state(full)
    name = judged(full, {("q2", "d1"): 4})
    assert state(full) == before
    withdrawal.withdraw(full, name, "Dora")
    assert state(full) == before
    assert undo_stack.undo(full, "Dora") is not None
    assert full.value("Dora", "grade", ("q2", "d1")) is None


def test_an_import_recorded_before_repetitions_were_told_apart_counts_at_its_own_place(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeated, "set_apart", lambda *_: {})
    for _ in range(2):
        name = judged(full, {("q2", "d1"): 4})
    assert full.value("Dora", "grade", ("q2", "d1"))["time"] == withdrawal.imports(full)[0][0].time
    before = state(full)
    judged(full, {("q2", "d2"): 1})
    withdrawal.withdraw(full, withdrawal.imports(full)[0][0].identity, "Ana")
    assert state(full) == before
    withdrawal.withdraw(full, name, "Ana")
    assert full.value("Dora", "grade", ("q2", "d1"))["grade"] == 4
    assert integrity.check(full.db) == []
