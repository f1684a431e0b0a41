"""A model's grades against people's, held against scipy, scikit-learn and a plain walk over the items."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from annotator.evaluation.agreement import between
from annotator.evaluation.correlations import correlation
from annotator.evaluation.model_grades import (
    EPSILONS,
    FDR,
    against_person,
    alternative_test,
    why_not,
)
from annotator.evaluation.model_tables import (
    ModelEffect,
    ModelPair,
    alternative,
    by_grade,
    overview,
    rankings,
)

Ints = np.ndarray


def drawn(seed: int, items: int = 120, people: int = 4, missing: float = 0.3) -> tuple[Ints, Ints]:
    """Return a model's grades and those of people, many missing."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 6, items)

    def graded(noise: float) -> Ints:
        grades = np.clip(np.round(truth + random.normal(0, noise, items)), 0, 5).astype(np.int64)
        grades[random.random(items) < missing] = -1
        return grades

    return graded(random.uniform(0.3, 2)), np.stack(
        [graded(random.uniform(0.3, 2)) for _ in range(people)], 1
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_model_against_a_person_is_what_scipy_and_scikit_learn_say(seed: int) -> None:
    model, people = drawn(seed)
    person = people[:, 0]
    both = (model >= 0) & (person >= 0)
    its, theirs = model[both], person[both]
    found = against_person(model, person)
    assert (found.n, found.same) == (both.sum(), (its == theirs).sum())
    apart = its - theirs
    low, high = stats.t.interval(0.95, len(apart) - 1, apart.mean(), stats.sem(apart))
    assert found.leniency == pytest.approx((apart.mean(), low, high, len(apart)))
    assert found.scatter == pytest.approx(np.std(apart, ddof=1))
    _, recall, _, support = precision_recall_fscore_support(
        theirs, its, labels=range(6), zero_division=np.nan
    )
    counts = confusion_matrix(theirs, its, labels=range(6))
    for one in found.grades:
        assert one.by_person == support[one.grade]
        assert one.same.value == pytest.approx(recall[one.grade], nan_ok=True)
        if one.by_person:
            test = stats.binomtest(int(counts[one.grade, one.grade]), int(support[one.grade]))
            exact = test.proportion_ci(0.95, "exact")
            assert one.same[1:3] == pytest.approx((exact.low, exact.high), abs=1e-9)
        column = counts[:, one.grade]
        assert one.by_model == column.sum()
        if one.by_model:
            assert one.mean.value == pytest.approx((column @ np.arange(6)) / column.sum())


def by_walking(model: Ints, people: Ints, epsilon: float) -> tuple[list[int], list[float], float, float]:
    """Return the people asked about, their p corrected, rho and omega, one item after the other by scipy."""
    asked, shares, p = [], [], []
    for one in range(people.shape[1]):
        won, lost = [], []
        for its, row in zip(model, people, strict=True):
            others = [grade for at, grade in enumerate(row) if at != one and grade >= 0]
            if its < 0 or row[one] < 0 or not others:
                continue
            far, near = (math.sqrt(np.mean([(x - y) ** 2 for y in others])) for x in (its, row[one]))
            won.append(far <= near)
            lost.append(near <= far)
        if len(won) < 30:
            continue
        differences = np.array(lost, float) - np.array(won, float)
        asked.append(one)
        shares.append(np.mean(won))
        p.append(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
    corrected = stats.false_discovery_control(p, method="by") if p else np.array([])
    return asked, corrected.tolist(), float(np.mean(shares)), float((corrected <= FDR).mean())


@pytest.mark.parametrize("seed", range(8))
def test_the_alternative_annotator_test_is_that_of_scipy_item_by_item(seed: int) -> None:
    random = np.random.default_rng(seed)
    model, people = drawn(seed, int(random.integers(60, 200)), int(random.integers(3, 7)))
    found = alternative_test(model, people)
    for at, epsilon in enumerate(EPSILONS):
        asked, p, rho, omega = by_walking(model, people, epsilon)
        assert [one.person for one in found.replaced] == asked
        assert [one.p[at] for one in found.replaced] == pytest.approx(p, abs=1e-12)
        assert found.advantage == pytest.approx(rho)
        assert found.winning_rate(at) == omega
    for one in found.replaced:
        assert one.n == found.items[one.person]
        assert one.model_share + one.person_share >= 1, "ties count for both"


def test_a_model_that_is_right_replaces_everybody_and_a_random_one_nobody() -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 6, 200)
    people = np.clip(truth[:, None] + random.integers(-1, 2, (200, 4)), 0, 5)
    at = list(EPSILONS).index(0.1)
    assert alternative_test(truth, people).winning_rate(at) == 1
    assert alternative_test(random.permutation(truth), people).winning_rate(at) == 0


def test_where_the_two_are_always_as_near_the_model_is_as_good_within_any_epsilon() -> None:
    grades = np.random.default_rng(2).integers(0, 6, 40)
    found = alternative_test(grades, np.stack([grades] * 3, axis=1))
    assert [one.p for one in found.replaced] == [(0.0, 0.0, 0.0)] * 3
    worse = alternative_test(np.where(grades > 2, 0, 5), np.stack([grades] * 3, axis=1))
    assert [one.p for one in worse.replaced] == [(1.0, 1.0, 1.0)] * 3


@pytest.mark.parametrize(("people", "items"), [(2, 100), (3, 29), (1, 100)])
def test_with_too_few_people_or_candidates_the_test_is_not_made_and_says_why(people: int, items: int) -> None:
    grades = np.random.default_rng(3).integers(0, 6, items)
    found = alternative_test(grades, np.stack([grades] * people, axis=1))
    assert not found.made
    names = ["Ann", "Ben", "Cleo"][:people]
    said = why_not(found, names)
    assert "takes 3 people with 30 candidates each" in said
    told = items if people > 1 else 0
    assert all(f"{name} {told}" in said for name in names)
    table = alternative("gpt", names, found)
    assert (len(table), table.caption) == (0, said)


def test_who_has_too_few_candidates_is_named_beside_the_others() -> None:
    grades = np.random.default_rng(4).integers(0, 6, 50)
    people = np.stack([grades] * 4, axis=1)
    people[10:, 3] = -1
    table = alternative("gpt", ["Ann", "Ben", "Cleo", "Dan"], alternative_test(grades, people))
    assert [row[0] for row in table.rows] == ["Ann", "Ben", "Cleo"]
    assert "fewer than 30 candidates: Dan." in table.caption
    assert "1.00 with 0.1, as for crowd workers" in table.caption


def pair_of(model: list[int], person: list[int]) -> ModelPair:
    return ModelPair("gpt", "Ann", between(person, model), against_person(model, person))


def test_one_candidate_is_enough_for_a_sentence_and_never_for_a_coefficient() -> None:
    one = pair_of([3], [1])
    assert one.said == (
        "The model “gpt” and Ann give the same grade to 0 of the 1 candidate that both judged; the model's "
        "grades are 2.00 higher on average."
    )
    (row,) = overview([one]).rows
    named = dict(zip([column.name for column in overview([one]).columns], row, strict=True))
    assert (named["candidates"], named["same"], named["leniency"]) == (1, 0, 2)
    assert named["alpha"] is None
    assert "30 items are needed" in str(named["caution"])


@pytest.mark.parametrize("seed", range(4))
def test_the_sentence_says_what_the_numbers_say(seed: int) -> None:
    random = np.random.default_rng(seed)
    model, person = random.integers(0, 6, (2, 20)).tolist()
    one = pair_of(model, person)
    mean = np.mean(np.subtract(model, person))
    expected = "higher" if mean > 0 else "lower" if mean < 0 else "as high"
    assert expected in one.said
    alike = sum(a == b for a, b in zip(model, person, strict=True))
    assert f"the same grade to {alike} of the 20 candidates that both judged" in one.said
    assert by_grade(one).title == "gpt against Ann, grade by grade"


def test_the_systems_by_a_model_alone_are_called_so_and_move_by_their_places() -> None:
    people, alone = (0.5, 0.4, 0.3, 0.3), (0.1, 0.4, 0.6, 0.2)
    tau = correlation(people, alone, "kendall")
    table = rankings(ModelEffect("gpt", "AP", ("a", "b", "c", "d"), 7, people, alone, tau))
    assert table.title == "AP by the grades of gpt: model alone, uncorrected"
    assert [row[2] for row in table.rows] == [1, 2, 3, 3]
    places = stats.rankdata(np.negative(alone), "min").astype(int).tolist()
    assert [row[4] for row in table.rows] == places
    assert [row[5] for row in table.rows] == [3, 0, -2, 0]
    assert f"tau-b {stats.kendalltau(people, alone).statistic:.2f}" in table.caption
    assert "7 queries that both graded" in table.caption
    level = dataclasses.replace(
        ModelEffect("gpt", "AP", ("a",), 1, (0.5,), (0.5,), correlation([0.5], [0.5], "kendall"))
    )
    assert "not defined here" in rankings(level).caption
