"""The statements that opening compares with are those that SQLModel writes."""

import sqlite3

from annotator.storage import schema, whitelist


def test_the_expected_structure_is_the_declared_one() -> None:
    made = sqlite3.connect(":memory:", isolation_level=None)
    try:
        schema.create(made)
        assert whitelist.differences(made) == []
        made.execute("ALTER TABLE setting ADD COLUMN more TEXT")
        assert whitelist.differences(made) == ["table setting is changed"]
    finally:
        made.close()
