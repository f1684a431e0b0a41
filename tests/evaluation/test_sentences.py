"""What a comparison says is what its numbers are, whichever test was made."""

import math
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotator.evaluation import paired_tests
from annotator.evaluation.comparison import beside_each
from annotator.evaluation.comparison_tables import comparisons
from annotator.evaluation.options import ComparisonChoice
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.statistics import CORRECTIONS, TESTS, corrected
from tests.evaluation.test_comparison import evaluated

TENTHS = st.integers(0, 10).map(lambda one: one / 10)
SCORES = st.integers(2, 24).flatmap(
    lambda n: st.lists(st.lists(TENTHS, min_size=n, max_size=n), min_size=2, max_size=3)
)


def by_a_hair(test):
    """B wins 70 of 100 queries by a hair, A the others by far."""
    a = [0.5] * 100
    b = [0.51] * 70 + [0.2] * 30
    return compare_all(evaluated([a, b]), ComparisonChoice(test=test))[0]


@settings(max_examples=150)
@given(SCORES, st.sampled_from(TESTS), st.sampled_from(CORRECTIONS), st.sampled_from([0.2, 0.05, 0.01]))
@example([[0.5, 0.5], [0.5, 0.5]], "sign", "holm", 0.05)
@example([[0.1] * 9, [0.2] * 9, [0.0] * 9], "t", "bh", 0.05)
@example([[0.0, 0.4] * 8, [0.4, 0.0] * 8], "wilcoxon", "holm", 0.05)
def test_a_sentence_says_what_its_numbers_say(scores, test, correction, alpha):
    for one in compare_all(evaluated(scores), ComparisonChoice(None, test, correction, alpha)):
        said = one.sentence
        differences = np.array(scores[ord(one.second) - 65]) - np.array(scores[ord(one.first) - 65])
        if not np.abs(differences).max() > 1e-12:
            of_all = test == "tukey" and len(scores) > 2
            those = "that all systems share" if of_all else "compared"
            assert said.endswith(f" have the same nDCG@10 on all {len(scores[0])} queries {those}.")
            continue
        assert f" Only {len(scores[0])} queries" in said
        assert ("mind the width" in said) == ("interval " in said)
        mean = round(float(differences.mean()), 12)
        wins, losses = int((differences > 1e-12).sum()), int((differences < -1e-12).sum())
        sign = {"sign": wins - losses, "wilcoxon": one.rank_share - 0.5}.get(test, mean)
        sign = 0 if abs(sign) < 1e-12 else sign
        ahead, behind = ("B", "A") if sign > 0 else ("A", "B")
        ahead, behind = (one.second, one.first) if sign > 0 else (one.first, one.second)
        better, leads = f"{ahead} is better than {behind}" in said, f"{ahead} is ahead of {behind}" in said
        assert (better, leads) == ((one.p < alpha, not one.p < alpha) if sign else (False, False))
        assert f"{behind} is better than {ahead}" not in said
        assert ("cannot be decided" in said) == one.open
        assert ("chance may explain" in said) == (not one.significant and not one.open and one.p == one.p)
        opposite = test in ("sign", "wilcoxon") and sign * mean < 0
        assert ("the mean points the other way" in said) == opposite
        level = f"{100 * (1 - alpha):g}%"
        if test in ("sign", "wilcoxon"):
            assert f"{level} t interval" in said
            assert "is not of this test" in said
        elif not math.isnan(one.p):
            assert f"{level} interval" in said
            assert (one.p_alone < alpha) == (not one.low <= 0 <= one.high)
        else:
            assert "no p: " in said
            assert "interval " not in said
        if test == "sign":
            assert f"on {max(wins, losses)} of the {wins + losses} queries on which their nDCG@10" in said
            ends = re.search(r"interval ([\d.]+)% to ([\d.]+)%", said)
            if abs(float(ends[1]) - 50) > 0.06:
                assert (one.p_alone < alpha) == (float(ends[1]) > 50)
        if not math.isnan(one.p):
            assert (f"p = {one.p:.3f}" if one.p >= 0.001 else "p < 0.001") in said
            assert f"level {alpha:g})" in said
            assert (f"over {one.comparisons} comparisons" in said) == one.corrected
            assert ("excludes nothing" in said) == (
                test not in ("sign", "wilcoxon") and (one.low, one.high) == (-1, 1)
            )
        if test == "sign":
            assert f"{level} Clopper-Pearson interval" in said
            assert (" of this pair alone)" in said) == one.corrected


def test_where_wins_and_mean_point_in_different_directions_the_sentence_says_so():
    sign = by_a_hair("sign")
    assert sign.p < 0.001
    assert sign.sentence == (
        "B is better than A on 70 of the 100 queries on which their nDCG@10 differs (70.0%; 95% "
        "Clopper-Pearson interval 60.0% to 78.8%); p < 0.001 (sign test, level 0.05). But the mean points "
        "the other way: A is ahead by 0.083 nDCG@10; its 95% t interval "
        f"{-sign.high:.3f} to {-sign.low:.3f} is not of this test."
    )
    ranks = by_a_hair("wilcoxon").sentence
    assert ranks.startswith("A is ahead of B by signed ranks of nDCG@10: its wins hold 50.8% of the rank sum")
    assert by_a_hair("t").sentence.startswith("A is better than B by 0.083 nDCG@10; 95% interval ")


def test_784_comparisons_are_not_beyond_the_randomisation_test():
    """8 systems, 28 measures, 100 queries, as one family: what a t test finds clearly is found.

    The systems differ by four of the measures.
    """
    random = np.random.default_rng(18)
    queries = random.random((1, 1, 100)) * 0.5
    systems = np.linspace(0, 0.25, 8)[:, None, None] * (np.arange(28) < 4)[:, None]
    scores = queries + systems + random.normal(0, 0.15, (8, 28, 100))
    names = [f"P@{k}" for k in range(1, 29)]
    found = {
        test: {
            (one.measure, one.first, one.second): one
            for one in compare_all(
                evaluated(scores, tuple("ABCDEFGH"), names), ComparisonChoice(test=test, over="all")
            )
        }
        for test in ("t", "randomisation")
    }
    assert {one.comparisons for one in found["randomisation"].values()} == {784}
    clear = [key for key, one in found["t"].items() if one.p < 0.01]
    assert len(clear) > 40
    assert all(found["randomisation"][key].significant for key in clear)
    assert not any(one.open for one in found["randomisation"].values())


def test_what_no_number_of_draws_made_could_show_is_not_said_to_be_chance(monkeypatch):
    random = np.random.default_rng(4)
    scores = random.random((4, 60)) * 0.2 + np.arange(4)[:, None] * 0.2
    monkeypatch.setattr(paired_tests, "MOST_DRAWS", 99)
    monkeypatch.setattr(paired_tests, "FEWEST_DRAWS", 99)
    found = compare_all(evaluated(scores, tuple("ABCD")), ComparisonChoice(correction="bonferroni"))
    assert {one.p for one in found} == {0.06}
    assert all(one.open and "cannot be decided with 99 draws; " in one.sentence for one in found)
    table = comparisons(found)
    assert set(table.marks.values()) == {"‡"}
    assert "‡ Cannot be decided with so few draws or differing queries." in table.caption
    assert "at most 99 random draws, seed 1" in table.caption
    assert beside_each("A", found[:3]) == (
        "By nDCG@10, A cannot be told with so few draws or differing queries from B, C, D "
        "(told where p < 0.05 after Bonferroni over 6 comparisons by nDCG@10, randomisation test)."
    )


@settings(max_examples=60)
@given(
    st.lists(st.lists(TENTHS, min_size=6, max_size=6), min_size=3, max_size=3),
    st.sampled_from(("randomisation", "sign", "wilcoxon")),
    st.sampled_from(CORRECTIONS),
)
def test_a_comparison_is_open_exactly_where_all_differing_queries_on_one_side_would_not_be_enough(
    scores, test, correction
):
    found = compare_all(evaluated(scores), ComparisonChoice(None, test, correction))
    for at, one in enumerate(found):
        best = [other.p_alone for other in found]
        best[at] = min(1.0, 2.0 ** (1 - one.wins - one.losses))
        enough = corrected(best, correction)[at] < 0.05
        assert one.open == (not one.significant and not enough)


@pytest.mark.parametrize(("test", "size"), [("t", 3), ("sign", 3), ("tukey", 3)])
def test_one_sentence_stands_a_system_beside_every_other_one(test, size):
    random = np.random.default_rng(4)
    scores = random.random((4, 40)) * 0.2 + np.array([0.4, 0.0, 0.41, 0.8])[:, None]
    found = compare_all(evaluated(scores, tuple("ABCD")), ComparisonChoice("A", test))
    assert len(found) == size
    how = {
        "t": " after Holm over 3 comparisons by nDCG@10, paired t test",
        "sign": " after Holm over 3 comparisons by nDCG@10, sign test",
        "tukey": ", randomised Tukey HSD test, for 6 comparisons by nDCG@10 together",
    }
    assert beside_each("A", found) == (
        f"By nDCG@10, A is better than B; is worse than D; is not told from C "
        f"(told where p < 0.05{how[test]})."
    )


@pytest.mark.parametrize(
    ("test", "intervals"),
    [
        ("t", "of this test, each of its pair alone: not corrected."),
        ("randomisation", "of this test, each of its pair alone: not corrected."),
        (
            "sign",
            "Student's, of the mean difference and not of this test, each of its pair alone: not corrected.",
        ),
        (
            "wilcoxon",
            "Student's, of the mean difference and not of this test, each of its pair alone: not corrected.",
        ),
        (
            "tukey",
            "the differences ± this test's critical range, for all pairs at once: they need no correction.",
        ),
    ],
)
def test_a_caption_names_test_level_correction_family_and_what_its_intervals_are(test, intervals):
    scores = np.random.default_rng(4).random((3, 40))
    caption = comparisons(compare_all(evaluated(scores), ComparisonChoice(test=test, alpha=0.1))).caption
    family = "for 3 comparisons together" if test == "tukey" else "Holm over 3 comparisons"
    assert f" at the level 0.1, {family}." in caption
    assert f"The intervals are {intervals}" in caption
    two = comparisons(compare_all(evaluated(scores[:2]), ComparisonChoice(test=test))).caption
    assert "not corrected" not in two, "one comparison needs none"


def test_rows_that_are_left_out_of_the_correction_are_counted_with_the_reason():
    counted = np.ones((3, 12), bool)
    counted[2, 1:] = False
    scores = np.random.default_rng(4).random((3, 12))
    found = compare_all(evaluated(scores, counted=counted))
    without = "2 of the 3 here have no p{}: the {} asks for two queries that {} systems share."
    assert without.format("", "randomisation test", "both") in comparisons(found).caption
    wide = evaluated(scores.repeat(2, axis=0)[:4], tuple("ABCD"), counted=counted[[0, 0, 1, 2]])
    three = comparisons(compare_all(wide)).caption
    assert "Holm over 3 comparisons. 3 of the 6 here have no p and no part in the correction: " in three
    tukey = comparisons(compare_all(evaluated(scores, counted=counted), ComparisonChoice(test="tukey")))
    assert "3 of the 3 here have no p: the randomised Tukey HSD test asks" in tukey.caption
    assert "all systems share." in tukey.caption


def test_an_interval_over_the_whole_range_is_said_to_exclude_nothing():
    """Of two queries no flip of signs is rare, so that the test rejects no shift at all."""
    (one,) = compare_all(evaluated([[0.1, 0.2], [0.5, 0.9]]))
    assert (one.low, one.high) == one.span == (-1, 1)
    assert "95% interval -1.000 to 1.000, which excludes nothing; p = 0.500" in one.sentence
    said = "An interval over all that a measure can differ excludes nothing."
    assert said in comparisons([one]).caption
    scores = np.random.default_rng(4).random((2, 40))
    assert said not in comparisons(compare_all(evaluated(scores))).caption
