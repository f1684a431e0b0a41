"""What arrives late stands at its place in the fold order, wherever there is room between the rows."""

import sqlite3
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.storage.ledger import arrivals
from annotator.storage.ledger.arrivals import GAP, Arrived, place_of
from annotator.storage.store import Store
from tests.storage.projects import empty_store

Rows = list[tuple[int, str, int, str]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return an empty project."""
    with empty_store(tmp_path / "made.annot") as store:
        yield store


def event(session: str, sequence: int, clock: int) -> Arrived:
    """Return an event of an import, whose hash nobody looks at here."""
    hashed = f"{clock:08x}{sequence:08x}{session.encode().hex():>048}"
    return Arrived(
        session, sequence, clock, 1, "Ana", "person", "import", "[]", *[None] * 3, 1, "", None, hashed
    )


def filled(db: sqlite3.Connection, there: list[Arrived], steps: list[int]) -> None:
    """Put events into an empty ledger, so far from each other, each with a query that it brought."""
    for table in ("query", "event"):
        db.execute(f"DELETE FROM {table}")
    if there:
        arrivals.insert(db, there)
    keys = [key for (key,) in db.execute("SELECT id FROM event ORDER BY id").fetchall()]
    db.executemany("UPDATE event SET id = ? WHERE id = ?", zip(accumulate(steps), keys, strict=False))
    db.execute(
        "INSERT INTO query(external, text, tags, guidelines, fields, event) "
        "SELECT hex(hash), '', '[]', '', '{}', id FROM event"
    )


def rows(db: sqlite3.Connection) -> Rows:
    """Return key, session, sequence and hash of all events."""
    return db.execute(
        "SELECT event.id, identity, sequence, hex(hash) FROM event JOIN session ON session.id = session "
        "ORDER BY event.id"
    ).fetchall()


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(
    clocks=st.lists(st.sets(st.integers(1, 40), max_size=15), min_size=3, max_size=3),
    steps=st.lists(st.sampled_from((1, 1, 1, 2, 3, 40, GAP)), min_size=45, max_size=45),
    choose=st.randoms(use_true_random=False),
)
def test_whatever_arrives_stands_in_order_and_imports_keep_what_they_brought(
    store: Store, clocks: list[set[int]], steps: list[int], choose: Callable[..., object]
) -> None:
    of = [
        event(name, *one) for name, some in zip("abc", clocks, strict=True) for one in enumerate(sorted(some))
    ]
    every = sorted(of, key=place_of)
    part = [choose.randrange(4) for _ in every]  # type: ignore[attr-defined]
    with sqlite3.connect(":memory:") as db:
        store.db.backup(db)
        filled(db, [one for one, number in zip(every, part, strict=True) if number < 2], steps)
        for number in (2, 3):
            arrived = [one for one, its in zip(every, part, strict=True) if its == number]
            last = rows(db)[-1:]
            if arrived:
                arrivals.insert(db, arrived)
                assert rows(db)[-1:] != last
        assert [row[1:] for row in rows(db)] == [(*one[:2], one.hash.upper()) for one in every]
        brought = db.execute(
            "SELECT external, hex(hash) FROM query JOIN event ON event = event.id"
        ).fetchall()
        assert len(brought) == sum(number < 2 for number in part)
        assert all(external == hashed for external, hashed in brought)


def test_only_rows_up_to_the_next_room_are_moved(store: Store) -> None:
    """Behind the place in the midst of a thousand without room these alone, and the last of all."""
    with sqlite3.connect(":memory:") as db:
        store.db.backup(db)
        there = [event("a", at, 2 * at + 1) for at in range(3_000)]
        filled(db, there, [1 if at % 1_000 else GAP for at in range(3_000)])
        before = rows(db)
        arrivals.insert(db, [event("b", at, 2 * (1_500 + at)) for at in range(100)])
        moved = {row[2] for row in {*before} - {*rows(db)}}
        assert moved <= {*range(1_500, 2_000), 2_999}
        assert len(moved) == 501


def test_rows_pass_no_other_that_is_still_to_be_moved(store: Store) -> None:
    """Of a hundred and fifty in a row the first ones are moved back, the last ones on."""
    there = [event("a", at, 2 * at + 1) for at in range(154)]
    late = [event("b", at, clock) for at, clock in enumerate((2, 242))]
    with sqlite3.connect(":memory:") as db:
        store.db.backup(db)
        filled(db, there, [1, 1, 1_000, *[1] * 150, 1_500])
        before = rows(db)
        arrivals.insert(db, late)
        after = [row for row in rows(db) if row[1] == "a"]
        assert {old[0] < new[0] for old, new in zip(before, after, strict=True)} == {False, True}
        assert [row[1:3] for row in rows(db)] == [one[:2] for one in sorted([*there, *late], key=place_of)]
