"""One value taken apart as a table: rank by rank, and wording by wording."""

import pytest

from annotator.evaluation import explanation_tables
from annotator.metrics.answer_explanation import explain_answers
from annotator.metrics.answers import AnswerTable
from annotator.metrics.catalogue import parse, parse_all
from annotator.metrics.collection import Ranked
from annotator.metrics.explanation import explain
from tests.evaluation.test_summary_tables import column


def test_the_contributions_of_an_explanation_sum_to_the_value() -> None:
    ranked = Ranked.build([0, 0], [1, 3], [2, 5], [3], [0, 0], [2, 5])
    one = explain(parse("nDCG@10"), ranked, 0, ["a", "b", "c"], {"a": 2, "c": 5})
    table = explanation_tables.explained(one)
    assert sum(column(table, "Contribution")) == pytest.approx(one.value)  # type: ignore[arg-type]
    assert column(table, "Candidate") == ["a", "b", "c"]
    assert column(table, "Ideal candidate")[:2] == ["c", "a"]
    assert column(table, "Grade")[1] is None


def test_an_explanation_shows_the_gains_beside_those_of_the_ideal() -> None:
    one = explain(parse("nDCG(dcg='exp-log2')@3"), Ranked.of_rankings([[0, 2, 3]]))
    table = explanation_tables.explained(one)
    assert column(table, "Gain") == [0, 3, 7]
    assert column(table, "Ideal gain") == [7, 3, 0]


def test_a_score_of_answers_is_taken_apart_wording_by_wording() -> None:
    answers = AnswerTable.build([0], [1], ["Stark"], [[["Tony Stark", "Ant-Man"]]])
    table = explanation_tables.explained_answer(explain_answers(parse_all(["TokenF1"])[0], answers))
    assert table.title == "TokenF1 = 0.6667"
    assert table.rows[0] == (1, "Stark", 1, "Tony Stark", "stark", 1.0, 0.5, 2 / 3, 2 / 3)
    assert table.marks == {(0, 8): "✓"}
    nothing = AnswerTable.build([0], [1], ["Stark"], [[]])
    assert (
        explanation_tables.explained_answer(explain_answers(parse_all(["EM"])[0], nothing)).title
        == "EM: no score"
    )
