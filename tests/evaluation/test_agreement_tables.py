"""Agreement as tables."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau

from annotator.evaluation.agreement import between
from annotator.evaluation.agreement_tables import (
    by_group,
    coefficients,
    confusion,
    few_orders,
    places,
    rankings,
)
from annotator.evaluation.correlations import correlation

FIRST = [0, 1, 2, 3, 4, 5] * 6
SECOND = [0, 1, 2, 3, 5, 5] * 6


def test_every_coefficient_of_everybody_and_of_each_pair_has_a_row() -> None:
    pair = between(FIRST, SECOND)
    table = coefficients(pair.coefficients[:1], [("Ann", "Ben", pair)])
    assert [row[:3] for row in table.rows[:2]] == [
        ("everybody", "", "Same grade"),
        ("Ann", "Ben", "Same grade"),
    ]
    assert table.rows[0][3] == 5 / 6
    assert {row[6] for row in table.rows} == {36}
    assert {row[7] for row in table.rows} == {""}


def test_with_too_few_items_no_number_is_shown_and_the_reason_is() -> None:
    table = coefficients((), [("Ann", "Ben", between(FIRST[:6], SECOND[:6]))])
    assert {row[3:6] for row in table.rows} == {(None, None, None)}
    assert {row[7] for row in table.rows} == {"not enough data: 30 items are needed"}


def test_the_confusion_shows_where_two_annotators_part() -> None:
    table = confusion("Ann", "Ben", between(FIRST, SECOND))
    assert table.rows[4][:7] == (4, 0, 0, 0, 0, 0, 6)
    assert table.rows[4][7] == 0
    assert table.caption == "Rows are judgments of Ann, columns of Ben."


def test_the_systems_means_stand_by_annotator() -> None:
    tau = correlation([0.5, 0.4, 0.3], [0.2, 0.3, 0.1], "kendall")
    opposite, same = (correlation([1, 2, 3], other, "kendall") for other in ([3, 2, 1], [1, 2, 3]))
    table = rankings(
        "nDCG@10",
        ("a", "b", "c"),
        ("Ann", "Ben"),
        [(0.5, 0.4, 0.3), (0.2, 0.3, 0.1)],
        [7, 5],
        [("Ann", "Ben", tau)],
    )
    assert table.rows == [
        ("a", 0.5, 1, 7, 0.2, 2, 5),
        ("b", 0.4, 2, 7, 0.3, 1, 5),
        ("c", 0.3, 3, 7, 0.1, 3, 5),
    ]
    names = ["system", "Ann", "Ann place", "Ann queries", "Ben", "Ben place", "Ben queries"]
    assert [one.name for one in table.columns] == names
    assert [one.begins for one in table.columns] == [False, *[True, False, False] * 2], "whose they are"
    judged = "Mean nDCG@10 by each annotator's judgments alone, over the queries that this annotator judged."
    assert table.caption == (
        f"{judged} Kendall's tau-b of the order of 3 systems: 0.33 between Ann and Ben. With 3 pairs of "
        "systems and no ties tau takes one of 4 values: chance alone may make it 1."
    )
    pairs = [("Ann", "Ben", tau), ("Ann", "Cid", opposite), ("Ben", "Cid", same)]
    brief = rankings("RR", ("a",), ("Ann",), [(0.5,)], [3], pairs, most=2).caption
    assert (
        "of 1 system: from -1.00 between Ann and Cid to 1.00 between Ben and Cid; a report has all 3" in brief
    )
    assert (
        "0.33 between Ann and Ben" in rankings("RR", ("a",), ("Ann",), [(0.5,)], [3], pairs, most=3).caption
    )
    undefined = correlation([0.5, 0.5], [0.2, 0.3], "kendall")
    equal = [("Ann", "Ben", same), ("Ann", "Cid", same)]
    for taus, pairs_named in ((equal, "all 2"), ([*equal, ("Ben", "Cid", undefined)], "2 of 3")):
        brief = rankings("RR", ("a",), ("Ann",), [(0.5,)], [3], taus, most=1).caption
        assert f"1 system: 1.00 for {pairs_named} pairs of annotators." in brief, "no range from 1 to 1"
    lone = rankings("RR", ("a",), ("Ann",), [(np.nan,)], [3], [("Ann", "Ben", undefined)]).caption
    assert lone == judged.replace("nDCG@10", "RR")


@pytest.mark.parametrize("systems", [2, 3, 4, 5])
def test_a_tau_of_few_systems_takes_as_many_values_as_the_caution_says(systems: int) -> None:
    orders = list(permutations(range(systems)))
    values = {round(float(kendalltau(orders[0], order).statistic), 9) for order in orders}
    assert f"one of {len(values)} values: chance" in few_orders(systems)
    assert few_orders(10) == "", "45 pairs"


def test_equal_means_share_a_place_and_what_is_missing_has_none() -> None:
    assert places([0.5, 0.3, 0.5, np.nan, 0.1 + 0.2]) == [1, 3, 1, None, 3]


def test_side_by_side_everybody_and_each_pair_have_one_column() -> None:
    pair = between(FIRST, SECOND)
    few = between(FIRST[:6], SECOND[:6])
    table = by_group(pair.coefficients[:1], [("Ann", "Ben", pair), ("Ann", "Eve", few)])
    titles = [column.title for column in table.columns]
    assert titles == ["Coefficient", "everybody, 36 items", "Ann – Ben, 36 items", "Ann – Eve, 6 of 30 items"]
    assert [row[0] for row in table.rows] == [one.name for one in few.coefficients]
    assert table.rows[0] == ("Same grade", 5 / 6, 5 / 6, None)
    assert {row[1] for row in table.rows[1:]} == {None}
    assert table.intervals[0, 2] == (pair.coefficients[0].low, pair.coefficients[0].high)
    assert {row[3] for row in table.rows} == {None}
