"""Values that five tutorials print, with the true value where they are wrong.

`ERRORS` lists what they print and what is true; the reason stands beside it.
"""

import numpy as np
import pytest

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked

FIVE = [1, 0, 1, 0, 1]
GRADED = [3, 2, 3, 0, 1]
TEN = [1, 0, 1, 1, 1, 1, 0, 0, 0, 1]
LATE = [0, 1, 0, 0, 1, 1, 1, 0, 1, 1]
SECOND = [0, 0, 1, 1, 0]


def value(measure: str, ranking: list[int | None], missed: list[int] | None = None) -> float:
    return float(parse(measure).per_query(Ranked.of_rankings([ranking], [missed or []]))[0])


@pytest.mark.parametrize(
    ("family", "ranking", "values"),
    [
        ("P", FIVE, [1, 0.5, 2 / 3, 0.5, 0.6]),
        ("R", FIVE, [1 / 3, 1 / 3, 2 / 3, 2 / 3, 1]),
        ("F1", FIVE, [0.5, 0.4, 2 / 3, 4 / 7, 0.75]),
        ("CG", GRADED, [3, 5, 8, 8, 9]),
        ("DCG", GRADED, [3, 4.261860, 5.761860, 5.761860, 6.148712]),
        ("IDCG", GRADED, [3, 4.892789, 5.892789, 6.323466, 6.323466]),
        ("nDCG", GRADED, [1, 0.871049, 0.977781, 0.911187, 0.972364]),
        ("nDCG(dcg='exp-log2')", GRADED, [1, 0.778941, 0.959454, 0.928495, 0.957478]),
        ("P", SECOND, [0, 0, 1 / 3, 0.5, 0.4]),
    ],
)
def test_a_measure_at_every_cut_off(family: str, ranking: list[int | None], values: list[float]) -> None:
    found = [value(f"{family}@{k}", ranking) for k in range(1, 6)]
    assert found == pytest.approx(values, abs=5e-7)


@pytest.mark.parametrize(
    ("measure", "ranking", "missed", "expected"),
    [
        ("P@2", [0, 0], [], 0),
        ("P@2", [0, 1], [], 0.5),
        ("P@5", [1, 1, 1, 0, 0], [], 0.6),
        ("P@5", [0, 0, 1, 1, 1], [], 0.6),
        ("RR", FIVE, [], 1),
        ("RR", [0, 0, 0, 0, 1], [], 0.2),
        ("RR", [0, 0, 0], [], 0),
        ("AP", FIVE, [], 0.755556),
        ("AP", [1, 1, 1, 0, 0], [], 1),
        ("AP", TEN, [], 0.775),
        ("AP", LATE, [], 0.521164),
        ("AP@5", FIVE, [], 0.755556),
        ("AP(norm='rel_ret')@5", SECOND, [], 0.416667),
        ("DCG@5", FIVE, [], 1.886853),
        ("IDCG@5", FIVE, [], 2.130930),
        ("nDCG@5", FIVE, [], 0.885460),
        ("DCG@5", SECOND, [], 0.930677),
        ("IDCG@5", SECOND, [], 1.630930),
        ("nDCG@5", SECOND, [], 0.570642),
        ("ERR(max_rel=5)", GRADED, [], 0.3105),
        ("RBP(max_rel='query')", GRADED, [], 0.461973),
        ("CG@2", [3, 2], [], 5),
        ("CG@2", [2, 3], [], 5),
        # gold answers Mjolnir, Stormbreaker, Jarnbjorn; predicted Infinity Gauntlet, Mjolnir, Stormbreaker
        ("CG", [0, 3, 2], [1], 5),
        ("DCG", [0, 3, 2], [1], 2.892789),
        ("IDCG", [0, 3, 2], [1], 4.761860),
        ("nDCG", [0, 3, 2], [1], 0.607492),
        ("RR", [0, 0, 1], [1, 1], 1 / 3),
        ("AP", [0, 0, 1], [1, 1], 1 / 9),
        ("AP(norm='rel_ret')", [0, 0, 1], [1, 1], 1 / 3),
        ("AvgP@3", [0, 0, 1], [1, 1], 1 / 9),
        ("MeanTopK@3", [0, 0, 1], [1, 1], 1 / 3),
    ],
)
def test_a_worked_value(measure: str, ranking: list[int | None], missed: list[int], expected: float) -> None:
    assert value(measure, ranking, missed) == pytest.approx(expected, abs=5e-5 if "ERR" in measure else 5e-7)


@pytest.mark.parametrize(
    ("ranking", "ranks", "precisions"),
    [
        (TEN, [1, 3, 4, 5, 6, 10], [1, 2 / 3, 0.75, 0.8, 5 / 6, 0.6]),
        (LATE, [2, 5, 6, 7, 9, 10], [0.5, 0.4, 0.5, 4 / 7, 5 / 9, 0.6]),
    ],
)
def test_precision_at_the_relevant_ranks(
    ranking: list[int | None], ranks: list[int], precisions: list[float]
) -> None:
    assert [value(f"P@{rank}", ranking) for rank in ranks] == pytest.approx(precisions)


def test_means_over_queries() -> None:
    reciprocal = parse("RR").per_query(Ranked.of_rankings([[0, 0, 1], [0, 1, 0], [1, 0, 0]]))
    assert reciprocal.tolist() == pytest.approx([1 / 3, 1 / 2, 1])
    assert parse("RR").aggregate(reciprocal) == pytest.approx(11 / 18)
    two = Ranked.of_rankings([FIVE, SECOND])
    assert parse("P@5").aggregate(parse("P@5").per_query(two)) == pytest.approx(0.5)


ERRORS = [
    ("F1@5", FIVE, [], 0.749, 0.75, "computed from rounded precision and recall"),
    ("DCG@5", GRADED, [], 6.1486, 6.148712, "sum of truncated terms"),
    ("IDCG@4", GRADED, [], 6.3233, 6.323466, "sum of truncated terms"),
    ("IDCG@5", GRADED, [], 6.3233, 6.323466, "sum of truncated terms"),
    ("P@2", [1, 1], [], 0.5, 1.0, "both answers are gold answers"),
    ("AP", [0, 0, 1], [1, 1], 0.33, 1 / 9, "P@3 taken as 1, then averaged over ranks: that is MeanTopK@3"),
]


@pytest.mark.parametrize(("measure", "ranking", "missed", "printed", "true", "why"), ERRORS)
def test_the_true_value_counts_where_a_tutorial_errs(
    measure: str, ranking: list[int | None], missed: list[int], printed: float, true: float, why: str
) -> None:
    assert why
    assert value(measure, ranking, missed) == pytest.approx(true, abs=5e-7)
    assert abs(printed - true) > 5e-5


def test_mean_average_precision_at_5_is_not_the_mean_of_rounded_values() -> None:
    measure = parse("AP(norm='rel_ret')@5")
    found = measure.aggregate(measure.per_query(Ranked.of_rankings([FIVE, SECOND])))
    assert found == pytest.approx(0.586111, abs=5e-7)
    assert round((0.756 + 0.417) / 2, 4) == 0.5865


def test_the_share_of_the_gain_that_each_rank_keeps() -> None:
    discount = parse("DCG").declaration.discount
    assert discount is not None
    kept = 100 * discount(np.arange(1.0, 6.0))
    assert kept == pytest.approx([100, 63.09, 50, 43.07, 38.69], abs=0.005)


def test_a_perfect_ranking_of_five_has_a_higher_dcg_than_a_perfect_one_of_three() -> None:
    assert value("DCG", [1, 1, 1, 1, 1]) > value("DCG", [1, 1, 1])
    assert value("nDCG", [1, 1, 1, 1, 1]) == value("nDCG", [1, 1, 1]) == pytest.approx(1)
