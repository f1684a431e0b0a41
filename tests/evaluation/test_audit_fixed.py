"""A sample of fixed size, looked at once: right on average, exact at the end, narrow, for one look only."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from annotator.evaluation.audit import BLOCK, Population, drawn, excludes, interval
from annotator.evaluation.audit_fixed import fixed_interval, inclusion
from tests.evaluation.test_audit_simulated import MODELS, RISK, made

SAMPLE = 200
LOOKS = 12


def taken_by(population: Population, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys that pairs are drawn by, and the order."""
    key = -np.log(np.random.default_rng(seed).random(len(population.weight))) / population.chance
    return key, np.argsort(key)


@settings(max_examples=8)
@given(st.integers(0, 1000), st.booleans())
def test_the_estimate_is_right_on_average_and_exact_when_all_is_drawn(seed: int, model: bool) -> None:
    random = np.random.default_rng(seed)
    n = 12
    gain, weight = random.integers(0, 6, n) / 5, random.normal(0, 1, n)
    population = Population(weight, random.uniform(0.2, 2, n), random.random(n) * model, 0.5)
    truth = 0.5 + float(weight @ gain)
    estimates = []
    for trial in range(400):
        key, order = taken_by(population, trial)
        included = inclusion(population.chance, key, order, 6)
        estimates.append(0.5 + (weight * gain / included)[order[:6]].sum())
        estimate, low, high = fixed_interval(population, order[:6], gain[order[:6]], included, RISK)
        assert low <= estimate <= high
    error = np.std(estimates) / 20
    assert np.mean(estimates) == pytest.approx(truth, abs=5 * error)
    whole = fixed_interval(population, order, gain[order], inclusion(population.chance, key, order, n), RISK)
    assert whole == pytest.approx((truth, truth, truth))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ["runs 10", "runs 20", "reranker real"])
def test_it_is_narrower_and_holds_for_one_look_only(
    name: str, model: str, count: Callable[[int, int], int], counted: Callable[[str], None]
) -> None:
    case, trials = made(name), count(10, 2_000)
    wide, narrow, once, ever, always = [], [], 0, 0, 0
    for seed in range(trials):
        population, gain = case.population(None if MODELS[model] is None else MODELS[model](case, seed))
        key, order = taken_by(population, seed)
        sizes = {SAMPLE, *range(BLOCK, BLOCK * (LOOKS + 1), BLOCK)}
        missed = {}
        for size in sizes:
            taken, included = order[:size], inclusion(population.chance, key, order, size)
            _, low, high = fixed_interval(population, taken, gain[taken], included, RISK)
            missed[size] = not low <= case.truth <= high
            if size == SAMPLE:
                narrow.append(high - low)
        once, ever = once + missed[SAMPLE], ever + any(missed.values())
        few = order[: BLOCK * LOOKS]
        always += excludes(drawn(population, few, gain[few]), case.truth, RISK).any()
        if seed < 24:
            few = order[:SAMPLE]
            low, high = interval(drawn(population, few, gain[few]), RISK)
            wide.append(high - low)
    counted(
        f"{name}, model {model}: of {trials} samples of {SAMPLE} looked at once {once} miss, looked at in "
        f"{LOOKS} blocks {ever}; the anytime intervals {always}. Width beside theirs "
        f"{np.mean(narrow) / np.mean(wide):.0%}"
    )
    assert np.mean(narrow) < 0.8 * np.mean(wide)
    assert binomtest(int(always), trials, RISK, alternative="greater").pvalue > 0.001
    assert ever >= always
    if trials > 100:
        assert binomtest(int(ever), trials, RISK, alternative="greater").pvalue < 0.001, "for one look only"


@given(st.integers(0, 1000), st.floats(0.001, 0.03))
@settings(max_examples=20)
def test_what_is_rare_is_not_taken_for_absent(seed: int, share: float) -> None:
    random = np.random.default_rng(seed)
    gain = (random.random(2000) < share).astype(np.float64)
    population = Population(np.ones(2000) / 2000, np.ones(2000), np.zeros(2000))
    missed = 0
    for trial in range(60):
        key, order = taken_by(population, trial)
        taken = order[:100]
        _, low, high = fixed_interval(
            population, taken, gain[taken], inclusion(population.chance, key, order, 100), RISK
        )
        missed += not low <= gain.mean() <= high
    assert binomtest(missed, 60, RISK, alternative="greater").pvalue > 0.001
