import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import MeasureError
from annotator.metrics.answer_explanation import explain_answers
from annotator.metrics.answers import AnswerTable
from annotator.metrics.catalogue import CATALOGUE, parse
from tests.metrics.tiny import measures


def asked(predictions, gold, unanswerable=False, **options):
    """One question with ranked predictions, behind another one."""
    n = len(predictions)
    return AnswerTable.build(
        [0] + [1] * n,
        [1, *range(1, n + 1)],
        ["other", *predictions],
        [[["other"]], gold],
        [False, unanswerable],
        **options,
    )


def explained(name, *of, **options):
    return explain_answers(parse(name), asked(*of, **options), 1)


def test_token_f1_is_explained_by_the_words_that_both_have():
    found = explained("TokenF1", ["Tony Stark!"], [["Anthony Edward Stark"], ["Iron Man", "Tony the Stark"]])
    assert found.value == 1
    first, second, third = found.rows
    assert (first.gold, first.common, first.precision, first.recall) == (
        1,
        ("stark",),
        0.5,
        pytest.approx(1 / 3),
    )
    assert first.match == pytest.approx(0.4)
    assert (second.gold, second.common, second.match) == (2, (), 0)
    assert third.compared == ("tony stark", "tony stark")
    assert [row.decides for row in found.rows] == [False, False, True]


@pytest.mark.parametrize("name", ["EM", "TokenF1", "TopAcc(match='f1',threshold=0.5)@2", "GoldRR"])
def test_every_measure_of_answers_is_explained_with_its_value_and_formula(name):
    measure, table = parse(name), asked(["Tony", "Tony Stark"], [["Tony Stark"]])
    found = explain_answers(measure, table, 1)
    assert found.value == measure.per_answers(table)[1]
    assert found.formula == measure.formula
    assert len(found.rows) == (2 if name.startswith("TopAcc") else 1)


def test_what_is_compared_is_said_in_words():
    said = explained("EM", ["x"], [["y"]], normaliser="unicode", stemming="en").sentence
    assert "taken to their stems (unicode)" in said
    assert "The prediction at rank 1 counts." in said
    assert "ranks 1 to 3 count" in explained("TopAcc@3", ["x"], [["y"]]).sentence


def test_an_unanswerable_question_is_compared_with_the_empty_answer():
    found = explained("EM", [""], [], True)
    assert (found.value, found.rows[0].match, found.rows[0].gold) == (1, 1, 0)
    assert explained("EM", ["x"], [], True).rows[0].match == 0
    assert "exactly when the predicted answer is empty" in found.sentence


def test_a_question_without_gold_answer_says_that_it_is_left_out():
    found = explained("EM", ["x"], [])
    assert math.isnan(found.value)
    assert found.rows == ()
    assert "left out of the mean" in found.sentence


def test_no_prediction_is_said_to_score_0():
    found = explained("EM", [], [["x"]])
    assert (found.value, found.rows) == (0, ())
    assert "no prediction, which scores 0" in found.sentence


def test_the_passage_stands_beside_the_answer_that_is_sought_in_it():
    table = asked(["Tony Stark"], [["Thor"]]).with_passages(["", "Iron Man is Tony Stark."])
    found = explain_answers(parse("InPassage"), table, 1)
    assert (found.value, [row.wording for row in found.rows]) == (1, ["Iron Man is Tony Stark."])
    assert found.rows[0].common == ("tony", "stark")
    assert "the answer is sought in its passage. The prediction at rank 1 counts." in found.sentence
    unknown = explain_answers(parse("InPassage"), table, 0)
    assert math.isnan(unknown.value)
    assert unknown.sentence == "No passage of the answer is known: the question is left out of the mean."


def test_measures_of_grades_and_models_are_refused():
    with pytest.raises(TypeError):
        explained("nDCG@10", ["x"], [["x"]])
    with pytest.raises(MeasureError):
        explained("SAS", ["x"], [["x"]])


def test_a_notebook_shows_what_was_compared():
    html = explained("EM", ["<b>Tony</b>"], [["Tony Stark"]])._repr_html_()
    assert "EM = 0.0000" in html
    assert "&lt;b&gt;Tony&lt;/b&gt;" in html
    assert "Tony Stark" in html


OF_ANSWERS = [one for one in CATALOGUE if one.needs == "answers"]
FORMULAS = {
    "EM": lambda rows, **_: max(row.match for row in rows),
    "TokenF1": lambda rows, **_: max(row.match for row in rows),
    "TokenP": lambda rows, **_: max(row.precision for row in rows),
    "TokenR": lambda rows, **_: max(row.recall for row in rows),
    "Contains": lambda rows, **_: max(row.match for row in rows),
    "TopAcc": lambda rows, threshold, **_: max(row.match >= threshold for row in rows),
    "GoldRR": lambda rows, threshold, **_: max((row.match >= threshold) / row.gold for row in rows),
}
WORDS = st.lists(st.sampled_from(["tony", "stark", "the"]), max_size=3).map(" ".join)


@pytest.mark.parametrize("declaration", OF_ANSWERS, ids=lambda one: one.key)
@settings(max_examples=40, deadline=None)
@given(
    data=st.data(),
    predictions=st.lists(WORDS, max_size=3),
    gold=st.lists(st.lists(WORDS, min_size=1, max_size=2), max_size=3),
    unanswerable=st.booleans(),
)
def test_a_score_is_the_highest_worth_of_its_parts_and_follows_its_formula(
    declaration, data, predictions, gold, unanswerable
):
    measure = data.draw(measures(declaration))
    table = asked(predictions, gold, unanswerable)
    found = explain_answers(measure, table, 1)
    assert found.value == pytest.approx(measure.per_answers(table)[1], abs=1e-12, nan_ok=True)
    assert max((row.worth for row in found.rows), default=0) == (found.value if gold or unanswerable else 0)
    assert [row.worth for row in found.rows if row.decides] == [found.value][: len(found.rows)]
    if unanswerable:
        counted = predictions[: int(measure.cutoff or 1)]
        assert found.value == any(not one.replace("the", "").strip() for one in counted)
    elif found.rows:
        formula = FORMULAS[declaration.key]
        assert found.value == pytest.approx(float(formula(found.rows, **measure.parameters)), abs=1e-12)


def test_the_gold_answer_that_stands_first_decides_also_where_a_later_one_fits_better():
    found = explained(
        "GoldRR(match='f1',threshold=0.5)", ["Tony Stark Jr"], [["Tony Stark"], ["Tony Stark Jr"]]
    )
    assert found.value == 1
    assert [(row.gold, row.worth, row.decides) for row in found.rows] == [(1, 1, True), (2, 0.5, False)]


def test_without_a_prediction_nothing_reaches_any_threshold():
    assert explained("TopAcc(threshold=0.0)@2", [], [["x"]]).value == 0
    assert explained("TopAcc(threshold=0.0)@2", ["x"], [], True).value == 0
