"""One place of each kind that carries a project: every test of this folder runs over all of them."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from annotator.carriers import addresses
from annotator.carriers.carrier import Carrier
from annotator.carriers.postgres import Postgres
from tests.carriers import database

CARRIERS = ("folder", "database")
"""Each is a parameter of `new_place`."""

NewPlace = Callable[[], str]


@pytest.fixture(scope="session")
def server(worker_id: str) -> Iterator[database.Server]:
    """Return a PostgreSQL server."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"{os.getpid()}-{worker_id}")
    with database.running(run[:32]) as started:
        yield started


@pytest.fixture(params=CARRIERS)
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> NewPlace:
    """Return a function that gives the address of another new place, in which nothing lies yet."""
    if request.param == "database":
        started: database.Server = request.getfixturevalue("server")
        return started.new_place
    numbers = count(1)
    return lambda: str(tmp_path / f"carrier-{next(numbers)}")


@pytest.fixture(autouse=True)
def _closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every connection that a test left open."""
    made, begin = [], Postgres.__init__

    def noted(self: Postgres, address: str) -> None:
        begin(self, address)
        made.append(self)

    monkeypatch.setattr(Postgres, "__init__", noted)
    yield
    for one in made:
        one.close()


@pytest.fixture
def carrier(new_place: NewPlace) -> Iterator[Carrier]:
    """Return a new carrier, made ready."""
    made = addresses.carrier(new_place(), begin=True)
    yield made
    made.close()
