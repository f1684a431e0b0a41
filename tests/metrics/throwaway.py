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


@measure(
    key="Q",
    title="Q-measure",
    family="Graded",
    ideal_is_one=True,
    disclaims={"bounds": _always},
    **SAID,
)
def q_measure(ranked: Ranked, *, beta: float = 1.0) -> Shares:
    """Return the Q-measure (Sakai 2004): average precision blended with cumulative gain.

    A low grade can cost less than none, for it counts as relevant too: bounds try the extremes alone.
    """
    gain = np.maximum(ranked.judged, 0)
    ideal = np.concatenate(([0], np.cumsum(gain)))
    start, stop = ranked.judged_offsets[ranked.query], ranked.judged_offsets[ranked.query + 1]
    best = ideal[np.minimum(start + ranked.rank, stop)] - ideal[start]
    gained = ranked.running(np.maximum(ranked.grade, 0))
    blended = (beta * gained + ranked.seen(1)) / (beta * best + ranked.rank)
    return np.where(ranked.relevant(1), blended, 0.0), ranked.n_relevant(1)


def offer(monkeypatch: pytest.MonkeyPatch, declaration: Declaration) -> None:
    """Let a declaration be asked for by its name."""
    monkeypatch.setitem(catalogue.BY_KEY, declaration.key.lower(), declaration)
