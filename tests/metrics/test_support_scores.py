"""Support of sentences by what they cite: the paper's example, RAGDoll's rules counted by hand, and drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.catalogue import parse
from annotator.metrics.citations import MISSING, NOTHING, SupportTable
from annotator.metrics.judged_parts import UNSAID, explain_parts, values

PRECISION, RECALL, PRECISION_FIRST, RECALL_FIRST = KEYS = (
    "SupportPrecision",
    "SupportRecall",
    "SupportPrecisionFirst",
    "SupportRecallFirst",
)
NS, PS, FS = 0, 1, 2


def table(*sentences: list[int], answered: bool = True, asked: bool = True) -> SupportTable:
    """Return one query's answer: how far each citation of each sentence supports it."""
    most = max(map(len, sentences), default=0)
    cites = [[*one, *[NOTHING] * (most - len(one))] for one in sentences]
    return SupportTable(
        np.zeros(len(sentences), np.int64),
        np.array(cites, np.int64).reshape(len(sentences), most),
        np.array([answered]),
        np.array([asked]),
        [f"sentence {at}" for at in range(len(sentences))],
        [[f"p{at}" for at in range(len(one))] for one in sentences],
    )


def scores(*sentences: list[int]) -> list[float]:
    return [float(values(parse(key), table(*sentences))[0]) for key in KEYS]


def test_the_example_of_the_paper() -> None:
    """Section 3.4: partial support, full support, no citation give a precision of 0.75, a recall of 0.5."""
    assert scores([PS], [FS], []) == [0.75, 0.5, 0.75, 0.5]


def test_the_example_in_the_tests_of_ragdoll() -> None:
    """`test_support_metric_matches_reference_arithmetic`; its -1, not judged, is what is not here."""
    wanted = [2 / 3, 0.5, 0.5, 0.375]
    assert scores([FS], [PS], [NS, FS], [MISSING], []) == pytest.approx(wanted, abs=1e-15)


@pytest.mark.parametrize(
    ("sentences", "wanted"),
    [
        ([[FS, NS]], [0.5, 0.5, 1, 1]),
        ([[NS, FS], [FS]], [0.75, 0.75, 0.5, 0.5]),
        ([[PS, FS, NS], []], [0.5, 0.25, 0.5, 0.25]),
        ([[], []], [0, 0, 0, 0]),
        ([[FS], [MISSING]], [1, 1, 1, 1]),
        ([[MISSING, PS], []], [0.5, 0.25, 0, 0]),
        ([[MISSING], [PS], []], [0.5, 0.25, 0.5, 0.25]),
    ],
)
def test_what_several_citations_none_and_missing_ones_count(
    sentences: list[list[int]], wanted: list[float]
) -> None:
    assert scores(*sentences) == wanted


def test_an_answer_is_left_out_until_every_citation_that_counts_is_judged() -> None:
    assert np.isnan(scores([FS, UNSAID], [PS])).tolist() == [True, True, False, False]
    sentence = explain_parts(parse(RECALL), table([FS, UNSAID], [PS])).sentence
    assert sentence == "Left out of the mean: 1 of the sentences that count are not judged for this answer."


def test_no_answer_is_0_and_a_query_of_which_no_answer_cites_anything_has_no_score() -> None:
    assert [values(parse(key), table(answered=False)).tolist() for key in KEYS] == [[0]] * 4
    assert np.isnan(values(parse(RECALL), table([], asked=False))).all()
    assert (
        "No answer to the query cites anything" in explain_parts(parse(RECALL), table(asked=False)).sentence
    )


def counted_one_by_one(sentences: list[list[int]], first: bool) -> tuple[float, float]:
    """Count as RAGDoll's `support_metric` does: what was not judged leaves both sums."""
    support, cited, all_sentences = 0.0, 0, len(sentences)
    for one in sentences:
        if not one:
            continue
        judged = [level / 2 for level in (one[:1] if first else one) if level != MISSING]
        if judged:
            support += sum(judged) / len(judged)
            cited += 1
        else:
            all_sentences -= 1
    return support / cited if cited else 0.0, support / all_sentences if all_sentences else 0.0


@given(st.lists(st.lists(st.sampled_from([MISSING, NS, PS, FS]), max_size=3), max_size=6))
def test_scores_are_those_that_are_counted_one_by_one_and_their_parts_add_up(
    sentences: list[list[int]],
) -> None:
    wanted = (*counted_one_by_one(sentences, False), *counted_one_by_one(sentences, True))
    assert scores(*sentences) == pytest.approx(wanted)
    for key in KEYS:
        one = explain_parts(parse(key), table(*sentences))
        assert sum(row.contribution for row in one.rows) == pytest.approx(one.value)
        costs = [row.cost for row in one.rows]
        assert costs == sorted(costs, reverse=True)
        assert sum(costs) == pytest.approx(1 - one.value if any(row.weight for row in one.rows) else 0)


def test_an_explanation_says_which_sentence_lacks_support_and_by_what() -> None:
    one = explain_parts(parse(RECALL), table([FS], [NS, PS], [], [MISSING]))
    assert [(row.text, row.kind, row.said, round(row.cost, 4)) for row in one.rows] == [
        ("sentence 2", "nothing", "no support", 0.3333),
        ("sentence 1", "p0, p1", "p0: no support, p1: partial support", 0.25),
        ("sentence 0", "p0", "full support", 0),
        ("sentence 3", "p0", "not here", 0),
    ]
    assert one.sentence == (
        "Most was lost by “sentence 2” (0.3333). "
        "The project does not have the passages of 1 citation: left out."
    )


def test_the_names_of_ragdoll_are_understood() -> None:
    assert parse("weighted_recall_first_citation").name == RECALL_FIRST
    assert parse("weighted_precision_all_judged_citations").name == PRECISION
