"""Projects to try things on, made by the store itself."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.storage.content import digests
from annotator.storage.store import Store
from tests.storage.projects import empty_store, fill


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a small project: three queries and six documents, known by their ids."""
    with empty_store(tmp_path / "small.annot") as created:
        with created.writing() as db:
            db.executemany(
                "INSERT INTO query(external, text, tags, guidelines, fields) VALUES (?, ?, '[]', '', '{}')",
                [(f"q{number}", f"question {number}") for number in range(3)],
            )
            db.executemany(
                "INSERT INTO candidate(external) VALUES (?)", [(f"d{number}",) for number in range(6)]
            )
            digests.recount(db)
        yield created


FULL: list[bytes] = []
"""The bytes of the project `full`, made once: every test gets a copy of the file."""


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Store]:
    """Return a project with something of everything in it."""
    path = tmp_path / "full.annot"
    if not FULL:
        with empty_store(path) as created:
            fill(created)
        FULL.append(path.read_bytes())
    path.write_bytes(FULL[0])
    with Store.open(path) as copy:
        yield copy


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    """Return a function that creates an empty project by name; all are closed at the end."""
    made: list[Store] = []

    def create(name: str) -> Store:
        made.append(empty_store(tmp_path / f"{name}.annot"))
        return made[-1]

    yield create
    for one in made:
        one.close()
