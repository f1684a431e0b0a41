import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import Measure
from annotator.metrics.ties import Ties, count_tied, find, settled, settled_value
from tests.metrics.rankings import Case, cases, every_measure

QUERY = np.array([0, 0, 0, 0, 1, 1, 2])
SCORE = np.array([9.0, 5.0, 5.0, 1.0, 1.0, 1.0, 1.0])


def extremes(measure: Measure, ranked: Ranked, ties: Ties) -> list[np.ndarray]:
    """Return the values with every tie settled at worst and at best."""
    return [settled_value(measure, settled(ranked, ties, best), ties, best) for best in (False, True)]


def test_a_group_is_the_ranks_of_one_query_with_one_score() -> None:
    ties = find(QUERY, SCORE)
    assert ties.first.tolist() == [1, 2, 2, 4, 1, 1, 1]
    assert ties.last.tolist() == [1, 3, 3, 4, 2, 2, 1]
    assert count_tied(QUERY, ties, 4).tolist() == [2, 2, 0, 0]


def test_no_rows_have_no_ties() -> None:
    ties = find(np.zeros(0, dtype=np.int64), np.zeros(0))
    assert ties.first.tolist() == []
    worst, best = extremes(parse("AP"), Ranked.of_rankings([[], [None]]), ties)
    assert worst.tolist() == best.tolist() == [0, 0]


def test_one_relevant_among_three_with_the_same_score_may_stand_first_or_last() -> None:
    ranked = Ranked.of_rankings([[None, 1, None]])
    ties = find(np.zeros(3, dtype=np.int64), np.ones(3)).at(np.array([1]))
    worst, best = extremes(parse("RR"), ranked, ties)
    assert (worst[0], best[0]) == (pytest.approx(1 / 3), 1)


@settings(max_examples=40, deadline=None)
@given(case=cases(most=1))
def test_no_order_within_the_ties_leaves_the_extremes_and_some_reach_them(case: Case) -> None:
    rows = case.queries[0].in_order[:6]
    missed = [grade for _, grade in case.queries[0].missed]
    grades = [grade for _, _, grade in rows]
    groups = [[row[2] for row in group] for _, group in itertools.groupby(rows, key=lambda row: row[1])]
    orders = [
        list(itertools.chain(*parts))
        for parts in itertools.product(*(set(itertools.permutations(group)) for group in groups))
    ]
    ties = find(np.zeros(len(rows), dtype=np.int64), np.array([row[1] for row in rows]))
    judged: Ties = ties.at(np.array([grade is not None for grade in grades]))
    every_order = Ranked.of_rankings(orders, [missed] * len(orders))
    for measure in every_measure():
        worst, best = extremes(measure, Ranked.of_rankings([grades], [missed]), judged)
        values = measure.per_query(every_order)
        assert worst[0] == pytest.approx(values.min(), abs=1e-12), measure.name
        assert best[0] == pytest.approx(values.max(), abs=1e-12), measure.name


def tied(grades: list[int | None], scores: list[int]) -> tuple[Ranked, Ties]:
    """One query in ranking order, and the groups of its judged candidates."""
    ties = find(np.zeros(len(grades), dtype=np.int64), np.array(scores, dtype=np.float64))
    return Ranked.of_rankings([grades]), ties.at(np.array([grade is not None for grade in grades]))


@pytest.mark.parametrize(
    ("grades", "scores", "lowest", "highest"),
    [
        # found at rank 2 alone 1/2, at ranks 2 and 3 (1/2 + 2/3) / 2, at rank 3 alone 1/3
        ([0, 1, 1, 0], [2, 1, 1, 1], 1 / 3, 7 / 12),
        # 1 0 and nothing relevant at rank 3 is all right; 0 1 and nothing is the worst
        ([1, 0, 1, 0], [2, 2, 1, 1], 1 / 2, 1),
    ],
)
def test_a_relevant_candidate_below_the_cut_off_may_be_better_where_only_what_was_found_counts(
    grades: list[int | None], scores: list[int], lowest: float, highest: float
) -> None:
    worst, best = extremes(parse("AP(norm='rel_ret')@3"), *tied(grades, scores))
    assert (worst[0], best[0]) == (pytest.approx(lowest), pytest.approx(highest))


def test_a_candidate_of_the_pool_that_was_not_judged_may_help_a_relevant_one_below_it() -> None:
    worst, best = extremes(parse("infAP"), *tied([1, None, -1, 1], [3, 2, 1, 1]))
    share = (1 + 1e-5) / (1 + 2e-5)
    assert worst[0] == pytest.approx((1 + (1 + share) / 3) / 2, abs=1e-12)
    assert best[0] == pytest.approx((1 + (1 + 2 * share) / 4) / 2, abs=1e-12)


def test_orders_are_tried_in_the_ranking_without_the_unjudged_where_these_are_removed() -> None:
    ranked, ties = tied([None, 1, None, 1, 0], [1] * 5)
    plain = extremes(parse("AP(norm='rel_ret')@2"), ranked, ties)
    closed = extremes(parse("AP(norm='rel_ret',judged_only=True)@2"), ranked, ties)
    assert (plain[0][0], closed[0][0]) == (0, 0.5)


def test_closed_groups_are_those_of_the_judged_alone() -> None:
    ranked, ties = tied([None, 1, None, 1, 0], [1] * 5)
    assert (ties.first.tolist(), ties.last.tolist()) == ([1, 1, 1], [5, 5, 5])
    closed = ties.closed(ranked)
    assert (closed.first.tolist(), closed.last.tolist()) == ([1, 1, 1], [3, 3, 3])
