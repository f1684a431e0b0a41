"""What every declaration claims of its measure beside the value, against brute force over tiny rankings.

Every parameter is drawn from what the declaration says it can be. What a declaration disclaims is not shown.
"""

import itertools
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.metrics.bounds import Unjudged, bounds
from annotator.metrics.catalogue import CATALOGUE
from annotator.metrics.collection import Ranked
from annotator.metrics.explanation import explain
from annotator.metrics.ideal import has_ideal, ideal_value, reordered_value
from annotator.metrics.measures import Declaration, Measure
from annotator.metrics.ties import Ties, settled, settled_value
from tests.examples import examples
from tests.metrics.throwaway import bare
from tests.metrics.tiny import HIGHEST, Grades, Tiny, arrangements, measures, tiny

SMALL = 1e-12
OF_GRADES = [*(one for one in CATALOGUE if one.needs == "grades"), bare]
each_declaration = pytest.mark.parametrize("declaration", OF_GRADES, ids=lambda one: one.key)
some = settings(max_examples=examples(10, 20), deadline=None)


@each_declaration
@some
@given(data=st.data(), other=tiny(), one=tiny())
def test_what_the_ranks_add_sums_to_the_score_that_the_query_has_among_others(
    declaration: Declaration, data: st.DataObject, other: Tiny, one: Tiny
) -> None:
    measure = data.draw(measures(declaration))
    both = Ranked.of_rankings([other.grades, one.grades], [other.missed, one.missed])
    score = measure.per_query(both)[1]
    low, high = measure.range
    assert low <= score <= high + SMALL
    found = explain(measure, both, 1)
    assert found.value == pytest.approx(score, abs=SMALL)
    if measure.claims("contributions"):
        assert sum(row.contribution for row in found.rows) == pytest.approx(score, abs=SMALL)
        if found.ideal_value is not None:
            lost = found.ideal_value - score
            assert sum(row.loss for row in found.rows) == pytest.approx(lost, abs=SMALL)
    else:
        assert {(row.contribution, row.ideal_contribution, row.loss) for row in found.rows} <= {(None,) * 3}


@each_declaration
@some
@given(data=st.data(), one=tiny())
def test_rankings_prepared_twice_are_those_prepared_once(
    declaration: Declaration, data: st.DataObject, one: Tiny
) -> None:
    measure = data.draw(measures(declaration))
    once = measure.prepared(one.ranked)
    assert measure.per_query(once).tolist() == measure.value(once).tolist()
    assert measure.per_query(once).tolist() == measure.per_query(one.ranked).tolist()


@each_declaration
@some
@given(data=st.data(), one=tiny(missed=1))
def test_no_arrangement_of_what_is_known_beats_the_ideal_one_and_some_reach_it(
    declaration: Declaration, data: st.DataObject, one: Tiny
) -> None:
    measure = data.draw(measures(declaration))
    found = explain(measure, one.ranked)
    if not has_ideal(measure):
        assert (found.ideal_value, found.reordered_value, found.ideal_length) == (None, None, 0)
        assert {(row.ideal_gain, row.ideal_contribution, row.loss) for row in found.rows} <= {(None,) * 3}
        return
    listed, missed = left_by(measure, one)
    assert found.ideal_value == pytest.approx(highest(measure, listed + missed, 0), abs=SMALL)
    assert found.ideal_value == pytest.approx(ideal_value(measure, one.ranked)[0], abs=SMALL)
    assert found.ideal_value >= found.value - SMALL
    every_candidate = highest(measure, listed + missed, len(listed), listed)
    assert found.reordered_value == pytest.approx(every_candidate, abs=SMALL)
    assert found.reordered_value == pytest.approx(reordered_value(measure, one.ranked)[0], abs=SMALL)


def left_by(measure: Measure, one: Tiny) -> tuple[list[int | None], list[int | None]]:
    """Return the candidates of the ranking and those missed that the parameters leave in."""
    unjudged_out = measure.parameters["judged_only"]
    listed = [grade for grade in one.grades if grade is not None or not unjudged_out]
    return listed, [] if measure.parameters["over"] == "retrieved" else list(one.missed)


def highest(
    measure: Measure, known: list[int | None], least: int, listed: list[int | None] | None = None
) -> float:
    """Return the highest value of any arrangement of some of the candidates, the others being missed."""
    plain = measure.with_parameters(judged_only=False, over="judged")
    orders = arrangements(known if listed is None else listed, least)
    return float(plain.per_query(Ranked.of_rankings(orders, [rest(known, one) for one in orders])).max())


def rest(known: Iterable[int | None], order: Grades) -> list[int]:
    return [grade for grade in (Counter(known) - Counter(order)).elements() if grade is not None]


@each_declaration
@some
@given(
    data=st.data(),
    one=tiny(lowest=-1, longest=4),
    pooled=st.sets(st.integers(0, 3), max_size=3),
    outside=st.integers(0, 1),
)
def test_no_grades_of_the_unjudged_leave_the_bounds_and_some_reach_them(
    declaration: Declaration, data: st.DataObject, one: Tiny, pooled: set[int], outside: int
) -> None:
    measure = data.draw(measures(declaration))
    if not measure.claims("bounds"):
        return
    open_ranks = [rank for rank, grade in enumerate(one.grades, 1) if grade is None]
    ranks = [0] * outside + [rank for at, rank in enumerate(open_ranks) if at in pooled][::-1]
    assigned = list(itertools.product(range(HIGHEST + 1), repeat=len(ranks)))
    filled, missed = [], []
    for grades in assigned:
        at = dict(zip(ranks, grades, strict=True))
        filled.append([at.get(rank, grade) for rank, grade in enumerate(one.grades, 1)])
        missed.append([*one.missed, *([at[0]] if 0 in at else [])])
    unjudged = Unjudged(np.zeros(len(ranks), dtype=np.int64), np.array(ranks, dtype=np.int32))
    found = bounds(measure, one.ranked, unjudged, HIGHEST)
    values = measure.per_query(Ranked.of_rankings(filled, missed))
    assert found.worst[0] == pytest.approx(values.min(), abs=SMALL)
    assert found.best[0] == pytest.approx(values.max(), abs=SMALL)
    for ends, value in ((found.worst_grades, found.worst[0]), (found.best_grades, found.best[0])):
        assert values[assigned.index(tuple(ends.tolist()))] == pytest.approx(value, abs=SMALL)
    assert found.worst[0] - SMALL <= found.estimate[0] <= found.best[0] + SMALL


@each_declaration
@some
@given(data=st.data(), one=tiny(longest=5), other=tiny(longest=3))
def test_no_order_of_equal_scores_leaves_the_tie_range_and_some_reach_it(
    declaration: Declaration, data: st.DataObject, one: Tiny, other: Tiny
) -> None:
    measure = data.draw(measures(declaration))
    if not measure.claims("ties"):
        return
    both = Ranked.of_rankings([one.grades, other.grades], [one.missed, other.missed])
    ties = Ties(*map(np.concatenate, zip(*((t.first, t.last) for t in (one.ties, other.ties)), strict=True)))
    for best in (False, True):
        found = settled_value(measure, settled(both, ties, best), ties, best)
        for query, tied in enumerate((one, other)):
            orders = tied.orders
            values = measure.per_query(Ranked.of_rankings(orders, [tied.missed] * len(orders)))
            assert found[query] == pytest.approx(values.max() if best else values.min(), abs=SMALL)
