"""Measures of predicted answers against gold answers: exact match, token F1, top-k accuracy.

Each takes an `AnswerTable` and returns what each prediction beside each wording is worth, the highest of a
question being its value; `answers` says what is compared with what.
"""

import numpy as np

from annotator.metrics.answer_parts import Parts, parts
from annotator.metrics.answers import AnswerTable
from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.measures import measure


@measure(
    key="EM",
    title="Exact match",
    sentence="Whether the answer at rank 1 is, after normalising, word for word one of the gold answers.",
    blind_spot=BlindSpot(
        "EM", "It cannot tell an answer that is nearly right from one that is wholly wrong: both score 0."
    ),
    formula=r"\mathrm{EM} = \max_{a \in \mathrm{gold}}\,[\,n(p_1) = n(a)\,]",
    family="Answers",
    source="Rajpurkar et al. 2016 and 2018, the SQuAD scripts",
    needs="answers",
    match="em",
)
def em(table: AnswerTable) -> Parts:
    """Return 1 where the prediction at rank 1 matches exactly, else 0."""
    return parts(table, "em")


@measure(
    key="TokenF1",
    title="Token F1",
    sentence="How much the answer at rank 1 and the nearest gold answer have in common, word by word.",
    blind_spot=BlindSpot(
        "TokenF1",
        "It cannot see the order of the words, nor that one of them, such as a not, turns the meaning.",
    ),
    formula=r"\mathrm{TokenF1} = \max_{a \in \mathrm{gold}} \frac{2\,|p_1 \cap a|}{|p_1| + |a|}",
    family="Answers",
    source="Rajpurkar et al. 2016 and 2018, the SQuAD scripts",
    needs="answers",
    match="f1",
)
def token_f1_at_1(table: AnswerTable) -> Parts:
    """Return token F1 of the prediction at rank 1."""
    return parts(table, "f1")


@measure(
    key="TokenP",
    title="Token precision",
    sentence="How much of the answer at rank 1 the nearest gold answer says too.",
    blind_spot=BlindSpot("TokenP", "It cannot see what is missing: one right word alone scores 1."),
    formula=r"\mathrm{TokenP} = \max_{a \in \mathrm{gold}} |p_1 \cap a| \,/\, |p_1|",
    family="Answers",
    source="The precision within token F1, the nearest gold answer chosen for it alone",
    needs="answers",
    match="precision",
)
def token_precision_at_1(table: AnswerTable) -> Parts:
    """Return token precision of the prediction at rank 1."""
    return parts(table, "precision")


@measure(
    key="TokenR",
    title="Token recall",
    sentence="How much of the nearest gold answer the answer at rank 1 says too.",
    blind_spot=BlindSpot(
        "TokenR", "It cannot see what else is said: a whole page with the right words in it scores 1."
    ),
    formula=r"\mathrm{TokenR} = \max_{a \in \mathrm{gold}} |p_1 \cap a| \,/\, |a|",
    family="Answers",
    source="The recall within token F1, the nearest gold answer chosen for it alone",
    needs="answers",
    match="recall",
)
def token_recall_at_1(table: AnswerTable) -> Parts:
    """Return token recall of the prediction at rank 1."""
    return parts(table, "recall")


@measure(
    key="Contains",
    title="Containment",
    sentence="Whether the answer at rank 1 holds one of the gold answers, after normalising, in whole words.",
    blind_spot=BlindSpot(
        "Contains", "It cannot see what else is said: an answer that names everybody holds the right name."
    ),
    formula=r"\mathrm{Contains} = \max_{a \in \mathrm{gold}}\,[\,n(a) \mathrm{\ stands\ in\ } n(p_1)\,]",
    family="Answers",
    source="The accuracy of generated answers, as in Mallen et al. 2023; a script that compares letters "
    "instead of words also finds art in party",
    needs="answers",
    match="contains",
)
def contains(table: AnswerTable) -> Parts:
    """Return 1 where the prediction at rank 1 holds a gold answer's tokens in a row, else 0."""
    return parts(table, "contains")


@measure(
    key="InPassage",
    title="Answer in passage",
    sentence="Whether the answer at rank 1 stands in its passage, after normalising, in whole words.",
    blind_spot=BlindSpot(
        "InPassage", "It cannot see whether the answer is right: any words of the passage, or none, score 1."
    ),
    formula=r"\mathrm{InPassage} = [\,n(p_1) \mathrm{\ stands\ in\ } n(\mathrm{passage})\,]",
    family="Answers",
    source="What an extractive reader guarantees. The passage is the one that came with the answer, else the "
    "question's paragraph or the document of its gold answer; without any the question is left out",
    needs="passages",
    match="within",
)
def in_passage(table: AnswerTable) -> Parts:
    """Return 1 where the prediction at rank 1 stands in its passage, which the table has as gold answer."""
    return parts(table, "within")


@measure(
    key="TopAcc",
    title="Top-k accuracy",
    sentence="Whether one of the top k answers matches a gold answer well enough.",
    blind_spot=BlindSpot(
        "TopAcc@5",
        "It cannot see at which of the k ranks the right answer stands, nor whether there are several.",
    ),
    formula=r"\mathrm{TopAcc}@k = \max_{i \le k}\,\max_{a \in \mathrm{gold}}\,[\,m(p_i, a) \ge t\,]",
    family="Answers",
    source="Success@k with a match of answers as relevance",
    needs="answers",
)
def top_accuracy(table: AnswerTable, *, k: int, match: str = "em", threshold: float = 1.0) -> Parts:
    """Return 1 where a prediction up to rank k matches with `threshold` or more, else 0.

    MeasureError when the match is not known.
    """
    return parts(table, match, k, lambda fit, _: (fit >= threshold).astype(np.float64))


@measure(
    key="GoldRR",
    title="Reciprocal rank in the gold list",
    sentence="How early in the list of gold answers the answer at rank 1 stands: 1 for the most preferred.",
    blind_spot=BlindSpot(
        "GoldRR", "It cannot see any answer but the first; a right answer at rank 2 counts as none."
    ),
    formula=r"\mathrm{GoldRR} = 1 / \min\{\,j : m(p_1, a_j) \ge t\,\}",
    family="Answers",
    source="What some articles print as MRR; the reciprocal rank of everyone else is RR",
    needs="answers",
)
def gold_reciprocal_rank(table: AnswerTable, *, match: str = "em", threshold: float = 1.0) -> Parts:
    """Return 1 / place in the gold list of an answer that the top prediction matches, else 0.

    MeasureError when the match is not known.
    """
    return parts(table, match, 1, lambda fit, place: np.where(fit >= threshold, 1 / place, 0.0))
