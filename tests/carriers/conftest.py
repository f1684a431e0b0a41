"""One place of each kind that carries a project: every test of this folder runs over all of them."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from annotator.carriers import addresses
from annotator.carriers.carrier import Carrier

CARRIERS = ("folder",)
"""Each is a parameter of `new_place`."""

NewPlace = Callable[[], str]


@pytest.fixture(params=CARRIERS)
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> NewPlace:
    """Return a function that gives the address of another new place, in which nothing lies yet."""
    assert request.param == "folder"
    numbers = count(1)
    return lambda: str(tmp_path / f"carrier-{next(numbers)}")


@pytest.fixture
def carrier(new_place: NewPlace) -> Iterator[Carrier]:
    """Return a new carrier, made ready."""
    made = addresses.carrier(new_place(), begin=True)
    yield made
    made.close()
