"""One test for each convention that the kernel decides, and for each tool's option set."""

import numpy as np
import pytest

from annotator.errors import MeasureError
from annotator.metrics.catalogue import CATALOGUE, parse
from annotator.metrics.collection import Ranked
from annotator.metrics.conventions import CONVENTIONS, in_words, side_by_side, under

BY_KEY = {one.key: one for one in CONVENTIONS}


def value(measure: str, ranking: list[int | None], missed: list[int] | None = None) -> float:
    return float(parse(measure).per_query(Ranked.of_rankings([ranking], [missed or []]))[0])


def test_relevant_is_a_grade_of_at_least_rel_and_rel_is_1_unless_said() -> None:
    assert value("P@3", [1, 2, 0]) == pytest.approx(2 / 3)
    assert value("P(rel=2)@3", [1, 2, 0]) == pytest.approx(1 / 3)
    assert parse("P(rel=2)@3").name == "P(rel=2)@3"


def test_unjudged_is_not_relevant_and_gains_nothing() -> None:
    assert value("P@2", [None, 1]) == 0.5
    assert value("DCG@2", [None, 3]) == value("DCG@2", [0, 3])


def test_judged_only_removes_the_unjudged_first() -> None:
    assert value("P(judged_only=True)@2", [None, 1, None, 1]) == 1
    assert value("RR(judged_only=True)", [None, None, 1]) == 1
    assert value("nDCG(judged_only=True)@1", [None, 3], [5]) == pytest.approx(0.6)


def test_judged_tells_how_much_of_the_top_is_known() -> None:
    assert value("Judged@4", [None, 0, 3, None, 5]) == 0.5


def test_precision_and_judged_divide_by_k_also_for_short_lists() -> None:
    assert value("P@10", [1, 1]) == 0.2
    assert value("Judged@10", [1, 0]) == 0.2
    assert value("P(norm='retrieved')@10", [1, 0]) == 0.5


@pytest.mark.parametrize(
    ("measure", "expected"), [("R@1", 1 / 2), ("AP", 1 / 2), ("Rprec", 1 / 2), ("IDCG@2", 3 + 2 / np.log2(3))]
)
def test_all_judged_candidates_count_retrieved_or_not(measure: str, expected: float) -> None:
    assert value(measure, [3], [2]) == pytest.approx(expected)


def test_average_precision_at_k_divides_by_all_relevant_unless_said() -> None:
    assert value("AP@2", [1, 1, 1, 1]) == 0.5
    assert value("AP(norm='min')@2", [1, 1, 1, 1]) == 1
    assert value("AP(norm='rel_ret')@2", [1, 0, 1, 1]) == 1


def test_a_query_that_the_system_did_not_answer_scores_0() -> None:
    measure = parse("AP")
    values = measure.per_query(Ranked.of_rankings([[1], []], missed=[[], [1]]))
    assert values.tolist() == [1, 0]
    assert measure.aggregate(values) == 0.5


def test_a_query_without_anything_relevant_scores_0_and_can_be_counted() -> None:
    ranked = Ranked.of_rankings([[0, 0], [1]])
    for name in ("AP", "nDCG", "R@5", "RR", "Rprec", "Bpref", "SetF", "ERR", "RBP"):
        assert parse(name).per_query(ranked)[0] == 0, name
    assert (ranked.n_relevant(1) == 0).tolist() == [True, False]


def test_the_gain_is_the_grade_unless_said() -> None:
    assert value("CG", [3, 2]) == 5
    assert value("CG(dcg='exp-log2')", [3, 2]) == 10
    assert value("CG(gains={1:0.5,3:4})", [3, 2, 1, 0, 5]) == 4 + 0.5 + 0.5 + 0 + 4


def test_grades_too_high_for_an_exponential_gain_are_refused() -> None:
    with pytest.raises(MeasureError, match="too high for the gain"):
        value("DCG(dcg='exp-log2')", [2000])
    assert value("DCG", [2000]) == 2000
    assert value("ERR(max_rel='query')", [2000]) == 1


def test_the_discount_is_the_logarithm_of_the_rank_plus_one() -> None:
    assert value("DCG", [0, 0, 4]) == 4 / np.log2(4)


def test_negative_grades_gain_nothing_and_are_judged() -> None:
    assert value("DCG", [-1, 3]) == value("DCG", [0, 3])
    assert value("P@2", [-2, 1]) == 0.5
    assert value("Judged@2", [-2, None]) == 0.5
    assert value("CG(dcg='exp-log2',gains={0:1})", [-1]) == 0


def test_negative_grades_count_as_unjudged_for_bpref_and_infap() -> None:
    assert value("Bpref", [-1, 1, 0]) == value("Bpref", [None, 1, 0]) == 1
    assert value("Bpref", [0, 1]) == 0
    assert value("infAP", [-1, 1], [0]) == pytest.approx(0.5 * (1 + 0.5))


def test_bpref_without_a_judged_irrelevant_candidate_is_1() -> None:
    assert value("Bpref", [None, 1, None, 2]) == 1


def test_the_precision_of_nothing_is_0() -> None:
    assert value("SetP", [], [1]) == 0
    assert value("SetF", [], []) == 0


def test_err_and_rbp_take_the_highest_grade_from_max_rel() -> None:
    assert value("ERR(max_rel=5)", [5]) == 31 / 32
    assert value("ERR(max_rel=1)", [5]) == 0.5
    assert value("RBP", [5]) == pytest.approx(0.2)
    assert value("RBP(max_rel='query')", [2], [4]) == pytest.approx(0.1)
    assert value("RBP(rel=2)", [2, 1]) == pytest.approx(0.2)


def test_a_recall_needs_its_share_of_the_relevant_rounded_to_the_nearest() -> None:
    assert value("IPrec@0.4", [1, 0, 0, 1], [1]) == 1
    assert value("IPrec(rounding='up')@0.4", [1, 0, 0, 1], [1]) == 0.5


@pytest.mark.parametrize(
    ("tool", "measure", "ranking", "missed", "expected"),
    [
        ("trec_eval", "nDCG@5", [1, 0, 0, 0, 0], [0, 1], 1 / (1 + 1 / np.log2(3))),
        ("trec_eval", "RBP(p=0.8)", [3, 2, 3, 0, 1], [], 0.461973),
        ("trec_eval", "rbp.8", [3, 2, 3, 0, 1], [], 0.461973),
        ("trec_eval", "RBP", [3, 2], [], 0.1 * (1 + 0.9 * 2 / 3)),
        ("trec_eval", "RBP(max_rel=5)", [3, 2], [], 0.1 * (1 + 0.9 * 2 / 3)),
        ("exponential", "nDCG@5", [3, 2, 3, 0, 1], [], 0.957478),
        # the ideal holds all three rated documents although k is 2
        ("quepid", "nDCG@2", [0, 2], [1, 1], (3 / np.log2(3)) / (3 + 1 / np.log2(3) + 1 / 2)),
        ("quepid", "P@10", [1, None], [], 0.5),
        ("quepid", "ERR@10", [3], [], 7 / 8),
        ("quepid", "AP@10", [0, 1], [1], 0.25),
        ("quepid", "RR@10", [None, 1], [], 0.5),
        ("rre", "nDCG@2", [0, 2], [1, 1], (2 / np.log2(3)) / (2 + 1 / np.log2(3))),
        ("rre", "P@10", [1, None], [], 0.5),
        # precision 1/2, recall 1/3
        ("rre", "F1@10", [1, None], [1, 1], 0.4),
        # one document returned: the ideal is one document long
        ("opensearch", "nDCG@10", [2], [3, 3], 3 / 7),
        ("opensearch", "DCG@10", [2, None, 1], [], 3 + 1 / 2),
        ("opensearch", "P@10", [1, None], [], 0.5),
        ("scikit-learn", "nDCG@5", [1, 0, 1], [2], 1.5 / (1 + 1 / np.log2(3))),
        ("scikit-learn", "AP", [0, 1], [1, 1], 0.5),
    ],
)
def test_a_tool_is_an_option_set_of_the_same_measures(
    tool: str, measure: str, ranking: list[int | None], missed: list[int], expected: float
) -> None:
    found = under(BY_KEY[tool], parse(measure))
    assert found is not None
    assert value(found.name, ranking, missed) == pytest.approx(expected, abs=5e-7)


def test_a_measure_that_the_tool_lacks_has_no_value_there() -> None:
    assert under(BY_KEY["opensearch"], parse("Bpref")) is None
    assert [one.key for one, _ in side_by_side(parse("GMAP"))] == ["trec_eval"]


def test_every_option_of_every_tool_is_one_that_its_measure_takes() -> None:
    declared = {one.key: one for one in CATALOGUE}
    for convention in CONVENTIONS:
        for key, options in convention.options.items():
            cutoff = None if declared[key].at is None else 0.5 if key == "IPrec" else 5
            taken = {**convention.usual.get(key, {}), **options}
            assert under(convention, declared[key].bind(cutoff)) == declared[key].bind(cutoff, **taken)
            usual = {
                name: declared[key].bind(cutoff).parameters[name] for name in convention.usual.get(key, {})
            }
            assert under(convention, declared[key].bind(cutoff, **usual)) == declared[key].bind(
                cutoff, **usual, **options
            ), "what is named stays, also where it is our own default"


@pytest.mark.parametrize(
    ("measure", "first", "last"),
    [
        ("P(rel=2)@5", "relevant from grade 2 on; divided by k even when", "irrelevant; cut after rank 5"),
        ("nDCG(dcg='exp-log2')", "a grade gains 2^grade - 1; the ideal counts all judged", "as irrelevant"),
        ("nDCG(over='retrieved')@3", "a grade gains itself; ", "cut after rank 3"),
        (
            "RBP(judged_only=True)",
            "the reader goes on with chance 0.8; the highest grade is 5",
            "removed first",
        ),
        ("CG(gains={1:2})", "grades gain 1: 2; ", "unjudged candidates count as irrelevant"),
    ],
)
def test_the_conventions_of_a_measure_are_one_sentence(measure: str, first: str, last: str) -> None:
    words = in_words(parse(measure))
    assert words.startswith(first)
    assert words.endswith(last)
    assert ("what was not retrieved is forgotten" in words) == ("retrieved" in measure)
