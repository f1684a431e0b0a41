"""The order that candidates are judged in: it tells nothing of the ranks, and every batch mixes levels."""

from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from annotator.project.blind_order import BATCH, blind_order, by_depth

SEEDS = st.text("ab\0é", max_size=4)


def ranked(count: int) -> tuple[dict[int, int | None], dict[int, str]]:
    """Return candidates 101, 102, … by their best ranks 1, 2, …, with their external ids."""
    keys = range(101, 101 + count)
    return {key: key - 100 for key in keys}, {key: f"d{key - 100}" for key in keys}


@given(SEEDS, st.integers(1, 12))
def test_the_first_batch_and_every_other_holds_one_candidate_of_each_level(seed: str, batches: int) -> None:
    best, ids = ranked(BATCH * batches)
    order = blind_order(seed, best, ids)
    assert sorted(order) == sorted(best)
    for start in range(0, len(order), BATCH):
        levels = [((best[one] or 0) - 1) // batches for one in order[start : start + BATCH]]
        assert sorted(levels) == list(range(BATCH))


@given(SEEDS, st.integers(0, 23))
def test_the_order_depends_on_seed_and_ids_alone(seed: str, count: int) -> None:
    best, ids = ranked(count)
    order = [ids[one] for one in blind_order(seed, best, ids)]
    other_keys = {1000 - key: rank for key, rank in reversed(best.items())}
    other_ids = {1000 - key: name for key, name in ids.items()}
    assert [other_ids[one] for one in blind_order(seed, other_keys, other_ids)] == order


def test_a_place_says_nothing_of_a_rank() -> None:
    best, ids = ranked(20)
    orders = [blind_order(str(seed), best, ids) for seed in range(600)]
    for candidate in best:
        assert abs(mean(order.index(candidate) for order in orders) - 9.5) < 1


@given(SEEDS, st.integers(0, 23))
def test_by_pool_depth_the_first_ranks_come_first_and_candidates_of_no_ranking_last(
    seed: str, count: int
) -> None:
    best, ids = ranked(count)
    unranked = dict.fromkeys(list(best)[::7])
    order = by_depth(seed, best | unranked, ids)
    depths = [float("inf") if one in unranked else ((best[one] or 0) - 1) // BATCH for one in order]
    assert depths == sorted(depths)
    assert sorted(order) == sorted(best)
