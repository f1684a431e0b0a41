"""What holds for every measure of the catalogue, so that a new one is tested before it has a test."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.metrics.catalogue import CATALOGUE, parse
from annotator.metrics.collection import Ranked
from annotator.metrics.ideal import has_ideal, ideal_for
from annotator.metrics.measures import Measure
from tests.metrics.rankings import Case, Listed, cases, every_measure

MEASURES = every_measure(cutoffs=(1, 3))
OF_GRADES = [one for one in CATALOGUE if one.needs == "grades"]
each_measure = pytest.mark.parametrize("measure", MEASURES, ids=str)
some = settings(max_examples=40, deadline=None)


@pytest.mark.parametrize("declaration", OF_GRADES, ids=lambda one: one.key)
def test_two_rankings_that_differ_score_the_same_where_the_measure_is_blind(declaration) -> None:
    blind = declaration.blind_spot
    missed = [blind.first_missed, blind.second_missed]
    scores = parse(blind.measure).per_query(Ranked.of_rankings(blind.rankings, missed))
    assert (blind.first, blind.first_missed) != (blind.second, blind.second_missed)
    assert scores[0] == pytest.approx(scores[1], abs=1e-12)


@some
@given(case=cases(lowest=-1))
def test_every_value_is_in_the_range(case: Case) -> None:
    for measure in MEASURES:
        values = measure.per_query(case.ranked)
        low, high = measure.range
        assert values.shape == (len(case.queries),), measure.name
        assert np.isfinite(values).all(), measure.name
        assert (values >= low).all(), measure.name
        assert (values <= high + 1e-12).all(), measure.name


@some
@given(case=cases(lowest=-1))
def test_no_ordering_beats_the_ideal_one(case: Case) -> None:
    for measure in filter(has_ideal, MEASURES):
        best = measure.per_query(ideal_for(measure, case.ranked))
        assert (best >= measure.per_query(case.ranked) - 1e-12).all(), measure.name
        relevant = case.ranked.n_relevant(1)
        room = relevant <= (measure.cutoff if isinstance(measure.cutoff, int) else np.inf)
        if measure.declaration.ideal_is_one:
            assert best[(relevant > 0) & room] == pytest.approx(1.0, abs=1e-12), measure.name
            assert (best[relevant == 0] == 0).all(), measure.name


@some
@given(case=cases())
def test_exchanging_two_candidates_of_equal_grade_changes_nothing(case: Case) -> None:
    renamed = Case(tuple(_renamed(one) for one in case.queries))
    for measure in MEASURES:
        assert measure.per_query(renamed.ranked).tolist() == measure.per_query(case.ranked).tolist(), measure


def _renamed(one: Listed) -> Listed:
    rows = ((f"x{place:02d}", -float(place), grade) for place, (_, _, grade) in enumerate(one.in_order))
    return Listed(tuple(rows), one.missed[::-1])


@some
@given(case=cases(), tail=st.lists(st.none() | st.just(0), max_size=4))
def test_what_stands_below_the_cut_off_changes_nothing(case: Case, tail: list[int | None]) -> None:
    grades = [[grade for _, _, grade in one.in_order] for one in case.queries]
    missed = [[grade for _, grade in one.missed] for one in case.queries]
    for measure in MEASURES:
        if not isinstance(measure.cutoff, int):
            continue
        k = measure.cutoff
        full = [ranking + [None] * (k - len(ranking)) for ranking in grades]
        longer = Ranked.of_rankings([ranking + tail for ranking in full], missed)
        known = [grade for grade in tail if grade is not None]
        shorter = Ranked.of_rankings(full, [more + known for more in missed])
        assert measure.per_query(longer).tolist() == measure.per_query(shorter).tolist(), measure.name


@each_measure
def test_nothing_retrieved_nothing_judged_and_nothing_at_all_are_defined(measure: Measure) -> None:
    ranked = Ranked.of_rankings([[], [], [None, None], [0, 0]], missed=[[], [3], [], []])
    values = measure.per_query(ranked)
    assert np.isfinite(values).all()
    if has_ideal(measure):
        assert values.tolist() == [0, 0, 0, 0]
    assert measure.per_query(Ranked.of_rankings([])).shape == (0,)


@some
@given(case=cases(lowest=-1))
def test_a_query_scores_the_same_alone_and_among_others_to_the_last_bit(case: Case) -> None:
    for measure in MEASURES:
        together = measure.per_query(case.ranked)
        alone = [measure.per_query(case.ranked.one(query))[0] for query in range(len(case.queries))]
        assert together.tolist() == alone, measure.name
