"""Answer scores that a language model gives: how near the first answer is to a gold answer in meaning.

The models themselves stand in `annotator/semantics`, which is an optional extra; a table of answers that is
to be scored with them carries their matches (`AnswerTable.semantic`).
"""

from typing import Literal

from annotator.metrics.answer_parts import Parts, parts
from annotator.metrics.answers import SEMANTIC_MATCHES, AnswerTable
from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.measures import Measure, measure

_PARTS = {"P": "-p", "R": "-r", "F": ""}


def bert_score_match(part: str, idf: bool) -> str:
    """Return the name of the match that gives a part of BERTScore."""
    return f"bertscore{'-idf' if idf else ''}{_PARTS[part]}"


@measure(
    key="BiEncoder",
    title="Bi-encoder score",
    sentence="How similar in meaning the answer at rank 1 is to the nearest gold answer, each read alone.",
    blind_spot=BlindSpot(
        "BiEncoder", "It cannot tell an answer from its opposite where both are about the same thing."
    ),
    formula=r"\mathrm{BiEncoder} = \max_{a \in \mathrm{gold}} \cos(e(p_1), e(a))",
    family="Answer scores",
    source="Reimers and Gurevych 2019; Risch et al. 2021",
    needs="model",
    match="bi-encoder",
)
def bi_encoder(table: AnswerTable) -> Parts:
    """Return the cosine of the first answer's vector and a gold answer's, below 0 as 0.

    MeasureError when no model is there.
    """
    return parts(table, "bi-encoder")


@measure(
    key="SAS",
    title="Semantic answer similarity",
    sentence="How similar in meaning the answer at rank 1 is to the nearest gold answer, both read together.",
    blind_spot=BlindSpot("SAS", "It cannot check a fact: a wrong name or year of the same kind scores high."),
    formula=r"\mathrm{SAS} = \max_{a \in \mathrm{gold}} c(p_1, a)",
    family="Answer scores",
    source="Risch et al. 2021",
    needs="model",
    match="sas",
)
def semantic_answer_similarity(table: AnswerTable) -> Parts:
    """Return the score that the cross-encoder gives the first answer and a gold answer.

    MeasureError when no model is there.
    """
    return parts(table, "sas")


@measure(
    key="BERTScore",
    title="BERTScore",
    sentence="How well each word of the answer at rank 1 finds a similar word in the nearest gold answer.",
    blind_spot=BlindSpot("BERTScore", "It cannot see that one word, such as a not, turns the meaning round."),
    formula=r"P = \frac{1}{|p|}\sum_{x \in p} \max_{y \in a} x^{\top} y,\quad "
    r"R = \frac{1}{|a|}\sum_{y \in a} \max_{x \in p} x^{\top} y,\quad F = \frac{2PR}{P + R}",
    family="Answer scores",
    source="Zhang et al. 2020, without rescaling; with idf a token that n of all M gold answers hold weighs "
    "ln((M + 1) / (n + 1)) in each mean",
    needs="model",
    match=bert_score_match,
)
def bert_score(table: AnswerTable, *, part: Literal["P", "R", "F"] = "F", idf: bool = False) -> Parts:
    """Return BERTScore's precision, recall or F of the first answer.

    With `idf` rare words count more, by the gold answers of all questions. MeasureError when no model is
    there.
    """
    return parts(table, bert_score_match(part, idf))


def semantic_match(one: Measure) -> str:
    """Return the name of the match for which a measure needs a model, empty when it needs none."""
    return one.match if one.match in SEMANTIC_MATCHES else ""
