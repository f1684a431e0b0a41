"""The command line, run in this process."""

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from annotator.commands.program import app


@pytest.fixture
def run() -> Callable[..., Result]:
    """Return a function that runs the command line with some words and gives what it printed."""
    runner = CliRunner()

    def words(*given: object) -> Result:
        result = runner.invoke(app, [str(one) for one in given])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return words
