import numpy as np
import pytest

from annotator.metrics.collection import Ranked
from annotator.metrics.cqa import cqa_table

QUESTIONS = 4999
# Per cent of the questions with a hit in the top 1 to 15, and what follows from them, as an article has it:
# (REC1, ACC, AC1 of some k, MRR, MAP). Each question has at most one relevant answer in its list.
STANDARD = (
    [57.39, 68.03, 73.25, 76.06, 78.32, 79.74, 80.76, 81.96, 82.74, 83.64, 84.38, 84.90, 85.38, 85.84, 86.22],
    [57.39, 34.02, 24.42, 19.01, 15.66, 13.29, 11.54, 10.24, 9.19, 8.36, 7.67, 7.07, 6.57, 6.13, 5.75],
    [0.67, 0.79, 0.85, 0.88, 0.91, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.98, 0.99, 1.00, 1.00],
    66.52,
    0.67,
)
STEMMED = (
    [59.03, 70.49, 76.18, 79.02, 81.28, 82.78, 83.96, 84.96, 85.90, 86.84, 87.26, 87.76, 88.24, 88.66, 89.16],
    [59.03, 35.25, 25.39, 19.75, 16.26, 13.80, 11.99, 10.62, 9.54, 8.68, 7.93, 7.31, 6.79, 6.33, 5.94],
    [0.66, 0.79, 0.85, 0.89, 0.91, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.98, 0.99, 0.99, 1.00],
    68.74,
    0.69,
)


@pytest.mark.parametrize("printed", [STANDARD, STEMMED], ids=["standard", "stemmed"])
def test_both_tables_of_the_article_come_out(printed: tuple[list[float], ...]) -> None:
    rec1, acc, ac1, mrr, mean_precision = printed
    counts = np.round(np.array(rec1) * QUESTIONS / 100).astype(int)
    first_hits = np.diff(counts, prepend=0)
    ranks = np.repeat(np.arange(1, 16), first_hits)
    queries = np.arange(len(ranks))
    ranked = Ranked.build(
        queries, ranks, np.ones(len(ranks)), np.full(QUESTIONS, 15), queries, np.ones(len(ranks))
    )
    table = cqa_table(ranked, depth=15)
    assert table.queries == QUESTIONS
    assert table.ac2.tolist() == counts.tolist()
    assert np.round(table.rec1, 2).tolist() == rec1
    assert np.round(table.acc, 2).tolist() == acc
    assert np.round(table.ac1, 2).tolist() == ac1
    assert round(table.mrr, 2) == mrr
    assert round(table.map, 2) == mean_precision
    assert table.avgrec == pytest.approx(table.ac1.mean())


def test_several_relevant_answers_count_up_to_what_was_to_be_had() -> None:
    table = cqa_table(Ranked.of_rankings([[1, 0, 1], [0, 0, 0], [0, 1, 1]], missed=[[1], [1], []]), depth=3)
    assert table.ac2.tolist() == [1, 2, 4]
    assert table.rec1.tolist() == pytest.approx([100 / 3, 200 / 3, 200 / 3])
    assert table.acc.tolist() == pytest.approx([100 / 3, 200 / 6, 400 / 9])
    assert table.ac1.tolist() == pytest.approx([1 / 2, 2 / 4, 4 / 4])
    assert table.map == pytest.approx(((1 + 2 / 3) / 2 + 0 + (1 / 2 + 2 / 3) / 2) / 3)
    assert table.mrr == pytest.approx(100 * (1 + 0 + 0.5) / 3)


def test_no_question_gives_a_table_of_zeros() -> None:
    table = cqa_table(Ranked.of_rankings([]), depth=2)
    assert (table.rec1.tolist(), table.ac1.tolist(), table.map, table.mrr) == ([0, 0], [0, 0], 0, 0)
