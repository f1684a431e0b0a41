import math

import numpy as np
import pytest

from annotator.errors import Stopped, UserError
from annotator.evaluation import comparing
from annotator.evaluation.comparing import compare, compare_all
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.statistics import corrected, mean_interval
from annotator.metrics.catalogue import parse


def evaluated(scores, systems=("A", "B", "C"), measures=("nDCG@10",), counted=None, seed=1):
    """A result with scores[system][measure][query]."""
    table = np.array(scores, float)
    if table.ndim == 2:
        table = table[:, None, :]
    shape = table.shape[0], table.shape[2]
    return EvaluationResult(
        systems=systems[: shape[0]],
        measures=tuple(parse(name) for name in measures),
        query_ids=tuple(f"q{i}" for i in range(shape[1])),
        scores=table,
        counted=np.ones(shape, bool) if counted is None else np.array(counted),
        options=Options(seed=seed),
        provenance=Provenance("test", "0"),
    )


@pytest.fixture
def three():
    random = np.random.default_rng(3)
    base = random.random(40) * 0.6
    return evaluated([base, base + random.normal(0.08, 0.05, 40), base + random.normal(0, 0.05, 40)])


def test_the_sentence_says_who_is_better_by_how_much_and_how_sure(three):
    one = compare_all(three)[0]
    assert one.significant
    assert one.sentence == (
        f"B is better than A by {one.difference:.3f} nDCG@10; 95% interval {one.low:.3f} to {one.high:.3f}; "
        "p < 0.001 after Holm over 3 comparisons."
    )


def test_the_better_system_is_named_first_whichever_comes_second(three):
    there, back = compare(three, "nDCG@10", "A", "B"), compare(three, "nDCG@10", "B", "A")
    assert there.sentence == back.sentence
    assert there.difference == pytest.approx(-back.difference)
    assert (there.wins, there.losses) == (back.losses, back.wins)


def test_a_difference_that_chance_may_explain_is_not_called_better(three):
    one = compare(three, "nDCG@10", "A", "C", test="t")
    assert not one.significant
    assert "is ahead of" in one.sentence
    assert "which chance may explain" in one.sentence
    assert one.sentence.endswith("(paired t test).")


def test_numbers_of_a_comparison_are_those_of_the_differences(three):
    one = compare(three, "nDCG@10", "A", "B")
    differences = three.of("B", "nDCG@10") - three.of("A", "nDCG@10")
    assert (one.difference, one.low, one.high, one.n) == pytest.approx(mean_interval(differences))
    assert one.deviation == pytest.approx(differences.std(ddof=1))
    assert one.effect == pytest.approx(one.difference / one.deviation)
    assert one.second_mean - one.first_mean == pytest.approx(one.difference)
    assert one.wins + one.ties + one.losses == 40


def test_all_comparisons_made_together_are_corrected_together(three):
    for correction in ("holm", "bonferroni", "bh", "none"):
        made = compare_all(three, test="t", correction=correction)
        assert [one.p for one in made] == pytest.approx(corrected([one.p_alone for one in made], correction))
        assert {one.comparisons for one in made} == {3}


def test_tukeys_test_is_not_corrected_again(three):
    made = compare_all(three, test="tukey")
    assert all(one.p == one.p_alone and one.correction == "none" for one in made)
    assert "randomised Tukey HSD test, 3 comparisons" in made[0].sentence


def test_only_queries_that_count_for_both_systems_are_compared():
    result = evaluated(
        [[0.1, 0.2, math.nan, 0.4], [0.2, 0.3, 0.9, 0.9]], counted=[[True] * 4, [True, True, True, False]]
    )
    one = compare(result, "nDCG@10", "A", "B", test="t")
    assert one.n == 2
    assert one.difference == pytest.approx(0.1)
    assert "Only 2 queries" in one.sentence


def test_systems_that_score_the_same_everywhere_are_said_to():
    one = compare(evaluated([[0.5, 0.2], [0.5, 0.2]]), "nDCG@10", "A", "B")
    assert one.p == 1
    assert one.sentence.startswith("B and A have the same nDCG@10 on every query.")
    alone = compare(evaluated([[0.5], [0.5]]), "nDCG@10", "A", "B")
    assert alone.sentence == "B and A have the same nDCG@10 on every query."


def test_one_query_and_none_have_their_own_sentence():
    assert "on one query" in compare(evaluated([[0.5], [0.2]]), "nDCG@10", "A", "B").sentence
    none = evaluated([[math.nan], [0.2]])
    assert "share no query" in compare(none, "nDCG@10", "A", "B").sentence
    assert math.isnan(compare_all(none, test="tukey")[0].p)


def test_the_seed_of_the_options_decides_what_is_drawn(three):
    again = compare(three, "nDCG@10", "A", "C")
    assert again == compare(three, "nDCG@10", "A", "C")
    other = evaluated(three.scores, seed=2)
    assert compare(other, "nDCG@10", "A", "C").p != again.p


def test_unknown_names_are_refused_with_those_there_are(three):
    with pytest.raises(UserError, match="no system X here; there are A, B, C"):
        compare(three, "nDCG@10", "A", "X")
    with pytest.raises(UserError, match="AP was not evaluated"):
        compare(three, "AP", "A", "B")
    with pytest.raises(UserError, match="no test 'z'; there are t, wilcoxon"):
        compare(three, "nDCG@10", "A", "B", test="z")
    with pytest.raises(UserError, match="no correction 'z'; there are holm"):
        compare_all(three, correction="z")


def test_one_system_has_nothing_to_be_compared_with(three):
    with pytest.raises(UserError, match="nothing to compare B with"):
        compare_all(three, systems=("B",))


def test_every_test_and_correction_has_a_name_for_people():
    assert set(comparing.TEST_NAMES) == set(comparing.statistics.TESTS)
    assert set(comparing.CORRECTION_NAMES) == set(comparing.statistics.CORRECTIONS)


def test_no_interval_leaves_the_differences_that_there_can_be():
    one = compare(evaluated([[0.0, 1.0, 0.0], [1.0, 0.5, 1.0]]), "nDCG@10", "A", "B")
    assert mean_interval([1.0, -0.5, 1.0]).low < -1
    assert (one.low, one.high) == (-1, 1)


def test_a_comparison_of_many_can_be_stopped_between_two_pairs(three):
    told = []
    with pytest.raises(Stopped):
        compare_all(three, on_progress=lambda *one: told.append(one), should_stop=lambda: len(told) == 2)
    assert told == [(0, 3, "Comparing"), (1, 3, "Comparing")]
