"""Nugget scores against values that nuggetizer 0.0.5 gave (`nuggetizer.core.metrics`); what is not there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.catalogue import CATALOGUE, parse
from annotator.metrics.judged_parts import explain_parts, values
from annotator.metrics.nuggets import NuggetTable

KEYS = ("NuggetStrictVital", "NuggetStrictAll", "NuggetVital", "NuggetAll")
VITAL, OKAY = True, False


def table(*rows: tuple[bool, int], answered: bool = True) -> NuggetTable:
    """Return one query's nuggets: whether each is vital, and how far it is supported."""
    vital, support = ([row[at] for row in rows] for at in (0, 1))
    return NuggetTable(
        np.zeros(len(rows), np.int64),
        np.array(vital, np.bool_),
        np.array(support, np.int64),
        np.array([answered]),
        [f"nugget {at}" for at in range(len(rows))],
    )


@pytest.mark.parametrize(
    ("rows", "theirs"),
    [
        ([(VITAL, 2), (VITAL, 1), (VITAL, 0), (OKAY, 2), (OKAY, 1)], (1 / 3, 0.4, 0.5, 0.6)),
        ([(OKAY, 2), (OKAY, 1), (OKAY, 0)], (0.0, 1 / 3, 0.0, 0.5)),
        ([(VITAL, 0), (VITAL, 0), (OKAY, 0)], (0.0, 0.0, 0.0, 0.0)),
        ([(VITAL, 1), (VITAL, 1), (OKAY, 2), (OKAY, 0)], (0.0, 0.25, 0.5, 0.5)),
        ([(VITAL, 2), (VITAL, 2), (VITAL, 1)], (2 / 3, 2 / 3, 5 / 6, 5 / 6)),
    ],
)
def test_scores_are_those_of_nuggetizer(rows: list[tuple[bool, int]], theirs: tuple[float, ...]) -> None:
    ours = [values(parse(key), table(*rows))[0] for key in KEYS]
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_an_okay_nugget_weighs_half_a_vital_one() -> None:
    rows = [(VITAL, 2), (VITAL, 1), (VITAL, 0), (OKAY, 2), (OKAY, 1)]
    assert values(parse("NuggetWeighted"), table(*rows))[0] == (1 + 0.5) / (3 + 2 * 0.5)


def test_an_answer_is_left_out_until_every_nugget_that_counts_is_judged() -> None:
    rows = [(VITAL, 2), (OKAY, -1)]
    assert values(parse("NuggetVital"), table(*rows))[0] == 1
    assert np.isnan(values(parse("NuggetAll"), table(*rows))[0])
    assert (
        "1 of the nuggets that count are not judged"
        in explain_parts(parse("NuggetAll"), table(*rows)).sentence
    )


def test_no_answer_is_0_and_no_nugget_is_no_score() -> None:
    assert values(parse("NuggetAll"), table((VITAL, -1), answered=False)).tolist() == [0]
    assert np.isnan(values(parse("NuggetAll"), table())).all()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=1, max_size=8))
def test_what_nuggets_gave_and_cost_adds_up_and_the_dearest_comes_first(rows: list[tuple[bool, int]]) -> None:
    for declaration in (one for one in CATALOGUE if one.needs == "nuggets"):
        one = explain_parts(declaration.bind(), table(*rows))
        assert sum(row.contribution for row in one.rows) == pytest.approx(one.value)
        counts = any(row.weight for row in one.rows)
        assert sum(row.contribution + row.cost for row in one.rows) == pytest.approx(1.0 if counts else 0.0)
        costs = [row.cost for row in one.rows]
        assert costs == sorted(costs, reverse=True)
        assert 0 <= one.value <= 1


def test_their_names_are_understood() -> None:
    assert [parse(name).name for name in ("strict_vital_score", "all_score", "vital_score")] == [
        "NuggetStrictVital",
        "NuggetAll",
        "NuggetVital",
    ]
