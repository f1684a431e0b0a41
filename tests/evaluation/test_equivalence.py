"""No worse by more than a difference that matters: beside scipy's one-sided tests and the intervals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from annotator import api
from annotator.errors import UserError
from annotator.evaluation.equivalence import equivalences, one_sided_p
from annotator.evaluation.options import ComparisonChoice
from annotator.evaluation.paired_tests import paired_tests
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.statistics import corrected
from tests.evaluation.test_comparison import evaluated
from tests.examples import examples

SAMPLE = st.tuples(st.integers(4, 14), st.integers(0, 9_999), st.floats(-1, 1)).map(
    lambda one: np.random.default_rng(one[1]).normal(one[2], 1, one[0])
)


@settings(max_examples=examples(30, 60))
@given(SAMPLE)
def test_each_one_sided_p_is_scipys(sample):
    assert one_sided_p(sample, "t") == pytest.approx(
        stats.ttest_1samp(sample, 0, alternative="greater").pvalue
    )
    wins = int((sample > 0).sum())
    sign = stats.binomtest(wins, len(sample), 0.5, "greater").pvalue
    ranks = stats.wilcoxon(sample, alternative="greater", method="exact").pvalue
    for test, peer in (("sign", sign), ("wilcoxon", ranks)):
        found = one_sided_p(sample, test)
        assert found == pytest.approx(peer) if peer < 0.4 else found > 0.3
    flips = stats.permutation_test(
        (sample,), np.mean, permutation_type="samples", n_resamples=math.inf, alternative="greater"
    ).pvalue
    found = one_sided_p(sample, "randomisation")
    assert found == pytest.approx(flips) if flips < 0.4 else found > 0.3


@settings(max_examples=40)
@given(SAMPLE, st.sampled_from(["t", "randomisation"]), st.floats(0.05, 2))
def test_no_worse_is_what_the_interval_at_twice_the_level_says(sample, test, margin):
    """Two one-sided tests at 5% are the 90% interval inside the margin."""
    interval = paired_tests(sample, test, level=0.1)[0]
    for worst, shifted in ((interval.low, sample + margin), (-interval.high, margin - sample)):
        if abs(worst + margin) > 1e-6:
            assert (one_sided_p(shifted, test) < 0.05) == (worst > -margin)


@settings(max_examples=40)
@given(
    st.integers(0, 999),
    st.sampled_from(["t", "randomisation", "sign", "wilcoxon"]),
    st.sampled_from(["holm", "bh", "none"]),
    st.sampled_from([0.02, 0.1, 0.4]),
)
def test_the_sentence_says_what_is_shown(seed, test, correction, margin):
    random = np.random.default_rng(seed)
    base = random.random(14)
    scores = [base, base + random.normal(0.05, 0.1, 14), base + random.normal(-0.2, 0.1, 14)]
    result = evaluated(scores)
    found = equivalences(result, compare_all(result, ComparisonChoice(None, test, correction)), margin)
    alone = [one_sided_p(scores[b] - scores[a] + margin, test) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert [one.p_second for one in found] == pytest.approx(corrected(alone, correction))
    for one in found:
        first, second = one.comparison.first, one.comparison.second
        equal, second_fine, first_fine = (p < 0.05 for p in (one.p_equivalent, one.p_second, one.p_first))
        assert equal == (second_fine and first_fine)
        said = one.sentence
        assert (f"{second} and {first} are equivalent within {margin:g} nDCG@10" in said) == equal
        assert (f"{second} is not worse than {first} by" in said) == (second_fine and not equal)
        assert (f"{first} is not worse than {second} by" in said) == (first_fine and not equal)
        assert (f"may differ by {margin:g} nDCG@10 or more" in said) == (not second_fine and not first_fine)
        assert said.startswith("By the median difference, ") == (test == "sign")
        assert said.startswith("By signed ranks, ") == (test == "wilcoxon")


def test_a_margin_that_is_none_and_a_test_that_cannot_tell_are_refused():
    result = evaluated([[0.1, 0.5, 0.3], [0.2, 0.4, 0.9]])
    for margin in (0, -0.1, math.nan, math.inf):
        with pytest.raises(UserError, match="greater than 0"):
            equivalences(result, compare_all(result), margin)
    with pytest.raises(UserError, match="choose another test"):
        equivalences(result, compare_all(result, ComparisonChoice(test="tukey")), 0.1)
    assert equivalences(result, [], 0.1) == []


def test_without_a_p_the_sentence_says_why():
    result = evaluated([[0.1] * 4, [0.2] * 4])
    (one,) = equivalences(result, compare_all(result, ComparisonChoice(test="t")), 0.3)
    assert one.sentence == (
        "Whether B and A are equivalent has no p: all differences are the same, and the paired t test asks "
        "for some spread."
    )


def test_a_notebook_asks_the_same_in_either_direction():
    random = np.random.default_rng(2)
    qrels = {f"q{at}": {f"d{n}": int(random.integers(0, 3)) for n in range(8)} for at in range(12)}
    runs = {
        name: {query: {f"d{n}": random.random() for n in range(8)} for query in qrels}
        for name in ("a", "b", "c")
    }
    scores = api.evaluate(qrels, runs, ["nDCG@5", "AP"])
    there = scores.equivalence("a", "b", 0.2, "AP", test="t", correction="none")
    back = scores.equivalence("b", "a", 0.2, "AP", test="t", correction="none")
    assert (there.p_second, there.p_first) == (back.p_first, back.p_second)
    differences = scores.result.of("b", "AP") - scores.result.of("a", "AP")
    assert there.p_second == pytest.approx(stats.ttest_1samp(differences, -0.2, alternative="greater").pvalue)
    assert there.sentence.replace("<", "&lt;") in there._repr_html_()
