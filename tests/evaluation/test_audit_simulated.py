"""Whole audits, simulated: how often the sampled rule is wrong, what it takes, and how the old rule fails."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from annotator.evaluation.audit import BLOCK, drawn, excludes
from annotator.evaluation.next_judgment import TwoRankings, next_judgments
from tests.evaluation import audit_cases as cases
from tests.evaluation.old_rule import decision

RISK = 0.05

MODELS = {"none": None, "good": cases.good_model, "tuned": cases.tuned_model, "noise": cases.noise_model}


def made(name: str) -> cases.Case:
    """Return a case by its name; where the reference data is not there, one that is drawn."""
    kind, _, of = name.partition(" ")
    folder = os.environ.get("ANNOTATOR_REFERENCE_DATA")
    grades = cases.drawn_grades(7) if of == "drawn" or not folder else cases.robust_grades(Path(folder))
    if kind == "reranker":
        return cases.reranker_against_recall(grades, 3)
    return cases.robust(Path(str(folder)), int(of)) if folder else cases.alike(cases.drawn_grades(7), int(of))


def audited(case: cases.Case, model: object, seed: int) -> tuple[bool, bool, float]:
    """Say of one audit whether it names the loser, whether a look misses the truth, what share is judged."""
    population, gain = case.population(None if model is None else model(case, seed))
    order = np.argsort(-np.log(np.random.default_rng(seed).random(len(gain))) / population.chance)
    draws = drawn(population, order, gain[order])
    side = excludes(draws, 0.0, RISK)
    looks = np.arange(BLOCK, len(gain), BLOCK)
    done = looks[side[looks - 1] != 0]
    wrong = bool(len(done)) and side[done[0] - 1] * case.truth <= 0
    stopped = done[0] if len(done) else len(gain)
    return wrong, bool(excludes(draws, case.truth, RISK).any()), stopped / len(case.grade)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ["runs 10", "runs 20", "reranker real", "reranker drawn"])
def test_an_audit_is_wrong_no_more_often_than_its_risk(
    name: str, model: str, count: Callable[[int, int], int], counted: Callable[[str], None]
) -> None:
    case, trials = made(name), count(20, 2_000)
    wrong, missed, share = np.array([audited(case, MODELS[model], seed) for seed in range(trials)]).T
    counted(
        f"{name}, model {model}: wrong {wrong.sum():.0f}, missed {missed.sum():.0f} of {trials} audits; "
        f"{share.mean():.1%} of {len(case.grade)} pairs judged"
    )
    for times in (int(wrong.sum()), int(missed.sum())):
        assert binomtest(times, trials, RISK, alternative="greater").pvalue > 0.001
    assert share.mean() < 1


def judged_by_the_old_rule(case: cases.Case, order: np.ndarray) -> tuple[bool, float]:
    """Return whether the old rule names the loser, and the share judged when it says to stop."""
    grade = np.full(len(case.grade), -1)
    for done in range(0, len(order) + 1, 5):
        grade[order[:done]] = case.grade[order[:done]]
        state = decision(TwoRankings(case.query, case.first, case.second, grade), case.depth)
        if state.sure:
            return (state.second_better > 0.5) != (case.truth > 0), done / len(grade)
    return False, len(order) / len(grade)


@pytest.mark.parametrize("source", ["real", "drawn"])
def test_the_old_rule_names_the_loser_where_the_top_ranks_mislead(
    source: str, counted: Callable[[str], None]
) -> None:
    folder = os.environ.get("ANNOTATOR_REFERENCE_DATA")
    wrong, share = [], []
    for seed in range(12):
        real = source == "real" and folder
        grades = cases.robust_grades(Path(str(folder))) if real else cases.drawn_grades(seed)
        case = cases.reranker_against_recall(grades, seed)
        named, judged = judged_by_the_old_rule(case, next_judgments(case.rankings, case.depth))
        wrong.append(named)
        share.append(judged)
    counted(f"old rule, {source}: wrong {sum(wrong)} of 12, {np.mean(share):.1%} judged")
    assert sum(wrong) >= 3


def turns(case: cases.Case, seed: int) -> np.ndarray:
    """Return the pairs that matter, query by query, the queries by chance."""
    pairs = np.flatnonzero(case.pull)
    turn = np.random.default_rng(seed).permutation(case.query.max() + 1)
    order: np.ndarray = pairs[np.argsort(turn[case.query[pairs]], kind="stable")]
    return order


def certain_after(case: cases.Case, order: np.ndarray) -> float:
    """Return what share of the pool is judged when nothing can turn the difference round."""
    total = np.cumsum((case.pull * case.grade)[order])
    left = np.cumsum(np.abs(case.pull[order])[::-1])[::-1] * cases.HIGHEST
    certain = np.flatnonzero(np.abs(total)[:-1] > left[1:])
    return float((certain[0] + 1 if len(certain) else len(order)) / len(case.grade))


@pytest.mark.parametrize("name", ["runs 10", "runs 20", "reranker real"])
def test_drawing_by_chance_decides_with_less_than_topic_by_topic(
    name: str, count: Callable[[int, int], int], counted: Callable[[str], None]
) -> None:
    case, trials = made(name), count(4, 200)
    by_chance = {
        model: np.mean([audited(case, MODELS[model], seed)[2] for seed in range(5 * trials)])
        for model in ("none", "good")
    }
    topics = np.mean([certain_after(case, turns(case, seed)) for seed in range(trials)])
    by_topic = np.array([judged_by_the_old_rule(case, turns(case, seed)) for seed in range(trials)])
    wrong, old = judged_by_the_old_rule(case, next_judgments(case.rankings, case.depth))
    counted(
        f"judged of {name}: by chance {by_chance['none']:.1%}, with a good model {by_chance['good']:.1%}; "
        f"topic by topic until nothing can turn it round {topics:.1%}; by the old rule, most informative "
        f"first, {old:.1%} ({'wrong' if wrong else 'right'}), topic by topic {by_topic[:, 1].mean():.1%} "
        f"(wrong in {by_topic[:, 0].mean():.1%} of {trials})"
    )
    assert by_chance["none"] < topics
