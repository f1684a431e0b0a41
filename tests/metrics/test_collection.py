import numpy as np
import pytest

from annotator.metrics.collection import Ranked, only_judged, only_retrieved


def test_rows_in_any_order_become_the_same_collection() -> None:
    sorted_rows = Ranked.build([0, 0, 2], [1, 3, 2], [2, 0, 1], [3, 0, 2], [0, 0, 2, 2], [2, 0, 4, 1])
    mixed = Ranked.build([2, 0, 0], [2, 3, 1], [1, 0, 2], [3, 0, 2], [2, 0, 2, 0], [1, 0, 4, 2])
    for name in ("hit_offsets", "rank", "grade", "retrieved", "judged_offsets", "judged"):
        np.testing.assert_array_equal(getattr(mixed, name), getattr(sorted_rows, name))
    assert mixed.hit_offsets.tolist() == [0, 2, 2, 3]
    assert mixed.judged.tolist() == [2, 0, 4, 1]


def test_two_candidates_at_one_rank_are_refused() -> None:
    with pytest.raises(ValueError, match="same rank"):
        Ranked.build([0, 0], [1, 1], [0, 1], [2], [0, 0], [1, 0])


def test_grades_in_order_give_the_hits_and_what_was_missed() -> None:
    ranked = Ranked.of_rankings([[3, None, 2], []], missed=[[1], [4]])
    assert ranked.rank.tolist() == [1, 3]
    assert ranked.retrieved.tolist() == [3, 0]
    assert ranked.judged.tolist() == [3, 2, 1, 4]
    assert ranked.n_relevant(2).tolist() == [2, 1]
    assert ranked.seen(3).tolist() == [1, 1]


def test_cutting_keeps_what_is_judged() -> None:
    cut = Ranked.of_rankings([[1, 0, 2, 1], [None, 5]]).to(2)
    assert cut.rank.tolist() == [1, 2, 2]
    assert cut.hit_offsets.tolist() == [0, 2, 3]
    assert cut.retrieved.tolist() == [2, 2]
    assert cut.judged.tolist() == [2, 1, 1, 0, 5]


def test_removing_the_unjudged_closes_the_gaps() -> None:
    kept = only_judged(Ranked.of_rankings([[None, 1, None, 0], [2]], missed=[[5], []]))
    assert kept.rank.tolist() == [1, 2, 1]
    assert kept.retrieved.tolist() == [2, 1]
    assert kept.judged.tolist() == [5, 1, 0, 2]


def test_forgetting_what_was_not_retrieved_keeps_the_ranking() -> None:
    kept = only_retrieved(Ranked.of_rankings([[None, 1, 2]], missed=[[5, 4]]))
    assert kept.judged.tolist() == [2, 1]
    assert kept.rank.tolist() == [2, 3]
    assert kept.retrieved.tolist() == [3]


def test_one_query_alone_equals_its_part_of_the_collection() -> None:
    one = Ranked.of_rankings([[1], [None, 3, 0], [2]], missed=[[], [4], []]).one(1)
    assert one.n_queries == 1
    assert one.rank.tolist() == [2, 3]
    assert one.judged.tolist() == [4, 3, 0]
    assert one.query.tolist() == [0, 0]


def test_a_collection_without_queries_is_a_collection() -> None:
    empty = Ranked.of_rankings([])
    assert empty.n_queries == 0
    assert empty.to(5).rank.tolist() == []
    assert empty.n_relevant(1).tolist() == []
