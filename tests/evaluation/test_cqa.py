"""The preset cQA as the tables that community question answering prints."""

from dataclasses import fields, replace

import numpy as np
import pytest

from annotator.evaluation.cqa import CqaTable, cqa_of, cqa_printed, cqa_tables, named_values
from annotator.evaluation.evaluator import Collection, SystemRows, evaluate
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.subsets import narrowed
from annotator.metrics.collection import Ranked
from annotator.reports.report_formats import FORMATS, Choice
from annotator.reports.sections import Material, report, tables

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
RANKINGS = {
    "standard": [[0, 1, 0], [0, 0, 0], [5, 0, 3], [0, 0, 2]],
    "stemming": [[4, 0, 0], [0, 2, 0], [5, 3, 0], [0, 0, 2]],
}


def result_of(*measures: str, rel: int = 1) -> EvaluationResult:
    """Evaluate two systems' rankings of four questions."""
    systems = tuple(SystemRows(name, Ranked.of_rankings(grades)) for name, grades in RANKINGS.items())
    collection = Collection(("q1", "q2", "q3", "q4"), systems)
    return evaluate(collection, Options(measures, rel=rel), Provenance("lab", "1"))


def table_of(ranked: Ranked, depth: int) -> CqaTable:
    """Return the table of one system's rankings."""
    measures = [f"{key}@{k}" for key in ("Success", "P") for k in range(1, depth + 1)]
    measures += [f"RR@{depth}", f"AP(norm='rel_ret')@{depth}", "NumRelRet"]
    collection = Collection(tuple(map(str, range(ranked.n_queries))), (SystemRows("one", ranked),))
    return cqa_of(evaluate(collection, Options(tuple(measures)), Provenance("lab", "1")))["one"]


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
    table = table_of(ranked, 15)
    assert table.queries == QUESTIONS
    assert table.ac2.tolist() == counts.tolist()
    assert np.round(table.rec1, 2).tolist() == rec1
    assert np.round(table.acc, 2).tolist() == acc
    assert np.round(table.ac1, 2).tolist() == ac1
    assert round(table.mrr, 2) == mrr
    assert round(table.map, 2) == mean_precision
    assert table.avgrec == pytest.approx(table.ac1.mean())


def test_several_relevant_answers_count_up_to_what_was_to_be_had() -> None:
    table = table_of(Ranked.of_rankings([[1, 0, 1], [0, 0, 0], [0, 1, 1]], missed=[[1], [1], []]), 3)
    assert table.ac2.tolist() == [1, 2, 4]
    assert table.rec1.tolist() == pytest.approx([100 / 3, 200 / 3, 200 / 3])
    assert table.acc.tolist() == pytest.approx([100 / 3, 200 / 6, 400 / 9])
    assert table.ac1.tolist() == pytest.approx([1 / 2, 2 / 4, 4 / 4])
    assert table.map == pytest.approx(((1 + 2 / 3) / 2 + 0 + (1 / 2 + 2 / 3) / 2) / 3)
    assert table.mrr == pytest.approx(100 * (1 + 0 + 0.5) / 3)


def test_no_question_gives_a_table_of_zeros() -> None:
    table = table_of(Ranked.of_rankings([]), 2)
    assert (table.rec1.tolist(), table.ac1.tolist(), table.map, table.mrr) == ([0, 0], [0, 0], 0, 0)


def test_the_threshold_of_the_evaluation_counts() -> None:
    assert cqa_of(result_of("cQA", rel=1))["standard"].ac2[2] == 4
    assert cqa_of(result_of("cQA", rel=3))["standard"].ac2[2] == 2


def test_systems_stand_side_by_side_for_every_k() -> None:
    means, at_k = cqa_tables(result_of("cQA"))
    assert [column.title for column in means.columns] == ["System", "MRR", "MAP", "AvgRec", "Questions"]
    assert list(means.data[0]) == ["standard", "stemming"]
    assert [column.title for column in at_k.columns][:5] == [
        "k",
        "REC-1 standard",
        "ACC standard",
        "AC1 standard",
        "AC2 standard",
    ]
    assert list(at_k.data[0]) == list(range(1, 16))
    assert list(at_k.data[4])[:3] == [1, 2, 4]
    assert list(at_k.data[8])[:3] == [2, 4, 5]


def test_the_depth_is_that_of_the_preset_and_the_numbers_go_by_the_tables_names() -> None:
    result = result_of("cQA@10")
    table = cqa_of(result)["standard"]
    assert len(table.ac1) == 10
    assert table.avgrec == pytest.approx(table.ac1.mean())
    named = named_values(result, "standard")
    assert list(named) == [
        *("MRR", "MAP", "AvgRec"),
        *(f"{title}@{k}" for title in ("REC-1", "ACC", "AC1", "AC2") for k in range(1, 11)),
    ]
    assert [named["AC2@1"], named["AC2@2"], named["AC2@3"]] == [1, 2, 4]
    assert named["AC1@2"] == 2 / 4, (
        "of standard's four rankings three hold something: 1 + 2 + 1 in two places"
    )
    assert named_values(result_of("AP"), "standard") == {}


def test_other_measures_have_no_such_tables() -> None:
    assert cqa_tables(result_of("nDCG@10", "RR")) == ()
    assert cqa_tables(result_of("Success@1", "P@1", "RR@1", "AP@1", "NumRelRet")) == ()


def test_only_the_queries_that_are_shown_count() -> None:
    found = cqa_of(narrowed(result_of("cQA"), {"q1", "q3"}))
    assert found["standard"].queries == 2
    assert found["standard"].mrr == pytest.approx(75)


def test_the_tables_are_printed_one_below_the_other() -> None:
    means, *each = cqa_printed(result_of("cQA"))
    assert means.rows == cqa_tables(result_of("cQA"))[0].rows
    assert [(one.key, one.title) for one in each] == [
        ("cqa-at-k-1", "standard at each k"),
        ("cqa-at-k-2", "stemming at each k"),
    ]
    assert [column.title for column in each[0].columns] == ["k", "REC-1", "ACC", "AC1", "AC2"]
    assert list(each[1].data[4])[:3] == [2, 4, 5]
    assert cqa_printed(result_of("nDCG@10")) == ()


@pytest.mark.parametrize("key", [key for key in FORMATS if key != "csv"])
def test_every_format_of_the_report_holds_the_tables(key: str) -> None:
    text = FORMATS[key].write(Material(result_of("cQA")), Choice(key, ("cqa",)))
    for words in ("MRR, MAP and AvgRec", "standard at each k", "stemming at each k", "REC-1", "AC2"):
        assert words in text
    numbers = ("45.83", "70.83")
    assert [one in text for one in numbers] == [True, True], "both systems' MRR"
    assert FORMATS[key].write(Material(result_of("cQA")), Choice(key, ("cqa",))) == text


def test_the_csv_of_the_report_holds_the_tables() -> None:
    alone = tables(Material(result_of("cQA")))
    assert (len(alone["cqa"]), len(alone["cqa-at-k"])) == (2, 15)


def test_a_report_on_other_measures_has_no_such_section() -> None:
    keys = [one.key for one in report(Material(result_of("nDCG@10"))).sections]
    assert "summary" in keys
    assert "cqa" not in keys


def test_questions_without_grades_are_in_no_table() -> None:
    """A question with gold answers alone is evaluated by its answers, and has no score by grades."""
    names = [f"{key}@{k}" for key in ("Success", "P") for k in (1, 2)]
    whole = result_of(*names, "RR@2", "AP(norm='rel_ret')@2", "NumRelRet")
    without = replace(whole, scores=whole.scores.copy())
    without.scores[:, :, 1] = np.nan
    for name, one in cqa_of(without).items():
        other = cqa_of(narrowed(whole, {"q1", "q3", "q4"}))[name]
        for field in fields(CqaTable):
            assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name
