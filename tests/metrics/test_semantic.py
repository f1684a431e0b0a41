"""The measures that need a language model, with a stand-in for the model."""

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.errors import MeasureError
from annotator.metrics.answer_credit import credit_gold
from annotator.metrics.answers import MATCHES, SEMANTIC_MATCHES, AnswerTable
from annotator.metrics.catalogue import CATALOGUE, parse
from annotator.metrics.semantic import semantic_match


def same_first_letter(
    table: AnswerTable, predictions: NDArray[np.int64], wordings: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Score 0.9 where two texts begin alike, else 0.2, in place of a model."""
    alike = [
        table.texts[one][:1] == table.texts[other][:1]
        for one, other in zip(predictions, wordings, strict=True)
    ]
    return np.where(alike, 0.9, 0.2)


def table(**semantic: object) -> AnswerTable:
    """Return two questions with two ranked answers each, and a third without gold answers."""
    gold = [[["shield"], ["axe"]], [["hammer", "mallet"]], []]
    texts = ["armour", "sword", "staff", "mace", "none"]
    built = AnswerTable.build([0, 0, 1, 1, 2], [1, 2, 1, 2, 1], texts, gold)
    return AnswerTable(**{**vars(built), "semantic": dict.fromkeys(semantic, same_first_letter)})


@pytest.mark.parametrize(
    "name",
    [
        "BiEncoder",
        "SAS",
        "BERTScore",
        "BERTScore(part='P')",
        "bertscore_r",
        "BERTScore(idf=True)",
        "BERTScore(idf=True,part='R')",
    ],
)
def test_the_value_is_the_best_over_the_gold_answers_for_the_answer_at_rank_1(name: str) -> None:
    measure = parse(name)
    values = measure.per_answers(table(**{semantic_match(measure): True}))
    assert values[:2].tolist() == [0.9, 0.2]
    assert np.isnan(values[2])


def test_a_semantic_match_serves_top_accuracy_with_a_threshold() -> None:
    measure = parse("TopAcc(match='sas',threshold=0.5)@2")
    assert semantic_match(measure) == "sas"
    assert measure.per_answers(table(sas=True))[:2].tolist() == [1, 1]
    assert parse("TopAcc(match='sas',threshold=0.95)@2").per_answers(table(sas=True))[:2].tolist() == [0, 0]


def test_a_semantic_match_serves_as_relevance() -> None:
    assert credit_gold(table(sas=True), "sas", 0.5).grade.tolist() == [1, 1, 0, 1, 0]


def test_without_a_model_it_is_said_which_match_needs_one() -> None:
    with pytest.raises(MeasureError, match="bi-encoder needs a language model"):
        parse("BiEncoder").per_answers(table())


def test_every_measure_of_answers_names_its_match_and_no_other_does() -> None:
    known = {
        "grades": {""},
        "nuggets": {""},
        "citations": {""},
        "answers": set(MATCHES),
        "model": set(SEMANTIC_MATCHES),
        "passages": {"within"},
    }
    for declaration in CATALOGUE:
        cutoff = 5 if declaration.at is not None and declaration.at.name == "k" else None
        if declaration.at is not None and declaration.at.name == "recall":
            cutoff = 1
        measure = declaration.bind(cutoff)
        assert measure.match in known[declaration.needs]
        assert semantic_match(measure) == (measure.match if declaration.needs == "model" else "")
