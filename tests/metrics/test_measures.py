import math
from dataclasses import replace

import numpy as np
import pytest

from annotator.metrics.catalogue import CATALOGUE, parse
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import Declaration
from annotator.metrics.parameters import PARAMETERS

RANKED = Ranked.of_rankings([[1, 0], [0, 1], []], missed=[[], [], [2]])


@pytest.mark.parametrize("declaration", CATALOGUE, ids=lambda one: one.key)
def test_a_declaration_is_complete(declaration: Declaration) -> None:
    assert declaration.title[0].isupper()
    assert declaration.sentence.endswith(".")
    assert declaration.blind_spot.text.endswith(".")
    assert declaration.blind_spot.measure.startswith(declaration.key)
    assert declaration.formula.count("{") == declaration.formula.count("}")
    assert declaration.source
    assert (declaration.function.__doc__ or "").startswith("Return")
    assert declaration.range[0] < declaration.range[1]
    assert {one.name for one in declaration.named} <= set(PARAMETERS)


def test_measures_are_equal_when_they_print_the_same_name() -> None:
    assert parse("P(rel=1)@5") == parse("P_5")
    assert parse("P@5") != parse("P@10")
    assert len({parse("nDCG"), parse("ndcg")}) == 1


def test_changing_parameters_keeps_the_others_and_the_cut_off() -> None:
    changed = parse("AP(rel=2)@5").with_parameters(norm="min")
    assert changed.name == "AP(rel=2,norm='min')@5"
    assert changed.with_parameters(cutoff=9).name == "AP(rel=2,norm='min')@9"


def test_the_aggregate_is_the_mean() -> None:
    assert parse("RR").aggregate(parse("RR").per_query(RANKED)) == pytest.approx((1 + 0.5 + 0) / 3)


def test_counts_add_up() -> None:
    assert parse("NumRel").aggregate(parse("NumRel").per_query(RANKED)) == 3


def test_the_geometric_mean_takes_no_value_below_its_floor() -> None:
    expected = math.exp((math.log(1) + math.log(0.5) + math.log(1e-5)) / 3)
    assert parse("GMAP").aggregate(parse("GMAP").per_query(RANKED)) == pytest.approx(expected)


def test_the_aggregate_of_no_query_is_not_a_number() -> None:
    assert math.isnan(parse("AP").aggregate(np.zeros(0)))
    assert math.isnan(parse("NumRel").aggregate(np.zeros(0)))


def test_a_measure_of_answers_refuses_grades_and_the_other_way_round() -> None:
    with pytest.raises(TypeError, match="answers"):
        parse("EM").per_query(RANKED)
    with pytest.raises(TypeError, match="grades"):
        parse("AP").per_answers(None)


def test_a_declaration_disclaims_what_does_not_hold_for_the_parameters_it_names() -> None:
    half = replace(
        parse("P@5").declaration,
        disclaims={"bounds": lambda judged_only, over, **_: judged_only and over == "retrieved"},
    )
    asked = [(judged_only, over) for judged_only in (False, True) for over in ("judged", "retrieved")]
    bound = [half.bind(5, judged_only=judged_only, over=over) for judged_only, over in asked]
    assert [one.claims("bounds") for one in bound] == [True, True, True, False]
    assert all(one.claims("ties") and one.claims("ideal") and one.claims("contributions") for one in bound)


def test_a_cut_off_can_be_what_a_claim_depends_on() -> None:
    declaration = replace(parse("AP").declaration, disclaims={"ties": lambda k, **_: k is not None})
    assert [declaration.bind(cutoff).claims("ties") for cutoff in (None, 3)] == [True, False]
