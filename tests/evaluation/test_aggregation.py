import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.evaluation import aggregation
from annotator.evaluation.aggregation import Rankings, aggregate, grades_as_ranking

A, B, C, D = range(4)


def ranking(*candidates, scores=None):
    """One query's ranking, best first."""
    n = len(candidates)
    return Rankings(
        np.zeros(n, np.int64),
        np.array(candidates, np.int64),
        np.arange(1.0, n + 1),
        None if scores is None else np.array(scores, float),
    )


def totals(lists, rule, scale="minmax"):
    found = aggregate(lists, rule, scale)
    return dict(zip(found.candidate.tolist(), found.score.tolist(), strict=True))


def order(lists, rule):
    return aggregate(lists, rule).candidate.tolist()


def test_borda_of_the_worked_example_under_both_point_rules():
    lists = [ranking(A, B, C), ranking(A, C, B), ranking(B, A, C)]
    assert totals(lists, "borda") == {A: 5, B: 3, C: 1}
    assert totals(lists, "borda+1") == {A: 8, B: 6, C: 4}


def test_borda_shares_what_a_partial_list_has_left_over():
    lists = [ranking(A, B, C, D), ranking(B)]
    assert totals(lists, "borda") == {A: 3 + 1, B: 2 + 3, C: 1 + 1, D: 0 + 1}
    every = aggregate(lists, "borda+1").score.sum()
    assert every == 2 * (4 + 3 + 2 + 1)


def test_a_condorcet_winner_beats_all_others_under_copeland_where_borda_prefers_another():
    lists = [ranking(A, B, C)] * 3 + [ranking(B, C, A)] * 2
    assert totals(lists, "copeland") == {A: 2, B: 0, C: -2}
    assert order(lists, "copeland")[0] == A
    assert order(lists, "borda")[0] == B


def test_a_circle_of_majorities_leaves_all_equal_under_copeland():
    lists = [ranking(A, B, C), ranking(B, C, A), ranking(C, A, B)]
    assert set(totals(lists, "copeland").values()) == {0}


def test_under_copeland_what_is_held_beats_what_is_left_out():
    assert totals([ranking(A, B), ranking(A, C)], "copeland") == {A: 2, B: -1, C: -1}


def test_reciprocal_rank_fusion_of_a_worked_example():
    found = totals([ranking(A, B), ranking(B, C)], "rrf")
    assert found == pytest.approx({A: 1 / 61, B: 1 / 62 + 1 / 61, C: 1 / 62}, abs=1e-12)


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        ("minmax", {A: 1.0, B: 0.5 + 1.0, C: 0.0 + 0.0}),
        ("max", {A: 1.0, B: 4 / 6 + 1.0, C: 2 / 6 + 1 / 3}),
        ("sum", {A: 4 / 6, B: 2 / 6 + 1.0, C: 0.0}),
        ("zscore", {A: 4 / np.sqrt(8 / 3), B: 2 / np.sqrt(8 / 3) + 2.0, C: 0.0}),
    ],
)
def test_combsum_under_each_scale(scale, expected):
    lists = [ranking(A, B, C, scores=[6, 4, 2]), ranking(B, C, scores=[3, 1])]
    assert totals(lists, "combsum", scale) == pytest.approx(expected, abs=1e-9)


def test_combmnz_multiplies_by_how_many_rankings_hold_the_candidate():
    lists = [ranking(A, B, C, scores=[6, 4, 2]), ranking(B, C, scores=[3, 1])]
    assert totals(lists, "combmnz") == {A: 1.0, B: 3.0, C: 0.0}


def test_equal_scores_count_1_each_and_missing_scores_are_taken_from_the_ranks():
    assert totals([ranking(A, B, scores=[2, 2])], "combsum") == {A: 1, B: 1}
    assert totals([ranking(A, B, C)], "combsum") == {A: 1, B: 0.5, C: 0}


def test_equal_totals_are_ordered_by_best_rank_then_number():
    assert order([ranking(D, B, C), ranking(C, B, D)], "borda") == [C, D, B]


def test_a_system_without_ranking_for_a_query_has_no_say_in_it():
    other = Rankings(np.array([1, 1]), np.array([A, B]), np.array([1.0, 2.0]))
    found = aggregate([ranking(A, B), other], "borda")
    assert found.query.tolist() == [0, 0, 1, 1]
    assert found.rank.tolist() == [1, 2, 1, 2]
    assert found.score.tolist() == [1, 0, 1, 0]


def test_grades_become_a_ranking_in_which_ties_share_the_mean_rank():
    found = grades_as_ranking([0, 0, 0, 1, 0], [A, B, C, A, D], [3, 5, 3, 0, 0])
    assert found.rank.tolist() == [2.5, 1.0, 2.5, 1.0, 4.0]
    assert len(grades_as_ranking([], [], []).rank) == 0


def test_annotators_who_disagree_are_aggregated():
    grades = [[5, 3, 0], [4, 5, 1], [5, 4, 0]]
    lists = [grades_as_ranking([0] * 3, [A, B, C], one) for one in grades]
    assert order(lists, "copeland") == [A, B, C]


def fused_plainly(lists, rule):
    """Fusion of {candidate: score} dicts, one candidate after the other, as the formulas are written."""
    names = {name for scores in lists for name in scores}
    ranks = [
        {name: 1 + sum(other > scores[name] for other in scores.values()) for name in scores}
        for scores in lists
    ]
    if rule == "rrf":
        return {name: sum(1 / (60 + rank[name]) for rank in ranks if name in rank) for name in names}
    total = dict.fromkeys(names, 0.0)
    for scores in lists:
        low, high = min(scores.values()), max(scores.values())
        for name, score in scores.items():
            total[name] += (score - low) / (high - low)
    if rule == "combsum":
        return total
    return {name: total[name] * sum(name in scores for scores in lists) for name in names}


SCORED = st.dictionaries(st.integers(0, 6), st.integers(0, 20), min_size=2, max_size=7)


@settings(max_examples=60, deadline=None)
@given(st.lists(SCORED, min_size=1, max_size=4), st.sampled_from(["rrf", "combsum", "combmnz"]))
def test_fusion_follows_the_formulas(lists, rule):
    distinct = [{name: score + name / 100 for name, score in scores.items()} for scores in lists]
    ours = []
    for scores in distinct:
        best = sorted(scores, key=lambda name: -scores[name])
        ours.append(ranking(*best, scores=[scores[name] for name in best]))
    assert totals(ours, rule) == pytest.approx(fused_plainly(distinct, rule), abs=1e-9)


def test_every_rule_and_scale_is_put_in_words():
    assert set(aggregation.RULE_SENTENCES) == set(aggregation.SHORT_SENTENCES) == set(aggregation.RULES)
    assert set(aggregation.SCALE_SENTENCES) == set(aggregation.SCALES)
    assert len(aggregate([], "borda").rank) == 0
