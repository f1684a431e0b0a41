import random

import pytest

from annotator.storage.care import integrity
from annotator.storage.ledger import event_fold, events, undo_stack
from annotator.storage.store import Store


@pytest.mark.parametrize("seed", range(5))
def test_the_events_fold_to_the_tables_after_any_actions(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    with store.writing():
        for _ in range(60):
            who = chance.choice(["Ana", "Ben"])
            pair = (f"q{chance.randrange(3)}", f"d{chance.randrange(6)}")
            match chance.randrange(7):
                case 0 | 1 | 2:
                    store.record(who, "grade", pair, {"state": "graded", "grade": chance.randrange(6)})
                case 3:
                    store.record(who, "grade", pair, chance.choice([None, {"flag": True}]))
                case 4:
                    store.record(who, "gold", pair[:1], chance.choice([None, {"unanswerable": True}]))
                case 5:
                    store.record(who, "unblind", pair[:1], True)
                case _:
                    undo_stack.undo(store, who)
    assert integrity.check(store.db) == []
    before = list(store.db.iterdump())
    with store.writing() as db:
        event_fold.write_current(db)
    assert list(store.db.iterdump()) == before


def test_events_stand_in_the_order_of_clock_session_and_sequence(full: Store) -> None:
    full.close()
    with Store.open(full.path) as again:
        again.record("Ana", "setting", ("x",), 1)
        found = [(event.clock, event.session, event.sequence) for event in events.all_events(again.db)]
    assert found == sorted(found)
    assert [clock for clock, _, _ in found] == list(range(1, len(found) + 1))
    assert len({session for _, session, _ in found}) == 2


def test_a_new_session_names_the_head_that_it_saw(full: Store) -> None:
    head = full.head()
    full.close()
    with Store.open(full.path) as again:
        assert again.head() == head
        again.record("Ana", "setting", ("x",), 1)
        opened = [event for event in events.all_events(again.db) if event.task == "session"][-1]
        assert opened.after["heads"] == [head]
        assert again.head() != head


def test_the_head_of_an_empty_ledger_is_all_noughts(store: Store) -> None:
    assert store.head() == events.NO_HASH


def test_any_part_of_an_event_changes_its_hash() -> None:
    parts = ["s", 1, 2, 3, "Ana", "person", "grade", '["q","d"]', None, '{"grade":3}', 5, 1, "key", None]
    hashes = {events.digest("00", *parts)}
    for place, part in enumerate(parts):
        other = [*parts]
        other[place] = part + 1 if isinstance(part, int) else f"{part or ''}x"
        hashes.add(events.digest("00", *other))
    hashes.add(events.digest("01", *parts))
    assert len(hashes) == len(parts) + 2
