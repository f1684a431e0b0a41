"""nDCG, whose ideals are estimated too: how often its approximate intervals miss, reported without a gate.

With a model they are narrower than the ideals are known, and miss far more often: no plan has both.
"""

import re
from collections.abc import Callable

import numpy as np
import pytest

from annotator.project import audit_result
from annotator.project.audit_plan import SIMULATED, Choices, Plan
from annotator.project.audit_sample import Sample, population
from tests.evaluation.audit_cases import Case, good_model
from tests.evaluation.test_audit_simulated import made


def drawn_from(case: Case, seed: int, model: bool) -> tuple[Plan, Sample]:
    """Return a plan by nDCG over a case, and what it draws, as a project would have it."""
    n, depth = len(case.grade), case.depth
    discount = 1 / np.log2(np.arange(depth) + 2)
    ranks = np.stack((case.first, case.second))
    worth = np.append(0.0, discount)[np.where(ranks > depth, 0, ranks)]
    chance = worth.max(axis=0)
    turn = -np.log(np.random.default_rng(seed).random(n)) / chance
    ids = tuple((str(query), str(at)) for at, query in enumerate(case.query.tolist()))
    keys = tuple((int(query), at) for at, query in enumerate(case.query.tolist()))
    sample = Sample(
        keys, ids, discount, np.arange(6) / 5, worth, chance, np.arange(n), turn, np.argsort(turn)
    )
    told = "".join(str(int(one)) for one in good_model(case, seed)) if model else ""
    plan = Plan(
        choices=Choices("a", ("b",), f"nDCG@{depth}", seed=seed, model="judge" if model else ""),
        depth=depth,
        block=50,
        combine="median",
        runs=("", ""),
        queries=int(case.query.max()) + 1,
        pool="",
        known="-" * n,
        predicted=told,
        head="",
    )
    return plan, sample


@pytest.mark.parametrize("model", [False, True], ids=["none", "good"])
@pytest.mark.parametrize("name", ["runs 10", "reranker real", "reranker drawn"])
def test_how_often_the_intervals_of_ndcg_miss_is_reported(
    name: str, model: bool, count: Callable[[int, int], int], counted: Callable[[str], None]
) -> None:
    case, trials = made(name), count(2, 2_000)
    missed, at_200, wrong, share = 0, 0, 0, []
    for seed in range(trials):
        plan, sample = drawn_from(case, seed, model)
        gain = case.grade[sample.drawn_rows] / 5
        truth = difference(plan, sample, gain)[1]
        stopped, outside, widest = len(gain), [], 0.0
        for end in range(50, len(gain), 50):
            low, _, high = difference(plan, sample, gain[:end])
            widest = max(widest, high - low) if end < 500 else widest
            outside.append(not low <= truth <= high)
            if stopped == len(gain) and (low > 0 or high < 0):
                stopped, wrong = end, wrong + ((low > 0) != (truth > 0))
        missed, at_200 = missed + any(outside), at_200 + outside[3]
        share.append(stopped / len(gain))
        assert high - low < widest
    counted(
        f"{name}, nDCG@{case.depth}, model {'good' if model else 'none'}: {missed} of {trials} audits miss "
        f"the truth at some look, {at_200} after 200 draws; {wrong} name the loser when 0 is first outside, "
        f"with {np.mean(share):.1%} judged"
    )
    if trials == 2_000 and not model:
        low, high = (int(one) for one in re.findall(r"(\d+)% to (\d+)%", SIMULATED)[0])
        assert low <= round(100 * missed / trials) <= high


def difference(plan: Plan, sample: Sample, gain: np.ndarray) -> tuple[float, float, float]:
    """Return low, estimate and high of the difference; the truth three times when all is drawn."""
    ((_, weight),) = audit_result._targets(plan, sample, gain)
    if len(gain) == len(sample.rows):
        truth = float(weight[sample.drawn_rows] @ gain)
        return truth, truth, truth
    found = audit_result._interval(plan, sample, population(plan, sample, weight), gain, plan.choices.risk)
    return found[1], found[0], found[2]
