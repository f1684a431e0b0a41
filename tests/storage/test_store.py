from pathlib import Path

import pytest

from annotator.errors import LockedError, ProjectError, ReadOnlyError, UserError
from annotator.storage.ledger import events, undo_stack
from annotator.storage.store import Store
from tests.storage.projects import empty_store


def graded(grade: int) -> dict[str, object]:
    return {"state": "graded", "grade": grade}


def grade_of(store: Store, annotator: str = "Ana", query: str = "q0", candidate: str = "d0") -> int | None:
    value = store.value(annotator, "grade", (query, candidate))
    return value["grade"] if value else None


def test_a_grade_is_there_after_closing_and_opening_again(store: Store) -> None:
    store.record("Ana", "grade", ("q0", "d0"), graded(4), milliseconds=812)
    store.close()
    with Store.open(store.path) as again:
        value = again.value("Ana", "grade", ("q0", "d0"))
    assert (value["state"], value["grade"], value["milliseconds"]) == ("graded", 4, 812)


def test_an_event_says_what_was_before_and_what_is_now(store: Store) -> None:
    store.record("Ana", "grade", ("q0", "d0"), graded(1))
    event = store.record("Ana", "grade", ("q0", "d0"), graded(5), how="mouse", blind=False)
    assert event is not None
    assert (event.before["grade"], event.after["grade"]) == (1, 5)
    assert (event.annotator, event.how, event.blind) == ("Ana", "mouse", False)


def test_saying_the_same_again_adds_no_event(store: Store) -> None:
    store.record("Ana", "grade", ("q0", "d0"), graded(4))
    head = store.head()
    assert store.record("Ana", "grade", ("q0", "d0"), graded(4), milliseconds=9) is None
    assert store.head() == head


def test_a_note_keeps_the_time_of_the_grade(store: Store) -> None:
    first = store.record("Ana", "grade", ("q0", "d0"), graded(4), milliseconds=700)
    assert first is not None
    second = store.record("Ana", "grade", ("q0", "d0"), {**first.after, "note": "odd"}, milliseconds=20)
    assert second is not None
    assert second.after == {**first.after, "note": "odd"}


@pytest.mark.parametrize(
    ("kind", "subject", "value"),
    [
        ("gold", ("q1",), {"answers": [{"text": "Diana", "aliases": ["Wonder Woman"]}, {"text": "Thor"}]}),
        ("gold", ("q1",), {"answers": [{"text": "é", "document": "d1", "start": 0, "end": 1}]}),
        ("gold", ("q1",), {"unanswerable": True}),
        ("query", ("q1",), {"note": "see the guidelines", "difficulty": "hard"}),
        ("setting", ("pool_depth",), 20),
        ("snapshot", ("before",), {"measures": ["AP"], "head": "00"}),
        ("unblind", ("q1",), True),
        ("adjudication", ("q1", "d1"), {"grade": 3, "reason": "the title decides"}),
        ("grade", ("q1", "d1"), {"state": "cannot_tell", "reason": "cut off"}),
        ("grade", ("q1", "d1"), {"flag": True, "note": "later"}),
    ],
)
def test_every_kind_of_value_is_read_back_as_it_was_written(
    store: Store, kind: str, subject: tuple[str, ...], value: object
) -> None:
    store.record("Ana", kind, subject, value)
    found = store.value("Ana", kind, subject)
    if kind == "grade":
        found = {name: item for name, item in found.items() if name not in ("time", "milliseconds")}
    assert found == value
    store.record("Ana", kind, subject, None)
    assert store.value("Ana", kind, subject) is None


def test_nothing_of_a_transaction_that_fails_is_stored(store: Store) -> None:
    store.record("Ana", "grade", ("q0", "d0"), graded(2))
    head = store.head()

    def both() -> None:
        with store.writing():
            store.record("Ana", "grade", ("q0", "d0"), graded(5))
            store.record("Ana", "grade", ("q0", "d99"), graded(5))

    with pytest.raises(ProjectError, match="no candidate"):
        both()
    assert (grade_of(store), store.head()) == (2, head)
    store.record("Ana", "grade", ("q0", "d1"), graded(3))
    assert [event.sequence for event in events.all_events(store.db)] == [0, 1, 2]


def test_undo_takes_back_step_by_step_and_redo_brings_back(store: Store) -> None:
    for grade in (1, 2, 3):
        store.record("Ana", "grade", ("q0", "d0"), graded(grade))
    seen = []
    for step in (
        undo_stack.undo,
        undo_stack.undo,
        undo_stack.redo,
        undo_stack.undo,
        undo_stack.undo,
        undo_stack.redo,
        undo_stack.redo,
        undo_stack.redo,
    ):
        step(store, "Ana")
        seen.append(grade_of(store))
    assert seen == [2, 1, 2, 1, None, 1, 2, 3]
    assert undo_stack.redo(store, "Ana") is None


def test_undo_works_after_a_restart(store: Store) -> None:
    store.record("Ana", "grade", ("q0", "d0"), graded(1))
    store.record("Ana", "grade", ("q0", "d0"), graded(2))
    undo_stack.undo(store, "Ana")
    store.close()
    with Store.open(store.path) as again:
        assert undo_stack.redo(again, "Ana") is not None
        assert grade_of(again) == 2
        undo_stack.undo(again, "Ana")
        undo_stack.undo(again, "Ana")
        assert undo_stack.undo(again, "Ana") is None
        assert grade_of(again) is None


def test_a_new_action_ends_the_redo_chain(store: Store) -> None:
    store.record("Ana", "grade", ("q0", "d0"), graded(1))
    undo_stack.undo(store, "Ana")
    store.record("Ana", "grade", ("q0", "d1"), graded(2))
    assert undo_stack.redo(store, "Ana") is None


def test_undo_leaves_the_events_of_others_alone(store: Store) -> None:
    store.record("Ana", "grade", ("q0", "d0"), graded(1))
    store.record("Ben", "grade", ("q0", "d0"), graded(5))
    undo_stack.undo(store, "Ana")
    assert (grade_of(store), grade_of(store, "Ben")) == (None, 5)


def test_undo_passes_over_what_somebody_changed_since(store: Store) -> None:
    grade = store.record("Ana", "grade", ("q0", "d0"), graded(3))
    store.record("Ana", "gold", ("q0",), {"answers": [{"text": "Thor"}]})
    store.record("Ben", "gold", ("q0",), {"answers": [{"text": "Loki"}]})
    undone = undo_stack.undo(store, "Ana")
    assert undone is not None
    assert (undone.undoes, grade_of(store)) == (grade.identity, None)
    with pytest.raises(UserError, match="somebody else"):
        undo_stack.undo(store, "Ana")
    assert store.value("", "gold", ("q0",)) == {"answers": [{"text": "Loki"}]}
    redone = undo_stack.redo(store, "Ana")
    assert redone is not None
    assert grade_of(store) == 3


def test_undoing_a_correction_restores_the_time_of_the_first_grade(store: Store) -> None:
    first = store.record("Ana", "grade", ("q0", "d0"), graded(1), milliseconds=900)
    store.record("Ana", "grade", ("q0", "d0"), graded(2), milliseconds=300)
    undo_stack.undo(store, "Ana")
    assert first is not None
    assert store.value("Ana", "grade", ("q0", "d0")) == first.after


def test_a_second_writer_is_told_who_has_the_file_and_may_read(store: Store) -> None:
    with pytest.raises(LockedError, match=r"process \d+, since"):
        Store.open(store.path)
    with Store.open(store.path, read_only=True) as reader:
        store.record("Ana", "grade", ("q0", "d0"), graded(4))
        assert grade_of(reader) == 4
        with pytest.raises(ReadOnlyError, match="reading only"):
            reader.record("Ana", "grade", ("q0", "d0"), graded(1))


def test_creating_refuses_to_replace_a_file(store: Store) -> None:
    before = store.path.read_bytes()
    with pytest.raises(ProjectError, match="exists already"):
        empty_store(store.path)
    assert store.path.read_bytes() == before


def test_history_tells_a_query_with_its_candidates_newest_first(store: Store) -> None:
    store.record("Ana", "grade", ("q1", "d0"), graded(1))
    store.record("Ana", "gold", ("q1",), {"unanswerable": True})
    store.record("Ana", "grade", ("q1", "d1"), graded(2))
    store.record("Ana", "grade", ("q2", "d1"), graded(3))
    told = [event.subject for _, event in events.history(store.db, query_id="q1")]
    assert told == [("q1", "d1"), ("q1",), ("q1", "d0")]
    newest = events.history(store.db, limit=1)
    older = events.history(store.db, before=newest[0][0])
    assert [event.subject for _, event in newest + older] == [("q2", "d1"), *told]


def test_a_query_whose_id_begins_like_another_has_its_own_history(tmp_path: Path) -> None:
    with empty_store(tmp_path / "ids.annot") as store:
        with store.writing() as db:
            for external in ("q", 'q"', "q,1"):
                db.execute("INSERT INTO query VALUES (NULL, ?, '', '[]', '', '{}', NULL)", (external,))
        for external in ("q", 'q"', "q,1"):
            store.record("Ana", "gold", (external,), {"unanswerable": True})
        for external in ("q", 'q"', "q,1"):
            assert [event.subject for _, event in events.history(store.db, query_id=external)] == [
                (external,)
            ]
