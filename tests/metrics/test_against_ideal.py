"""Q-measure, normalised ERR and compatibility, each against its definition, one candidate at a time."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from tests.metrics.tiny import Grades, Tiny, tiny

SAMPLE = [0, 3, None, 2], [3, 3, 2, 2, 1, 1, 1, 1]
"""The sample that comes with NTCIREVAL: ranking and what it missed, grades for its levels."""
SMALL = {"rel": 0, "abs": 1e-12}
depths = st.none() | st.integers(1, 7)
many = settings(max_examples=60, deadline=None)


def value(measure: str, ranking: Sequence[int | None], missed: Sequence[int] = ()) -> float:
    return float(parse(measure).per_query(Ranked.of_rankings([ranking], [missed]))[0])


def at(k: int | None) -> str:
    return "" if k is None else f"@{k}"


def judged(one: Tiny) -> list[int]:
    """The grades of everything judged, highest first: an ideal ordering."""
    return sorted([*(grade for grade in one.grades if grade is not None), *one.missed], reverse=True)


@pytest.mark.parametrize(
    ("measure", "printed"),
    [
        ("Q", 0.0967),
        ("Q@1000", 0.0967),
        ("Q@2", 0.2500),
        ("Q(gains={1:1,2:4,3:9})", 0.0929),
        ("AP", 0.1000),
        ("AP(norm='min')@2", 0.2500),
    ],
)
def test_the_sample_of_ntcireval(measure: str, printed: float) -> None:
    assert value(measure, *SAMPLE) == pytest.approx(printed, abs=5e-5)


@many
@given(
    one=tiny(longest=6, missed=3),
    beta=st.floats(0, 20),
    gains=st.none() | st.lists(st.integers(0, 9), min_size=3, max_size=3).map(sorted),
    k=depths,
)
def test_the_q_measure_is_the_blended_ratio_at_every_relevant_rank(
    one: Tiny, beta: float, gains: list[int] | None, k: int | None
) -> None:
    worth = dict(enumerate([0, 1, 2, 3] if gains is None else [0, *gains]))
    gain = [worth.get(grade, 0) if grade is not None else 0 for grade in one.grades]
    ideal = [worth.get(grade, 0) for grade in judged(one)]
    total = sum(one > 0 for one in ideal)
    expected = 0.0
    for rank in range(1, min(len(gain), k or len(gain)) + 1):
        if gain[rank - 1]:
            seen = sum(one > 0 for one in gain[:rank])
            blended = (seen + beta * sum(gain[:rank])) / (rank + beta * sum(ideal[:rank]))
            expected += blended / min(total, k or total)
    said = "" if gains is None else f",gains={ {1: gains[0], 2: gains[1], 3: gains[2]} }"
    found = value(f"Q(beta={beta}{said}){at(k)}", one.grades, one.missed)
    assert found == pytest.approx(expected, **SMALL)


@many
@given(one=tiny(lowest=0, longest=6, missed=3), k=depths)
def test_the_q_measure_of_gains_that_weigh_nothing_is_average_precision(one: Tiny, k: int | None) -> None:
    plain = value("AP" if k is None else f"AP(norm='min')@{k}", one.grades, one.missed)
    assert value(f"Q(beta=0){at(k)}", one.grades, one.missed) == pytest.approx(plain, **SMALL)


@many
@given(one=tiny(longest=6, missed=3), max_rel=st.integers(1, 5), k=depths)
def test_normalised_err_is_err_over_the_highest_that_any_order_reaches(
    one: Tiny, max_rel: int, k: int | None
) -> None:
    def expected_reciprocal_rank(ranking: Sequence[int | None]) -> float:
        total, left = 0.0, 1.0
        for rank, grade in enumerate(ranking[:k], 1):
            stops = (2 ** min(max(grade or 0, 0), max_rel) - 1) / 2**max_rel
            total, left = total + left * stops / rank, left * (1 - stops)
        return total

    best = max(map(expected_reciprocal_rank, set(itertools.permutations(judged(one)))), default=0.0)
    expected = expected_reciprocal_rank(one.grades) / best if best else 0.0
    found = value(f"nERR(max_rel={max_rel}){at(k)}", one.grades, one.missed)
    assert found == pytest.approx(expected, **SMALL)


def overlap(ranking: Sequence[object], ideal: Sequence[object], p: float, depth: int) -> float:
    """Rank-biased overlap summed to a depth."""
    return sum(p ** (d - 1) * len(set(ranking[:d]) & set(ideal[:d])) / d for d in range(1, depth + 1))


def ideal_orders(grades: Grades, missed: Sequence[int]) -> list[tuple[int, ...]]:
    """Every order of the relevant candidates, numbered, in which no grade stands above a higher one."""
    grade = dict(enumerate([*grades, *missed]))
    relevant = [one for one, worth in grade.items() if worth is not None and worth > 0]
    levels = sorted({grade[one] for one in relevant}, reverse=True)
    tied = [itertools.permutations([one for one in relevant if grade[one] == level]) for level in levels]
    return [tuple(itertools.chain(*parts)) for parts in itertools.product(*tied)]


@many
@given(one=tiny(longest=5, missed=2), p=st.floats(0, 0.9), k=depths)
def test_compatibility_is_the_highest_overlap_with_any_ideal_ordering(
    one: Tiny, p: float, k: int | None
) -> None:
    listed, depth = range(len(one.grades)), k or 300
    orders = ideal_orders(one.grades, one.missed)
    itself = overlap(orders[0], orders[0], p, depth)
    expected = max(overlap(listed, order, p, depth) for order in orders) / itself if itself else 0.0
    found = value(f"Compat(p={p}){at(k)}", one.grades, one.missed)
    assert found == pytest.approx(expected, **SMALL)


def test_compatibility_of_two_equals_below_a_better_one_that_was_missed_by_hand() -> None:
    shared, of_ideal = 0 + 1 / 2 / 2 + 2 / 3 / 4 + 2 / 4 / 8, 1 + 1 / 2 + 1 / 4 + 3 / 4 / 8
    assert value("Compat(p=0.5)@4", [1, 1], [2]) == pytest.approx(shared / of_ideal, **SMALL)


@pytest.mark.parametrize(("p", "expected"), [(0, 1.0), (1, 2 / 3), (1 - 1e-12, 2 / 3)])
def test_compatibility_at_the_ends_of_patience_is_the_first_rank_and_recall(
    p: float, expected: float
) -> None:
    assert value(f"Compat(p={p!r})", [2, None, 1], [1]) == pytest.approx(expected, abs=0.02)


def test_nothing_relevant_is_0_and_not_a_division_by_nothing() -> None:
    for name in ("Q", "nERR", "Compat", "Q(gains={1:0})"):
        assert value(name, [0, None, -1], [0]) == value(name, []) == 0, name


def test_far_down_a_long_ranking_compatibility_keeps_its_digits() -> None:
    found = value("Compat(p=0.99)", [0] * 4_999 + [1])
    assert 0 <= found <= 1e-15
    assert np.isfinite(found)
