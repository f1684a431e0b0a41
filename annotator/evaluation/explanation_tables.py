"""One value of a measure taken apart, as a table: rank by rank, part by part or wording by wording."""

from annotator.evaluation.result_table import Column, Table
from annotator.metrics.answer_explanation import AnswerExplanation
from annotator.metrics.explanation import Explanation
from annotator.metrics.judged_parts import PartExplanation


def explained(one: Explanation) -> Table:
    """Return one value rank by rank: contributions sum to the value, losses to what is lost."""
    rows = [
        (
            row.rank,
            row.candidate or ("" if row.retrieved else "(end of the list)"),
            row.grade,
            row.gain,
            row.discount,
            row.precision,
            row.contribution,
            row.ideal_candidate or "",
            row.ideal_grade,
            row.ideal_gain,
            row.ideal_contribution,
            row.loss,
        )
        for row in one.rows
    ]
    columns = (
        Column("Rank", "count", key="rank"),
        Column("Candidate", "text", key="candidate"),
        Column("Grade", "grade", key="grade"),
        Column("Gain", decimals=2, key="gain"),
        Column("Discount", key="discount", note="The gain is multiplied by it."),
        Column("Precision", key="precision", note="The share of relevant candidates down to this rank."),
        Column("Contribution", key="contribution", note="What the rank adds to the value."),
        Column("Ideal candidate", "text", key="ideal_candidate"),
        Column("Ideal grade", "grade", key="ideal_grade"),
        Column("Ideal gain", decimals=2, key="ideal_gain"),
        Column("Ideal contribution", key="ideal_contribution"),
        Column("Loss", key="loss", note="Ideal contribution minus contribution."),
    )
    title = f"{one.measure.name} = {one.value:.4f}"
    words = "Undefined, shown as 0." if one.undefined else ""
    caption = " ".join(part for part in (words, one.costs, one.sentence) if part)
    return Table.of_rows("explanation", title, columns, rows, caption)


PARTS = {
    "nuggets": (
        Column("Nugget", "text", key="nugget"),
        Column("Importance", "text", key="importance"),
        Column("Answer", "text", key="support", note="Whether the answer at rank 1 says it."),
    ),
    "citations": (
        Column("Sentence", "text", key="sentence"),
        Column("Cites", "text", key="cites"),
        Column("Support", "text", key="support", note="How far that supports the sentence."),
    ),
}
"""What the parts of an answer are told by, for what a measure needs."""


def explained_parts(one: PartExplanation) -> Table:
    """Return one score of an answer part by part, those first that cost most."""
    rows = [(row.text, row.kind, row.said, row.weight, row.contribution, row.cost) for row in one.rows]
    columns = (
        *PARTS[one.measure.needs],
        Column("Weight", decimals=1, key="weight", note="How much it counts in this measure."),
        Column("Contribution", key="contribution", note="What it adds to the score."),
        Column("Cost", key="cost", note="What the score lacks because of it."),
    )
    scored = one.value == one.value
    title = f"{one.measure.name} = {one.value:.4f}" if scored else f"{one.measure.name}: no score"
    return Table.of_rows("part-explanation", title, columns, rows, one.sentence)


def explained_answer(one: AnswerExplanation) -> Table:
    """Return one score of answers wording by wording; the row that decides is marked."""
    rows = [
        (
            row.rank,
            row.prediction,
            row.gold or None,
            row.wording,
            " ".join(row.common),
            row.precision,
            row.recall,
            row.match,
            row.worth,
        )
        for row in one.rows
    ]
    columns = (
        Column("Rank", "count", key="rank"),
        Column("Predicted answer", "text", key="prediction"),
        Column("Gold answer", "count", key="gold", note="Its place in the list of gold answers."),
        Column("Wording", "text", key="wording"),
        Column("In common", "text", key="common", note="Words that both have after normalising."),
        Column("Precision", key="precision", note="The share of the prediction's words in common."),
        Column("Recall", key="recall", note="The share of the wording's words in common."),
        Column("Match", key="match", note="How well the prediction fits the wording."),
        Column(
            "Worth", key="worth", note="What the match is worth to the measure; the highest is the value."
        ),
    )
    marks = {(at, 8): "✓" for at, row in enumerate(one.rows) if row.decides}
    title = (
        f"{one.measure.name} = {one.value:.4f}" if one.value == one.value else f"{one.measure.name}: no score"
    )
    return Table.of_rows("answer-explanation", title, columns, rows, one.sentence, marks)
