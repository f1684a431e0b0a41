import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.metrics.bounds import Unjudged, bounds
from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from tests.metrics.rankings import every_measure

HIGHEST = 3
MEASURES = [*every_measure(), parse("RBP(max_rel='query')"), parse("AP(over='retrieved')"), parse("nDCG")]


def unjudged(*ranks: int, query: int = 0) -> Unjudged:
    return Unjudged(np.full(len(ranks), query, dtype=np.int64), np.array(ranks, dtype=np.int32))


@settings(max_examples=10, deadline=None)
@given(
    ranking=st.lists(st.none() | st.integers(-1, HIGHEST), min_size=1, max_size=6),
    missed=st.lists(st.integers(0, HIGHEST), max_size=2),
    outside=st.integers(0, 1),
)
def test_no_assignment_of_grades_leaves_the_bounds_and_some_reach_them(
    ranking: list[int | None], missed: list[int], outside: int
) -> None:
    ranks = ([rank for rank, grade in enumerate(ranking, 1) if grade is None] + [0] * outside)[:3]
    ranked = Ranked.of_rankings([ranking], [missed])
    filled, others = [], []
    for grades in itertools.product(range(HIGHEST + 1), repeat=len(ranks)):
        at = dict(zip(ranks, grades, strict=True))
        filled.append([at.get(rank, grade) for rank, grade in enumerate(ranking, 1)])
        others.append([*missed, *([at[0]] if 0 in at else [])])
    everything = Ranked.of_rankings(filled, others)
    for measure in MEASURES:
        found = bounds(measure, ranked, unjudged(*ranks), HIGHEST)
        values = measure.per_query(everything)
        assert found.worst[0] == pytest.approx(values.min(), abs=1e-12), measure.name
        assert found.best[0] == pytest.approx(values.max(), abs=1e-12), measure.name
        assert found.worst[0] - 1e-12 <= found.estimate[0] <= found.best[0] + 1e-12, measure.name
        assert found.exact == (measure.key != "infAP" or not ranks)


def test_the_mean_is_bounded_by_the_bounds_of_its_queries() -> None:
    ranked = Ranked.of_rankings([[None, 1], [1, 0]])
    found = bounds(parse("P@2"), ranked, unjudged(1))
    assert (found.worst.tolist(), found.best.tolist()) == ([0.5, 0.5], [1.0, 0.5])
    worst, estimate, best = found.mean(parse("P@2"))
    assert (worst, best) == (0.5, 0.75)
    assert worst <= estimate <= best


def test_without_unjudged_candidates_the_value_is_certain() -> None:
    ranked = Ranked.of_rankings([[2, 0, 1]])
    found = bounds(parse("AP"), ranked, unjudged())
    assert found.worst.tolist() == found.estimate.tolist() == found.best.tolist()
    assert found.worst.tolist() == parse("AP").per_query(ranked).tolist()


def test_the_estimate_follows_the_grades_given_so_far_and_its_seed() -> None:
    good = bounds(parse("P@4"), Ranked.of_rankings([[1, 1, None, None]]), unjudged(3, 4))
    bad = bounds(parse("P@4"), Ranked.of_rankings([[0, 0, None, None]]), unjudged(3, 4))
    assert (good.estimate[0], bad.estimate[0]) == (1.0, 0.0)
    mixed = Ranked.of_rankings([[1, 0, None, None]])
    first, again, other = (bounds(parse("P@4"), mixed, unjudged(3, 4), seed=seed) for seed in (1, 1, 2))
    assert first.estimate[0] == again.estimate[0] != other.estimate[0]
    assert first.estimate[0] == pytest.approx(0.5, abs=0.1)


def test_nothing_judged_yet_is_estimated_as_nothing_relevant() -> None:
    found = bounds(parse("AP"), Ranked.of_rankings([[None, None]]), unjudged(1, 2))
    assert (found.worst[0], found.estimate[0], found.best[0]) == (0, 0, 1)
