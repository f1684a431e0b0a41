"""A small project file to try things on: three queries, six documents, two annotators at most."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.storage.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "small.annot") as created:
        with created.writing() as db:
            db.executemany(
                "INSERT INTO query(external, text, tags, guidelines, fields) VALUES (?, ?, '[]', '', '{}')",
                [(f"q{number}", f"question {number}") for number in range(3)],
            )
            db.executemany(
                "INSERT INTO candidate(external) VALUES (?)", [(f"d{number}",) for number in range(6)]
            )
        yield created
