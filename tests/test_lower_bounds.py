"""What the project declares to need, and the versions that it is tested with, belong together."""

import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
DECLARED = [
    Requirement(one) for one in (*PROJECT["dependencies"], *(one for some in EXTRAS.values() for one in some))
]
PINNED = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
STUBS = {"pandas-stubs", "scipy-stubs"}
"""They follow what they describe, and are for mypy alone."""


def named(one: Requirement) -> str:
    return one.name.lower().replace("_", "-")


def holds(one: Requirement, python: str) -> bool:
    environment = {**default_environment(), "python_version": python, "python_full_version": f"{python}.9"}
    return one.marker is None or one.marker.evaluate({**environment, "extra": ""})


@pytest.mark.parametrize("one", DECLARED, ids=str)
def test_every_requirement_has_a_lower_bound_that_the_tested_version_keeps(one: Requirement) -> None:
    lower = [each for each in one.specifier if each.operator == ">="]
    assert len(lower) == (named(one) not in STUBS)
    tested = 0
    for python in ("3.11", "3.12", "3.13", "3.14"):
        pins = [pin for pin in PINNED if named(pin) == named(one) and holds(pin, python)]
        for pin in pins if holds(one, python) else []:
            (version,) = (each.version for each in pin.specifier if each.operator == "==")
            assert one.specifier.contains(version), f"{pin} is tested, {one} is declared"
            tested += 1
    assert tested, f"{one} is not pinned in constraints.txt"


def test_what_is_declared_twice_has_one_bound() -> None:
    bounds: dict[tuple[str, str], set[str]] = {}
    for one in DECLARED:
        bounds.setdefault((named(one), str(one.marker)), set()).add(str(one.specifier))
    assert {name: found for name, found in bounds.items() if len(found) > 1} == {}
