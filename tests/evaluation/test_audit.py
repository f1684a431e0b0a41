"""Drawing what to judge: unbiased, and covered, by enumeration of all draws; the measures it is for."""

import hashlib
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import MeasureError
from annotator.evaluation import audit
from annotator.evaluation.audit import Population, drawing_keys, drawn, evidence, excludes, interval, linear
from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from tests.examples import examples

FEW = st.integers(2, 5)


def drawing_order(chance, pairs, seed, name):
    return np.argsort(drawing_keys(chance, pairs, seed, name))


@st.composite
def populations(draw, sizes=FEW):
    """A few pairs with weights of either sign, chances, predictions, what is known before, and true gains."""
    n = draw(sizes)
    part = st.sampled_from([0.0, 0.2, 0.5, 1.0])
    weight = np.array(draw(st.lists(st.floats(-2, 2).map(lambda one: round(one, 2)), min_size=n, max_size=n)))
    alike = draw(st.booleans())
    chance = np.array(draw(st.lists(st.floats(0.1, 3), min_size=n, max_size=n)))
    chance = np.maximum(np.abs(weight), 0.01) if alike else chance
    predicted, gain = (np.array(draw(st.lists(part, min_size=n, max_size=n))) for _ in range(2))
    return Population(weight, chance, predicted, draw(st.floats(-1, 1))), gain


def every_draw(chance):
    """All orders in which the pairs may be drawn one after the other, with the chances of each."""
    for order in permutations(range(len(chance))):
        left, probability = float(chance.sum()), 1.0
        for one in order:
            probability *= chance[one] / left
            left -= chance[one]
        yield np.array(order), probability


@settings(max_examples=examples(25, 60))
@given(populations(), st.sampled_from([1, 2]))
def test_what_each_draw_says_is_right_on_average_whatever_the_model_says(case, block):
    population, gain = case
    theta = population.known + float(population.weight @ gain)
    expected = sum(
        probability * drawn(population, order, gain[order], block).each
        for order, probability in every_draw(population.chance)
    )
    assert expected == pytest.approx(np.full(len(gain), theta), abs=1e-9)


@settings(max_examples=examples(25, 80))
@given(populations(), st.sampled_from([0.05, 0.3, 0.6, 0.9]), st.sampled_from([1, 2]))
def test_the_interval_covers_the_truth_at_all_looks_together_but_for_the_risk(case, risk, block):
    population, gain = case
    theta = population.known + float(population.weight @ gain)
    missed = sum(
        probability
        for order, probability in every_draw(population.chance)
        if excludes(drawn(population, order, gain[order], block), theta, risk).any()
    )
    assert missed <= risk + 1e-9


@settings(max_examples=examples(25, 80))
@given(populations(), st.booleans(), st.sampled_from([1, 2]))
def test_who_bets_against_the_truth_wins_nothing_on_average(case, above, block):
    population, gain = case
    theta = population.known + float(population.weight @ gain)
    money = sum(
        probability * np.exp(evidence(drawn(population, order, gain[order], block), theta, above=above))
        for order, probability in every_draw(population.chance)
    )
    assert money == pytest.approx(np.ones(len(gain)), abs=1e-6)


def large(seed, n=400):
    random = np.random.default_rng(seed)
    weight = random.normal(0, 1, n) * random.exponential(1, n)
    gain = random.integers(0, 6, n) / 5 * (random.random(n) < 0.4)
    predicted = np.clip(gain + random.choice((-0.2, 0, 0.2), n), 0, 1)
    population = Population(weight, np.abs(weight), predicted, 3.0)
    return population, gain, np.argsort(-np.log(random.random(n)) / population.chance)


@pytest.mark.parametrize("seed", range(4))
def test_the_ends_of_the_interval_are_where_a_value_begins_to_be_excluded(seed):
    population, gain, order = large(seed)
    for count in (1, 30, 150):
        draws = drawn(population, order[:count], gain[order[:count]])
        low, high = interval(draws, 0.1)
        width = (high - low) * 1e-6
        assert not excludes(draws, low + width, 0.1).any()
        assert not excludes(draws, high - width, 0.1).any()
        if low > draws.certain[0]:
            assert excludes(draws, low - width, 0.1)[-1] == 1
        if high < draws.certain[1]:
            assert excludes(draws, high + width, 0.1)[-1] == -1


@pytest.mark.parametrize("seed", range(4))
def test_more_draws_never_widen_the_interval_and_the_whole_pool_is_exact(seed):
    population, gain, order = large(seed, 120)
    theta = 3.0 + float(population.weight @ gain)
    widths = []
    for count in (0, 10, 40, 90, 120):
        draws = drawn(population, order[:count], gain[order[:count]])
        low, high = interval(draws)
        assert draws.certain[0] - 1e-9 <= low <= high <= draws.certain[1] + 1e-9
        assert low <= draws.estimate <= high or (not count and np.isnan(draws.estimate))
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert (low, high, draws.estimate) == pytest.approx((theta, theta, theta))


def test_grades_that_a_model_foretells_narrow_the_interval_and_noise_hardly_widens_it():
    widths = {"none": [], "good": [], "noise": []}
    for seed in range(12):
        population, gain, order = large(seed, 1000)
        noise = np.random.default_rng(seed).random(1000)
        models = {"none": np.zeros(1000), "good": population.predicted, "noise": noise}
        for name, predicted in models.items():
            with_model = Population(population.weight, population.chance, predicted)
            low, high = interval(drawn(with_model, order[:300], gain[order[:300]]))
            widths[name].append(high - low)
    assert np.mean(widths["good"]) < 0.8 * np.mean(widths["none"])
    assert np.mean(widths["noise"]) < 1.1 * np.mean(widths["none"])


def test_pairs_are_drawn_with_their_chances_and_the_draw_is_made_again_from_the_ids():
    chance = np.array([1.0, 2.0, 5.0])
    pairs = [("q1", "a"), ("q1", "b"), ("q2", "a")]
    orders = [drawing_order(chance, pairs, seed, "a").tolist() for seed in range(2000)]
    for order, probability in every_draw(chance):
        times = orders.count(order.tolist())
        spread = 4 * np.sqrt(2000 * probability * (1 - probability))
        assert times == pytest.approx(2000 * probability, abs=spread)
    turned = [2, 0, 1]
    again = drawing_order(chance[turned], [pairs[one] for one in turned], 7, "a")
    assert [turned[one] for one in again.tolist()] == orders[7]


def test_a_second_plan_with_the_same_seed_draws_the_rest_with_its_own_chances():
    first, second = np.array([6.0, 1.0, 2.0, 3.0]), np.array([1.0, 5.0, 2.0, 1.0])
    pairs = [("q1", one) for one in "abcd"]
    times = np.zeros(4)
    for seed in range(4000):
        known = drawing_order(first, pairs, seed, "one")[0]
        if known == 0:
            rest = [1, 2, 3]
            times[rest[drawing_order(second[rest], [pairs[one] for one in rest], seed, "two")[0]]] += 1
    expected = times.sum() * second[1:] / second[1:].sum()
    assert ((times[1:] - expected) ** 2 / expected).sum() < 13.8  # chi square, 2 degrees, .001


def test_a_fraction_is_that_of_the_sha_256_of_seed_plan_and_ids():
    # sha256sum of the bytes: the first 48 bits over 2^48
    text = "7\0spring\0q1\0d1"
    digits = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert audit._fraction(text) == pytest.approx(int(digits, 16) / 16**12, abs=1e-14)
    two = [audit._fraction(f"7\0spring\0q1\0{one}") for one in "ab"]
    order = drawing_order(np.ones(2), [("q1", "a"), ("q1", "b")], 7, "spring")
    assert order.tolist() == np.argsort(two)[::-1].tolist()


OFFERED = [
    "P@5",
    "P(rel=3)@10",
    "CG@7",
    "DCG@10",
    "DCG(dcg='exp-log2')@10",
    "RBP@10",
    "RBP(p=0.5,max_rel=2)@4",
]


@pytest.mark.parametrize("name", OFFERED)
@given(
    ranking=st.lists(st.sampled_from([None, 0, 1, 2, 3, 4, 5]), max_size=12),
    missed=st.lists(st.integers(0, 5)),
)
def test_weights_and_gains_add_up_to_the_measure(name, ranking, missed):
    measure = parse(name)
    depth = int(measure.cutoff)
    discount, gain = linear(measure, depth)
    added = sum(discount[at] * gain[one] for at, one in enumerate(ranking[:depth]) if one is not None)
    assert measure.per_query(Ranked.of_rankings([ranking], [missed]))[0] == pytest.approx(added)
    assert 0 == gain[0] <= gain.min() <= gain.max() == 1


@pytest.mark.parametrize(
    "name",
    ["nDCG@10", "AP@10", "ERR@10", "R@5", "Judged@10", "Success@5", "RR@10", "P(norm='retrieved')@5"],
)
def test_what_is_no_sum_over_ranks_is_refused(name):
    with pytest.raises(MeasureError, match="no sum of gains by rank"):
        linear(parse(name), 10)


def test_an_interval_decides_off_zero_or_within_the_margin():
    assert audit.decided(0.1, 0.2) == 1
    assert audit.decided(-0.2, -0.1, margin=1) == -1
    assert audit.decided(-0.1, 0.1, margin=0.1) is None
    assert audit.decided(-0.1, 0.1) == audit.decided(-0.1, 0.2, margin=0.1) == 0


def test_what_is_still_to_come_is_near_what_it_takes():
    foretold, taken = [], []
    for seed in range(20):
        population, gain, order = large(seed, 1500)
        tilted = np.where(population.weight > 0, gain, 0.7 * gain)
        part = order[:100]
        left = audit.still_to_draw(population, order, tilted[part])
        population = Population(population.weight, population.chance, population.predicted, 0.0)
        done = excludes(drawn(population, order, tilted[order]), 0.0) != 0
        ends = np.arange(150, 1500, 50)
        at_end = ends[done[ends - 1]]
        foretold.append(left)
        taken.append((at_end[0] if len(at_end) else 1500) - 100)
    assert all(one % 50 == 0 for one in foretold)
    assert np.corrcoef(foretold, taken)[0, 1] > 0
    assert np.median(foretold) == pytest.approx(np.median(taken), rel=0.75)


def test_nothing_drawn_leaves_everything_still_to_come_and_open():
    population, _, order = large(1, 80)
    none = drawn(population, order[:0], np.zeros(0))
    assert interval(none) == none.certain
    assert audit.approximate_interval(none) == none.certain
    assert audit.still_to_draw(population, order, np.zeros(0)) == 80
