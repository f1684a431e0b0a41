import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import Stopped
from annotator.metrics.bounds import Unjudged, bounds
from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from annotator.watch import Watch
from tests.examples import examples
from tests.metrics.rankings import every_measure

HIGHEST = 3
PLAIN = [
    *(one for one in every_measure() if one.claims("bounds")),
    *map(parse, ("nDCG(dcg='exp-log2')@3", "nDCG(ideal='whole')@3", "nDCG(ideal='length')@3")),
    *map(parse, ("nDCG(gains={0:1,1:2,2:2,3:9})@3", "RBP(max_rel='query')", "ERR(max_rel='query')@3")),
    *map(parse, ("P(norm='retrieved')@3", "AP(norm='rel_ret')@3", "infAP(rel=2)", "SetF(beta=2)")),
]
ASKED = [{}, {"judged_only": True}, {"over": "retrieved"}, {"judged_only": True, "over": "retrieved"}]


def unjudged(*ranks: int, query: int = 0) -> Unjudged:
    return Unjudged(np.full(len(ranks), query, dtype=np.int64), np.array(ranks, dtype=np.int32))


@pytest.mark.parametrize("asked", ASKED, ids=str)
@settings(max_examples=examples(5, 10), deadline=None)
@given(
    ranking=st.lists(st.none() | st.integers(-1, HIGHEST), min_size=1, max_size=8),
    missed=st.lists(st.integers(0, HIGHEST), max_size=2),
    pooled=st.sets(st.integers(0, 3), max_size=3),
    outside=st.integers(0, 1),
)
def test_no_assignment_of_grades_leaves_the_bounds_and_some_reach_them(
    asked: dict[str, Any], ranking: list[int | None], missed: list[int], pooled: set[int], outside: int
) -> None:
    open_ranks = [rank for rank, grade in enumerate(ranking, 1) if grade is None]
    ranks = [0] * outside + [rank for at, rank in enumerate(open_ranks) if at in pooled][::-1]
    filled, others = [], []
    filled_by = list(itertools.product(range(HIGHEST + 1), repeat=len(ranks)))
    for grades in filled_by:
        at = dict(zip(ranks, grades, strict=True))
        filled.append([at.get(rank, grade) for rank, grade in enumerate(ranking, 1)])
        others.append([*missed, *([at[0]] if 0 in at else [])])
    everything = Ranked.of_rankings(filled, others)
    for measure in (one.with_parameters(**asked) for one in PLAIN):
        found = bounds(measure, Ranked.of_rankings([ranking], [missed]), unjudged(*ranks), HIGHEST)
        values = measure.per_query(everything)
        assert found.worst[0] == pytest.approx(values.min(), abs=1e-12), measure.name
        assert found.best[0] == pytest.approx(values.max(), abs=1e-12), measure.name
        for ends, value in ((found.worst_grades, found.worst[0]), (found.best_grades, found.best[0])):
            reached = values[filled_by.index(tuple(ends.tolist()))]
            assert reached == pytest.approx(value, abs=1e-12), f"{measure.name}: the grades lead there"
        assert found.worst[0] - 1e-12 <= found.estimate[0] <= found.best[0] + 1e-12, measure.name


@pytest.mark.parametrize(
    ("name", "ranking", "missed"),
    [
        ("Q", [2, 3, None, 2], []),
        ("Q@3", [1, 2, None, None, 3], [1]),
        ("nERR", [None, None, 1, None, 1], [0]),
        ("nERR@3", [2, 3, None], [1, 0]),
        ("Compat", [2, 2, 1, None, None], [2]),
        ("Compat@3", [2, None], [2]),
    ],
)
def test_what_disclaims_bounds_is_moved_furthest_by_a_middle_grade(
    name: str, ranking: list[int | None], missed: list[int]
) -> None:
    measure = parse(name)
    assert not measure.claims("bounds")
    open_ranks = [rank for rank, grade in enumerate(ranking, 1) if grade is None]
    filled_by = list(itertools.product(range(HIGHEST + 1), repeat=len(open_ranks)))
    filled = []
    for grades in filled_by:
        at = dict(zip(open_ranks, grades, strict=True))
        filled.append([at.get(rank, grade) for rank, grade in enumerate(ranking, 1)])
    values = measure.per_query(Ranked.of_rankings(filled, [missed] * len(filled)))
    at_ends = [value for value, grades in zip(values, filled_by, strict=True) if {*grades} <= {0, HIGHEST}]
    assert values.max() > max(at_ends) + 1e-3


def test_only_these_measures_disclaim_bounds() -> None:
    without = {one.declaration.key for one in every_measure() if not one.claims("bounds")}
    assert without == {"Q", "nERR", "Compat"}, "of another one the reason that is told has to be proved"


def test_a_candidate_that_moves_up_into_the_top_once_the_pool_is_judged_counts_for_the_best() -> None:
    # Rank 1 is outside the pool: `judged_only` removes it, so ranks 2, 4 and 6 become 1, 3 and 5.
    measure = parse("nDCG(judged_only=True)@3")
    ranked = Ranked.of_rankings([[None, None, 2, None, 2, None]], [[1, 0]])
    assert bounds(measure, ranked, unjudged(2, 4, 6), HIGHEST).best[0] == pytest.approx(1.0)


def test_levels_of_the_same_gain_do_not_hold_the_best_up() -> None:
    measure = parse("nDCG(gains={0:0,1:1,2:1,3:7},over='retrieved')@3")
    ranked = Ranked.of_rankings([[None, None, None, 2, 0, 1]])
    # 3 at rank 1 and 1 at rank 3 gain 7 + 1/2; the ideal order of 3, 2, 1 gains 7 + 1/log2(3) + 1/2
    assert bounds(measure, ranked, unjudged(1, 3), HIGHEST).best[0] == pytest.approx(
        7.5 / (7.5 + 1 / np.log2(3))
    )


def test_a_stop_is_asked_for_within_one_measure() -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 3

    watch = Watch(should_stop=stop)
    with pytest.raises(Stopped):
        bounds(parse("AP"), Ranked.of_rankings([[None] * 9]), unjudged(*range(1, 10)), watch=watch)
    assert len(asked) == 3


def test_each_query_has_bounds_of_its_own() -> None:
    ranked = Ranked.of_rankings([[None, 1], [1, 0]])
    found = bounds(parse("P@2"), ranked, unjudged(1))
    assert (found.worst.tolist(), found.best.tolist()) == ([0.5, 0.5], [1.0, 0.5])


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
