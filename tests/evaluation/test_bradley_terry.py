"""Strengths are those of greatest likelihood where finite ones fit, and a reason stands where none do."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from annotator.evaluation.bradley_terry import fitted, strengths, why_none
from annotator.evaluation.preference_tables import Preferred, Sides, side_table, strength_table, win_matrix
from tests.examples import examples


@st.composite
def drawn(draw: st.DrawFn, most: int = 5) -> np.ndarray:
    """Draw how often each of some systems was preferred to each other one, halves among them."""
    size = draw(st.integers(2, most))
    halves = draw(
        st.lists(st.sampled_from((0, 0, 0, 1, 2, 5, 40)), min_size=size * size, max_size=size * size)
    )
    wins = np.array(halves, float).reshape(size, size) / 2
    np.fill_diagonal(wins, 0)
    return wins


def parted(wins: np.ndarray) -> list[set[int]]:
    """Return each group of systems that no other one was ever preferred to, by trying them all."""
    size = len(wins)
    groups = [np.array(one, bool) for one in product((0, 1), repeat=size) if 0 < sum(one) < size]
    return [{*np.flatnonzero(one).tolist()} for one in groups if not wins[np.ix_(~one, one)].any()]


@settings(max_examples=examples(60, 600), deadline=None)
@given(wins=drawn())
def test_strengths_expect_as_many_wins_as_there_are_and_are_missing_where_no_finite_ones_fit(
    wins: np.ndarray,
) -> None:
    """The likelihood is greatest where each system's expected wins are its wins, and there alone."""
    found = fitted(wins)
    names = [*"abcde"][: len(wins)]
    problem = why_none(names, wins)
    if groups := parted(wins):
        assert np.isnan(found).all()
        unlinked = any({*range(len(wins))} - one in groups for one in groups)
        assert ("nothing that is judged links" in problem) == unlinked
        if not unlinked:
            words = problem.partition("each time ")[2].partition(" stood")[0].removeprefix("one of ")
            assert {names.index(one) for one in words.split(", ")} in groups
    else:
        assert problem == ""
        likely = 1 / (1 + np.exp(found[None, :] - found[:, None]))
        assert ((wins + wins.T) * likely).sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-6)
        assert found.sum() == pytest.approx(0, abs=1e-9)


@settings(max_examples=examples(20, 200), deadline=None)
@given(wins=drawn())
def test_strengths_are_those_of_choix(wins: np.ndarray) -> None:
    choix = pytest.importorskip("choix")
    if not parted(wins):
        assert fitted(wins) == pytest.approx(choix.ilsr_pairwise_dense(wins, max_iter=10_000), abs=1e-5)


def of_two(won: int, lost: int) -> np.ndarray:
    """Return so many queries in which the first of two systems was preferred, and the second one."""
    wins = np.zeros((won + lost, 2, 2))
    wins[:won, 0, 1] = wins[won:, 1, 0] = 1
    return wins


def test_the_interval_of_two_systems_is_that_of_the_binomial_distribution() -> None:
    """Redrawing queries redraws how often the first one won; half the log odds of that are its strength."""
    won, of = 25, 40
    (first, second) = strengths(("a", "b"), of_two(won, of - won)).found
    assert first.value == pytest.approx(np.log(won / (of - won)) / 2)
    for end, tail in ((first.low, 0.025), (first.high, 0.975)):
        likely = stats.binom.ppf([tail - 0.006, tail + 0.006], of, won / of)
        assert np.log(likely[0] / (of - likely[0])) / 2 - 1e-9 <= end
        assert end <= np.log(likely[1] / (of - likely[1])) / 2 + 1e-9
    assert (second.value, second.low, second.high) == pytest.approx((-first.value, -first.high, -first.low))


def test_where_draws_have_no_finite_strengths_too_often_an_interval_has_no_bound() -> None:
    """Of 4 queries with 3 wins 0.75^4 + 0.25^4 of the draws have only wins or only losses."""
    found = strengths(("a", "b"), of_two(3, 1))
    assert found.unbounded / found.draws == pytest.approx(0.75**4 + 0.25**4, abs=0.03)
    assert [one.value for one in found.found] == pytest.approx([np.log(3) / 2, -np.log(3) / 2])
    assert [(one.low, one.high) for one in found.found] == [(-np.inf, np.inf)] * 2


def preferred(
    systems: tuple[str, ...], *queries: dict[tuple[int, int], tuple[float, float, float]]
) -> Preferred:
    """Return what is preferred: in each query, for pairs of systems, shares of first, equal and second."""
    better, equal = np.zeros((2, len(queries), len(systems), len(systems)))
    for at, pairs in enumerate(queries):
        for (one, other), (first, neither, second) in pairs.items():
            better[at, one, other], better[at, other, one] = first, second
            equal[at, one, other] = equal[at, other, one] = neither
    none = np.zeros((len(systems), len(systems)), int)
    return Preferred(systems, better, equal, none, none)


FIRST, EQUAL, SECOND = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def test_a_tie_is_half_a_win_for_each_and_annotators_who_differ_share_a_comparison() -> None:
    """Of four comparisons one is won, one lost, one tied, and one shared by two people: 2.0 against 2.0."""
    found = preferred(
        ("a", "b", "c"),
        *({(0, 1): one} for one in (FIRST, SECOND, EQUAL, (0.5, 0, 0.5))),
    )
    strong, matrix = strength_table(found), win_matrix(found)
    assert [row[:1] + row[4:] for row in strong.rows] == [
        ("a", 1.5, 1.0, 1.5, 0.5),
        ("b", 1.5, 1.0, 1.5, 0.5),
    ]
    assert [row[1] for row in strong.rows] == pytest.approx([0, 0])
    assert matrix.rows == [("a", None, 2.0), ("b", 2.0, None)]
    assert "Nobody judged a pair of c." in strong.caption


def test_where_one_system_always_wins_it_is_said_and_no_number_is_made_up() -> None:
    strong = strength_table(preferred(("a", "b"), {(0, 1): SECOND}, {(0, 1): SECOND}))
    assert strong.rows == [
        ("b", None, None, None, 2.0, 0.0, 0.0, 1.0),
        ("a", None, None, None, 0.0, 0.0, 2.0, 0.0),
    ]
    assert strong.caption.startswith(
        "There are no strengths: each time b stood beside a, the former was preferred"
    )
    assert "Intervals" not in strong.caption


@settings(max_examples=examples(40, 400), deadline=None)
@given(left=st.integers(0, 60), right=st.integers(0, 60))
def test_whether_a_side_is_favoured_is_told_by_the_exact_binomial_test(left: int, right: int) -> None:
    (row,) = side_table([Sides("Ann", left, 7, right)]).rows
    if left + right:
        test = stats.binomtest(left, left + right)
        ends = test.proportion_ci(method="exact")
        assert row[4:] == pytest.approx((left / (left + right), ends.low, ends.high, test.pvalue))
    else:
        assert np.isnan(np.array(row[4:], float)).all()
