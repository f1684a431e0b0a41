import numpy as np
import pytest

from annotator.evaluation.next_judgment import TwoRankings, leverage, next_judgments
from tests.evaluation.old_rule import decision


def pool(rows):
    """Rows of (query, rank in the first, rank in the second, grade)."""
    return TwoRankings(*np.array(rows, np.int64).reshape(-1, 4).T)


def test_the_pull_is_the_difference_of_the_discounts():
    rows = pool([(0, 1, 2, -1), (0, 3, 0, -1), (0, 5, 5, -1), (0, 11, 1, -1)])
    assert leverage(rows) == pytest.approx([1 / np.log2(3) - 1, -0.5, 0, 1])


def test_the_weightiest_unjudged_candidates_come_first_in_batches_of_a_query():
    rows = pool([(0, 1, 2, -1), (1, 1, 0, -1), (0, 0, 1, -1), (1, 0, 2, -1), (0, 2, 3, 4), (1, 4, 4, -1)])
    assert next_judgments(rows, batch=2).tolist() == [1, 3, 2, 0]
    assert next_judgments(rows, batch=1).tolist() == [2, 1, 3, 0]


def test_nothing_is_asked_for_that_cannot_change_the_comparison():
    assert next_judgments(pool([(0, 1, 1, -1), (0, 30, 12, -1), (0, 1, 2, 3)])).tolist() == []
    assert next_judgments(pool([])).tolist() == []


def simulated(seed):
    """Two systems over 40 queries, the second better; true grades."""
    random = np.random.default_rng(seed)
    rows, truth = [], []
    for query in range(40):
        grades = np.sort(random.integers(0, 6, 20))[::-1]
        first, second = (np.argsort(-(grades + random.normal(0, noise, 20))) for noise in (4.0, 2.5))
        ranks = np.argsort(first) + 1, np.argsort(second) + 1
        rows += [(query, ranks[0][i], ranks[1][i], -1) for i in range(20)]
        truth += grades.tolist()
    return np.array(rows), np.array(truth)


def judged_until_sure(rows, truth, order):
    """How many judgments it takes in an order, five at a time, until the decision is sure."""
    grade = np.full(len(truth), -1)
    for done in range(0, len(order) + 1, 5):
        grade[order[:done]] = truth[order[:done]]
        state = decision(TwoRankings(*rows.T[:3], grade))
        if state.sure:
            assert state.second_better > 0.5
            return done
    return len(order)


def test_judging_what_matters_first_decides_sooner_than_query_by_query():
    sooner = 0
    for seed in range(5):
        rows, truth = simulated(seed)
        in_order = np.flatnonzero(leverage(TwoRankings(*rows.T)) != 0)
        best = next_judgments(TwoRankings(*rows.T))
        assert sorted(best.tolist()) == in_order.tolist()
        sooner += judged_until_sure(rows, truth, best) < judged_until_sure(rows, truth, in_order)
    assert sooner >= 4
