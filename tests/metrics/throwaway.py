"""Measures that are not in the catalogue: declarations that say what does not hold for them."""

from typing import Any

import numpy as np
import pytest

from annotator.metrics import catalogue
from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.collection import Ranked, count
from annotator.metrics.measures import Declaration, Shares, measure

SAID: dict[str, Any] = {
    "sentence": "A measure for tests.",
    "blind_spot": BlindSpot("RR", "It cannot see much."),
    "formula": "x",
    "source": "tests",
}


def _always(**_: object) -> bool:
    return True


@measure(
    key="Bare",
    title="Root of recall",
    family="Sets",
    place="queries",
    disclaims={"ideal": _always, "bounds": _always, "ties": _always},
    **SAID,
)
def bare(ranked: Ranked, *, k: int | None = None, rel: int = 1) -> Shares:
    """Return the root of the share of the relevant that was found: no rank adds to it alone."""
    found = count(ranked.query, ranked.relevant(rel), ranked.n_queries)
    return np.sqrt(found / np.maximum(ranked.n_relevant(rel), 1)), 1.0


def offer(monkeypatch: pytest.MonkeyPatch, declaration: Declaration) -> None:
    """Let a declaration be asked for by its name."""
    monkeypatch.setitem(catalogue.BY_KEY, declaration.key.lower(), declaration)
