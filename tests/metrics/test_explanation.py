import re

import numpy as np
import pytest
from hypothesis import given, settings

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from annotator.metrics.explanation import Explanation, explain
from tests.metrics.rankings import Case, cases, every_measure
from tests.metrics.throwaway import bare

MEASURES = [
    *every_measure(),
    parse("nDCG(ideal='length')@3"),
    parse("AP(norm='min')@3"),
    parse("RBP(max_rel='query')"),
    parse("nDCG(judged_only=True)@3"),
    parse("AP(over='retrieved')"),
    parse("P(norm='retrieved')@3"),
]


def explained(measure: str, ranking: list[int | None], missed: list[int] | None = None) -> Explanation:
    return explain(parse(measure), Ranked.of_rankings([ranking], [missed or []]))


@settings(max_examples=25, deadline=None)
@given(case=cases(lowest=-1, most=2))
def test_the_contributions_sum_to_the_value_and_the_losses_to_what_is_missing(case: Case) -> None:
    ranked = case.ranked
    for measure in MEASURES:
        values = measure.per_query(ranked)
        for query, value in enumerate(values):
            found = explain(measure, ranked, query)
            assert found.value == pytest.approx(value, abs=1e-12), measure.name
            assert sum(row.contribution for row in found.rows) == pytest.approx(value, abs=1e-12), (
                measure.name
            )
            if found.ideal_value is not None:
                lost = found.ideal_value - found.value
                assert sum(row.loss for row in found.rows) == pytest.approx(lost, abs=1e-12), measure.name
            said = re.match(
                r"Rank (\d+) costs most(, as (rank (\d+) does|(\d+) other ranks do))?: ", found.costs
            )
            assert bool(said) == found.costs.startswith("Rank")
            if said:
                most = max(row.loss for row in found.rows)
                first, *others = [row.rank for row in found.rows if row.loss > most - 1e-12]
                alone = str(others[0]) if len(others) == 1 else None
                number = str(len(others)) if len(others) > 1 else None
                assert said.group(1, 4, 5) == (str(first), alone, number), measure.name


def test_each_rank_shows_what_stands_there_and_what_could() -> None:
    names = {"a": 3, "b": 0, "c": 3, "e": 1, "x": 5}
    ranked = Ranked.of_rankings([[3, 0, 3, None, 1]], [[5]])
    found = explain(parse("nDCG@5"), ranked, 0, list("abcde"), names)
    first, second, _, fourth, fifth = found.rows
    assert (first.candidate, first.grade, first.gain, first.discount) == ("a", 3, 3.0, 1.0)
    assert (first.ideal_candidate, first.ideal_grade, first.ideal_gain) == ("x", 5, 5.0)
    assert second.discount == pytest.approx(0.63093, abs=1e-5)
    assert (second.ideal_candidate, second.ideal_grade, second.seen, second.precision) == ("a", 3, 1, 0.5)
    assert (fourth.grade, fourth.gain, fourth.ideal_candidate) == (None, 0.0, "e")
    assert (fifth.candidate, fifth.seen, fifth.ideal_candidate, fifth.ideal_grade) == ("e", 3, "b", 0)
    assert found.formula == parse("nDCG").formula


@pytest.mark.parametrize(
    ("measure", "ranking", "missed", "words", "order"),
    [
        ("nDCG@5", [3, 0, 1], [], "Rank 2 costs most: a 0 stands where a 1 could be.", "1"),
        ("AP", [0, 5], [4], "Rank 1 costs most: a 0 stands where a 5 could be.", "0.5"),
        ("RR@1", [0, 1], [], "Rank 1 costs most: a 0 stands where a 1 could be.", "1"),
        (
            "RR",
            [None, 5],
            [],
            "Rank 1 costs most: an unjudged candidate stands where a 5 could be.",
            "1.0000",
        ),
        ("P@3", [0, 1, 0], [1, 1], "Rank 1 costs most, as rank 3 does: a 0 stands where a 1 could be.", ""),
        ("nDCG@5", [5], [5], "Rank 2 costs most: nothing stands where a 5 could be.", ""),
    ],
)
def test_the_loss_is_said_in_words_and_what_reordering_alone_would_gain(
    measure: str, ranking: list[int | None], missed: list[int], words: str, order: str
) -> None:
    found = explained(measure, ranking, missed)
    if order:
        assert found.costs == f"{words} The best order of what was retrieved would score {float(order):.4f}."
    else:
        assert found.costs == f"{words} No other order of what was retrieved scores higher."
        assert found.reordered_value == found.value


@pytest.mark.parametrize(
    ("measure", "ranking", "words"),
    [
        ("AP", [2, 1], "Nothing is lost: no ordering scores higher."),
        ("AP", [0, 0], "Nothing could be gained: no judged candidate is worth anything here."),
        ("Judged@5", [0, None], ""),
    ],
)
def test_where_nothing_is_lost_that_is_said(measure: str, ranking: list[int | None], words: str) -> None:
    assert explained(measure, ranking).costs == words


def test_the_sentence_says_the_conventions_and_how_much_is_known() -> None:
    assert explained("RR", [None, 1], [0]).sentence == (
        "Relevant from grade 1 on; unjudged candidates count as irrelevant; "
        "1 of 2 candidates judged, 2 judged in all."
    )
    assert "nothing retrieved, 1 judged in all." in explained("RR", [], [0]).sentence


def test_the_residual_of_rbp_is_what_the_unjudged_and_the_unseen_could_add() -> None:
    assert "at most 0.8400 more if everything" in explained("RBP(p=0.8)", [None, 1]).sentence
    assert "at most 0.2880 more if everything" in explained("RBP(p=0.8)@3", [1, None]).sentence
    assert "at most 0.0000 more" in explained("RBP@1", [1]).sentence


def test_a_value_without_anything_to_divide_by_is_said_to_be_undefined() -> None:
    assert explained("AP", [0]).undefined
    assert explained("SetP", []).undefined
    assert not explained("AP", [0, 1]).undefined


def test_a_measure_that_counts_has_no_ideal() -> None:
    counted = explained("NumRet", [1, None, 0])
    assert [row.contribution for row in counted.rows] == [1, 1, 1]
    assert counted.ideal_value is None
    ideal_gain = explained("IDCG@2", [0], [2, 3, 1])
    assert [row.contribution for row in ideal_gain.rows] == pytest.approx([3, 2 * 0.63093], abs=1e-5)


def test_removed_candidates_leave_the_table() -> None:
    ranked = Ranked.of_rankings([[None, 1, None, 0]])
    found = explain(parse("P(judged_only=True)@2"), ranked, 0, list("abcd"), {"b": 1, "d": 0})
    assert [(row.candidate, row.grade) for row in found.rows] == [("b", 1), ("d", 0)]


def test_a_long_list_shows_only_ranks_that_matter() -> None:
    assert len(explained("AP", [1, *[None] * 500]).rows) == 10
    assert len(explained("AP", [*[None] * 20, 1, *[None] * 50]).rows) == 21
    assert len(explained("nDCG@3", [1] * 50).rows) == 3


def test_what_is_judged_below_the_cut_off_counts_for_the_ideal_of_what_was_retrieved() -> None:
    found = explained("nDCG(over='retrieved')@2", [0, 1, 3], [5])
    ideal = 3 + 1 / np.log2(3)
    assert found.value == pytest.approx((ideal - 3) / ideal)
    assert [row.contribution for row in found.rows] == pytest.approx([0, found.value])
    assert [row.ideal_grade for row in found.rows] == [3, 1]
    assert (found.ideal_value, found.ideal_length) == (1, 3)


@pytest.mark.parametrize("measure", ["P(norm='retrieved')@5", "F1(norm='retrieved')@5", "SetP", "SetF"])
def test_the_ideal_list_ends_where_more_would_make_it_worse(measure: str) -> None:
    found = explained(measure, [1, 0], [0, 2])
    assert (found.ideal_value, found.ideal_length) == (1, 2)
    assert [(row.ideal_grade, row.ideal_gain) for row in found.rows] == [(2, 1), (1, 1)]
    assert found.costs.startswith("Rank ")


def test_a_list_that_is_too_long_is_said_to_make_its_first_candidate_count_for_less() -> None:
    words = "Rank 1 costs most: what else stands in the list makes its 1 count for less."
    assert explained("SetP", [1, 0]).costs.startswith(words)


def test_with_unjudged_candidates_removed_the_residual_lets_them_back_in() -> None:
    measure, filled = parse("RBP(p=0.8,judged_only=True)@2"), parse("RBP(p=0.8)@2")
    found = explain(measure, Ranked.of_rankings([[None, 1]]))
    perfect = filled.per_query(Ranked.of_rankings([[5, 1]]))[0]
    assert f"at most {perfect - found.value:.4f} more if" in found.sentence


def test_a_reader_without_end_gains_nothing_from_the_unjudged() -> None:
    assert "at most 0.0000 more if" in explained("RBP(p=1.0)", [None]).sentence


def test_a_value_that_ranks_do_not_add_to_is_explained_without_contributions() -> None:
    found = explain(bare.bind(), Ranked.of_rankings([[1, None]], [[1]]))
    assert found.value == pytest.approx(0.5**0.5)
    assert [(row.grade, row.gain, row.contribution, row.loss) for row in found.rows] == [
        (1, 1, None, None),
        (None, 0, None, None),
    ]
    assert (found.ideal_value, found.costs) == (None, "")
    assert "–" in repr(found)


def test_a_count_shows_no_ideal_ordering() -> None:
    rows = explained("NumRet", [1, None]).rows
    assert [(row.ideal_grade, row.ideal_gain, row.ideal_contribution, row.loss) for row in rows] == [
        (None, None, None, None)
    ] * 2


def test_an_ideal_ordering_is_not_named_where_the_names_do_not_reach_down_the_list() -> None:
    measure, judged = parse("CG(over='retrieved')"), {"a": 1, "b": 0, "d": 3}
    ranked = Ranked.of_rankings([[0, 1, None, 3]])
    whole = explain(measure, ranked, 0, ["b", "a", "c", "d"], judged)
    assert [row.ideal_candidate for row in whole.rows] == ["d", "a", "b", None]
    short = explain(measure, ranked, 0, ["b", "a"], judged)
    assert {row.ideal_candidate for row in short.rows} == {None}
