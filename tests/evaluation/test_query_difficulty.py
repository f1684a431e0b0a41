"""How hard queries are and who does well on the hard ones, beside scipy and plain loops."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.evaluation.query_difficulty import (
    by_query,
    by_system,
    difficulties,
    difficulty,
    harder_half,
    needed,
)
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.metrics.catalogue import parse_all


def result_of(scores, *measures: str, **known) -> EvaluationResult:
    """Return a result of scores [systems, queries], the same under every measure."""
    scores = np.asarray(scores, float)
    systems, queries = scores.shape
    names = measures or ("AP",)
    return EvaluationResult(
        tuple(f"s{at}" for at in range(systems)),
        parse_all(list(names)),
        tuple(f"q{at}" for at in range(queries)),
        np.repeat(scores[:, None], len(names), axis=1),
        known.pop("counted", np.ones((systems, queries), bool)),
        Options(measures=names),
        Provenance("sample", "0.1.0"),
        **known,
    )


TENTHS = st.integers(0, 10).map(lambda tenth: tenth / 10)
SCORES = st.tuples(st.integers(2, 5), st.integers(1, 8)).flatmap(
    lambda size: st.lists(
        st.lists(TENTHS, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


def shares_of_the_hard_half(means):
    """Return each query's share by going through every order of the queries of equal means at once."""
    n = len(means)
    left = Fraction(n, 2)
    shares = [Fraction(0)] * n
    for value in sorted(set(means)):
        tied = [at for at in range(n) if means[at] == value]
        taken = min(left, Fraction(len(tied)))
        for at in tied:
            shares[at] = taken / len(tied)
        left -= taken
    return [float(one) for one in shares]


@given(SCORES)
def test_everything_is_what_plain_loops_over_exact_tenths_say(scores):
    found = difficulty(result_of(scores), "AP")
    systems, n = len(scores), len(scores[0])
    exact = [[Fraction(round(one * 10), 10) for one in row] for row in scores]
    for at, one in enumerate(found.by_system):
        others = [
            sum(exact[other][q] for other in range(systems) if other != at) / (systems - 1) for q in range(n)
        ]
        assert found.of_others[at] == pytest.approx([float(x) for x in others], abs=1e-12)
        assert one.with_others.n == n
        if n > 2 and len(set(exact[at])) > 1 and len(set(others)) > 1:
            rho = stats.spearmanr([float(x) for x in exact[at]], [float(x) for x in others]).statistic
            assert one.with_others.value == pytest.approx(rho, abs=1e-9)
        if systems < 3 or n < 2:
            assert math.isnan(one.hard)
            assert math.isnan(one.easy)
            continue
        hard, easy = [], []
        for other in range(systems):
            if other == at:
                continue
            rest = [
                sum(exact[third][q] for third in range(systems) if third not in (at, other)) for q in range(n)
            ]
            shares = shares_of_the_hard_half(rest)
            gains = [float(exact[at][q] - exact[other][q]) for q in range(n)]
            hard.append(sum(w * g for w, g in zip(shares, gains, strict=True)) / (n / 2))
            easy.append(sum((1 - w) * g for w, g in zip(shares, gains, strict=True)) / (n / 2))
        assert one.hard == pytest.approx(np.mean(hard), abs=1e-12)
        assert one.easy == pytest.approx(np.mean(easy), abs=1e-12)
        assert one.apart.value == pytest.approx(one.easy - one.hard, abs=1e-12)


@given(st.lists(TENTHS, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_equally_hard_queries_decides_nothing(means, random):
    half = harder_half(means)
    assert half == pytest.approx(shares_of_the_hard_half(means))
    assert half.sum() == pytest.approx(len(means) / 2)
    order = list(range(len(means)))
    random.shuffle(order)
    assert harder_half([means[at] for at in order]) == pytest.approx(half[order])


def test_a_system_that_gains_on_easy_queries_alone_is_found():
    ease = np.linspace(0.1, 0.9, 40)
    scores = [ease, ease, ease, ease + np.where(ease > 0.5, 0.1, 0.0)]
    *others, special = difficulty(result_of(scores), "AP").by_system
    assert (special.hard, special.easy) == pytest.approx((0.0, 0.1))
    assert special.apart.low > 0
    assert all(one.apart.high < 0 for one in others)


def test_chance_alone_lets_no_system_gain_on_hard_queries_and_the_interval_keeps_its_level(count):
    """With the compared ones among what says how hard a query is, each would seem to gain on hard ones."""
    random = np.random.default_rng(3)
    rounds = count(300, 2_000)
    found, covered = [], 0
    for _ in range(rounds):
        scores = random.normal(0, 1, 40) + random.normal(0, 1, (4, 40))
        one = difficulty(result_of(scores), "AP").by_system[0]
        found.append(one.apart.value)
        covered += one.apart.low <= 0 <= one.apart.high
    assert abs(np.mean(found)) < 4 * np.std(found) / math.sqrt(rounds)
    assert stats.binomtest(covered, rounds, 0.95).pvalue > 1e-4, covered / rounds


def test_a_query_that_one_system_has_no_score_for_takes_no_part_and_is_told():
    scores = np.array([[0.1, 0.5, np.nan, 0.2], [0.2, 0.6, 0.9, 0.1]])
    counted = np.ones((2, 4), bool)
    counted[1, 3] = False
    one = difficulty(result_of(scores, counted=counted), "AP")
    assert one.queries.tolist() == [0, 1]
    table = by_query([one])
    assert [row[1] for row in table.rows] == ["q0", "q1"], "the hardest first"
    assert "Left out: 2 queries without a score of every system." in table.caption
    assert "takes 3 systems" in by_system([one]).caption
    assert "n = 2 is very small: this is an impression, not evidence." in by_system([one]).caption


def test_the_tables_have_a_row_for_each_measure_and_say_what_relevant_has_to_do_with_it():
    random = np.random.default_rng(1)
    relevant = np.arange(40)
    scores = np.clip(relevant / 50 + random.normal(0, 0.05, (3, 40)), 0, 1)
    found = difficulties(result_of(scores, "AP", "NumRel", "RR", relevant=relevant))
    assert [one.measure for one in found] == ["AP", "RR"], "counts are neither hard nor easy"
    table = by_query(found)
    assert len(table) == 80
    assert [column.name for column in table.columns[2:7]] == ["mean", "sd", "lowest", "highest", "relevant"]
    first = {column.name: cell for column, cell in zip(table.columns, table.rows[0], strict=True)}
    at = int(first["query"][1:])
    assert first["mean"] == pytest.approx(scores[:, at].mean())
    assert first["sd"] == pytest.approx(scores[:, at].std(ddof=1))
    assert first["gain_s1"] == pytest.approx(scores[1, at] - (scores[0, at] + scores[2, at]) / 2)
    rho = stats.spearmanr(scores.mean(axis=0), relevant).statistic
    assert f"number relevant: {rho:.2f} (n = 40, 95% interval" in table.caption
    systems = by_system(found)
    assert len(systems) == 6
    assert "n = 40" not in systems.caption, "which is not few"
    few = by_query(difficulties(replace(result_of(scores[:, :12]), relevant=relevant[:12])))
    assert "n = 12" in few.caption
    assert "mind the width of the interval" in few.caption


def test_what_cannot_be_said_is_refused_in_words(result):
    with pytest.raises(UserError, match="two systems or more"):
        difficulty(result_of([[0.1, 0.2]]), "AP")
    with pytest.raises(UserError, match="NumRel counts"):
        difficulty(result_of([[1, 2], [2, 3]], "NumRel"), "NumRel")
    with pytest.raises(UserError, match="takes two systems"):
        needed(result_of([[1, 2], [2, 3]], "NumRel"))
    assert len(needed(result)) == 2
