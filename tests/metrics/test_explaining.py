import pytest
from hypothesis import given, settings

from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from annotator.metrics.explaining import Explanation, explain
from tests.metrics.rankings import Case, cases, every_measure

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
