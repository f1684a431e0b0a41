"""Subjects for every figure, made from a seeded result of three systems over sixty queries."""

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.figures.catalogue import FigureKind
from annotator.figures.subject import Confusion, Curves, Interval, Subject
from annotator.metrics.catalogue import parse_all

QUERIES = 60


def result_of(measures: tuple[str, ...]) -> EvaluationResult:
    random = np.random.default_rng(7)
    parsed = parse_all(measures)
    base = random.beta(2, 2, QUERIES)
    scores = np.clip(
        base + random.normal(0, 0.1, (3, len(parsed), QUERIES)) + [[[0.0]], [[0.1]], [[0.2]]], 0, 1
    )
    scores[0, 0, 0] = np.nan
    return EvaluationResult(
        systems=("alpha", "beta & co", "<gamma>"),
        measures=parsed,
        query_ids=tuple(f"q{at}" for at in range(QUERIES)),
        scores=scores,
        counted=np.ones((3, QUERIES), dtype=bool),
        options=Options(measures=tuple(measures)),
        provenance=Provenance("sample", "0.1.0"),
        tags=tuple((("short", "long", "navigational")[at % 3],) for at in range(QUERIES)),
    )


@pytest.fixture(scope="session")
def result() -> EvaluationResult:
    return result_of(("nDCG@10", "P@5", "AP"))


@pytest.fixture(scope="session")
def subject(result: EvaluationResult) -> Subject:
    ranks = np.arange(1, 11)
    return Subject(
        result=result,
        measure="P@5",
        pair=("alpha", "<gamma>"),
        grade_counts={"ann": [3, 4, 5, 1, 2, 9], "bob": [3, 1, 5, 1, 2, 0]},
        confusion=Confusion(np.arange(36).reshape(6, 6), "012345", "012345", "ann", "bob"),
        intervals=[Interval("ann – bob", 0.6, 0.4, 0.8), Interval("ann – eve", 0.1, -0.2, 0.4)],
        intervals_title="weighted kappa",
        lenient=[Interval("ann", 0.4, 0.1, 0.7), Interval("bob & co", -0.4, -0.7, -0.1)],
        scatter=[Interval("ann", 1.1, 0.9, 1.3), Interval("bob & co", 1.0, 0.8, 1.2)],
        calibration={
            "gpt – ann": [(0, 12, 0.4, 0.1, 0.7), (3, 1, 2.0, float("nan"), float("nan"))],
            "llama – ann": [(0, 9, 0.6, 0.2, 1.0), (5, 8, 4.1, 3.7, 4.5)],
        },
        drifts={"ann": [(5.5, 2.0, 10), (15.5, 3.5, 10)]},
        looks={
            "beta & co - alpha": [(0, 0.0, -1.0, 1.0), (50, 0.2, -0.4, 0.7), (100, 0.3, 0.1, 0.5)],
            "<gamma> - alpha": [(0, 0.0, -1.0, 1.0), (50, -0.1, -0.5, 0.4), (100, 0.0, -0.3, 0.2)],
        },
        seconds=[0.1, 1.5, 2, 3, 4, 700],
        curves=Curves({"DCG": (np.cumsum(1 / ranks), np.cumsum(2 / ranks)), "precision": (1 / ranks, None)}),
    )


@pytest.fixture(scope="session")
def asked(subject: Subject) -> Callable[[FigureKind], Subject]:
    """Return the subject with what a figure asks for evaluated."""

    def with_more(kind: FigureKind) -> Subject:
        if kind.asks is None:
            return subject
        return dataclasses.replace(subject, more=result_of(kind.asks(subject.chosen_measure)))

    return with_more
