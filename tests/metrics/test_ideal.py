import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from annotator.metrics.ideal import has_ideal, ideal, ideal_for, ideal_value, reordered, reordered_value
from tests.metrics.rankings import Case, cases, every_measure


def test_the_ideal_ordering_holds_everything_judged_highest_first() -> None:
    best = ideal(Ranked.of_rankings([[0, None, 3], [1]], missed=[[5], []]))
    assert best.grade.tolist() == [5, 3, 0, 1]
    assert best.rank.tolist() == [1, 2, 3, 1]
    assert best.retrieved.tolist() == [3, 1]


def test_the_ideal_set_holds_relevant_candidates_only() -> None:
    best = ideal_for(parse("SetP(rel=3)"), Ranked.of_rankings([[0, 3, 2]], missed=[[4]]))
    assert best.grade.tolist() == [4, 3]
    assert ideal_value(parse("SetF"), Ranked.of_rankings([[0, 3, 2]]))[0] == 1


def test_a_reordering_keeps_the_candidates_of_the_list() -> None:
    best = reordered(Ranked.of_rankings([[0, None, 3, 1]], missed=[[5]]))
    assert best.grade.tolist() == [3, 1, 0]
    assert best.rank.tolist() == [1, 2, 3]
    assert best.retrieved.tolist() == [4]
    assert best.judged.tolist() == [5, 3, 1, 0]


def test_reordering_cannot_bring_in_what_was_not_retrieved() -> None:
    ranked = Ranked.of_rankings([[0, 1], [1, 0]], missed=[[1], []])
    assert reordered_value(parse("AP"), ranked).tolist() == [0.5, 1]


@settings(max_examples=40, deadline=None)
@given(case=cases(lowest=-1, most=1))
def test_no_permutation_of_a_list_beats_its_reordering(case: Case) -> None:
    grades = [grade for _, _, grade in case.queries[0].in_order][:4]
    missed = [grade for _, grade in case.queries[0].missed]
    orders = [list(order) for order in set(itertools.permutations(grades))]
    every_order = Ranked.of_rankings(orders, [missed] * len(orders))
    best = reordered(Ranked.of_rankings([grades], [missed]))
    for measure in filter(has_ideal, every_measure()):
        highest = np.max(measure.per_query(every_order))
        assert measure.per_query(best)[0] == pytest.approx(highest, abs=1e-12), measure.name


def test_counts_have_no_ideal_ordering() -> None:
    assert [key for key in ("AP", "NumRel", "IDCG", "EM", "nDCG") if has_ideal(parse(key))] == ["AP", "nDCG"]
