"""The recorded layout is the declared one, and nothing else opens."""

import sqlite3
from collections.abc import Iterator

import pytest

from annotator.storage import schema
from annotator.storage.file import access, layout


@pytest.fixture
def made() -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(db)
    yield db
    db.close()


def test_the_recorded_layout_is_what_the_models_write(made: sqlite3.Connection) -> None:
    assert layout.stored(made) == layout.recorded(access.VERSION)
    assert layout.differences(made) == []


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ("ALTER TABLE session ADD COLUMN more TEXT", "table session is changed"),
        ("DROP TABLE digest", "table digest is missing"),
        ("DROP INDEX ix_event_subject", "index ix_event_subject is missing"),
        ("CREATE TABLE more(x)", "table more does not belong there"),
        (
            "CREATE TRIGGER more AFTER INSERT ON event BEGIN SELECT 1; END",
            "trigger more does not belong there",
        ),
        ("ANALYZE", "table sqlite_stat1 does not belong there"),
        ("PRAGMA user_version = 0", "it has no version that is known (0)"),
    ],
)
def test_what_differs_is_named(made: sqlite3.Connection, change: str, difference: str) -> None:
    made.execute(change)
    assert layout.differences(made)[0] == difference


def test_only_white_space_may_differ() -> None:
    """As SQLite keeps what was typed, a copy made by another program can have other line breaks."""
    recorded = layout.recorded(access.VERSION)
    db = sqlite3.connect(":memory:")
    for statement in recorded.values():
        db.execute(statement.replace(" ", "\n\t "))
    assert layout.stored(db) == recorded
    db.close()
