"""The small result with known numbers."""

import pytest

from annotator.evaluation.results import EvaluationResult
from tests.known_result import known_result


@pytest.fixture
def result() -> EvaluationResult:
    return known_result()
