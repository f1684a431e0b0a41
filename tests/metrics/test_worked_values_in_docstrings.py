import doctest
import importlib
import pkgutil

import pytest

from annotator import metrics

MODULES = [one.name for one in pkgutil.iter_modules(metrics.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_come_out(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"annotator.metrics.{name}"))
    assert result.failed == 0


def test_the_kernel_shows_worked_values() -> None:
    examples = sum(
        len(found.examples)
        for name in MODULES
        for found in doctest.DocTestFinder().find(importlib.import_module(f"annotator.metrics.{name}"))
    )
    assert examples >= 8
