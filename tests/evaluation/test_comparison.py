import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import Stopped, UserError
from annotator.evaluation import comparison, comparison_tables, statistics
from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.pairs import compare, compare_all
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.statistics import corrected, mean_interval
from annotator.metrics.catalogue import parse, parse_all
from annotator.watch import Watch


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


def narrow(result, *systems):
    """The same result of some of its systems."""
    rows = [result.systems.index(name) for name in systems]
    return replace(result, systems=systems, scores=result.scores[rows], counted=result.counted[rows])


@pytest.fixture
def three():
    random = np.random.default_rng(3)
    base = random.random(40) * 0.6
    return evaluated([base, base + random.normal(0.08, 0.05, 40), base + random.normal(0, 0.05, 40)])


def test_the_sentence_says_who_is_better_by_how_much_and_how_sure(three):
    one = compare_all(three)[0]
    assert one.significant
    assert one.sentence == (
        f"B is better than A by {one.difference:.3f} nDCG@10; 95% interval {one.low:.3f} to {one.high:.3f} "
        "of this pair alone; p < 0.001 after Holm over 3 comparisons by nDCG@10 (randomisation test, "
        "level 0.05)."
    )


def test_the_better_system_is_named_first_whichever_comes_second(three):
    there, back = compare(three, "nDCG@10", "A", "B"), compare(three, "nDCG@10", "B", "A")
    assert there.sentence == back.sentence
    assert there.difference == pytest.approx(-back.difference)
    assert (there.wins, there.losses) == (back.losses, back.wins)


def test_a_difference_that_chance_may_explain_is_not_called_better(three):
    one = compare(three, "nDCG@10", "A", "C", ComparisonChoice(test="t", correction="none"))
    assert not one.significant
    assert "is ahead of" in one.sentence
    assert "which chance may explain" in one.sentence
    assert one.sentence.endswith(
        f"; p = {one.p_alone:.3f} (paired t test, 3 comparisons by nDCG@10, not corrected, level 0.05)."
    )
    alone = compare(narrow(three, "A", "C"), "nDCG@10", "A", "C", ComparisonChoice(test="t"))
    assert alone.sentence.endswith(f"; p = {one.p_alone:.3f} (paired t test, level 0.05).")


def test_numbers_of_a_comparison_are_those_of_the_differences(three):
    one = compare(three, "nDCG@10", "A", "B", ComparisonChoice(test="t"))
    differences = three.of("B", "nDCG@10") - three.of("A", "nDCG@10")
    assert (one.difference, one.low, one.high, one.n) == pytest.approx(mean_interval(differences))
    assert one.deviation == pytest.approx(differences.std(ddof=1))
    assert one.effect == pytest.approx(one.difference / one.deviation)
    assert one.second_mean - one.first_mean == pytest.approx(one.difference)
    assert one.wins + one.ties + one.losses == 40


def test_all_comparisons_made_together_are_corrected_together(three):
    for correction in ("holm", "bonferroni", "bh", "none"):
        made = compare_all(three, ComparisonChoice(test="t", correction=correction))
        assert [one.p for one in made] == pytest.approx(corrected([one.p_alone for one in made], correction))
        assert {one.comparisons for one in made} == {3}


def test_tukeys_test_is_not_corrected_again(three):
    made = compare_all(three, ComparisonChoice(test="tukey"))
    assert all(one.p == one.p_alone and one.correction == "none" for one in made)
    assert (
        "(randomised Tukey HSD test, for 3 comparisons by nDCG@10 together, level 0.05)" in made[0].sentence
    )


def test_only_queries_that_count_for_both_systems_are_compared():
    result = evaluated(
        [[0.1, 0.2, math.nan, 0.4], [0.2, 0.3, 0.9, 0.9]], counted=[[True] * 4, [True, True, True, False]]
    )
    one = compare(result, "nDCG@10", "A", "B", ComparisonChoice(test="t"))
    assert one.n == 2
    assert one.difference == pytest.approx(0.1)
    assert "Only 2 queries" in one.sentence


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=3, max_size=3))
def test_all_that_is_said_beside_tukeys_test_is_of_the_queries_that_all_systems_share(counted):
    scores = np.random.default_rng(6).random((3, 12)).round(1)
    shared = np.flatnonzero(np.all(counted, axis=0))
    choice = ComparisonChoice(test="tukey")
    found = compare_all(evaluated(scores, tuple("ABC"), counted=counted), choice)
    alone = compare_all(evaluated(scores[:, shared], tuple("ABC")), choice) if len(shared) else found
    for one, other, (first, second) in zip(found, alone, combinations(range(3), 2), strict=True):
        assert one.n == len(shared)
        plain = replace(one, family=other.family)
        assert plain == other or repr(plain) == repr(other), "as if there were no other query"
        assert comparison_tables.planning([one]).rows == comparison_tables.planning([other]).rows
        if len(shared):
            assert one.difference == pytest.approx((scores[second] - scores[first])[shared].mean())
        else:
            assert one.sentence == "All systems together share no query that nDCG@10 scores."
    caption = comparison_tables.comparisons(found).caption
    assert "Every number is over the queries that all systems share." in caption


def test_systems_that_score_the_same_everywhere_are_said_to():
    one = compare(evaluated([[0.5, 0.2], [0.5, 0.2]]), "nDCG@10", "A", "B")
    assert one.p == 1
    assert one.sentence == "B and A have the same nDCG@10 on all 2 queries compared."
    alone = compare(evaluated([[0.5], [0.5]]), "nDCG@10", "A", "B")
    assert alone.sentence == "B and A have the same nDCG@10 on the one query compared."


def test_one_query_and_none_have_their_own_sentence():
    assert "on one query" in compare(evaluated([[0.5], [0.2]]), "nDCG@10", "A", "B").sentence
    none = evaluated([[math.nan], [0.2]])
    assert "share no query" in compare(none, "nDCG@10", "A", "B").sentence
    assert math.isnan(compare_all(none, ComparisonChoice(test="tukey"))[0].p)


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
        compare(three, "nDCG@10", "A", "B", ComparisonChoice(test="z"))
    with pytest.raises(UserError, match="no correction 'z'; there are holm"):
        compare_all(three, ComparisonChoice(correction="z"))
    with pytest.raises(UserError, match="no system Z here; there are A, B, C"):
        compare_all(three, ComparisonChoice(baseline="Z"))


def test_one_system_has_nothing_to_be_compared_with(three):
    with pytest.raises(UserError, match="nothing to compare B with"):
        compare_all(narrow(three, "B"))


def test_every_test_and_correction_has_a_name_for_people():
    assert set(comparison.TEST_NAMES) == set(statistics.TESTS)
    assert set(comparison.CORRECTION_NAMES) == set(statistics.CORRECTIONS)
    assert set(comparison.OVER_NAMES) == set(statistics.OVER)


def test_no_interval_leaves_the_differences_that_there_can_be():
    one = compare(evaluated([[0.0, 1.0, 0.0], [1.0, 0.5, 1.0]]), "nDCG@10", "A", "B")
    assert mean_interval([1.0, -0.5, 1.0]).low < -1
    assert (one.low, one.high) == (-1, 1)


def test_a_comparison_of_many_can_be_stopped_between_two_measures(three):
    told = []
    watch = Watch("enough", lambda *one: told.append(one), lambda: len(told) == 2)
    twice = replace(three, measures=parse_all(("nDCG@10", "AP")), scores=three.scores.repeat(2, axis=1))
    with pytest.raises(Stopped, match="enough"):
        compare_all(twice, watch=watch)
    assert told == [(0, 6, "Comparing"), (3, 6, "Comparing")]


def test_a_comparison_read_the_other_way_has_the_same_p(three):
    for choice in (ComparisonChoice(), ComparisonChoice(test="tukey"), ComparisonChoice(baseline="B")):
        there, back = (compare(three, "nDCG@10", *pair, choice) for pair in ("AB", "BA"))
        assert (there.p, there.p_alone, there.identity) == (back.p, back.p_alone, back.identity)
        assert (there.low, there.effect, there.first_mean) == (-back.high, -back.effect, back.second_mean)


def test_a_baseline_leaves_the_pairs_of_the_others_out(three):
    made = compare_all(three, ComparisonChoice(baseline="B", test="t", correction="bonferroni"))
    assert [(one.first, one.second) for one in made] == [("B", "A"), ("B", "C")]
    assert [one.p for one in made] == [min(1.0, 2 * one.p_alone) for one in made]
    with pytest.raises(UserError, match="A and C is not compared: every system is with B, by nDCG@10"):
        compare(three, "nDCG@10", "A", "C", ComparisonChoice(baseline="B"))


def test_tukeys_test_holds_for_all_pairs_beside_a_baseline_too(three):
    every = {(one.first, one.second): one.p for one in compare_all(three, ComparisonChoice(test="tukey"))}
    some = compare_all(three, ComparisonChoice(baseline="C", test="tukey"))
    assert [one.p for one in some] == [every["A", "C"], every["B", "C"]]
    assert {one.comparisons for one in some} == {3}


def test_a_pair_without_a_p_is_not_counted_as_corrected_for():
    result = evaluated([[0.1, 0.2, 0.4], [0.5, 0.3, 0.9], [math.nan, math.nan, 0.2]])
    made = compare_all(result, ComparisonChoice(test="t", correction="bonferroni"))
    assert [math.isnan(one.p) for one in made] == [False, True, True]
    assert (made[0].comparisons, made[0].p) == (1, made[0].p_alone)
    assert made[0].sentence.split("; ")[-1].startswith(f"p = {made[0].p:.3f} (paired t test, level 0.05)")


def test_tukeys_test_says_where_it_has_no_p():
    result = evaluated([[0.1, 0.2, 0.4], [0.5, 0.3, 0.9], [math.nan, math.nan, 0.2]])
    one = compare(result, "nDCG@10", "A", "B", ComparisonChoice(test="tukey"))
    assert "no p: the randomised Tukey HSD test asks for two queries that all systems share" in one.sentence
    assert not any(words in one.sentence for words in ("chance", "better", "decided"))


def test_the_queries_of_each_tag_are_compared_by_themselves_and_corrected_together(three):
    tags = tuple((("even", "odd")[at % 2],) for at in range(40))
    tagged = replace(three, tags=tags)
    found = compare_all(tagged, ComparisonChoice(test="t", correction="bonferroni", by_tag=True))
    assert [(one.tag, one.first, one.second) for one in found[:4]] == [
        *(("even", first, second) for first, second in ("AB", "AC", "BC")),
        ("odd", "A", "B"),
    ]
    for one in found:
        part = slice(0, None, 2) if one.tag == "even" else slice(1, None, 2)
        alone = evaluated([three.of(name, "nDCG@10")[part] for name in (one.first, one.second)])
        other = compare_all(alone, ComparisonChoice(test="t"))[0]
        assert (one.p_alone, one.difference, one.n) == (other.p, other.difference, 20)
        assert one.p == pytest.approx(min(1, 6 * one.p_alone))
        assert one.sentence.startswith(f"Queries tagged {one.tag}: ")
        assert "over 6 comparisons by nDCG@10 for 2 tags (paired t test, level 0.05)" in one.sentence


def test_tukeys_test_is_made_for_each_tag(three):
    tagged = replace(three, tags=(("x",),) * 10 + ((),) * 30)
    found = compare_all(tagged, ComparisonChoice(test="tukey", by_tag=True))
    first = evaluated(three.scores[:, :, :10])
    assert [one.p for one in found] == [one.p for one in compare_all(first, ComparisonChoice(test="tukey"))]
